/** What a page remembers on the device, if people ask for it, and how it tells counts. Served with `page.ts` as one script. */

/** What the device remembers after people ask for it: their neighborhood, and the days of this visit and the one before. */
type Corner = { place: string; visit: string; before: string };

const CORNER = 'corner';

/** Returns what is remembered. A first load on another day begins a new visit. */
function readCorner(): Corner | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(CORNER) ?? 'null') as Corner | null;
    if (kept === null) return undefined;
    const today = document.body.dataset.today ?? '';
    if (kept.visit === today) return kept;
    const corner = { place: kept.place, visit: today, before: kept.visit };
    localStorage.setItem(CORNER, JSON.stringify(corner));
    return corner;
  } catch {
    return undefined; // the browser keeps nothing
  }
}

/** Remembers the neighborhood of the page, or forgets it. */
function toggleCorner(place: string): void {
  const visit = document.body.dataset.today ?? '';
  if (readCorner()?.place === place) localStorage.removeItem(CORNER);
  else localStorage.setItem(CORNER, JSON.stringify({ place, visit, before: visit }));
  void showCorner();
}

/** Shows the remembered neighborhood on the map, its button, and how many are new since the visit before. */
async function showCorner(): Promise<void> {
  const corner = readCorner();
  for (const area of document.querySelectorAll<SVGAElement>('.map [data-place]'))
    area.classList.toggle('mine', area.dataset.place === corner?.place);
  const panel = document.querySelector<HTMLElement>('#corner');
  const button = panel?.querySelector('button');
  if (panel && button) {
    const isMine = panel.dataset.place === corner?.place;
    button.dataset.keep ??= '';
    button.dataset.ask ??= button.textContent ?? '';
    button.textContent = (isMine ? button.dataset.keep : button.dataset.ask) ?? '';
    button.classList.toggle('mine', isMine);
  }
  const since = document.querySelector<HTMLElement>('#since');
  const here = document.querySelector<HTMLAnchorElement>('#my-corner');
  if (since !== null) since.hidden = true;
  if (here !== null) here.hidden = corner === undefined;
  if (corner === undefined) return;
  const { place, visit, before } = corner;
  const isShown = panel?.dataset.place === place;
  const query = new URLSearchParams({ neighborhood: place });
  if (here !== null) [here.href, here.textContent] = [`/?${query}`, place];
  if (before === visit || (here === null && !isShown)) return;
  query.set('added_from', before);
  const response = await fetch(`/api/stats?${query}`).catch(() => undefined);
  if (!response?.ok) return;
  const { total } = (await response.json()) as { total: number };
  if (here !== null && total > 0) [here.href, here.textContent] = [`/?${query}`, `${place} · ${total}`];
  const number = since?.querySelector('dd');
  if (since === null || !number || !isShown) return;
  const link = Object.assign(document.createElement('a'), { href: `/?${query}`, textContent: String(total) });
  number.replaceChildren(link);
  since.hidden = false;
}

/** Tells the count of an area or a bar beside it, for a pointer, a finger and the focus. Screen readers have its label. */
function tellCount(link: (HTMLElement | SVGElement) | null): void {
  document.querySelector('.tell')?.remove();
  const frame = link?.closest<HTMLElement>('.place, .bars');
  if (!link || !frame) return;
  const text = link.getAttribute('aria-label') ?? link.querySelector('.unseen')?.textContent ?? '';
  const tip = Object.assign(document.createElement('span'), { className: 'tell', textContent: text });
  tip.setAttribute('aria-hidden', 'true');
  frame.append(tip);
  const [box, around] = [link.getBoundingClientRect(), frame.getBoundingClientRect()];
  const middle = box.left - around.left + box.width / 2 - tip.offsetWidth / 2;
  const left = Math.min(Math.max(middle, 0), Math.max(0, around.width - tip.offsetWidth));
  const isOver = frame.matches('.place');
  const top = box.top - around.top + (isOver ? box.height / 2 + 14 : -tip.offsetHeight - 4);
  tip.style.left = `${left}px`;
  tip.style.top = `${isOver ? Math.min(top, around.height - tip.offsetHeight) : top}px`;
}

function linkOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(':is(.map, .bars) a') : null;
}

let touched: Element | undefined;

for (const kind of ['pointerover', 'focusin'] as const)
  document.addEventListener(kind, (event) => tellCount(linkOf(event)));
// the first touch tells the count, and the second follows the link
document.addEventListener(
  'click',
  (event) => {
    const link = linkOf(event);
    if (link === null || event.pointerType !== 'touch' || link === touched) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    touched = link;
    tellCount(link);
  },
  { capture: true },
);
document.addEventListener('click', ({ target }) => {
  const panel =
    target instanceof Element ? target.closest('#corner button')?.closest<HTMLElement>('#corner') : null;
  if (panel) toggleCorner(panel.dataset.place ?? '');
});
void showCorner();

/**
 * Adds to the page, which also works without scripts, what only a script can do: arrow keys on maps and charts, the
 * user's neighborhood, and buttons to copy and share. The browser loads all pages.
 */

const POSITION_MS = 10_000;

function closest<Found extends Element>(event: Event, selector: string): Found | null {
  return event.target instanceof Element ? event.target.closest<Found>(selector) : null;
}

const DIRECTIONS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Moves the focus to the nearest link in the direction of the arrow key. */
function moveFocus(event: KeyboardEvent): void {
  const direction = DIRECTIONS[event.key];
  const from = closest<HTMLElement>(event, '[data-arrows] a');
  if (direction === undefined || from === null) return;
  const [x, y] = middleOf(from);
  let nearest: HTMLElement | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const link of from.closest('[data-arrows]')?.querySelectorAll<HTMLElement>('a') ?? []) {
    const [dx, dy] = [middleOf(link)[0] - x, middleOf(link)[1] - y];
    const along = dx * direction[0] + dy * direction[1];
    const away = along + 2 * Math.abs(dx * direction[1] + dy * direction[0]);
    if (along > 1 && away < least) [nearest, least] = [link, away];
  }
  event.preventDefault();
  if (nearest === undefined) return;
  from.tabIndex = -1;
  nearest.tabIndex = 0;
  nearest.focus();
}

function middleOf(element: Element): readonly [x: number, y: number] {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Finds the neighborhood of the browser's position on the map. The position never leaves the browser. */
function findHere(button: HTMLElement): void {
  const sayHere = (text = ''): void => {
    const said = document.querySelector('#here-said');
    if (said !== null) said.textContent = text;
  };
  sayHere();
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const link = findArea(coords.longitude, coords.latitude);
      if (link === undefined) sayHere(button.dataset.outside);
      else location.assign(link.hasAttribute('aria-current') ? '#found' : link.href.baseVal);
    },
    ({ code }) => sayHere(code === 1 ? button.dataset.denied : button.dataset.failed),
    { timeout: POSITION_MS, maximumAge: 60_000 },
  );
}

/** Returns the link of the neighborhood at a position in degrees. */
function findArea(longitude: number, latitude: number): SVGAElement | undefined {
  const map = document.querySelector<SVGSVGElement>('svg.map');
  const numbers = (text = ''): number[] => text.split(' ').map(Number);
  const [west = 0, south = 0, east = 0, north = 0] = numbers(map?.dataset.box);
  const [width = 0, height = 0] = numbers(map?.dataset.size);
  const x = ((longitude - west) / (east - west)) * width;
  const y = ((north - latitude) / (north - south)) * height;
  const paths = [...(map?.querySelectorAll<SVGPathElement>('a path') ?? [])];
  return paths.find((path) => path.isPointInFill(new DOMPoint(x, y)))?.closest<SVGAElement>('a') ?? undefined;
}

/** Copies the texts of the elements that the button names. Selects them if the browser refuses, so that people can. */
async function copy(button: HTMLElement): Promise<void> {
  const ids = button.dataset.copy?.split(' ') ?? [];
  const fields = ids.flatMap((id) => document.querySelector<HTMLElement>(`#${id}`) ?? []);
  const texts = fields.map((field) => {
    if (!(field instanceof HTMLTextAreaElement)) return field.innerText;
    field.select();
    return field.value;
  });
  await navigator.clipboard.writeText(texts.join('\n\n')).then(
    () => {
      button.style.minWidth = `${button.offsetWidth}px`; // what stands beside it stays where it is
      button.textContent = button.dataset.said ?? '';
      said.textContent = button.textContent;
    },
    () => {
      const [first, last] = [fields[0], fields.at(-1)];
      if (first === undefined || last === undefined || first instanceof HTMLTextAreaElement) return;
      getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    },
  );
}

/** Closes the panel to share, if it lies over the results. A focus inside it moves to its summary. */
function closeShare(): void {
  const share = document.querySelector('#take[open]');
  if (share === null || getComputedStyle(share, '::details-content').position !== 'absolute') return;
  if (share.contains(document.activeElement)) share.querySelector('summary')?.focus();
  share.removeAttribute('open');
}

/** Shows the checked values in the summary of a folded list. */
function summarize(list: HTMLElement): void {
  const summary = list.querySelector('summary');
  const { none = '', some = '' } = list.dataset;
  const chosen = [...list.querySelectorAll<HTMLInputElement>(':checked')].map(({ value }) => value);
  const what = new Intl.ListFormat(document.documentElement.lang).format(chosen);
  if (summary !== null) summary.textContent = chosen.length === 0 ? none : some.replace('{what}', () => what);
}

document.documentElement.classList.add('live');
if (!isSecureContext) document.documentElement.classList.add('no-copy'); // the clipboard needs HTTPS
if ('share' in navigator) document.documentElement.classList.add('can-send');
const said = Object.assign(document.createElement('p'), { id: 'said', className: 'unseen' });
said.setAttribute('role', 'status');
document.body.append(said);
for (const list of document.querySelectorAll<HTMLElement>('[data-some]'))
  list.addEventListener('change', () => summarize(list));
document.addEventListener('click', (event) => {
  const button = closest<HTMLElement>(event, '[data-copy]');
  if (button !== null) void copy(button);
  const here = closest<HTMLElement>(event, '#here');
  if (here !== null) findHere(here);
  if (closest(event, '#take') === null) closeShare();
  const url = closest<HTMLElement>(event, '[data-send]')?.dataset.send;
  if (url !== undefined) navigator.share({ title: document.title, url }).catch(() => undefined); // people can cancel
});
if (isSecureContext && 'geolocation' in navigator) document.documentElement.classList.add('can-locate');
// an address names only what is chosen
document.querySelector<HTMLFormElement>('#search')?.addEventListener('formdata', ({ formData }) => {
  const chosen = [...formData].filter(([, value]) => value !== '');
  for (const name of [...formData.keys()]) formData.delete(name);
  for (const [name, value] of chosen) formData.append(name, value);
});
// each map and chart is one tab stop, and arrow keys move between the links inside it
for (const group of document.querySelectorAll('[data-arrows]')) {
  const links = [...group.querySelectorAll<SVGAElement | HTMLAnchorElement>('a')];
  const stop = links.find((link) => link.hasAttribute('aria-current')) ?? links[0];
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}
document.addEventListener('keydown', (event) => {
  moveFocus(event);
  if (event.key === 'Escape') closeShare();
});
document.addEventListener('focusin', (event) => {
  if (closest(event, '#take') === null) closeShare();
});

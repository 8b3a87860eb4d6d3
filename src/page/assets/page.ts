/**
 * Enhances the page, which also works without scripts: shows results while the user types, and loads filters, pages,
 * map, table and chart without a full page load. Requests the same addresses as the links of the page. Stores nothing
 * but a neighborhood that somebody asks to remember, on the device only.
 */

const TYPING_MS = 300;
const POSITION_MS = 10_000;

/** The two views of a search. Switching between them needs no full page load. */
const VIEWS = ['/', '/changes'];

const form = document.querySelector<HTMLFormElement>('#search');
let latest: AbortController | undefined;
let timer: number | undefined;
let shownNow = location.pathname + location.search;

/** Returns the address of the page for the values of the form. */
function addressOf(given: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(given)) if (value !== '') query.append(name, String(value));
  const path = new URL(given.action).pathname;
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Returns whether a day is complete. While people type the year, browsers report days such as 0002-01-01. */
function isWhole(day: string): boolean {
  return day === '' || day >= '1000';
}

/** Shows the page at an address. If the response is no view of a search, the browser loads it, to show errors. */
async function show(address: string, how: 'push' | 'typed' | 'none'): Promise<void> {
  clearTimeout(timer);
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  const sent = form === null ? new FormData() : new FormData(form);
  document.documentElement.classList.add('waits');
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' }, signal });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (!response.ok || next.querySelector('#view') === null) throw new Error('not a view of a search');
    const { pathname, search } = new URL(response.url); // the server completes half-typed values
    if (how !== 'none') note(pathname + search, how === 'typed');
    shownNow = location.pathname + location.search;
    put(next, sent);
    document.documentElement.classList.remove('waits');
  } catch {
    if (!signal.aborted) location.assign(address);
  }
}

/** Adds one history entry for a sequence of typing, so that going back leads to the previous page. */
function note(address: string, isTyped: boolean): void {
  if (isTyped && history.state?.isTyped === true) history.replaceState({ isTyped }, '', address);
  else history.pushState({ isTyped }, '', address);
}

/** Replaces the parts that depend on the search. Keeps the focus in place and open parts open. */
function put(next: Document, sent: FormData): void {
  const focused = document.activeElement;
  const top = focused?.getBoundingClientRect().top ?? 0;
  const unfolded = [...document.querySelectorAll('[data-live] details[open][id]')].map(({ id }) => id);
  for (const part of document.querySelectorAll('[data-live]')) {
    const other = next.getElementById(part.id);
    if (other !== null) replace(part, other, sent);
  }
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  const path = document.querySelector<HTMLElement>('#narrowing')?.dataset.path;
  if (form !== null && path !== undefined) form.action = `${path}#found`;
  makeArrowStops();
  document.dispatchEvent(new Event('shown'));
  if (focused?.isConnected) keepAt(focused, top);
  else if (focused !== null) refocus(focused, top);
  document.title = next.title;
  tell(document.querySelector('#found')?.textContent ?? '');
}

/**
 * Replaces an element, but keeps the filter with the focus: replacing it would close its list or calendar and lose a
 * half-typed day. `sent` is the form's data when the page was requested.
 */
function replace(old: Element, other: Element, sent: FormData): void {
  const held = document.activeElement;
  const isFilter = held instanceof HTMLInputElement || held instanceof HTMLSelectElement;
  const same = isFilter && old.contains(held) && other.querySelector<typeof held>(`#${held.id}`);
  if (!same) {
    old.replaceWith(other);
    return;
  }
  replaceAround(held, same, old, other);
  const value = held.value === sent.get(held.name) ? same.value : held.value;
  held.replaceChildren(...same.childNodes);
  if (held.value !== value) held.value = value;
}

/** Replaces everything in `old` with the content of `other`, except `kept` and its ancestors. */
function replaceAround(kept: Element, same: Element, old: Element, other: Element): void {
  for (const { name, value } of other.attributes) old.setAttribute(name, value);
  const [mine, theirs] = [[...old.childNodes], [...other.childNodes]];
  const here = mine.find((node) => node.contains(kept)) as Element;
  const there = theirs.find((node) => node.contains(same)) as Element;
  for (const node of mine) if (node !== here) node.remove();
  here.before(...theirs.slice(0, theirs.indexOf(there)));
  here.after(...theirs.slice(theirs.indexOf(there) + 1));
  if (here !== kept) replaceAround(kept, same, here, there);
}

/** Moves the focus to the replacement of an element, or to the heading of the results. */
function refocus(old: Element, top: number): void {
  const { id, dataset } = old as HTMLElement;
  const key = dataset.key === undefined ? undefined : `[data-key="${CSS.escape(dataset.key)}"]`;
  const same = id !== '' ? document.getElementById(id) : key && document.querySelector<HTMLElement>(key);
  if (same) {
    same.focus({ preventScroll: true });
    keepAt(same, top);
  } else focusResults();
}

function keepAt(element: Element, top: number): void {
  scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' });
}

function focusResults(): void {
  document.querySelector<HTMLElement>('#found')?.focus({ preventScroll: true });
  scrollToResults();
}

/** Unless they are visible, shows the results: with the search above them if the first result is visible then, too. */
function scrollToResults(): void {
  if (areResultsSeen()) return;
  scrollTo({ top: 0, behavior: 'instant' });
  if (!areResultsSeen()) document.querySelector('#found')?.scrollIntoView();
}

/** Returns whether the heading of the results and the first of them are visible. */
function areResultsSeen(): boolean {
  const found = document.querySelector('#found');
  const first = document.querySelector('#view li, #caveat') ?? found;
  const { top = 0 } = found?.getBoundingClientRect() ?? {};
  return top >= 0 && (first?.getBoundingClientRect().bottom ?? 0) <= innerHeight;
}

/** Announces a text to screen readers. */
function tell(text: string): void {
  said.textContent = text;
}

/** Copies the words of the address into the search box, after people go back or follow a link to another search. */
function fill(): void {
  const box = document.querySelector<HTMLInputElement>('#q');
  if (box !== null) box.value = new URLSearchParams(location.search).get('q') ?? '';
}

function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function closest<Found extends Element>(event: Event, selector: string): Found | null {
  return event.target instanceof Element ? event.target.closest<Found>(selector) : null;
}

/** Returns the clicked link if it leads to the same page with another search. */
function questionLink(event: MouseEvent): URL | undefined {
  const href = closest(event, '[data-live] a')?.getAttribute('href');
  if (href === null || href === undefined || href.startsWith('#') || !isPlainPress(event)) return undefined;
  const url = new URL(href, location.href);
  return url.origin === location.origin && VIEWS.includes(url.pathname) ? url : undefined;
}

type Goal = 'stay' | 'top' | 'scroll' | 'focus';

/** Returns what to do after following a link. The other view of a search is shown from its top. */
function goalOf(event: MouseEvent, url: URL): Goal {
  if (closest(event, '.pages') !== null) return 'focus';
  if (closest(event, '.switch') !== null) return 'top';
  return url.hash === '#found' ? 'scroll' : 'stay';
}

async function follow(url: URL, goal: Goal): Promise<void> {
  await show(url.pathname + url.search, 'push');
  fill();
  if (goal === 'focus') focusResults();
  if (goal === 'scroll') scrollToResults();
  if (goal === 'top') scrollTo({ top: 0, behavior: 'instant' });
}

async function submit(given: HTMLFormElement): Promise<void> {
  await show(addressOf(given), 'push');
  if (!document.activeElement?.closest('.filters')) focusResults(); // a changed filter keeps the focus
}

/** Makes each map and chart one tab stop. Arrow keys move between the links inside it. */
function makeArrowStops(): void {
  for (const group of document.querySelectorAll('[data-arrows]')) {
    const links = [...group.querySelectorAll<SVGAElement | HTMLAnchorElement>('a')];
    const stop = links.find((link) => link.hasAttribute('aria-current')) ?? links[0];
    for (const link of links) link.tabIndex = link === stop ? 0 : -1;
  }
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
      if (link === undefined) return sayHere(button.dataset.outside);
      if (link.hasAttribute('aria-current')) return scrollToResults();
      void follow(new URL(link.href.baseVal, location.href), 'scroll');
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
      tell(button.textContent);
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
  if (closest(event, '[data-print]') !== null) print();
  const url = closest<HTMLElement>(event, '[data-send]')?.dataset.send;
  if (url !== undefined) navigator.share({ title: document.title, url }).catch(() => undefined); // people can cancel
});
if (form !== null) {
  if (isSecureContext && 'geolocation' in navigator) document.documentElement.classList.add('can-locate');
  makeArrowStops();
  form.addEventListener('input', (event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const isPicked = event instanceof InputEvent && event.inputType === 'insertReplacementText';
    if (event.target.list !== null && isPicked) void show(addressOf(form), 'push');
    if (event.target.id !== 'q') return;
    clearTimeout(timer);
    timer = setTimeout(() => show(addressOf(form), 'typed'), TYPING_MS);
  });
  form.addEventListener('change', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const isDay = target.type === 'date' && isWhole(target.value);
    if (isDay || target instanceof HTMLSelectElement || target.list !== null)
      void show(addressOf(form), 'push');
  });
  form.addEventListener('focusin', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.list !== null) event.target.select();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
  document.addEventListener('keydown', (event) => {
    moveFocus(event);
    if (event.key === 'Escape') closeShare();
  });
  document.addEventListener('focusin', (event) => {
    if (closest(event, '#take') === null) closeShare();
  });
  document.addEventListener('click', (event) => {
    const here = closest<HTMLElement>(event, '#here');
    if (here !== null) findHere(here);
    if (closest(event, '#take') === null) closeShare();
    const url = questionLink(event);
    if (url === undefined) return;
    event.preventDefault();
    void follow(url, goalOf(event, url));
  });
  addEventListener('popstate', () => {
    if (location.pathname + location.search === shownNow) return;
    void show(location.pathname + location.search, 'none').then(fill);
  });
}

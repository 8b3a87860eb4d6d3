/**
 * Enhances pages that work without scripts: results while typing, filters, pages and map without a full load, and live examples in
 * the reference. Requests the same addresses as the links do and shows the response. Stores nothing.
 */

const TYPING_MS = 300;

const form = document.querySelector<HTMLFormElement>('#search');
let latest: AbortController | undefined;
let timer: number | undefined;
let shownNow = location.search;

/** The address of the page for the values of the form. */
function addressOf(given: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(given)) if (value !== '') query.append(name, String(value));
  return query.size === 0 ? '/' : `/?${query}`;
}

/** A day while it is typed is valid with the first digit of its year: 0002-01-01. */
function isWhole(day: string): boolean {
  return day === '' || day >= '1000';
}

/** Shows the page at an address. If the response is not a normal page, the browser loads it, so that people see the error. */
async function show(address: string, how: 'push' | 'typed' | 'none'): Promise<void> {
  clearTimeout(timer);
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  document.documentElement.classList.add('waits');
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' }, signal });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (!response.ok || next.querySelector('#results') === null) throw new Error('not a page of results');
    if (how !== 'none') note(address, how === 'typed');
    shownNow = location.search;
    put(next);
    document.documentElement.classList.remove('waits');
  } catch {
    if (!signal.aborted) location.assign(address);
  }
}

/** One history entry for everything typed in a row, so that going back leads to the page before. */
function note(address: string, isTyped: boolean): void {
  if (isTyped && history.state?.isTyped === true) history.replaceState({ isTyped }, '', address);
  else history.pushState({ isTyped }, '', address);
}

/** Replaces the parts that depend on the search. Keeps the focus, and keeps open what was unfolded. */
function put(next: Document): void {
  const focused = document.activeElement?.id ?? '';
  const unfolded = [...document.querySelectorAll('[data-live] details[open]')].map(({ id }) => id);
  for (const part of document.querySelectorAll('[data-live]')) {
    const other = next.getElementById(part.id);
    if (other !== null) part.replaceWith(other);
  }
  for (const id of unfolded) document.getElementById(id)?.setAttribute('open', '');
  if (focused !== '' && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  document.title = next.title;
  const said = document.querySelector('#said');
  if (said !== null) said.textContent = document.querySelector('#found')?.textContent ?? '';
}

/** Sets the form to the values in the address: after going back, or after a link that changed the search. */
function fill(): void {
  const box = document.querySelector<HTMLInputElement>('#q');
  if (box !== null && box !== document.activeElement)
    box.value = new URLSearchParams(location.search).get('q') ?? '';
}

function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** The link to the same page with another search, if the click was on one. */
function questionLink(event: MouseEvent): URL | undefined {
  const link = event.target instanceof Element ? event.target.closest('[data-live] a') : null;
  const href = link?.getAttribute('href');
  if (href === null || href === undefined || !isPlainPress(event)) return undefined;
  const url = new URL(href, location.href);
  return url.origin === location.origin && url.pathname === '/' && url.hash === '' ? url : undefined;
}

async function follow(url: URL, isPage: boolean): Promise<void> {
  await show(url.pathname + url.search, 'push');
  fill();
  if (!isPage) return;
  const found = document.querySelector<HTMLElement>('#found');
  found?.setAttribute('tabindex', '-1');
  found?.focus({ preventScroll: true });
  found?.scrollIntoView();
}

if (form !== null) {
  document.documentElement.classList.add('live');
  const said = Object.assign(document.createElement('p'), { id: 'said', className: 'unseen' });
  said.setAttribute('role', 'status');
  form.after(said);
  form.addEventListener('input', (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.type === 'date') return;
    clearTimeout(timer);
    timer = setTimeout(() => show(addressOf(form), 'typed'), TYPING_MS);
  });
  form.addEventListener('change', (event) => {
    const { target } = event;
    const isDay = target instanceof HTMLInputElement && target.type === 'date' && isWhole(target.value);
    if (isDay || target instanceof HTMLSelectElement) show(addressOf(form), 'push');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show(addressOf(form), 'push');
  });
  document.addEventListener('click', (event) => {
    const url = questionLink(event);
    if (url === undefined) return;
    event.preventDefault();
    follow(url, event.target instanceof Element && event.target.closest('.pages') !== null);
  });
  addEventListener('popstate', () => {
    if (location.search === shownNow) return;
    show(location.pathname + location.search, 'none').then(fill);
  });
}

/** Shows the response to an example below it. */
async function tryOut(link: HTMLAnchorElement): Promise<void> {
  const view = link.closest('.try')?.querySelector('pre') ?? document.createElement('pre');
  view.tabIndex = 0;
  view.setAttribute('aria-live', 'polite');
  link.closest('.try')?.append(view);
  const response = await fetch(link.href).catch(() => undefined);
  if (response === undefined) location.assign(link.href);
  else view.textContent = `HTTP ${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
}

document.addEventListener('click', (event) => {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-try]') : null;
  if (link === null || !isPlainPress(event)) return;
  event.preventDefault();
  tryOut(link);
});

/** Asserts that every page of a city is no wider than the screen, and that everything on it can be reached. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { parseAddress } from '../../src/service/subscribers/address.ts';
import { EVERYTHING } from '../../src/shared/question.ts';
import { atDepth } from '../depth.ts';
import { aMailing, tokenIn } from '../service/mail/a-mailing.ts';
import { AN_EDITION, aDoor } from '../service/web/a-door.ts';
import type { LargeCity } from './a-large-city.ts';
import { PAGES } from './every-page.ts';

const WIDTHS = atDepth([320, 768, 1920], [320, 390, 768, 1280, 1920]);
const pathsOf = (two: URLSearchParams): string[] => [
  ...Object.values(PAGES),
  ...['/?q=shop&filed_from=2016-01-01&filed_to=2016-12-31', '/?category=Restaurants'],
  ...['/?q=nothingatall&status=closed', '/signup?category=Restaurants', '/weekly', `/weekly/${AN_EDITION}`],
  ...['/?q=how+many+restaurants+in+2015', '/?q=restaurants+2016+vs+2015', '/?neighborhood=Downtown'],
  ...['/', '/changes', '/feeds', '/signup', '/correct'].map((path) => `${path}?${two}`),
];

export async function fitsScreens(
  t: TestContext,
  open: (url: string) => Promise<Page>,
  { city, catalogue, outline }: LargeCity,
): Promise<void> {
  const { subscriptions, deliver } = await aMailing({ city });
  await subscriptions.requestSignup(parseAddress('ann@b.example')!, 'weekly', 'form');
  const { links } = (await deliver())[0]!;
  await subscriptions.confirm(tokenIn(links.confirm!));
  const { url } = await aDoor(t, { city, catalogue, subscriptions, outline: () => outline, limits: 'off' });
  const page = await open(url);
  const { pathname, search } = new URL(links.manage!);
  await isLight(url);
  const { by } = catalogue.stats(EVERYTHING);
  await showsListings(page, new URLSearchParams({ category: by.category[0]!.value }));
  const two = new URLSearchParams([
    ...listLongest('category', by.category),
    ...listLongest('neighborhood', by.neighborhood),
  ]);
  for (const path of [...pathsOf(two), pathname + search]) {
    await page.goto(path);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await page.evaluate(TOO_WIDE), [], `${path}, ${width} pixels`);
      assert.deepEqual(await page.evaluate(TOO_CLOSE), [], `${path}, ${width} pixels`);
      assert.deepEqual(await page.evaluate(TOO_NARROW), [], `${path}, ${width} pixels`);
      if (width < 400) assert.deepEqual(await page.evaluate(TOO_SMALL), [], `${path}, ${width} pixels`);
    }
  }
}

/** The two longest values of a filter, which make a long address. */
function listLongest(name: string, counts: readonly { value: string }[]): [string, string][] {
  const values = counts.map(({ value }) => value).toSorted((a, b) => b.length - a.length);
  return values.slice(0, 2).map((value) => [name, value]);
}

/** What is wider than the screen, and the newest year if it is out of sight. */
const TOO_WIDE = `(() => {
  const root = document.documentElement;
  const wide = root.scrollWidth > root.clientWidth ? ['page: ' + root.scrollWidth] : [];
  const years = document.querySelector('.years');
  const hidden = years !== null && years.querySelector('li').getBoundingClientRect().right > years.getBoundingClientRect().right + 1;
  return [...wide, ...(hidden ? ['newest year'] : [])];
})()`;

/** Years below bars that touch the next one. */
const TOO_CLOSE = `[...document.querySelectorAll('.bars')].flatMap((bars) =>
  [...bars.querySelectorAll('svg + [aria-hidden]')]
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, { width }]) => width > 0)
    .filter(([, { right }], i, all) => right >= (all[i + 1]?.[1].left ?? Infinity))
    .map(([text]) => text))`;

/** Forms to sign up with hardly any room. */
const TOO_NARROW = `[...document.querySelectorAll('form.signup')]
  .map((one) => one.getBoundingClientRect().width)
  .filter((width) => width > 0 && width < 200)`;

/** What is less than 40 pixels high for a finger: the actions of a search, what can be shared, and the years. */
const TOO_SMALL = `[...document.querySelectorAll('.actions > :is(.here, .button, .switch), .actions > details > summary, #take .line > :is(a, button), #take summary, .ends a')]
  .map((one) => [one.textContent, one.getBoundingClientRect().height])
  .filter(([, height]) => height > 0 && height < 40)`;

/** The home page, as it is sent, in bytes. */
const MOST_BYTES = 10_000;

async function isLight(url: string): Promise<void> {
  for (const path of ['/', '/changes']) {
    const response = await fetch(url + path, { headers: { 'Accept-Encoding': 'br', Accept: 'text/html' } });
    const bytes = Number(response.headers.get('content-length'));
    assert.ok(bytes > 0 && bytes < MOST_BYTES, `${path}: ${bytes} bytes`);
  }
}

/** How far from the top of a phone the first listing may be, in pixels. */
const FURTHEST_LISTING = 480;

/** The first listing is in the upper part of the first screen of a phone. */
async function showsListings(page: Page, kind: URLSearchParams): Promise<void> {
  for (const path of ['/', '/?q=shop', `/?${kind}`]) {
    await page.goto(path);
    for (const [width, more] of [
      [390, 0],
      [320, 100],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      const top = (await page.locator('.ledger li').first().boundingBox())!.y;
      assert.ok(top < FURTHEST_LISTING + more, `${path}: ${top} at ${width}`);
    }
  }
}

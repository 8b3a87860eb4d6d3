/** What people do with the map, in a real browser: touch, keys, and the neighborhood they are in. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { aDoor, CITY, someRows } from '../service/web/a-door.ts';
import { until } from '../until.ts';
import { aBrowser, faultsOf, focused, test } from './a-browser.ts';
import { aSampleBrowser } from './a-sample.ts';

const visit = aBrowser();
const open = aSampleBrowser();

/** In the middle of a neighborhood of the sample, and far from all of them. */
const IN_MILLRACE = { longitude: -30.0765698, latitude: 45.0356859 };
const ELSEWHERE = { longitude: 11.5754321, latitude: 48.1371234 };

const at = (geolocation: typeof ELSEWHERE) => ({ geolocation, permissions: ['geolocation'] });

/** Waits until the heading of the results is on the screen. */
const seesResults = (page: Page) =>
  until(async () => {
    const top = (await page.evaluate(
      'document.querySelector("#found").getBoundingClientRect().top / innerHeight',
    )) as number;
    return (top >= 0 && top < 1) || undefined;
  }, 'the results on the screen');

test('on a phone, one tap finds my neighborhood, a tap on the map shows a count, and a second tap leads to the results', async (t) => {
  const page = await open(t, '/', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const top = (await page.getByRole('button', { name: 'My neighborhood' }).boundingBox())!.y;
  assert.ok(top < 422, `${top}`);
  const millrace = page.getByRole('link', { name: /^Millrace, \d+ new business/ });
  await millrace.tap();
  assert.match(await page.locator('.tell').innerText(), /^Millrace, \d+ new business/);
  await millrace.tap();
  await page.waitForURL('**/?neighborhood=Millrace#found');
  await page.locator('.map a[aria-current]').waitFor();
  await seesResults(page);
});

test('the map is one tab stop, arrow keys go from neighbor to neighbor, and Enter follows the link', async (t) => {
  const page = await open(t, '/');
  assert.equal(await page.locator('.map a[tabindex="0"]').count(), 1);
  await page.locator('.map a[data-place="Old Town"]').focus();
  const seen = new Set<string>();
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key);
    seen.add((await page.evaluate('document.activeElement.dataset.place')) as string);
  }
  assert.ok(seen.size >= 5, [...seen].join());
  const place = await page.evaluate('document.activeElement.dataset.place');
  await page.keyboard.press('Enter');
  await page.locator('.map a[aria-current]').waitFor();
  assert.equal(await page.locator('.map a[aria-current]').getAttribute('data-place'), place);
});

/** Each count on the map, with its neighborhood, and whether its digits lie inside. */
const LABELS = `[...document.querySelectorAll('.names text')].map((label) => {
  const name = label.dataset.place;
  const area = document.querySelector('.map a[data-place="' + name + '"] path');
  const { x, y, width, height } = label.getBBox();
  const middle = new DOMPoint(x + width / 2, y + height / 2);
  return { name: name + ' ' + label.textContent, isInside: area.isPointInFill(middle) };
})`;

test('a count on the map lies inside its neighborhood, and is that of the list', async (t) => {
  const page = await open(t, '/?filed_from=2025-01-01');
  const labels = (await page.evaluate(LABELS)) as { name: string; isInside: boolean }[];
  assert.ok(labels.length > 9);
  const listed = await page.locator('.places .counted li').allTextContents();
  for (const { name, isInside } of labels) assert.ok(isInside && listed.includes(name), name);
});

test('my neighborhood is found in the browser, and no request contains the position', async (t) => {
  const viewport = { width: 390, height: 844 };
  const page = await open(t, undefined, { ...at(IN_MILLRACE), viewport });
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()));
  });
  await page.goto('/?status=open');
  await page.getByRole('button', { name: 'My neighborhood' }).click();
  await page.waitForURL('**/?neighborhood=Millrace&status=open#found');
  await page.locator('.map a[aria-current]').waitFor();
  await seesResults(page);
  assert.ok(sent.length >= 6);
  const everything = decodeURIComponent(sent.join('\n').replaceAll('%', '%25'));
  for (const part of [IN_MILLRACE.longitude, IN_MILLRACE.latitude])
    for (const digits of [String(part), String(part).slice(0, -4), String(part).replace('.', '').slice(0, 5)])
      assert.ok(!everything.includes(digits.replace('-', '')), digits);
  const stored = 'localStorage.length + sessionStorage.length + document.cookie.length';
  assert.equal(await page.evaluate(stored), 0);
});

test('the page tells a visitor outside the city, or without a position, what to do', async (t) => {
  const away = await open(t, '/', at(ELSEWHERE));
  await away.getByRole('button', { name: 'My neighborhood' }).click();
  await away.getByText('Your location is outside the neighborhoods on this map.').waitFor();
  assert.equal(new URL(away.url()).search, '');
  const refused = await open(t, '/');
  await refused.getByRole('button', { name: 'My neighborhood' }).click();
  await refused.getByText(/Allow it in your browser settings, or choose a neighborhood/).waitFor();
  assert.equal(await focused(refused), 'here');
  await refused.getByRole('link', { name: 'Neighborhoods', exact: true }).click();
  assert.equal(new URL(refused.url()).hash, '#map');
  assert.deepEqual(await faultsOf(refused), []);
});

test('only the device remembers a neighborhood, from the time people ask for it until they ask to forget it', async (t) => {
  const page = await open(t, '/?neighborhood=Millrace');
  const kept = () => page.evaluate('String(Object.entries(localStorage))');
  assert.equal(await kept(), '');
  await page.getByRole('button', { name: 'Remember my neighborhood' }).click();
  const corner = /^corner,\{"place":"Millrace","visit":"[-0-9]{10}","before":"[-0-9]{10}"\}$/;
  assert.match(String(await kept()), corner);
  await page.goto('/');
  await page.getByRole('link', { name: 'Millrace', exact: true }).first().waitFor();
  assert.equal(await page.locator('.map a.mine').getAttribute('data-place'), 'Millrace');
  const weeksAgo = "{ place: 'Millrace', visit: '2026-09-01', before: '2026-09-01' }";
  await page.evaluate(`localStorage.corner = JSON.stringify(${weeksAgo})`);
  await page.goto('/?neighborhood=Millrace');
  const since = await page.locator('#since a').getAttribute('href');
  assert.equal(since, '/?neighborhood=Millrace&added_from=2026-09-01');
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Forget my neighborhood' }).click();
  assert.equal(await kept(), '');
});

test('the page of an archive remembers no visit, and shows nothing as new', async (t) => {
  const { url } = await aDoor(t, { city: { ...CITY, archive: true }, rows: someRows(30), limits: 'off' });
  const { page } = await visit(t, url);
  await page.goto('/?neighborhood=Café+Row');
  await page.getByRole('button', { name: 'Remember my neighborhood' }).click();
  assert.equal(await page.evaluate('JSON.parse(localStorage.corner).visit'), '');
  assert.equal(await page.locator('#since').count(), 0);
});

test('an answer stands with its question on one band, outlines what it names, and has its numbers in bold', async (t) => {
  const page = await open(t, '/?q=which+neighborhood+has+the+most+restaurants');
  const [head, answer, weight, named] = (await page.evaluate(`(() => {
    const styleOf = (part) => getComputedStyle(document.querySelector(part));
    const bands = [styleOf('.head'), styleOf('.answer')].map((one) => one.borderImageSource + one.borderImageOutset);
    const isOutlined = (path) => getComputedStyle(path).strokeWidth === '4px';
    const outlined = [...document.querySelectorAll('.map path')].filter(isOutlined);
    return [...bands, styleOf('.rank td:last-child').fontWeight, outlined.map((one) => one.parentElement.dataset.place).join()];
  })()`)) as string[];
  assert.match(head!, /gradient.*0 1280px$/);
  assert.deepEqual([answer, weight], [head, '700']);
  assert.equal(named, await page.locator('.rank a').first().innerText());
});

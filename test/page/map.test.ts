/** What people do with the map, in a real browser: touch, keys, and the neighborhood they are in. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../a-process.ts';
import { aBrowser, faultsOf, focused, noBrowser } from './a-browser.ts';
import { aSample } from './a-sample.ts';

const sample = aSample();
const visit = aBrowser();
const LIMITS = { skip: noBrowser };

/** In the middle of a neighborhood of the sample, and far from all of them. */
const IN_MILLRACE = { longitude: -30.0817316, latitude: 45.0297164 };
const ELSEWHERE = { longitude: 11.5754321, latitude: 48.1371234 };

/** Waits until the heading of the results is on the screen. */
const seesResults = (page: Page) =>
  until(async () => {
    const top = (await page.evaluate(
      'document.querySelector("#found").getBoundingClientRect().top / innerHeight',
    )) as number;
    return (top >= 0 && top < 1) || undefined;
  }, 'the results on the screen');

test(
  'on a phone one tap to my neighborhood is near the top, and a touch on the map leads to the results',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.goto('/');
    const top = (await page.getByRole('button', { name: 'My neighborhood' }).boundingBox())!.y;
    assert.ok(top < 422, `${top}`);
    await page.getByRole('link', { name: /^Millrace, \d+ new business/ }).tap();
    await page.waitForURL('**/?neighborhood=Millrace');
    await page.locator('.map a[aria-current]').waitFor();
    await seesResults(page);
  },
);

test(
  'the map is one tab stop, arrow keys go from neighbor to neighbor, and Enter keeps the focus',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url);
    await page.goto('/');
    assert.equal(await page.locator('.map a[tabindex="0"]').count(), 1);
    await page.locator('[data-key="area:Old Town"]').focus();
    const seen = new Set<string>();
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown']) {
      await page.keyboard.press(key);
      seen.add((await page.evaluate('document.activeElement.dataset.key')) as string);
    }
    assert.ok(seen.size >= 5, [...seen].join());
    const place = await page.evaluate('document.activeElement.dataset.key');
    await page.keyboard.press('Enter');
    await page.locator('.map a[aria-current]').waitFor();
    assert.equal(await page.evaluate('document.activeElement.dataset.key'), place);
  },
);

/** Each name on the map, and whether its letters lie inside the neighborhood. */
const LABELS = `[...document.querySelectorAll('.names text')].map((label) => {
  const text = [...label.children].map(({ textContent }) => textContent).join(' ');
  const name = /^\\d+$/.test(text) ? document.querySelectorAll('.key li')[text - 1].textContent : text;
  const area = document.querySelector('[data-key="area:' + name + '"] path');
  const { x, y, width, height } = label.getBBox();
  const corners = [0.2, 0.8].flatMap((down) => [x, x + width].map((across) => new DOMPoint(across, y + down * height)));
  return { name, isInside: corners.every((corner) => area.isPointInFill(corner)) };
})`;

test('names are written on the map where they fit, and all of them are in the list', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/');
  const labels = (await page.evaluate(LABELS)) as { name: string; isInside: boolean }[];
  assert.equal(labels.length, await page.locator('.map a').count(), 'a name or a number in each');
  assert.deepEqual(
    labels.filter(({ isInside }) => !isInside),
    [],
  );
  await page.locator('#rest-neighborhood summary').click();
  const listed = await page.locator('.places .counted a').allInnerTexts();
  for (const area of await page.locator('.map a').all())
    assert.ok(listed.includes((await area.getAttribute('data-key'))!.slice('area:'.length)));
});

test('my neighborhood is found in the browser, and no request contains the position', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url, {
    geolocation: IN_MILLRACE,
    permissions: ['geolocation'],
    viewport: { width: 390, height: 844 },
  });
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()));
  });
  await page.goto('/?status=open');
  await page.getByRole('button', { name: 'My neighborhood' }).click();
  await page.waitForURL('**/?neighborhood=Millrace&status=open');
  await page.locator('.map a[aria-current]').waitFor();
  await seesResults(page);
  assert.ok(sent.length >= 6);
  const everything = decodeURIComponent(sent.join('\n').replaceAll('%', '%25'));
  for (const part of [IN_MILLRACE.longitude, IN_MILLRACE.latitude])
    for (const digits of [String(part), String(part).slice(0, -4), String(part).replace('.', '').slice(0, 5)])
      assert.ok(!everything.includes(digits.replace('-', '')), digits);
  assert.equal(
    await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'),
    0,
  );
});

test('somebody elsewhere, and somebody whose browser may not tell, hear what to do', LIMITS, async (t) => {
  const away = await visit(t, sample.url, { geolocation: ELSEWHERE, permissions: ['geolocation'] });
  await away.page.goto('/');
  await away.page.getByRole('button', { name: 'My neighborhood' }).click();
  await away.page.getByText('Your location is outside the neighborhoods on this map.').waitFor();
  assert.equal(new URL(away.page.url()).search, '');
  const refused = await visit(t, sample.url);
  await refused.page.goto('/');
  await refused.page.getByRole('button', { name: 'My neighborhood' }).click();
  await refused.page.getByText(/Allow it in your browser settings, or choose a neighborhood/).waitFor();
  assert.equal(await focused(refused.page), 'here');
  await refused.page.getByRole('link', { name: 'Neighborhoods', exact: true }).click();
  assert.equal(new URL(refused.page.url()).hash, '#map');
  assert.deepEqual(await faultsOf(refused.page), []);
});

/** What people do with the chart, in a real browser: compare years by looking, choose a time, and take the numbers with them. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { jsonOf, toPlainDates } from '../an-answer.ts';
import { faultsOf, focused, test } from './a-browser.ts';
import { aSample, aSampleBrowser } from './a-sample.ts';

const sample = aSample();
const open = aSampleBrowser();

/** The counts of the twelve months and of those a year before, as the columns say them. */
const table = async (page: Page) =>
  (await page.locator('.months title').allTextContents()).map((text) => {
    const [, month = '', now = '', before = ''] = /^(.*?): ([\d,]+)\. .*: ([\d,]+)$/.exec(text) ?? [];
    return [toPlainDates(month), now, before];
  });

test('three clicks from the start compare restaurants of one neighborhood in two years, and the address keeps the comparison', async (t) => {
  const page = await open(t, '/?neighborhood=Millrace');
  await page.locator('#kinds ~ .counted a', { hasText: 'Restaurants' }).click();
  await page.locator('#chosen a', { hasText: 'Restaurants' }).waitFor();
  await page.getByRole('link', { name: 'Compare years' }).click();
  await page.locator('#kicker').waitFor();
  await page.locator('.years a', { hasText: '2025' }).click();
  await page.waitForURL(
    '**/changes?category=Restaurants&neighborhood=Millrace&filed_from=2025-01-01&filed_to=2025-12-31',
  );
  await page.locator('#kicker', { hasText: 'Restaurants in Millrace, 2025' }).waitFor();
  const shown = await table(page);
  const countsOf = async (year: number) => {
    const days = `filed_from=${year}&filed_to=${year}`;
    const path = `/api/stats?category=Restaurants&neighborhood=Millrace&${days}`;
    const { by_month } = await jsonOf<{ by_month: Record<string, number> }>(fetch(sample.url + path));
    return Object.entries(by_month).toReversed();
  };
  const [now, then] = [await countsOf(2025), await countsOf(2024)];
  assert.ok(now.some(([, count]) => count > 0) && then.some(([, count]) => count > 0));
  const nameOf = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  assert.deepEqual(
    shown,
    now.map(([month, n], i) => [nameOf.format(new Date(month)), `${n}`, `${then[i]![1]}`]),
  );
  await page.reload();
  assert.deepEqual(await table(page), shown);
});

test('arrow keys select a month, and selecting it again returns to the usual period', async (t) => {
  const page = await open(t, '/changes?category=Restaurants');
  await page.locator('.months a').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  const label = await focused(page);
  await page.keyboard.press('Enter');
  await page.locator('.months [aria-current]').waitFor();
  assert.ok(label?.startsWith((await page.locator('.months [aria-current] title').textContent())!));
  assert.ok(toPlainDates(label).startsWith('February 2026'));
  assert.match(page.url(), /filed_from=2026-02-01&filed_to=2026-02-28/);
  assert.equal(await page.locator('.months a[tabindex="0"]').count(), 1);
  assert.deepEqual(await faultsOf(page), []);
  await page.locator('.months [aria-current]').press('Enter');
  await page.waitForURL('**/changes?category=Restaurants');
});

test('the numbers of the chart add up to those of the API, and need no script', async (t) => {
  const page = await open(t, '/changes?q=coffee', { javaScriptEnabled: false });
  const total = (await table(page)).reduce((sum, [, now]) => sum + Number(now), 0);
  const data = page.locator('.answer').getByRole('link', { name: 'Data', exact: true });
  const link = await data.getAttribute('href');
  const address = new URL(link!.replace('.csv', ''), sample.url);
  address.searchParams.delete('by');
  const stats = await jsonOf<{ total: number }>(fetch(address));
  assert.equal(total, stats.total);
  assert.equal(await page.locator('[data-copy]').first().isVisible(), false);
  await page.locator('#take > summary').click();
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Picture of the chart' }).click();
  assert.equal(new URL((await saved).url()).pathname, '/chart.png');
});

test('without HTTPS there is no clipboard, and the page does not offer to copy', async (t) => {
  const page = await open(t);
  await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
  await page.goto('/changes');
  await page.locator('html.live').waitFor();
  assert.ok((await page.locator('#source').boundingBox())!.height > 10);
  assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0);
});

test('a browser that can share a page is asked to share the address of the search', async (t) => {
  const page = await open(t, '/?q=coffee');
  await page.locator('#take > summary').click();
  const send = page.getByRole('button', { name: 'Share…' });
  assert.equal(await send.count(), 0);
  await page.addInitScript('navigator.share = async ({ url }) => { document.title = url; }');
  await page.reload();
  await page.locator('#take > summary').click();
  await send.click();
  assert.equal(await page.title(), await page.locator('#take-link').inputValue());
});

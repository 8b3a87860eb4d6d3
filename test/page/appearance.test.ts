/** How pages look and read: no axe violation in light and dark mode, nothing wider than a phone, nothing inline or from other hosts. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aDoor } from '../service/web/a-door.ts';
import { aBrowser, faultsInBothModes, faultsOf, test } from './a-browser.ts';
import { aSampleBrowser } from './a-sample.ts';
import { PAGES } from './every-page.ts';

const visit = aBrowser();
const open = aSampleBrowser();

test('axe finds no violation on any page, in light and dark mode', async (t) => {
  const page = await open(t);
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    assert.deepEqual(await faultsInBothModes(page), [], name);
  }
});

test('axe finds no violation in open lists and selected neighborhoods', async (t) => {
  const page = await open(t, '/?neighborhood=Old+Town');
  const closed = page.locator('details:not([open]) > summary');
  // by the keyboard: the panel to share lies over some rows
  while ((await closed.count()) > 0) await closed.first().press('Enter');
  assert.deepEqual(await faultsOf(page), []);
});

test('a person over the rate limit sees a page that says when to try again', async (t) => {
  const { url } = await aDoor(t, { limits: { burst: 20 } }); // its clock stands still
  const { page } = await visit(t, url);
  const ask = () => fetch(`${url}/api/search?limit=0`).then(({ status }) => status);
  for (let asked = 0; (await ask()) !== 429; asked++) assert.ok(asked < 20);
  const response = await page.goto('/');
  assert.equal(response?.status(), 429);
  assert.match(await page.locator('main').innerText(), /Try again in \d+ seconds?/);
  assert.deepEqual(await faultsOf(page), []);
  assert.ok(Number(await response?.headerValue('retry-after')) > 0);
});

/** Asserts which parts of a page can be seen. */
async function assertSeen(page: Page, shown: readonly string[], hidden: readonly string[]): Promise<void> {
  for (const part of [...shown, ...hidden])
    assert.equal(await page.locator(part).first().isVisible(), shown.includes(part), part);
}

async function countSheets(page: Page, format: string): Promise<number> {
  const sheets = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
  return Number(/\/Count (\d+)/.exec(sheets)?.[1]);
}

test('the printed page shows the listings without controls', async (t) => {
  const page = await open(t, '/');
  await page.emulateMedia({ media: 'print' });
  await assertSeen(
    page,
    ['.ledger', '#results .print'],
    ['.head', '#email', '.bar nav', 'a[href="#report"]'],
  );
});

test('a comparison prints its sentence, its source and all rows on few pages', async (t) => {
  const page = await open(t, '/changes?by=category&sort=-change');
  assert.ok((await countSheets(page, 'A4')) <= 3);
  await page.emulateMedia({ media: 'print' });
  const shown = ['#kicker', '#source', '#middle', '#small table'];
  await assertSeen(page, shown, ['.head', '.more', '.answer button', 'caption a']);
});

test('a page of listings or neighborhoods prints on one sheet of A4 or Letter, with the years over its whole width', async (t) => {
  const page = await open(t);
  for (const path of ['/?offset=25', '/?category=Restaurants', '/?neighborhood=Old+Town', '/changes', '/']) {
    await page.goto(path);
    for (const format of ['A4', 'Letter'])
      assert.equal(await countSheets(page, format), 1, `${path}, ${format}`);
  }
  await page.emulateMedia({ media: 'print' });
  const free = `document.querySelector('.years').getBoundingClientRect().right
    - document.querySelector('.years li:last-child').getBoundingClientRect().right`;
  assert.ok(Number(await page.evaluate(free)) < 2);
  assert.match(await page.locator('#results .print').innerText(), /Run by Otterfall News/);
});

test('printed charts are high enough to read, and the map is half as wide as the sheet', async (t) => {
  const page = await open(t);
  await page.emulateMedia({ media: 'print' });
  for (const [path, plot] of [
    ['/?category=Restaurants', '.times .years'],
    ['/changes', '#chart .columns'],
  ] as const) {
    await page.goto(path);
    const { height } = (await page.locator(`${plot} svg`).first().boundingBox())!;
    assert.ok(height >= 119.9, `${path}: ${height}`);
    for (const line of await page.locator('#chart .grid-lines text').all())
      assert.equal(await line.isVisible(), true);
  }
  const widthOf = async (part: string) => (await page.locator(part).boundingBox())!.width;
  assert.ok((await widthOf('.map')) > (await widthOf('#view')) * 0.45);
});

test('the columns of a comparison do not touch on any screen', async (t) => {
  const page = await open(t);
  for (const path of ['/changes', '/changes?by=category', '/changes?by=category&sort=-share']) {
    await page.goto(path);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await page.evaluate(TOO_CLOSE), [], `${path}, ${width} pixels`);
    }
  }
});

/** Cells of comparisons whose text begins less than 16 pixels after the text of the cell before. */
const TOO_CLOSE = `(() => {
  const boxOf = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  };
  const rows = [...document.querySelectorAll('.changes tr')].map(({ cells }) =>
    [...cells].filter((cell) => cell.textContent.trim() && cell.checkVisibility()));
  return rows.flatMap((cells) => cells.slice(1).map((cell, i) => [cell.textContent, boxOf(cell).left - boxOf(cells[i]).right]))
    .filter(([, gap]) => gap < 15.9);
})()`;

test('a phone shows the first rows of a long table, and the other rows on request', async (t) => {
  const path = '/changes?by=category&sort=-change';
  const page = await open(t, path, { viewport: { width: 390, height: 844 } });
  await assertSeen(page, ['.more'], ['#middle']);
  await page.getByRole('link', { name: /^Show \d+ more$/ }).click();
  await assertSeen(page, ['#middle'], ['.more']);
  assert.deepEqual(await faultsOf(page), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await assertSeen(page, ['#middle'], ['.more']);
});

/** The reference, and whether a part of it is on the screen. */
async function theReference(t: TestContext, path: string, width: number) {
  const { url } = await aDoor(t);
  const { page } = await visit(t, url, { reducedMotion: 'reduce', viewport: { width, height: 844 } });
  await page.goto(path);
  const isIn = async (part: Locator) => {
    const box = await part.first().boundingBox();
    return box !== null && box.y >= 0 && box.y < 844;
  };
  return { page, isIn, heading: (name: string) => page.getByRole('heading', { name, exact: true }) };
}

test('on a wide screen, the table of contents stays visible', async (t) => {
  const { page, isIn, heading } = await theReference(t, '/docs#health', 1280);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('link', { name: 'Agents' }).click();
  const { y, height, width } = (await contents.boundingBox())!;
  assert.ok(y >= 0 && y + height <= 844 && width < 300, `${y} ${height} ${width}`);
  assert.ok(await isIn(heading('Agents')), 'the section is in view beside them');
  assert.deepEqual(await faultsOf(page), []);
});

test('on a phone the sections are folded, and a link unfolds its section', async (t) => {
  const { page, isIn, heading } = await theReference(t, '/docs', 390);
  assert.ok((await page.evaluate<number>('document.documentElement.scrollHeight')) < 3000);
  assert.ok(await isIn(page.locator('.request')), 'the first request is in view');
  assert.equal(await heading('Warnings').isVisible(), false);
  for (const [hash, title] of [
    ['warnings', 'Warnings'],
    ['errors', 'Errors'],
  ] as const) {
    await page.goto(`/docs#${hash}`);
    assert.ok(await isIn(heading(title)), title);
  }
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  assert.deepEqual(await faultsOf(page), []);
});

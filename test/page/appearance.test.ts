/** How pages look and read: no axe violation in light and dark mode, nothing wider than a phone, nothing inline or from other hosts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDoor } from '../service/web/a-door.ts';
import { aBrowser, faultsInBothModes, faultsOf, noBrowser } from './a-browser.ts';
import { aSample } from './a-sample.ts';
import { PAGES } from './every-page.ts';

const sample = aSample();
const visit = aBrowser();
const LIMITS = { skip: noBrowser };

test('axe finds no violation on any page, in light and dark mode', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    assert.deepEqual(await faultsInBothModes(page), [], name);
  }
});

test('axe finds no violation in open lists and selected neighborhoods', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/?neighborhood=Old+Town');
  const closed = page.locator('details:not([open]) > summary');
  // by the keyboard: the panel to share lies over some rows
  while ((await closed.count()) > 0) await closed.first().press('Enter');
  assert.deepEqual(await faultsOf(page), []);
});

test('a person over the rate limit sees a page that says when to try again', LIMITS, async (t) => {
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

test('the printed page shows the listings without controls', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/');
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.head', '#email', '.bar nav'])
    assert.equal(await page.locator(hidden).isVisible(), false);
  for (const shown of ['.ledger', '#results .print'])
    assert.equal(await page.locator(shown).first().isVisible(), true);
  assert.equal(await page.locator('a[href="#report"]').isVisible(), false);
});

test('a comparison prints its sentence, its source and all rows on few pages', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
  await page.goto('/changes?by=category&sort=-change');
  const pages = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
  assert.ok(Number(/\/Count (\d+)/.exec(pages)?.[1]) <= 3);
  await page.emulateMedia({ media: 'print' });
  for (const shown of ['#kicker', '#source', '#middle', '#small table'])
    assert.equal(await page.locator(shown).isVisible(), true, shown);
  for (const hidden of ['.head', '.more', '.answer button', 'caption a'])
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
});

test(
  'a page of listings or neighborhoods prints on one sheet of A4 or Letter, with the years over its whole width',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url);
    for (const path of [
      '/',
      '/?offset=25',
      '/?category=Restaurants',
      '/?neighborhood=Old+Town',
      '/changes',
    ]) {
      await page.goto(path);
      for (const format of ['A4', 'Letter']) {
        const sheets = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
        assert.equal(/\/Count (\d+)/.exec(sheets)?.[1], '1', `${path}, ${format}`);
      }
    }
    await page.goto('/');
    await page.emulateMedia({ media: 'print' });
    const free = `document.querySelector('.years').getBoundingClientRect().right
    - document.querySelector('.years li:last-child').getBoundingClientRect().right`;
    assert.ok(Number(await page.evaluate(free)) < 2);
    assert.match(await page.locator('#results .print').innerText(), /Run by Otterfall News/);
  },
);

test(
  'printed charts are high enough to read, and the map is half as wide as the sheet',
  LIMITS,
  async (t) => {
    const { page } = await visit(t, sample.url);
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
  },
);

test('the columns of a comparison do not touch on any screen', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url);
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

test('a phone shows the first rows of a long table, and the other rows on request', LIMITS, async (t) => {
  const { page } = await visit(t, sample.url, { viewport: { width: 390, height: 844 } });
  await page.goto('/changes?by=category&sort=-change');
  const middle = page.locator('#middle');
  assert.equal(await middle.isVisible(), false);
  await page.getByRole('link', { name: /^Show \d+ more$/ }).click();
  assert.equal(await middle.isVisible(), true);
  assert.equal(await page.locator('.more').first().isVisible(), false);
  assert.deepEqual(await faultsOf(page), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/changes?by=category&sort=-change');
  assert.deepEqual(
    [await middle.isVisible(), await page.locator('.more').first().isVisible()],
    [true, false],
  );
});

test('on a wide screen, the table of contents stays visible', LIMITS, async (t) => {
  const { url } = await aDoor(t);
  const { page } = await visit(t, url, { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await page.goto('/docs#health');
  await contents.getByRole('link', { name: 'Agents' }).click();
  const box = await contents.boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 900 && box.width < 300, JSON.stringify(box));
  const heading = await page.getByRole('heading', { name: 'Agents' }).boundingBox();
  assert.ok(heading !== null && heading.y >= 0 && heading.y < 900, 'the section is in view beside them');
  assert.deepEqual(await faultsOf(page), []);
});

test('on a phone the sections are folded, and a link unfolds its section', LIMITS, async (t) => {
  const { url } = await aDoor(t);
  const { page } = await visit(t, url, { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
  await page.goto('/docs');
  const isIn = async (title: string) => {
    const box = await page.getByRole('heading', { name: title, exact: true }).boundingBox();
    return box !== null && box.y >= 0 && box.y < 844;
  };
  assert.ok((await page.evaluate<number>('document.documentElement.scrollHeight')) < 3000);
  assert.ok((await page.locator('.request').first().boundingBox())!.y < 844, 'the first request is in view');
  assert.equal(await page.getByRole('heading', { name: 'Warnings', exact: true }).isVisible(), false);
  await page.goto('/docs#warnings');
  assert.ok(await isIn('Warnings'));
  await page.goto('/docs#errors');
  assert.ok(await isIn('Errors'));
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  assert.deepEqual(await faultsOf(page), []);
});

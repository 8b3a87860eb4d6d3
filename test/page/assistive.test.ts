/** What axe does not see: the outline of pages, what is announced, hidden or overlapped, and faint graphics. */

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { measureContrast, type Rgb } from '../../src/page/color.ts';
import { test } from './a-browser.ts';
import { aSampleBrowser } from './a-sample.ts';
import { PAGES } from './every-page.ts';

const open = aSampleBrowser();

const read = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression);
const style = (page: Page, css: string) =>
  read(
    page,
    `{ const own = new CSSStyleSheet(); own.replaceSync(${JSON.stringify(css)}); document.adoptedStyleSheets = [own]; }`,
  );
const unfold = (page: Page) =>
  read(page, "for (const one of document.querySelectorAll('details')) one.open = true");

/** Levels of headings that are left out, tables without a name, visible links to places that do not exist, and names that two parts have. */
const OUTLINE = `(() => {
  const problems = [];
  let last = 0;
  for (const one of document.querySelectorAll('h1, h2, h3, h4')) {
    if (!one.checkVisibility()) continue;
    const level = Number(one.tagName[1]);
    if (level > last + 1) problems.push('heading: ' + one.textContent);
    last = level;
  }
  for (const one of document.querySelectorAll('table'))
    if (one.caption === null && !one.ariaLabel && !document.getElementById(one.getAttribute('aria-labelledby'))?.textContent)
      problems.push('table: ' + one.innerText.slice(0, 40));
  for (const one of document.querySelectorAll('a[href^="#"]'))
    if (one.checkVisibility() && !document.getElementById(one.hash.slice(1))) problems.push('link: ' + one.hash);
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  problems.push(...ids.filter((id, i) => ids.indexOf(id) < i).map((id) => 'twice: ' + id));
  for (const name of ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'list'])
    for (const one of document.querySelectorAll('[' + name + ']'))
      for (const id of one.getAttribute(name).split(' ')) if (!ids.includes(id)) problems.push(name + ': ' + id);
  return problems;
})()`;

test('headings skip no level, tables have names, and each link within a page leads to one place', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(t, undefined, { javaScriptEnabled });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path);
      assert.deepEqual(await read(page, OUTLINE), [], name);
    }
  }
});

test('the years of a search are a section of the page, and a page without a map has no link to a map', async (t) => {
  const page = await open(t, '/');
  assert.equal(await page.getByRole('heading', { name: 'Registered per year', level: 2 }).count(), 1);
  for (const path of ['/changes', '/changes?by=category']) {
    await page.goto(path);
    assert.equal(await page.locator('#here').isVisible(), path === '/changes', path);
  }
});

test('every page announces that a text was copied', async (t) => {
  const page = await open(t, undefined, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const path of ['/changes', '/feeds']) {
    await page.goto(path);
    await page.locator('.copy').first().click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  }
});

test('the share panel moves no result, and Escape, Tab or a click beside it closes it, which leaves the focus where it was', async (t) => {
  const page = await open(t, '/');
  const [share, link] = [page.locator('#take > summary'), page.locator('#take-link')];
  const firstAt = () => page.locator('.ledger li').first().boundingBox();
  const before = await firstAt();
  for (const leave of ['Escape', 'Tab']) {
    await share.press('Enter');
    await link.waitFor();
    assert.deepEqual(await firstAt(), before);
    await page.keyboard.press('Tab');
    for (let i = 0; i < 30 && (await link.isVisible()); i++) await page.keyboard.press(leave);
    assert.equal(await link.isVisible(), false);
    assert.equal(await page.locator('#take > summary:focus').count(), leave === 'Escape' ? 1 : 0);
  }
  await share.click();
  await link.waitFor();
  await page.locator('#found').click();
  await link.waitFor({ state: 'hidden' });
});

/** The spacing that WCAG 1.4.12 lets people choose. */
const SPACED =
  '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }';

test('with wider spacing and larger text, only tables are wider than a phone', async (t) => {
  const page = await open(t, undefined, { viewport: { width: 320, height: 640 } });
  const wide = `document.documentElement.scrollWidth > innerWidth && [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && !one.closest('table, pre, .unseen, .trap, .skip, svg'))
    .filter((one) => one.getBoundingClientRect().right > 321).map((one) => one.outerHTML.slice(0, 80))`;
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await unfold(page);
    await style(page, SPACED);
    assert.deepEqual((await read(page, wide)) || [], [], name);
  }
  const large = await page.context().newCDPSession(page);
  await large.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/about', '/signup', '/feeds', '/docs']) {
    await page.goto(path);
    await unfold(page);
    assert.equal(await read(page, 'document.documentElement.scrollWidth'), 390, path);
  }
});

/** The labels of charts that overlap the one before them. */
const OVERLAPS = `[...document.querySelectorAll('.columns')].flatMap((all) => {
  const seen = [...all.querySelectorAll('.month')].filter((one) =>
    [one, one.querySelector('b') ?? one].every((part) => getComputedStyle(part).visibility === 'visible'));
  return seen.filter((one, i) => i > 0 && one.getBoundingClientRect().left < seen[i - 1].getBoundingClientRect().right)
    .map((one) => one.textContent);
})`;

test('the labels of a chart do not overlap when the text is twice as large', async (t) => {
  const page = await open(t);
  for (const path of ['/', '/changes'])
    for (const width of path === '/' ? [390, 1280] : [1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      await style(page, 'html { font-size: 200% !important }');
      assert.deepEqual(await read(page, OVERLAPS), [], `${path}, ${width}`);
    }
});

/** The color of the page, and the fill and the border of each bar. */
const COLORS = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  const rgbOf = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const page = rgbOf(getComputedStyle(document.body).backgroundColor);
  const bars = [...document.querySelectorAll('.columns rect')].map((bar) => getComputedStyle(bar));
  return { page, bars: bars.map(({ fill, stroke }) => [fill, stroke].filter((one) => one !== 'none').map(rgbOf)) };
})()`;

test('every bar of a chart has a contrast of at least 3 to 1 with the page', async (t) => {
  const page = await open(t);
  for (const path of ['/', '/changes', '/changes?filed_from=2026-03-01&filed_to=2026-03-31']) {
    await page.goto(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const colors = (await read(page, COLORS)) as { page: Rgb; bars: Rgb[][] };
      for (const bar of colors.bars)
        assert.ok(Math.max(...bar.map((one) => measureContrast(one, colors.page))) >= 3, `${path}, ${bar}`);
    }
  }
});

test('lines and secondary texts have the color of the text when a person asks for more contrast', async (t) => {
  const page = await open(t, '/');
  await page.emulateMedia({ contrast: 'more' });
  const colors = `[[document.body, 'color'], [document.querySelector('.facts'), 'color'],
    [document.querySelector('.ledger li'), 'borderBottomColor']].map(([one, part]) => getComputedStyle(one)[part])`;
  const [ink, ...others] = (await read(page, colors)) as string[];
  assert.deepEqual(others, [ink, ink]);
});

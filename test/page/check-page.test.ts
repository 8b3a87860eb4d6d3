/** `check.html` in a browser: no cell of a register runs, it fits every screen, and everybody can read it. */

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { command } from '../a-command.ts';
import { aHostileCity } from '../app/cli/a-hostile-city.ts';
import { aMappedCity } from '../app/cli/a-mapped-city.ts';
import { firstRows, rowsWith } from '../register/import/a-register.ts';
import { aBrowser, faultsInBothModes, test } from './a-browser.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
/** What the origin of a file is called. */
const FILES = 'null';
const open = aBrowser();
const addressOf = (path: string) => pathToFileURL(path).href;

test('check.html is no wider than the screen, even with long cells', async (t) => {
  const city = aHostileCity();
  await command(['check', ...NOW], city.env);
  const { page } = await open(t, FILES);
  await page.goto(addressOf(city.path('check.html')));
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const [whole, screen] = (await page.evaluate(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )) as number[];
    assert.ok(whole! <= screen!, `${whole} on a screen of ${width}`);
  }
});

test('axe finds no violation in check.html, in light and dark mode', async (t) => {
  const rows = rowsWith(firstRows(90, { NAME: 'Odile Fenwright', KIND: 'Special Event Permit' }));
  const city = aMappedCity(rows.map((row, i) => (i % 9 === 0 ? { ...row, DAY: '' } : row)));
  await command(['check', ...NOW], city.env);
  const { page } = await open(t, FILES);
  await page.goto(addressOf(city.path('check.html')));
  assert.deepEqual(await faultsInBothModes(page), []);
});

/** Every page on every screen with Long Beach's filings. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFolder } from '../a-folder.ts';
import { aBrowser, noBrowser } from '../page/a-browser.ts';
import { readLongBeach } from '../page/a-large-city.ts';
import { pageOf } from '../page/a-page.ts';
import { fitsScreens } from '../page/fits-screens.ts';
import { realData } from '../real-data.ts';

const visit = aBrowser();
const filings = realData('long-beach/business_licenses.csv');

test('the pages of Long Beach fit every screen, and compare the year to date with the same days', {
  skip: noBrowser || filings.skip,
}, async (t) => {
  const path = aFolder();
  const longBeach = await readLongBeach(filings.path, path);
  await fitsScreens(t, async (url) => (await visit(t, url)).page, longBeach);
  const { city, catalogue } = longBeach;
  const page = await pageOf('/changes', { city, catalogue });
  assert.match(
    page,
    /Long Beach, January 1\s–\sOctober 6, 2016: 1,247 new businesses, 2%\smore than the 1,220 in the same period of 2015\./,
  );
});

/** Every page on every screen with Long Beach's filings. */

import { after, test } from 'node:test';
import { aFolder } from '../../database/a-folder.ts';
import { realData } from '../../real-data.ts';
import { aBrowser, noBrowser } from './a-browser.ts';
import { readLongBeach } from './a-large-city.ts';
import { fitsScreens } from './fits-screens.ts';

const visit = aBrowser();
const filings = realData('long-beach/business_licenses.csv');

test('Long Beach fits every screen', { skip: noBrowser || filings.skip }, async (t) => {
  const { path, remove } = aFolder();
  after(remove);
  await fitsScreens(t, async (url) => (await visit(t, url)).page, await readLongBeach(filings.path, path));
});

/** Every page on every screen with a made-up city of Long Beach's size. */

import { aBrowser, test } from './a-browser.ts';
import { makeLargeCity } from './a-large-city.ts';
import { fitsScreens } from './fits-screens.ts';

const visit = aBrowser();

test('the pages of a made-up city as large as Long Beach fit every screen', (t) =>
  fitsScreens(t, async (url) => (await visit(t, url)).page, makeLargeCity()));

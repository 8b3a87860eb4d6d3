/** The first sentence of the weekly email: true, and silent about what the data cannot tell. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatHeadline, formatLead } from '../../../src/page/week/news.ts';
import { localizationFor } from '../../../src/shared/city/localization.ts';
import { addDays } from '../../../src/shared/day.ts';
import type { EditionContent } from '../../../src/shared/edition/edition.ts';
import { findHighlight, type Week } from '../../../src/shared/edition/highlight.ts';
import { NO_PREFERENCES, type Preferences } from '../../../src/shared/signup/preferences.ts';
import { aFiling } from '../../a-filing.ts';
import { CITY } from '../web/a-door.ts';
import { contentOf } from './an-edition.ts';

const EDITION = '2026-11-23';
const FILED = '2026-11-20';

type Counted = { value: string; count: number };
/** Counts such as "Hill 3, Mill 1". */
const countsIn = (text: string): Counted[] =>
  text.split(', ').flatMap((one) => {
    const [value = '', count] = one.split(' ');
    return value === '' ? [] : { value, count: Number(count) };
  });

function contentFrom(kinds: string, filed = FILED, from = '2026-11-16'): EditionContent {
  const news = countsIn(kinds).flatMap(({ value, count }) =>
    Array.from({ length: count }, (_, i) => ({
      ...aFiling({ key: `${value}${i}`, name: `S${i}`, category: value, filedOn: i % 2 ? filed : FILED }),
      ...{ source: 'licences', arrival: 1, arrivedAt: `${FILED}T00:00:00.000Z`, isNews: true },
    })),
  );
  return contentOf({ edition: EDITION, from, to: EDITION, today: EDITION, news, suppressed: [] });
}

function weekOf(kinds: string, i: number): Week {
  const byCategory = countsIn(kinds).map((one) => ({ ...one, before: 0 }));
  const total = byCategory.reduce((sum, { count }) => sum + count, 0);
  return { edition: addDays(EDITION, -7 * (i + 1)), total, byCategory };
}

type More = {
  /** Earlier weeks, newest first. */
  earlier?: readonly string[];
  /** The day of each second listing. */
  filed?: string;
  from?: string;
  wanted?: Preferences;
  places?: string;
};

/** Asserts the headline, where there is one, or the first sentence, of an edition with so many listings of each category. */
function check(kinds: string, lead: string, { earlier = [], filed, from, wanted, places }: More = {}): void {
  const content = contentFrom(kinds, filed, from);
  const whole = { ...content, ...(places && { byNeighborhood: countsIn(places) }) };
  const highlight = findHighlight(whole, earlier.map(weekOf), wanted ?? NO_PREFERENCES);
  const title = formatHeadline(localizationFor(CITY), 'News', highlight);
  assert.equal(title === 'News' ? formatLead(localizationFor(CITY), whole, highlight) : title, lead);
}

const weeksOf = (...counts: number[]) => counts.map((n) => `Restaurants ${n}`);
const QUIET = weeksOf(4, 3, 5, 4, 2, 4, 5, 3);
const NINE = 'Restaurants 9';
const PLAIN = 'All of them are in Restaurants.';
const RECENT = 'All of them registered recently.';
const busiest = (weeks: number, kind: string, n: number) =>
  `This is the busiest of the last ${weeks} weeks for ${kind}, with ${n} newly registered businesses.`;

test('the headline of the busiest week names the known weeks that it compares, and there is none without enough of them', () => {
  const since = 'News, the most since September 2026';
  check('Restaurants 6, Bakeries 3', since, { earlier: [...QUIET, ...weeksOf(5, 9, 2)] });
  check(NINE, 'News, the most in 9 weeks', { earlier: QUIET });
  check('Restaurants 3', 'News, the most in 9 weeks', { earlier: weeksOf(0, 0, 2, 0, 0, 1, 0, 0) });
  check(NINE, PLAIN); // the first edition
  check(NINE, PLAIN, { earlier: QUIET.slice(1) }); // seven weeks are known
  check(NINE, PLAIN, { earlier: [NINE, ...QUIET] }); // as many as last week
  check(NINE, PLAIN, { earlier: QUIET, filed: '2026-10-20' }); // a month published at once
  check(NINE, PLAIN, { earlier: QUIET, from: '2026-11-09' }); // two weeks in one edition
  const nothing = weeksOf(0, 0, 0, 0, 0, 0, 0, 0);
  check('Restaurants 1', 'S0 registered recently.', { earlier: nothing });
  assert.equal(findHighlight(contentFrom(''), nothing.map(weekOf), NO_PREFERENCES), undefined);
});

test('if the week is usual, the headline names the category with the longest record or, of two, the greater one, unless they are equal', () => {
  const earlier = Array<string>(9).fill('Restaurants 20, Bakeries 2, Salons 2');
  const longer = [...earlier.slice(1), 'Restaurants 20, Bakeries 9, Salons 2', ...earlier];
  check('Restaurants 5, Bakeries 4', busiest(10, 'Bakeries', 4), { earlier });
  check('Bakeries 3, Salons 4', busiest(10, 'Salons', 4), { earlier });
  check('Bakeries 8, Salons 3', busiest(19, 'Salons', 3), { earlier: longer });
  check('Bakeries 4, Salons 4', 'The most common kinds are Bakeries and Salons, with 4 each.', { earlier });
  check('Uncategorized 9, Bakeries 2', 'The most common kind is Bakeries, with 2 businesses.', { earlier });
});

test('the headline for a subscriber with choices can name a chosen category, but no neighborhood', () => {
  const chosen = (neighborhoods: string[]) => ({ categories: ['Restaurants'], neighborhoods });
  check(NINE, busiest(9, 'Restaurants', 9), { earlier: QUIET, wanted: chosen([]) });
  check(NINE, PLAIN, { earlier: QUIET, wanted: chosen(['Old Town']) });
});

test('the headline of a usual week names the neighborhood with the most businesses, unless it has them all or another one has as many', () => {
  const four = 'A 2, B 2, C 2, D 2';
  check(four, 'Hill has the most, with 3.', { places: 'Unknown 3, Hill 3, Mill 2' });
  for (const places of ['Hill 8', 'Hill 3, Mill 3, Row 2', 'Unknown 7, Hill 1', 'Unknown 8'])
    check(four, RECENT, { places });
  check('Bakeries 3, Salons 1', 'Hill has the most (2), and the most common kind is Bakeries\u00a0(3).', {
    places: 'Hill 2, Mill 1, Row 1',
  });
  const places = 'Hill 3, Mill 1';
  const two = 'The most common kinds are Bakeries and Salons, with 2 each.';
  check('Bakeries 2, Salons 2', `${two} Hill has the most, with 3.`, { places });
  check('Bakeries 4', 'All of them are in Bakeries. Hill has the most, with 3.', { places });
});

test('the headline of a usual week names the most frequent categories, unless there are many or each has one business', () => {
  check('Restaurants 3, Bakeries 2', 'The most common kind is Restaurants, with 3 businesses.');
  const two = 'The most common kinds are Bakeries and Restaurants, with 2 each.';
  check('Restaurants 2, Bakeries 2, Uncategorized 5', two);
  for (const kinds of ['A 2, B 2, C 2, D 2', 'Restaurants 1, Bakeries 1', 'Uncategorized 4'])
    check(kinds, RECENT);
});

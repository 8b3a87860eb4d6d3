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

/** An edition with so many listings of each category, filed within the week unless the days say otherwise. */
function anEdition(
  kinds: Record<string, number>,
  days: { filed?: string; from?: string } = {},
): EditionContent {
  const { filed = '2026-11-20', from = '2026-11-16' } = days;
  const news = Object.entries(kinds).flatMap(([category, count]) =>
    Array.from({ length: count }, (_, i) => ({
      ...aFiling({
        key: `${category}${i}`,
        name: `S${i}`,
        category,
        filedOn: i % 2 === 0 ? '2026-11-20' : filed,
      }),
      ...{ source: 'licences', arrival: 1, arrivedAt: '2026-11-20T00:00:00.000Z', isNews: true },
    })),
  );
  return contentOf({
    edition: EDITION,
    from,
    to: EDITION,
    today: EDITION,
    news,
    suppressed: [],
  });
}

/** Earlier weeks, newest first. */
function weeks(counts: readonly (number | Record<string, number>)[]): Week[] {
  return counts.map((counted, i) => {
    const kinds = Object.entries(typeof counted === 'number' ? { Restaurants: counted } : counted);
    const byCategory = kinds.map(([value, count]) => ({ value, count, before: 0 }));
    const total = kinds.reduce((sum, [, count]) => sum + count, 0);
    return { edition: addDays(EDITION, -7 * (i + 1)), total, byCategory };
  });
}

function leadOf(
  content: EditionContent,
  earlier: readonly Week[],
  wanted: Preferences = NO_PREFERENCES,
): string {
  const highlight = findHighlight(content, earlier, wanted);
  const title = formatHeadline(localizationFor(CITY), 'News', highlight);
  return title === 'News' ? formatLead(localizationFor(CITY), content, highlight) : title;
}

const QUIET = [4, 3, 5, 4, 2, 4, 5, 3];

test('the headline of the busiest week names the period that it compares', () => {
  const lead = leadOf(anEdition({ Restaurants: 6, Bakeries: 3 }), weeks([...QUIET, 5, 9, 2]));
  assert.equal(lead, 'News, the most since September 2026');
});

test('the headline of the busiest known week speaks only of the known weeks', () => {
  const lead = leadOf(anEdition({ Restaurants: 9 }), weeks(QUIET));
  assert.equal(lead, 'News, the most in 9 weeks');
});

test('an edition has no headline without enough weeks, after an equally busy week, or without listings', () => {
  const plain = 'All of them are in Restaurants.';
  const nine = anEdition({ Restaurants: 9 });
  assert.equal(leadOf(nine, []), plain, 'the first edition');
  assert.equal(leadOf(nine, weeks(QUIET.slice(1))), plain, 'seven weeks are known');
  assert.equal(leadOf(nine, weeks([9, ...QUIET])), plain, 'as many as last week');
  assert.equal(leadOf(anEdition({ Restaurants: 1 }), weeks(QUIET.map(() => 0))), 'S0 registered recently.');
  assert.equal(findHighlight(anEdition({}), weeks(QUIET.map(() => 0)), NO_PREFERENCES), undefined);
});

test('a comparison with earlier weeks includes weeks without news', () => {
  const lead = leadOf(anEdition({ Restaurants: 3 }), weeks([0, 0, 2, 0, 0, 1, 0, 0]));
  assert.equal(lead, 'News, the most in 9 weeks');
});

test('if the week is usual, the headline names the category with the longest record or, of two, the greater one, unless they are equal', () => {
  const before = Array.from({ length: 9 }, () => ({ Restaurants: 20, Bakeries: 2, Salons: 2 }));
  const lead = (kinds: Record<string, number>, earlier = before) => leadOf(anEdition(kinds), weeks(earlier));
  assert.equal(
    lead({ Restaurants: 5, Bakeries: 4 }),
    'This is the busiest of the last 10 weeks for Bakeries, with 4 newly registered businesses.',
  );
  assert.match(
    lead({ Bakeries: 3, Salons: 4 }),
    /^This is the busiest of the last 10 weeks for Salons, with 4 newly/,
  );
  const longer = [...before.slice(1), { Restaurants: 20, Bakeries: 9, Salons: 2 }, ...before];
  assert.match(
    lead({ Bakeries: 8, Salons: 3 }, longer),
    /^This is the busiest of the last 19 weeks for Salons, with 3 newly/,
  );
  assert.equal(
    lead({ Bakeries: 4, Salons: 4 }),
    'The most common kinds are Bakeries and Salons, with 4 each.',
  );
  assert.equal(
    lead({ Uncategorized: 9, Bakeries: 2 }),
    'The most common kind is Bakeries, with 2 businesses.',
  );
});

test('an edition of more than one week is never called a busy week', () => {
  const nine = { Restaurants: 9 };
  const plain = 'All of them are in Restaurants.';
  assert.equal(
    leadOf(anEdition(nine, { filed: '2026-10-20' }), weeks(QUIET)),
    plain,
    'a month published at once',
  );
  assert.equal(
    leadOf(anEdition(nine, { from: '2026-11-09' }), weeks(QUIET)),
    plain,
    'two weeks in one edition',
  );
});

test('the headline for a subscriber with choices can name a chosen category, but no neighborhood', () => {
  const nine = anEdition({ Restaurants: 9 });
  const chosen = (categories: string[], neighborhoods: string[]) => ({ categories, neighborhoods });
  assert.equal(
    leadOf(nine, weeks(QUIET), chosen(['Restaurants'], [])),
    'This is the busiest of the last 9 weeks for Restaurants, with 9 newly registered businesses.',
  );
  assert.equal(findHighlight(nine, weeks(QUIET), chosen(['Restaurants'], ['Old Town'])), undefined);
});

test('the headline of a usual week names the neighborhood with the most businesses, unless it has them all or another one has as many', () => {
  const lead = (kinds: Record<string, number>, places: string) => {
    const byNeighborhood = places.split(', ').map((one) => {
      const [value, count] = one.split(' ');
      return { value: value!, count: Number(count) };
    });
    return leadOf({ ...anEdition(kinds), byNeighborhood }, []);
  };
  const four = { A: 2, B: 2, C: 2, D: 2 };
  assert.equal(lead(four, 'Unknown 3, Hill 3, Mill 2'), 'Hill has the most, with 3.');
  for (const places of ['Hill 8', 'Hill 3, Mill 3, Row 2', 'Unknown 7, Hill 1', 'Unknown 8'])
    assert.equal(lead(four, places), 'All of them registered recently.', places);
  assert.equal(
    lead({ Bakeries: 3, Salons: 1 }, 'Hill 2, Mill 1, Row 1'),
    'Hill has the most (2), and the most common kind is Bakeries\u00a0(3).',
  );
  assert.equal(
    lead({ Bakeries: 2, Salons: 2 }, 'Hill 3, Mill 1'),
    'The most common kinds are Bakeries and Salons, with 2 each. Hill has the most, with 3.',
  );
  assert.equal(
    lead({ Bakeries: 4 }, 'Hill 3, Mill 1'),
    'All of them are in Bakeries. Hill has the most, with 3.',
  );
});

test('the headline of a usual week names the most frequent categories, unless there are many or each has one business', () => {
  const lead = (kinds: Record<string, number>) => leadOf(anEdition(kinds), []);
  assert.equal(
    lead({ Restaurants: 3, Bakeries: 2 }),
    'The most common kind is Restaurants, with 3 businesses.',
  );
  assert.equal(
    lead({ Restaurants: 2, Bakeries: 2, Uncategorized: 5 }),
    'The most common kinds are Bakeries and Restaurants, with 2 each.',
  );
  assert.equal(lead({ A: 2, B: 2, C: 2, D: 2 }), 'All of them registered recently.');
  assert.equal(lead({ Restaurants: 1, Bakeries: 1 }), 'All of them registered recently.');
  assert.equal(lead({ Uncategorized: 4 }), 'All of them registered recently.');
});

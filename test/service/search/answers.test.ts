/** Every result is the same as with plain filtering and sorting. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ListingIndex } from '../../../src/service/search/index/open.ts';
import { addDays } from '../../../src/shared/day.ts';
import { ALL_TIME } from '../../../src/shared/periods.ts';
import { EVERYTHING, type Question, searchParameters, VALUE_FILTERS } from '../../../src/shared/question.ts';
import { rounds, seedFrom } from '../../depth.ts';
import {
  catalogueOf,
  listings,
  manyListings,
  pageOf,
  question,
  questionOfMany,
  rareCase,
  rareQuestions,
  rareRows,
  TODAY,
} from './made-up.ts';
import { piecesOf, plain, type Reference, reference } from './reference.ts';

const SEED = seedFrom(20_261_120);
const RUNS = { seed: SEED, numRuns: rounds(400), endOnFailure: false };
const RARE = rounds(30);
const MANY = 6_000; // enough for words of every density: sorted lists, bits, and the unions of few and of many

function answersAgree(catalogue: ListingIndex, plainly: Reference, asked: Question): void {
  const all = plainly.all(asked);
  const { total } = catalogue.search(asked);
  const expected = all.slice(asked.offset, asked.offset + asked.limit);
  assert.equal(total, all.length);
  assert.deepEqual(catalogue.countDays({ ...asked, ...ALL_TIME }, [asked]), [all.length]);
  assert.deepEqual(pageOf(catalogue, asked), expected);
}

test(`in a small index, a search finds the same listings as plain filtering (seed ${SEED})`, () => {
  const property = fc.property(
    listings,
    fc.array(question, { minLength: 1, maxLength: 8 }),
    (rows, asked) => {
      const catalogue = catalogueOf(rows);
      const plainly = reference(rows, TODAY);
      for (const one of asked) answersAgree(catalogue, plainly, one);
    },
  );
  fc.assert(property, RUNS);
});

test(`the counts of each filter apply all other filters (seed ${SEED})`, () => {
  const property = fc.property(listings, question, (rows, asked) => {
    assert.deepEqual(catalogueOf(rows).facets(asked), reference(rows, TODAY).facets(asked));
  });
  fc.assert(property, RUNS);
});

test(`counts add up, month by month and value by value (seed ${SEED})`, () => {
  const property = fc.property(listings, question, (rows, asked) => {
    const catalogue = catalogueOf(rows);
    const { warnings: _, ...counted } = catalogue.stats(asked);
    assert.deepEqual(counted, reference(rows, TODAY).stats(asked));
    assert.deepEqual({ ...catalogue.months(asked), by: counted.by }, counted);
  });
  fc.assert(property, RUNS);
});

test(`warnings name unknown values, and days that no listing can have (seed ${SEED})`, () => {
  const property = fc.property(listings, question, (rows, asked) => {
    const expected: string[] = [];
    const values = reference(rows, TODAY).facets(EVERYTHING);
    for (const dimension of VALUE_FILTERS) {
      const known = searchParameters[dimension].known ?? values[dimension].map(({ value }) => value);
      for (const value of asked[dimension].filter((text) => text.trim() !== ''))
        if (!known.some((text) => plain(text) === plain(value.replace(/^\s*-/, ''))))
          expected.push(dimension);
    }
    if (asked.q.trim() !== '' && piecesOf(asked.q).length === 0) expected.push('q');
    const newest = rows
      .map(({ filedOn }) => filedOn)
      .toSorted()
      .at(-1);
    const latest = [newest, asked.filed_to || undefined].filter((day) => day !== undefined);
    if (asked.filed_from !== '' && latest.some((day) => asked.filed_from > day)) expected.push('filed_from');
    if (Date.parse(asked.added_from) >= Date.parse(addDays(TODAY, 1))) expected.push('added_from');
    const warnings = catalogueOf(rows).search(asked).warnings;
    assert.deepEqual(
      warnings.map(({ parameter }) => parameter),
      expected,
    );
  });
  fc.assert(property, RUNS);
});

test(`in an index of thousands, a search finds the same listings as plain filtering (seed ${SEED})`, () => {
  const rows = manyListings(MANY, SEED);
  const catalogue = catalogueOf(rows);
  const plainly = reference(rows, TODAY);
  const property = fc.property(questionOfMany, (asked) => {
    answersAgree(catalogue, plainly, asked);
  });
  fc.assert(property, { ...RUNS, numRuns: rounds(300) });
});

test(`a search finds rare words together, even in the first and the last row (seed ${SEED})`, (t) => {
  const questions = rareQuestions();
  const met = { first: 0, last: 0 };
  const property = fc.property(rareCase, (made) => {
    const rows = rareRows(made);
    const catalogue = catalogueOf(rows);
    const plainly = reference(rows, TODAY);
    for (const asked of questions) {
      answersAgree(catalogue, plainly, asked);
      const found = plainly.all(asked).map(({ name }) => name);
      if (found[0]?.startsWith(rows[0]!.name)) met.first++;
      if (found.at(-1)?.startsWith(rows.at(-1)!.name)) met.last++;
    }
  });
  fc.assert(property, { ...RUNS, numRuns: RARE });
  t.diagnostic(`${met.first} answers begin with the first row, ${met.last} end with the last`);
  assert.ok(Math.min(met.first, met.last) > 3 * RARE, 'enough of them meet there');
});

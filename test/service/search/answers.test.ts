/** Every result is the same as with plain filtering and sorting. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
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
const RARE = rounds(30);
/** Checks a property of so many made-up examples. */
const holds = (property: fc.IProperty<unknown>, numRuns = rounds(400)) =>
  fc.assert(property, { seed: SEED, numRuns, endOnFailure: false });
const indexAndQuestion = (check: (rows: BuildRow[], asked: Question) => void) =>
  holds(fc.property(listings, question, check));
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
  const questions = fc.array(question, { minLength: 1, maxLength: 8 });
  holds(
    fc.property(listings, questions, (rows, asked) => {
      const catalogue = catalogueOf(rows);
      for (const one of asked) answersAgree(catalogue, reference(rows, TODAY), one);
    }),
  );
});

test(`the counts of each filter apply all other filters (seed ${SEED})`, () =>
  indexAndQuestion((rows, asked) =>
    assert.deepEqual(catalogueOf(rows).facets(asked), reference(rows, TODAY).facets(asked)),
  ));

test(`counts add up, month by month and value by value (seed ${SEED})`, () =>
  indexAndQuestion((rows, asked) => {
    const catalogue = catalogueOf(rows);
    const { warnings: _, ...counted } = catalogue.stats(asked);
    assert.deepEqual(counted, reference(rows, TODAY).stats(asked));
    assert.deepEqual({ ...catalogue.months(asked), by: counted.by }, counted);
  }));

test(`warnings name unknown values, and days that no listing can have (seed ${SEED})`, () =>
  indexAndQuestion((rows, asked) => {
    const expected: string[] = [];
    const values = reference(rows, TODAY).facets(EVERYTHING);
    for (const dimension of VALUE_FILTERS) {
      const known = searchParameters[dimension].known ?? values[dimension].map(({ value }) => value);
      for (const value of asked[dimension].filter((text) => text.trim() !== ''))
        if (!known.some((text) => plain(text) === plain(value.replace(/^\s*-/, ''))))
          expected.push(dimension);
    }
    if (asked.q.trim() !== '' && piecesOf(asked.q).length === 0) expected.push('q');
    const filed = rows.map(({ filedOn }) => filedOn).toSorted();
    const latest = [filed.at(-1), asked.filed_to].filter((day) => day !== undefined && day !== '');
    if (asked.filed_from !== '' && latest.some((day) => asked.filed_from > day!)) expected.push('filed_from');
    if (Date.parse(asked.added_from) >= Date.parse(addDays(TODAY, 1))) expected.push('added_from');
    const { warnings } = catalogueOf(rows).search(asked);
    assert.deepEqual(
      warnings.map(({ parameter }) => parameter),
      expected,
    );
  }));

test(`in an index of thousands, a search finds the same listings as plain filtering (seed ${SEED})`, () => {
  const rows = manyListings(MANY, SEED);
  const catalogue = catalogueOf(rows);
  const plainly = reference(rows, TODAY);
  holds(
    fc.property(questionOfMany, (asked) => answersAgree(catalogue, plainly, asked)),
    rounds(300),
  );
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
  holds(property, RARE);
  t.diagnostic(`${met.first} answers begin with the first row, ${met.last} end with the last`);
  assert.ok(Math.min(met.first, met.last) > 3 * RARE, 'enough of them meet there');
});

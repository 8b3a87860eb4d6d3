/** An edited index answers as one that is built without what is hidden, and with what is corrected. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { editRows, openRowFinder } from '../../../src/service/search/index/edit.ts';
import { type ListingIndex, openIndex } from '../../../src/service/search/index/open.ts';
import { EVERYTHING, type Question } from '../../../src/shared/question.ts';
import { makeSuppressionTest } from '../../../src/shared/words.ts';
import { aRow, asking, catalogueOf, manyListings, pageOf, partsOf, questionOfMany, SEED } from './made-up.ts';

/** Everything that an index answers, but the words of its warnings. */
function answersOf(index: ListingIndex, question: Question) {
  const { total, rows } = index.search(question);
  const { warnings: _, ...stats } = index.stats(question);
  return {
    ...{ total, page: index.readListings(rows), stats, facets: index.facets(question) },
    arrivals: index.readArrivals({ ...question, offset: 0 }, undefined).total,
    pairs: index.countPairs(question, 'category', 'month'),
  };
}

const rows = manyListings(2_000);
const parts = partsOf(rows);
const find = openRowFinder(parts);

/** The rows that a name or a key means, as a command and the index find them. */
function rowsOf(value: string): { found: number[]; meant: (row: BuildRow) => boolean } {
  const meant = makeSuppressionTest([value]);
  const names = rows.filter(({ key }) => key === value).map(({ name }) => name);
  return { found: find(value, names), meant };
}

test('suppressions and corrections change every answer as a new build would', () => {
  const values = fc.oneof(
    fc.nat(rows.length - 1).map(String),
    fc.nat(rows.length - 1).map((i) => rows[i]!.name.toUpperCase()),
    fc.constantFrom('', 'no such name'),
  );
  const case_ = fc.record({
    hidden: fc.array(values, { maxLength: 3 }),
    corrected: fc.array(values, { maxLength: 3 }),
    questions: fc.array(questionOfMany, { minLength: 8, maxLength: 8 }),
  });
  fc.assert(
    fc.property(case_, ({ hidden, corrected, questions }) => {
      const gone = hidden.map(rowsOf);
      const changed = corrected.map(rowsOf);
      const edited = editRows(parts, {
        gone: gone.flatMap(({ found }) => found),
        corrected: changed.flatMap(({ found }) =>
          found.map((row) => ({ row, neighborhood: 'Old Town', status: 'closed' })),
        ),
      });
      const built = rows
        .filter((row) => !gone.some(({ meant }) => meant(row)))
        .map((row) =>
          changed.some(({ meant }) => meant(row))
            ? { ...row, neighborhood: 'Old Town', status: 'closed' as const, expiresOn: null }
            : row,
        );
      const [now, then] = [openIndex(edited), catalogueOf(built)];
      assert.equal(now.size, then.size);
      for (const question of [EVERYTHING, ...questions])
        assert.deepEqual(answersOf(now, question), answersOf(then, question), JSON.stringify(question));
    }),
    { seed: SEED, numRuns: 12 },
  );
});

test('a listing that is corrected to a new value is left out until the next build', () => {
  const small = partsOf([aRow(), aRow({ key: 'K2', name: 'Kept' })]);
  const edited = editRows(small, { gone: [], corrected: [{ row: 0, category: 'Bakeries' }] });
  const index = openIndex(edited);
  assert.deepEqual(
    pageOf(index, asking()).map(({ name }) => name),
    ['Kept'],
  );
  assert.notEqual(index.version, small.version, 'answers of before have another ETag');
});

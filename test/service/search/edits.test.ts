/** An index that was edited, moved to another thread or stored answers as one that is built anew. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { editRows, openRowFinder } from '../../../src/service/search/index/edit.ts';
import { openIndexFile } from '../../../src/service/search/index/index-file.ts';
import { type ListingIndex, openIndex } from '../../../src/service/search/index/open.ts';
import { type IndexBuffers, listTransferables } from '../../../src/service/search/index-buffers.ts';
import { EVERYTHING, type Question } from '../../../src/shared/question.ts';
import { makeSuppressionTest } from '../../../src/shared/words.ts';
import { aFolder } from '../../a-folder.ts';
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
function rowsOf(value: string) {
  const meant = makeSuppressionTest([value]);
  return {
    found: find(
      value,
      rows.filter(({ key }) => key === value).map(({ name }) => name),
    ),
    meant,
  };
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
      const closed = { neighborhood: 'Old Town', status: 'closed' as const, expiresOn: null };
      const built = rows.flatMap((row) => {
        if (gone.some(({ meant }) => meant(row))) return [];
        return [changed.some(({ meant }) => meant(row)) ? { ...row, ...closed } : row];
      });
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
  const index = openIndex(editRows(small, { gone: [], corrected: [{ row: 0, category: 'Bakeries' }] }));
  assert.deepEqual(namesIn(index), ['Kept']);
  assert.notEqual(index.version, small.version, 'answers of before have another ETag');
});

const namesIn = (index: ListingIndex) => pageOf(index, asking()).map(({ name }) => name);

test('a suppressed key or name is served in no spelling', () => {
  const named = { K1: "Joe's Bar", K2: 'Blue Heron', K3: '!!!', K4: '???' };
  const rows = Object.entries(named).map(([key, name]) => aRow({ key, name }));
  for (const [suppressed, ...served] of [
    ['', '!!!', '???', 'Blue Heron', "Joe's Bar"],
    ['JOES BAR', '!!!', '???', 'Blue Heron'],
    ['K2,k1', '!!!', '???', "Joe's Bar"],
    ['!!!', '???', 'Blue Heron', "Joe's Bar"],
  ] as const)
    assert.deepEqual(namesIn(catalogueOf(rows, { suppressed: suppressed.split(',') })), served, suppressed);
});

test('if two sources use the same key, the order of listings does not depend on the order of the sources', () => {
  const rows = [aRow({ neighborhood: 'Old Town' }), aRow({ neighborhood: 'Bay' })];
  assert.deepEqual(pageOf(catalogueOf(rows.toReversed()), asking()), pageOf(catalogueOf(rows), asking()));
});

test('an answer has filter values in the spelling of the listings, and keeps unknown values', () => {
  const rows = [aRow({ category: 'Cafés', neighborhood: 'Old Town' })];
  const asked = asking({ category: [' cafes'], neighborhood: ['OLD TOWN', 'Atlantis'], status: ['Closed'] });
  const spelled = { category: ['Cafés'], neighborhood: ['Old Town', 'Atlantis'], status: ['closed'] };
  assert.deepEqual(catalogueOf(rows).spellQuestion(asked), { ...asked, ...spelled });
});

test('an index from another thread is transferred, not copied, and gives the same answers', async () => {
  const rows = manyListings(500);
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: rows });
  const [parts] = (await once(worker, 'message')) as [IndexBuffers];
  const asked = asking({ q: 'caf', status: ['open'] });
  const there = openIndex(parts);
  assert.ok(there.search(asked).total > 0);
  assert.deepEqual(there.search(asked), catalogueOf(rows).search(asked));

  const mine = partsOf(rows);
  const filled = () => {
    const names: string[] = [];
    JSON.stringify(mine, (name, value) => {
      if (ArrayBuffer.isView(value) && value.byteLength > 0) names.push(name);
      return value;
    });
    return names;
  };
  assert.ok(filled().includes('combo') && filled().includes('slots'), filled().join());
  structuredClone(mine, { transfer: listTransferables(mine) });
  assert.deepEqual(filled(), []);
});

test('a stored index is used only by its owner, unchanged and for the same data', () => {
  const folder = aFolder();
  const file = openIndexFile<IndexBuffers>(folder);
  assert.equal(file.read('v1'), undefined, 'there is none');
  const parts = partsOf(manyListings(500));
  file.write('v1', parts);
  const asked = asking({ q: 'caf', status: ['open'] });
  assert.deepEqual(openIndex(file.read('v1')!).search(asked), openIndex(parts).search(asked));
  assert.equal(file.read('v2'), undefined);
  const path = join(folder, 'index.bin');
  assert.equal(statSync(path).mode & 0o777, 0o600);

  const whole = readFileSync(path);
  const other = whole.with(5_000, whole[5_000]! ^ 1);
  for (const damaged of [whole.subarray(0, -1), whole.subarray(0, 10), other]) {
    writeFileSync(path, damaged);
    assert.equal(file.read('v1'), undefined);
  }
  file.remove();
  file.remove();
});

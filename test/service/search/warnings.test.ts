/** Warnings for values in a query that are not known. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeWarnings } from '../../../src/service/search/warnings.ts';
import type { Question } from '../../../src/shared/question.ts';
import { aRow, asking, catalogueOf } from './made-up.ts';

const catalogue = catalogueOf([
  aRow(),
  aRow({ key: 'K2', category: 'Bars & Cafés', neighborhood: 'Bixby Knolls' }),
  aRow({ key: 'K3', category: 'Auto Repair', neighborhood: 'Unknown' }),
]);

/** The value that a warning names instead of an unknown one, which finds nothing. */
function nearest(asked: Partial<Question>, index = catalogue): string | undefined {
  const [[parameter, values] = []] = Object.entries(asked);
  const { total, warnings } = index.search(asking(asked));
  assert.deepEqual([total, warnings[0]?.parameter], [0, parameter]);
  assert.match(warnings[0]!.detail, new RegExp(`"${values}"`));
  return warnings[0]!.didYouMean;
}

test('an unknown value finds nothing, and the warning names the nearest known value', () => {
  for (const [category, meant] of Object.entries({
    Restuarants: 'Restaurants',
    RESTAURANT: 'Restaurants',
    'bars & cafe': 'Bars & Cafés',
    auto: 'Auto Repair',
    aut: 'Auto Repair',
    au: undefined,
    Rxstxxrants: 'Restaurants', // three edits
    Rxstxxrxnts: undefined, // four
    'Zoological gardens': undefined,
    x: undefined,
    ['y'.repeat(2_000)]: undefined,
  }))
    assert.equal(nearest({ category: [category] }), meant, category);
  // at most a third of its letters differ, and one is the same
  assert.equal(nearest({ neighborhood: ['unknxn'] }), 'Unknown');
  assert.equal(nearest({ neighborhood: ['unkxxn'] }), undefined);
  const districts = catalogueOf([aRow({ neighborhood: 'A' }), aRow({ neighborhood: 'BC' })]);
  for (const [asked, meant] of Object.entries({ Z: undefined, BX: 'BC', XY: undefined }))
    assert.equal(nearest({ neighborhood: [asked] }, districts), meant, asked);
  const { warnings } = catalogue.search(asking({ status: ['opened'] as unknown as Question['status'] }));
  assert.deepEqual(
    warnings.map(({ detail }) => detail),
    ['No listings match the status "opened". Valid values are open, closed, expired, abandoned or unknown.'],
  );
});

test('warnings name every unknown value, and the nearest known value of the first five', () => {
  const { warnings } = catalogue.search(asking({ category: Array(60).fill('Restuarants') }));
  assert.deepEqual(
    warnings.map(({ didYouMean }) => didYouMean),
    [...Array(5).fill('Restaurants'), ...Array(55).fill(undefined)],
  );
});

test('a suggested query begins at its first page, even from a later page', () => {
  for (const asked of [
    { category: ['Restuarants'] },
    { neighborhood: ['Bixby Knols'] },
    { status: ['opne'], category: ['Restaurants'] },
  ]) {
    const question = asking({ ...asked, offset: 50 });
    const { warnings: found, total } = catalogue.search(question);
    const [warning, more] = completeWarnings(catalogue, question, { found, total });
    assert.deepEqual([warning?.meant?.offset, more], [0, undefined], JSON.stringify(asked));
  }
});

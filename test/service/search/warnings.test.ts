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

test('an unknown value finds nothing, and the warning names the nearest known value', () => {
  const nearest = (category: string) => {
    const { total, warnings } = catalogue.search(asking({ category: [category] }));
    assert.equal(total, 0);
    assert.equal(warnings[0]?.parameter, 'category');
    assert.match(warnings[0].detail, new RegExp(`"${category}"`));
    return warnings[0].didYouMean;
  };
  assert.equal(nearest('Restuarants'), 'Restaurants');
  assert.equal(nearest('RESTAURANT'), 'Restaurants');
  assert.equal(nearest('bars & cafe'), 'Bars & Cafés');
  assert.equal(nearest('auto'), 'Auto Repair');
  assert.equal(nearest('aut'), 'Auto Repair');
  assert.equal(nearest('au'), undefined);
  assert.equal(nearest('Rxstxxrants'), 'Restaurants', 'three edits');
  assert.equal(nearest('Rxstxxrxnts'), undefined, 'four');
  assert.equal(nearest('Zoological gardens'), undefined);
  assert.equal(nearest('x'), undefined);
  assert.equal(nearest('y'.repeat(2_000)), undefined);
  const status = { ...asking({}), status: ['opened'] } as unknown as Question;
  assert.deepEqual(
    catalogue.search(status).warnings.map(({ detail }) => detail),
    ['No listings match the status "opened". Valid values are open, closed, expired, abandoned or unknown.'],
  );
});

test('warnings name every unknown value, and the nearest known value of the first five', () => {
  const asked = Array.from({ length: 60 }, () => 'Restuarants');
  const { warnings } = catalogue.search(asking({ category: asked }));
  assert.equal(warnings.length, 60);
  assert.deepEqual(
    warnings.map(({ didYouMean }) => didYouMean),
    asked.map((_, i) => (i < 5 ? 'Restaurants' : undefined)),
  );
});

test('a suggested value differs in at most a third of its letters', () => {
  const nearest = (asked: string) =>
    catalogue.search(asking({ neighborhood: [asked] })).warnings[0]?.didYouMean;
  assert.equal(nearest('unknxn'), 'Unknown');
  assert.equal(nearest('unkxxn'), undefined);
});

test('a value with no letter in common with a known value gets no suggestion', () => {
  const districts = catalogueOf([aRow({ neighborhood: 'A' }), aRow({ neighborhood: 'BC' })]);
  const nearest = (asked: string) =>
    districts.search(asking({ neighborhood: [asked] })).warnings[0]?.didYouMean;
  assert.deepEqual(['Z', 'BX', 'XY'].map(nearest), [undefined, 'BC', undefined]);
});

test('a suggested query begins at its first page, even from a later page', () => {
  for (const asked of [
    { category: ['Restuarants'] },
    { neighborhood: ['Bixby Knols'] },
    { status: ['opne'], category: ['Restaurants'] },
  ]) {
    const question = asking({ ...asked, offset: 50 });
    const { warnings, total } = catalogue.search(question);
    const meant = completeWarnings(catalogue, question, { found: warnings, total }).map(
      (one) => one.meant?.offset,
    );
    assert.deepEqual(meant, [0], JSON.stringify(asked));
  }
});

/** Questions about the status of a business. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../../src/service/search/index/open.ts';
import { aRow, asking, partsOf } from './made-up.ts';
import { OPTIONS, read, unused } from './shops.ts';

test('the answer to a question about the status of a business names the business', () => {
  const business = (q: string) => (read(q).answer === 'status' ? read(q).search.q : '');
  for (const q of [
    'is the Lone Wolf still open?',
    'has lone wolf closed down',
    'Lone Wolf: closed yet?',
    'Lone Wolf closed?',
    'lone wolf closed',
    'is lone wolf open',
    'is lone wolf in business',
    'did lone wolf close',
    'when did lone wolf go out of business?',
    'what happened to lone wolf',
    'does lone wolf still exist',
    'is lone wolf gone?',
    'did lone wolf move',
    'has lone wolf relocated?',
    'when did lone wolf move to Main',
    'is Lone Wolf on Pine Street still open',
    'is the lone wolf open today',
    'is lone wolf open right now?',
    'was lone wolf open in 1960',
    'is lone wolf new?',
    'when did lone wolf open',
  ])
    assert.match(business(q), /^lone wolf$/i, q);
  assert.equal(business('is zzyzx gone?'), 'zzyzx');
  assert.equal(business("is Doe's Eat still open"), "Doe's Eat");
  assert.deepEqual(unused('did lone wolf move'), [['move', 'filings']]);
  assert.deepEqual(unused('was lone wolf open in 1960'), [['1960', 'closings']]);
  for (const name of [
    'And Or Not',
    'Count Me In',
    'Not Just Bagels',
    'No Name Bar',
    'Two or Three Sisters',
    'Before Sunrise Kitchen',
    'Old Town Tavern',
  ])
    for (const q of [`is ${name} still open?`, `did ${name} close`]) assert.equal(business(q), name, q);
  // the days of two businesses tell which is older, if each has few branches
  const two = openIndex(
    partsOf(['Harbor Bar', 'Golden Wok'].map((name) => aRow({ key: name, name }))),
    OPTIONS,
  );
  for (const q of [
    'is harbor bar older than golden wok',
    'which is older, harbor bar or golden wok?',
    'which opened first, harbor bar or golden wok',
    'did harbor bar open before golden wok',
  ])
    assert.deepEqual(
      [two.read(asking({ q })).search.q, read(q).answer],
      ['harbor-bar OR golden-wok', 'list'],
      q,
    );
  for (const q of ['are restaurants open?', 'moved', 'closed bars?', 'closed'])
    assert.equal(business(q), '', q);
});

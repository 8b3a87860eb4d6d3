/** Questions about the status of a business. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, unused } from './shops.ts';

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
  for (const q of ['are restaurants open?', 'moved', 'closed bars?', 'closed'])
    assert.equal(business(q), '', q);
});

test('a question which of two businesses is older is about the earliest filings of both', () => {
  const ages = (q: string) => {
    const { search: found, ages: both, claim } = read(q);
    return [found.q, both?.map((side) => side.q).join(), claim];
  };
  for (const [q, claim] of [
    ['is harbor bar older than golden wok', 'older'],
    ['is harbor bar newer than golden wok', 'newer'],
    ['which is older, harbor bar or golden wok?', undefined],
    ['which opened first, harbor bar or golden wok', undefined],
    ['who was first, harbor bar or golden wok', undefined],
    ['harbor bar or golden wok, which is newest', undefined],
    ['did harbor bar open before golden wok', 'older'],
    ['was harbor bar here before golden wok', 'older'],
    ['est-ce que harbor bar est plus ancien que golden wok', 'older'],
    ['qui a ouvert en premier, harbor bar ou golden wok', undefined],
    ['lequel est le plus récent, harbor bar ou golden wok', undefined],
  ] as const)
    assert.deepEqual(ages(q), ['harbor-bar OR golden-wok', 'harbor bar,golden wok', claim], q);
  // one that is not in the register is said to be none
  assert.deepEqual(ages('which is older, lone wolf or xyzzy'), ['lone wolf', 'lone wolf,xyzzy', undefined]);
  for (const q of ['did lone wolf open before noon', 'which is older, bars or cafes', 'newest bars or cafes'])
    assert.equal(read(q).ages, undefined, q);
});

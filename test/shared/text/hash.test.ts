/** Hashes of texts, and a set that keeps only those. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashUnits, openTextSet } from '../../../src/shared/text/hash.ts';

test('a hash is FNV-1a as published, and can continue the hash of the text before', () => {
  assert.equal(hashUnits('foobar'), 0xbf9cf968);
  assert.equal(hashUnits('bar', hashUnits('foo')), hashUnits('foobar'));
});

test('a set distinguishes its texts from other texts, even if half of their hashes are equal', () => {
  const set = openTextSet();
  for (let round = 0; round < 2; round++) for (let i = 0; i < 20_000; i += 2) set.add(`B-${i}`);
  assert.equal(set.size(), 10_000);
  for (let i = 0; i < 20_000; i++) assert.equal(set.has(`B-${i}`), i % 2 === 0, `B-${i}`);
  set.add('costarring');
  assert.deepEqual([set.has('costarring'), set.has('liquid'), set.has('')], [true, false, false]);
});

/** Edit distances, the word that is suggested, and hashes of texts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countEdits, findNearest } from '../../../src/shared/text/edits.ts';
import { hashUnits, openTextSet } from '../../../src/shared/text/hash.ts';

test('the distance of two words is the number of letters that are added, left out or replaced, up to a limit', () => {
  for (const [a, b, distance] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ac', 1],
    ['ac', 'abc', 1],
    ['kitten', 'sitting', 3],
    ['abcd', 'dabc', 2],
  ] as const) {
    assert.equal(countEdits(a, b), distance, `${a} ${b}`);
    assert.equal(countEdits(b, a), distance, `${b} ${a}`);
    assert.equal(countEdits(a, b, distance + 1), distance, `${a} ${b}, bound beyond`);
    for (let bound = 0; bound <= distance; bound++) assert.equal(countEdits(a, b, bound), bound, `${a} ${b}`);
  }
});

test('a word is suggested if at most a third of its letters, rounded up, differ', () => {
  const known = ['limit', 'offset', 'q'] as const;
  for (const [given, suggested] of [
    ['lmt', 'limit'],
    ['LIMITS', 'limit'],
    ['li', undefined],
    ['ofst', 'offset'],
    ['ofs', undefined],
    ['z', 'q'],
    ['', 'q'],
    ['zz', undefined],
  ] as const)
    assert.equal(findNearest(given, known), suggested, given);
  assert.equal(findNearest('lit', ['limit', 'list', 'lot']), 'list', 'the nearest, the first of equals');
});

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

/** Edit distances, and the word that is suggested. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countEdits, findNearest } from '../../../src/shared/text/edits.ts';

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

/** The page of a city from a register pack says that nobody has compared it with the register, until somebody has. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../an-answer.ts';
import { aDoor, CITY } from './a-door.ts';

const SAYS =
  /register covers all of Oregon.*businesses of one town.*has not yet compared the listings with the register/;

test('the page calls a pack unchecked until its operator has checked it', async (t) => {
  for (const [words, isSaid] of [
    [{ pack: 'Oregon' }, true],
    [{ pack: 'Oregon', checked: 'live' }, false],
    [{}, false],
  ] as const) {
    const city = { ...CITY, sources: CITY.sources.map((source) => ({ ...source, ...words })) };
    const door = await aDoor(t, { city });
    assert.equal(SAYS.test(await textOf(door.get('/'))), isSaid, JSON.stringify(words));
  }
});

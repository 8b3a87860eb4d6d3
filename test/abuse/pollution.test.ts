/** Names with a special meaning in JavaScript, in files: no object gets a property from them. What the fuzz asks ends in the same check. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dryRunCity } from '../../src/app/operations/dry-run-city.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { assertUnpolluted } from './a-client.ts';
import { BODIES, TRAPS } from './nasty.ts';

const PATHS = [
  ...['__proto__.polluted', '__proto__[polluted]'],
  ...['__proto__[__proto__][polluted]', 'constructor.prototype.polluted'],
  ...['constructor[prototype][polluted]', '[__proto__]polluted'],
  ...['[].__proto__.polluted', '__pro__proto__to__.polluted'],
];
test('no header, row, key, kind or reason of a file adds a property to any object', async () => {
  const city = aCity();
  const rowsOf = (trap: string) =>
    csvText([...businesses(5), { id: trap, name: trap, kind: trap, area: trap, what: trap }]);
  const headers = [...TRAPS, ...PATHS].flatMap((name) => [
    `ID,NAME,KIND,AREA,DAY,WHAT,${name}\n1,a,b,c,2026-01-01,,polluted\n`,
    `${name},NAME,KIND,AREA,DAY,WHAT\n`,
  ]);
  for (const text of [...TRAPS.map(rowsOf), ...headers]) {
    await dryRunCity(city.config, { from: city.file('a.csv', text) });
    assertUnpolluted(text);
  }
  const service = await city.open();
  for (const trap of TRAPS) {
    const [run] = await service.ingest({ from: city.file('a.csv', rowsOf(trap)) });
    assert.notEqual(run!.state, 'failed', trap);
    assertUnpolluted(trap);
  }
  city.change('csv, defineCity', 'json, defineCity');
  city.change('from: csv()', 'from: json()');
  for (const body of BODIES) {
    const sound = { ID: '1', NAME: 'a', KIND: '', AREA: '', DAY: '2026-01-01', WHAT: '' };
    for (const text of [
      body,
      `[${JSON.stringify(sound)},${body}]`,
      `[{"ID":"1",${body.replace(/^\[?\{|\]$/g, '')}]`,
    ]) {
      await dryRunCity(city.config, { from: city.file('a.json', text) });
      assertUnpolluted(text);
    }
  }
});

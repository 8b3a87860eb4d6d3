/** `check` says what `ingest` would do, in word and exit code, whatever is stored. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText, type Filed } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { aMappedCity } from './a-mapped-city.ts';

const GOOD = businesses(200);
const text = (change: (one: Filed, i: number) => Filed) => csvText(GOOD.map(change));

/** Files in the order in which they arrive, with what becomes of each. */
const FILES: [what: string, text: string, code: number, state: string][] = [
  ['a header alone', 'ID,NAME,KIND,AREA,DAY,WHAT\n', 1, 'failed'],
  ['a first file', csvText(GOOD), 0, 'kept'],
  ['the same again', csvText(GOOD), 0, 'unchanged'],
  ['another order', csvText(GOOD.toReversed()), 0, 'kept'],
  ['half of it', csvText(GOOD.slice(0, 100)), 3, 'held'],
  ['every row twice', csvText([...GOOD, ...GOOD]), 3, 'held'],
  ['no names', text((one) => ({ ...one, name: '' })), 3, 'held'],
  ['no kinds', text((one) => ({ ...one, kind: '' })), 3, 'held'],
  ['another column', 'A,B\n1,2\n', 1, 'failed'],
];

test('check and ingest make the same decision', async () => {
  const city = aCity();
  for (const [what, content, code, state] of FILES) {
    const file = city.file('a.csv', content);
    const [checked, ingested] = [
      await command(['check', '--from', file, '--json'], city.env),
      await command(['ingest', '--from', file, '--json'], city.env),
    ];
    const said = [checked, ingested].map((one) => {
      const [run] = lastJson(one).runs as { state: string; detail: string | null }[];
      return [one.code, run!.state, run!.detail];
    });
    assert.deepEqual(said[0], said[1], what);
    assert.deepEqual(said[0]!.slice(0, 2), [code, state], what);
  }
});

test('check and ingest refuse another name for a neighborhood without a business', async () => {
  const row = (_: unknown, i: number) => ({
    ID: `${i}`,
    NAME: `Shop ${i}`,
    DAY: '2026-01-15',
    KIND: 'Alpha',
    AREA: 'Old Town',
  });
  const cityOf = (name: string) =>
    aMappedCity(Array.from({ length: 30 }, row), [
      'operator:',
      `alsoCalled: { ${name}: [The Core] }\noperator:`,
    ]);
  const wrong = cityOf('Old Twon');
  for (const name of [['check'], ['ingest']]) {
    const ended = await command(name, wrong.env);
    assert.equal(ended.code, 1, String(name));
    assert.match(
      JSON.stringify(ended),
      /alsoCalled in city\.yaml names the neighborhood .*Old Twon.*, which no business is in\. Did you mean .*Old Town/,
    );
  }
  assert.doesNotMatch(JSON.stringify(await command(['ingest'], cityOf('Old Town').env)), /alsoCalled/);
});

/** `check` says what `ingest` would do, in word and exit code, whatever is stored. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, businesses, csvText, type Filed, type SmallCity } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { rowsWith, toCsv } from '../../register/import/a-register.ts';
import { aMappedCity } from './a-mapped-city.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
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

/** What check and then ingest do with a place. */
async function bothOf(city: SmallCity, place: string) {
  const both = [];
  for (const name of ['check', 'ingest']) {
    const ended = await commandsOf(city)(name, '--from', place, '--json');
    const { runs } = lastJson(ended);
    both.push({
      code: ended.code,
      states: runs.map(({ state }) => state),
      details: runs.map(({ detail }) => detail),
    });
  }
  return both;
}

test('check and ingest make the same decision', async () => {
  const city = aCity();
  for (const [what, content, code, state] of FILES) {
    const [checked, ingested] = await bothOf(city, city.file('a.csv', content));
    assert.deepEqual(checked, ingested, what);
    assert.deepEqual([checked!.code, checked!.states], [code, [state]], what);
  }
});

test('check and ingest decide alike on a folder whose last file is as its first', async () => {
  const city = aCity();
  const folder = join(city.folder, 'all');
  mkdirSync(folder);
  for (const [i, rows] of [GOOD, GOOD.toReversed(), GOOD].entries())
    writeFileSync(join(folder, `${i}.csv`), csvText(rows));
  for (const { states } of await bothOf(city, folder)) assert.deepEqual(states, ['kept', 'kept', 'kept']);
});

test('check says of stops that a later import is not held by them', async () => {
  const rows = (count: number) =>
    rowsWith((i) => ({ TOWN: i < count ? 'Farfield' : 'Rivermouth', NAME: `Heron ${i}` }));
  const city = aMappedCity(rows(30));
  const past = /A "stop" holds only a first import\. .* holds nothing now\./;
  const first = await command(['check', ...NOW], city.env);
  assert.match(first.out, /would be held/);
  assert.doesNotMatch(first.out, past);
  await command(['ingest', ...NOW], city.env);
  assert.equal((await command(['ingest', '--accept', '1', ...NOW], city.env)).code, 0);
  city.write('register.csv', toCsv(rows(31)));
  const later = await command(['check', ...NOW], city.env);
  assert.match(later.out, /would be kept/);
  assert.match(later.out, new RegExp(`Please check\\n {2}${past.source}\\n {2}stop outside-city`));
  assert.match(city.read('check.html'), new RegExp(past.source.replaceAll('"', '&quot;')));
});

test('check and ingest refuse another name for a neighborhood without a business', async () => {
  const facts = { DAY: '2026-01-15', KIND: 'Alpha', AREA: 'Old Town' };
  const rows = Array.from({ length: 30 }, (_, i) => ({ ID: `${i}`, NAME: `Shop ${i}`, ...facts }));
  const cityOf = (name: string) =>
    aMappedCity(rows, ['operator:', `alsoCalled: { ${name}: [The Core] }\noperator:`]);
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

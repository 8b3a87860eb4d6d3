/** `check` says on which line of `city.yaml` to write what: where it gives the words, they end the finding. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdvice } from '../../../src/app/cli/check/advice.ts';
import { makeFinding } from '../../../src/register/findings/finding.ts';
import { readYaml } from '../../../src/register/profile/mapping/read-yaml.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { type Cells, firstRows, rowsWith } from '../../register/import/a-register.ts';
import { aMappedCity, type MappedCity } from './a-mapped-city.ts';

const NOW = ['--now', '2026-11-21T03:00:00Z'];
const change = (base: (i: number) => Cells, cells: Cells | ((i: number) => Cells)) =>
  rowsWith((i) => ({ ...base(i), ...firstRows(40, cells)(i) }));
const owned = (cells: Cells) => change((i) => ({ OWNER: `Quill ${i}x Ltd` }), cells);

const CASES: [code: string, words: string, rows: readonly Cells[]][] = [
  ['personal-names', 'owner: [ OWNER ]', owned({ NAME: 'Odile Fenwright', OWNER: 'FENWRIGHT, ODILE F' })],
  [
    ...(['repeated-businesses', 'key: { nameAnd: [ Business Address ] }'] as const),
    change(
      (i) => ({ 'Business Address': `${i} Quay St` }),
      (i) => ({ NAME: `Heron Bakery ${i + 60}`, 'Business Address': `${i + 60} QUAY ST.` }),
    ),
  ],
  [
    ...(['outside-city', 'town: { column: TOWN, keep: [ RIVERMOUTH ] }'] as const),
    change(() => ({ TOWN: 'RIVERMOUTH', STATE: 'OR' }), { TOWN: 'Farfield' }),
  ],
  [
    ...(['outside-city', 'inside: { column: OUTSIDECITY, values: [ No ] }'] as const),
    change(() => ({ OUTSIDECITY: 'No' }), { OUTSIDECITY: 'Yes' }),
  ],
  [
    'not-storefronts',
    'skip: [ { column: KIND, values: [ Special Event Permit ], because: no new business } ]',
    rowsWith(firstRows(40, { KIND: 'Special Event Permit' })),
  ],
];

async function findCodes({ env }: MappedCity): Promise<string[]> {
  const ended = await command(['check', '--json', ...NOW], env);
  const [run] = lastJson(ended).runs as { findings: { code: string }[] }[];
  return run!.findings.map(({ code }) => code);
}

for (const [code, words, rows] of CASES)
  test(`${code} ends with the words that check gives: ${words}`, async () => {
    const city = aMappedCity(rows);
    const { out } = await command(['check', ...NOW], city.env);
    assert.match(out, new RegExp(`\\d\\. ${code}: city\\.yaml:\\d+: `));
    assert.ok(out.includes(`\n       ${words}\n`), out);
    const [word = ''] = words.split(':');
    const kept = city.read('city.yaml').replace(new RegExp(`^    ${word}:.*\n`, 'm'), '');
    city.write('city.yaml', kept.replace('    delivers:', `    ${words}\n    delivers:`));
    assert.ok(!(await findCodes(city)).includes(code));
  });

test('suggested words quote texts of the register that YAML would read as something else', () => {
  const values = [
    ...['', '~', 'NO', '02134', '1e5', '- x', 'a: b', 'a #b', '"q"', "'q'", '[x', '{', '&a', '*a', '!!int 3'],
    ...['| x', 'x\ny', '@x', '%x', '株式会社', 'a,b', '---', '\u202ex', 'x\u0000', 'x '.repeat(99)],
  ];
  const { path, read } = aMappedCity(rowsWith());
  const write = { inside: { column: 'T', values } };
  const finding = { ...makeFinding('allOpen', { count: 40, of: 40 })!, write };
  const { step, lines } = openAdvice(path('city.yaml'))('licenses', finding);
  assert.match(step, /^city\.yaml:9: /, 'the line of the register, which has no such word yet');
  assert.match(read('city.yaml').split('\n')[8]!, /id: licenses/);
  assert.deepEqual(readYaml(lines.join('\n')).value, write);
  const without = openAdvice(path('city.yaml'))('licenses', makeFinding('allOpen', { count: 40, of: 40 })!);
  assert.doesNotMatch(without.step, /city\.yaml/, 'no line has the word, and none is to be written');
});

const HOME = { KIND: 'Home Occupation', TOWN: 'Rivermouth' };

/** What a finding would advise if it did not try it. */
const UNTRIED: [
  what: string,
  code: string,
  says: RegExp,
  rows: readonly Cells[],
  ...edits: [string, string][],
][] = [
  [
    ...(['postal codes that are nearly all the same', 'unplaced'] as const),
    /look for boundaries of the neighborhoods.*but then coarse-neighborhoods holds the run/,
    rowsWith((i) => ({ AREA: '', 'Site Address': `${i} Quay St`, ZIP: i < 390 ? '97201' : '97202' })),
  ],
  [
    ...(['types whose rows hide that many others lie outside', 'not-storefronts'] as const),
    /Other words for skip were tried: they end this finding, but then outside-city holds the run/,
    rowsWith((i) => (i < 200 ? HOME : { TOWN: i < 207 ? 'Farfield' : 'Rivermouth' })),
  ],
  [
    ...(['a rule for names that is there', 'dropped-businesses'] as const),
    /What leaves them out: owner$/m,
    owned({ NAME: 'Odile Barber', OWNER: 'BARBER, ODILE' }),
    ['namesLikePeople: keep', 'namesLikePeople: keep\n    owner: OWNER'],
  ],
];

for (const [what, code, says, rows, ...edits] of UNTRIED)
  test(`${code} advises nothing that would not help: ${what}`, async () => {
    const city = aMappedCity(rows, ...edits);
    const { out } = await command(['check', ...NOW], city.env);
    const [, step = ''] = new RegExp(`\\d\\. ${code}: (.*\\n(?: {7}.*\\n)*)`).exec(out) ?? [];
    assert.match(step, says, out);
    assert.doesNotMatch(step, /Tried on these rows/);
  });

test('words that end a finding keep those that stand there', async () => {
  const city = aMappedCity(rowsWith(firstRows(40, { KIND: 'Special Event Permit' })), [
    'neighborhood: AREA',
    'neighborhood: AREA\n    skip: [{ column: NAME, values: [Heron Bakery 7], because: closed }]',
  ]);
  const { out } = await command(['check', ...NOW], city.env);
  assert.match(out, /\n {7}skip: \[\n.*Heron Bakery 7.*\n.*Special Event Permit/);
});

test('postal codes are advised as neighborhoods where they divide the city', async () => {
  const rows = rowsWith((i) => ({ AREA: '', 'Site Address': `${i} Quay St`, ZIP: `9720${i % 4}` }));
  const city = aMappedCity(rows, ['    neighborhood: AREA\n', '']);
  const { out } = await command(['check', ...NOW], city.env);
  const words = 'neighborhood: { postalCode: ZIP }';
  assert.ok(out.includes(`Tried on these rows, and it ends the finding:\n       ${words}\n`), out);
  city.write('city.yaml', `${city.read('city.yaml')}    ${words}\n`);
  assert.deepEqual(await findCodes(city), []);
});

test('a renamed column is reported with its new name, and the line of city.yaml to change is named', async () => {
  const city = aMappedCity(rowsWith());
  city.write('renamed.csv', 'ID,NAME,KIND,AREA,DAY FILED\nL1,Heron,Alpha,Old Town,2026-01-02\n');
  const { code, out } = await command(['check', '--from', city.path('renamed.csv')], city.env);
  assert.equal(code, 1, out);
  const lines = city.read('city.yaml').split('\n');
  const line = lines.findIndex((one) => one.includes('column: DAY')) + 1;
  assert.match(out, /column "DAY" is missing: .* "DAY FILED"/);
  assert.ok(out.includes(`Change it in city.yaml:${line}`), out);
});

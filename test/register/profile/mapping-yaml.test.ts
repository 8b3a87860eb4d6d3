/** What is no sound `city.yaml` is refused: all problems at once, each with its line, its column and what to write. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../../src/register/profile/formats.ts';
import { parseMapping } from '../../../src/register/profile/mapping/read-mapping.ts';
import { faultsOf, SOUND } from './a-mapping.ts';

const changed = (from: string, to: string) => SOUND.replace(from, to);
const register = (line: string) => `${SOUND}    ${line}\n`;

test('a valid city.yaml has no problems', () => assert.deepEqual(faultsOf(SOUND), []));

test('every value is text, except for words that need a number', () => {
  const { mapping } = parseMapping(
    'city.yaml',
    `${SOUND}    everyHours: 0.5\n    skip: [{ column: 1e5, values: [NO, 02134, 1e5, true, ""], because: yes }]\narchive: true\nzips: { 02134: 0x1F }\n`,
  );
  assert.equal(mapping?.archive, true);
  assert.deepEqual(mapping.zips, { '02134': '0x1F' });
  assert.equal(mapping.registers[0]?.everyHours, 0.5);
  assert.deepEqual(mapping.registers[0]?.skip, [
    { column: '1e5', values: ['NO', '02134', '1e5', 'true', ''], because: 'yes' },
  ]);
});

test('all problems are reported at once, in the order of the lines', () => {
  const text = SOUND.replace('region: Oregon\n', '')
    .replace('America/Los_Angeles', 'Pacific')
    .replace('snapshot', 'all')
    .replace('key: No', 'keyy: No')
    .replace('csv: filings', 'csv: filings, json: filings');
  assert.deepEqual(faultsOf(text), [
    'city.yaml:1:1 region is missing: it must be the state or region',
    'city.yaml:2:11 timeZone must be an IANA time zone such as "America/Chicago", not "Pacific"',
    'city.yaml:4:5 registers[0].key is missing: it must be the name of a column, a list of them, or { nameAnd: [...] }',
    `city.yaml:8:11 registers[0].from must have exactly one of ${FORMATS.join(', ')}; it has csv and json`,
    'city.yaml:9:15 registers[0].delivers must be snapshot or changes, not "all"',
    'city.yaml:10:5 registers[0].keyy is not a word of city.yaml: did you mean key?',
  ]);
});

const FAULTS: [text: string, says: RegExp][] = [
  ['', /1:1 the file is empty/],
  ['- a', /1:1 the file must be settings such as "name: ..." and "region: ...", not \["a"\]/],
  [register('notice:'), /:14:5 notice has no value\. Leave the line out/],
  [register('notice: ~'), /:14:5 notice has no value/],
  [register('notice: null'), /:14:5 notice has no value/],
  [register('hosts: [a.example, ~]'), /:14:24 this item has no value/],
  [register('notice: !!int 7'), /:14:\d+ tags such as !!int are not allowed/],
  [register('notice: !!js/function "x"'), /tags such as !!int are not allowed/],
  [register('notice: !foo x'), /tags such as !!int are not allowed/],
  [register('notice: &a [*a]'), /:14:\d+ aliases such as \*name are not read/],
  [register('notice: *none'), /:14:\d+ aliases such as \*name are not read/],
  [register('key: Other'), /:14:5 this word appears twice/],
  [`${SOUND}---\nname: b\n`, /a second document begins here/],
  [register('hosts: [a'), /this is not YAML/],
  [changed('    key', '\tkey'), /this is not YAML/],
  [`${SOUND}? [a, b]\n: c\n`, /this is not YAML/],
  [`${SOUND}# ${'a'.repeat(1024 * 1024)}\n`, /1:1 the file is larger than 1 MB/],
  [`${SOUND}__proto__: { admin: "yes" }\n`, /:14:1 __proto__ is not a word of city\.yaml/],
  [`${SOUND}constructor: x\n`, /:14:1 constructor is not a word of city\.yaml/],
  [`${SOUND}<<: { archive: true }\n`, /:14:1 << is not a word of city\.yaml/],
  [changed('csv:', 'cvs:'), /exactly one of csv, .* it has none of them/],
  [changed('csv: filings', 'csv: filings, sheet: A'), /from\.sheet is not a word of city\.yaml/],
  [changed('M/D/YYYY', 'M/D'), /filed\.format must be a format such as M\/D\/YYYY/],
  [changed('M/D/YYYY', 'M/D/YY'), /:13:35 registers\[0\]\.filed\.format is M\/D\/YY, so add pivot/],
  [changed('YYYY }', 'YYYY, unknown: [never] }'), /filed\.unknown\[0\] must be a day as YYYY-MM-DD/],
  [
    register('status: { column: S, open: [A], closed: [a] }'),
    /status\.closed\[0\] is "a", which means open, too/,
  ],
  [register('status: { column: S }'), /status gives no word a meaning/],
  [register('category: { table: a.csv }'), /category\.table needs column/],
  [register('everyHours: often'), /everyHours must be a number of hours above 0, not "often"/],
  [`${SOUND}archive: yes\n`, /archive must be true or false, not "yes"/],
  [
    register('skip: [{ column: T, values: Stall, because: b }]'),
    /values must be a list such as \[FIRST, SECOND\], not "Stall"/,
  ],
  [
    register('aliases: { Trad: [TRADE] }'),
    /aliases\.Trad is a column that no other word names\. Did you mean Trade\?/,
  ],
  [
    changed('csv: filings', 'csv: filings, widths: [4, 20], header: none'),
    /from\.widths has 2 columns, named 1 to 2, and "No" is none of them/,
  ],
  [`${SOUND}addresses: { file: a.csv }\n`, /:14:12 addresses need boundaries/],
  [
    register('accepts: { unplacd: so it is }'),
    /accepts\.unplacd is not a word of city\.yaml: did you mean unplaced\?/,
  ],
];

for (const [text, says] of FAULTS)
  test(`a city.yaml is refused: ${says.source}`, () => {
    const problems = faultsOf(text);
    assert.match(problems.join('\n'), says);
    for (const problem of problems) assert.match(problem, /^city\.yaml:\d+:\d+ /);
  });

test('the columns of a file of fixed width without a header have the numbers from 1 on', () => {
  const fixed = SOUND.replace('csv: filings', 'csv: filings, widths: [4, 20, 10], header: none')
    .replace('key: No', 'key: 1')
    .replace('[Trade, Legal]', '2')
    .replace('column: Day', 'column: 3');
  assert.deepEqual(faultsOf(fixed), []);
  for (const none of [0, 4])
    assert.match(faultsOf(fixed.replace('column: 3', `column: ${none}`)).join(), /"[04]" is none of them/);
});

test('an empty value is reported once', () => assert.equal(faultsOf(register('notice: ~')).length, 1));

test('the error about two registers with one id names the line of the second register', () => {
  const [, second] = SOUND.split('registers:\n');
  assert.deepEqual(faultsOf(`${SOUND}${second}`), [
    'city.yaml:14:9 registers[1].id is not unique: two registers have the id "licenses"',
  ]);
});

test('a city.yaml made to slow down the parser is refused before it is parsed', () => {
  const many = Array.from({ length: 90_000 }, (_, i) => `k${i}`);
  for (const text of [
    many.map((key) => `${key}: v\n`).join(''),
    `name: {${many.join(': v, ')}}`,
    '['.repeat(100_000),
  ])
    assert.deepEqual(faultsOf(text), [
      'city.yaml:1:1 the file has more than 5,000 lines or values. Put tables into CSV files',
    ]);
});

test('the error about a control character names the character, but does not print it', () => {
  for (const text of ['"\\e[31mA"', '\u001b]0;A\u0007', '"\\x9b31m"', '"A\\0"'])
    assert.match(
      faultsOf(SOUND.replace(/name: .*/, `name: ${text}`)).join('\n'),
      /this text has the control character U\+00(1B|9B|00)\. Remove it$/m,
    );
});

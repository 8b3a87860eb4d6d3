/** Each field of a profile: its valid values, and the errors for others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../../src/register/profile/formats.ts';
import { listProfileProblems } from '../../../src/register/profile/schema/profile.ts';

type Field = [name: string, sound: unknown[], faulty: unknown[]];

const text = (name: string): Field => [name, ['Rivermouth'], [undefined, '', ' ', 7, ['Rivermouth']]];

const each = (name: string, values: unknown[]) => values.map((value) => ({ [name]: value }));

const CITY: Field[] = [
  text('name'),
  text('region'),
  ['timeZone', ['America/Chicago', 'Europe/Vienna'], [undefined, '', 'Chicago', 'Mars/Base', 7]],
  ['language', [undefined, 'en', 'en-GB'], ['', 'e', 'en_GB', 7]],
  ['accent', [undefined, '#0a6', '#00AA66'], ['0a6', '#0a', '#0a6f', '#00aa6g', 'green', 7]],
  ['words', [undefined, {}, { title: 'New' }], [{ title: 7 }, { title: '' }, ['New'], 'New']],
  ['asOf', [undefined, '2026-09-30'], ['2026-02-30', '30.9.2026', '2026-9-30', ' 2026-09-30', 20260930]],
  ['zips', [undefined, {}, { '90802': 'Downtown' }], [{ '90802': 90802 }, { '90802': ' ' }, [], '90802']],
  [
    'boundaries',
    [undefined, { file: 'a.geojson', property: 'n' }, { url: 'https://a.example/b', property: 'n' }],
    [{ file: 'a.geojson' }, { property: 'n' }, { url: 'ftp://a.example', property: 'n' }, 'a.geojson'],
  ],
  [
    'limits',
    [
      ...[undefined, {}, { burst: 1 }, { rows: 50, signup: 2, connections: 4, confirmations: 3 }],
      { recipientDomain: { hour: 5, day: 9, providers: ['rivermouth.example'] } },
      { trusted: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.9'] },
    ],
    [
      ...[{ burst: 0 }, { rows: 49 }, { rows: 60.5 }, { signup: '1' }, { bursts: 1 }, { rows: -1 }, 5],
      ...each('recipientDomain', [10, { hour: 0 }, { day: 1.5 }, { week: 3 }, { providers: ['Gmail.com'] }]),
      ...each('trusted', ['203.0.113.0/24', [24], ['0.0.0.0/0'], ['::/0'], ['10.0.0/8'], ['x']]),
    ],
  ],
  [
    'weekly',
    [undefined, {}, { weekday: 'Monday' }, { time: '08:00' }, { weekday: 'Sunday', time: '23:59' }],
    [
      ...[{ weekday: 'Funday', time: '08:00' }, 'Monday'],
      ...['24:00', '8:00', '08:60', '08:00:00', 800].map((time) => ({ weekday: 'Monday', time })),
    ],
  ],
];

const SOURCE: Field[] = [
  ['id', ['licences', 'a', '7-b', 'a'.repeat(64)], ['', 'A', '-a', 'a b', 'a'.repeat(65), 7]],
  text('publisher'),
  ['homepage', ['https://a.example', 'http://a.example/b'], [undefined, 'a.example', 'ftp://a', '', 7]],
  text('license'),
  ['terms', [undefined, 'https://a.example/terms'], ['', 'CC0', 7]],
  ['notice', [undefined, 'As it was filed.'], ['', 7]],
  ['checked', ['live', 'documentation'], [undefined, 'once', true]],
  [
    'from',
    [
      ...FORMATS.map((format) => ({ format })),
      ...[',', ';', '\t', '|'].map((delimiter) => ({ format: 'csv', delimiter })),
      ...['utf-8', 'windows-1252', 'utf-16le'].map((encoding) => ({ format: 'csv', encoding })),
      ...[1, 4, [1, 2], 'none'].map((header) => ({ format: 'csv', header })),
      ...[{ quote: "'" }, { quote: '"' }, { widths: [3, 10] }].map((one) => ({ format: 'csv', ...one })),
    ],
    [
      ...[undefined, {}, { format: 'xml' }, 'csv'],
      ...['', ';;', '"', '\n', '\r', '§', 7].map((delimiter) => ({ format: 'csv', delimiter })),
      ...['', 'utf-7', 7].map((encoding) => ({ format: 'csv', encoding })),
      ...[0, 1.5, '1', [1], [2, 1], [1, 2, 3]].map((header) => ({ format: 'csv', header })),
      ...[{ quote: '`' }, { widths: [] }, { widths: [0] }].map((one) => ({ format: 'csv', ...one })),
    ],
  ],
  ['hosts', [undefined, [], ['a.example']], ['a.example', [7], ['a.example', '']]],
  ['baseline', [undefined, { file: 'a.csv' }, { url: 'https://a.example' }], [{}, { url: 'a' }, 'a.csv']],
  ['delivers', ['snapshot', 'changes'], [undefined, 'everything']],
  ['everyHours', [undefined, 0.5, 24], [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '24']],
  ['newForDays', [undefined, 1, 400], [0, -1, 0.5, Number.NaN, '24']],
  ['freshForHours', [undefined, 0.5, 24], [0, -1, Number.NaN, '24']],
  ['rejectedShare', [undefined, 0, 0.5, 1], [-0.01, 1.01, Number.NaN, '0.5']],
  ['columns', [['ID'], ['ID', 'NAME']], [undefined, [], 'ID', ['ID', ''], [7]]],
  ['optional', [undefined, [], ['KIND']], ['KIND', [7]]],
  ['aliases', [undefined, {}, { ID: ['Id', 'No.'] }], [{ ID: 'Id' }, { ID: [] }, { ID: [7] }, ['Id'], 'Id']],
  ['verdict', [() => undefined], [undefined, 'opening']],
];

/** The first sound value of each field. */
const soundOf = (fields: Field[]) => Object.fromEntries(fields.map(([name, [value]]) => [name, value]));
const OPERATOR = { name: 'The chamber', contact: 'listings@rivermouth.example' };
const cityWith = (fields: object) => {
  return { ...soundOf(CITY), operator: OPERATOR, sources: [soundOf(SOURCE)], ...fields };
};
const withSource = (fields: object) => cityWith({ sources: [{ ...soundOf(SOURCE), ...fields }] });

const MISSING = /is missing: it must (?:be|have) \S/;
const FAULTY = /must (?:be|have) [^\s,]|is missing|is not a field/;

for (const [where, fields, profileWith] of [
  ['', CITY, cityWith],
  ['sources[0].', SOURCE, withSource],
] as const)
  for (const [name, sound, faulty] of fields)
    test(`${where}${name}: valid values are accepted, and each invalid value is one error that names the field`, () => {
      for (const value of sound) assert.deepEqual(listProfileProblems(profileWith({ [name]: value })), []);
      for (const value of faulty) {
        const problems = listProfileProblems(profileWith({ [name]: value }));
        assert.equal(problems.length, 1, `${JSON.stringify(value)}: ${problems}`);
        assert.ok(problems[0]!.startsWith(`${where}${name}`), problems[0]!);
        const says = value === undefined ? MISSING : FAULTY;
        assert.match(problems[0]!, says);
      }
    });

test('an operator must have a name and a contact', () => {
  for (const operator of [undefined, {}, { name: 'a' }, { contact: 'b' }, { name: '', contact: 'b' }, 'a'])
    assert.match(
      listProfileProblems(cityWith({ operator })).join(),
      /^operator(?:\.name|\.contact)? (?:must be|is missing)/,
      JSON.stringify(operator),
    );
});

test('a city must have at least one source, and each source must be an object', () => {
  for (const sources of [undefined, [], {}, 'a'])
    assert.match(
      listProfileProblems(cityWith({ sources })).join('\n'),
      /^sources (?:is missing: it )?must be a list with at least one source.*$/,
    );
  assert.deepEqual(listProfileProblems(cityWith({ sources: [soundOf(SOURCE), 'b'] })), [
    'sources[1] must be an object, not "b"',
  ]);
});

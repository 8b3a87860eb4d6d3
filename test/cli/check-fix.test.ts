/** `check --fix`: each finding that has a known correction is mended in `city.yaml`, and nothing else of the operator's files changes. */

import assert from 'node:assert/strict';
import { chmodSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { writeEdit } from '../../src/cli/check/check-fix.ts';
import { addDays } from '../../src/listings/day.ts';
import { makeFinding } from '../../src/registers/invariants/finding.ts';
import { planRepair } from '../../src/registers/writing/repair.ts';
import { aCity } from '../a-city.ts';
import { command } from '../a-command.ts';
import { lastJson } from '../a-process.ts';
import { type Cells, DAYS_BETWEEN, firstRows, rowsWith } from '../import/a-register.ts';
import { aMappedCity, type MappedCity } from './a-mapped-city.ts';

const NOW = ['--now', '2026-11-20T12:00:00Z'];
const PERSON = { NAME: 'Odile Fenwright' };
const TOWN = { TOWN: 'RIVERMOUTH', STATE: 'OR' };

type Case = {
  code: string;
  rows: readonly Cells[];
  edits?: readonly (readonly [string, string])[];
  /** What `city.yaml` holds then. */
  becomes: RegExp;
};

const change = (base: (i: number) => Cells, count: number, cells: Cells | ((i: number) => Cells)) =>
  rowsWith((i) => ({ ...base(i), ...firstRows(count, cells)(i) }));

const CASES: Case[] = [
  {
    code: 'personal-names',
    rows: change((i) => ({ OWNER: `Quill ${i}x Ltd` }), 40, { ...PERSON, OWNER: 'FENWRIGHT, ODILE F' }),
    becomes: /\n {4}owner: \[ OWNER \]\n/,
  },
  {
    code: 'personal-names',
    rows: rowsWith(firstRows(61, PERSON)),
    becomes: /\n {4}namesLikePeople: skip\n/,
  },
  {
    code: 'dropped-businesses',
    rows: rowsWith(firstRows(40, (i) => ({ NAME: `Madeline ${['Solar', 'Diamonds', 'Law'][i % 3]}` }))),
    edits: [['namesLikePeople: keep', 'namesLikePeople: skip']],
    becomes: /\n {4}namesLikePeople: keep\n/,
  },
  {
    code: 'repeated-businesses',
    rows: change(
      (i) => ({ 'Business Address': `${i} Quay St` }),
      40,
      (i) => ({ NAME: `Heron Bakery ${i + 60}`, 'Business Address': `${i + 60} QUAY ST.` }),
    ),
    becomes: /\n {4}key: \{ nameAnd: \[ Business Address \] \} # one for each license\n/,
  },
  {
    code: 'outside-city',
    rows: change(() => TOWN, 40, { TOWN: 'Farfield' }),
    becomes: /\n {4}town: \{ column: TOWN, keep: \[ RIVERMOUTH \] \}\n/,
  },
  {
    code: 'outside-city',
    rows: change(() => ({ OUTSIDECITY: 'No' }), 40, { OUTSIDECITY: 'Yes' }),
    becomes: /\n {4}inside: \{ column: OUTSIDECITY, values: \[ No \] \}\n/,
  },
  {
    code: 'date-choice',
    rows: change(
      (i) => ({ CREATED: addDays('2026-11-18', -DAYS_BETWEEN * i) }),
      250,
      (i) => ({
        CREATED: addDays('2011-02-03', -DAYS_BETWEEN * i),
      }),
    ),
    becomes: /\n {4}filed: \{ column: CREATED, format: YYYY-MM-DD \} # not the counter in Farfield\n/,
  },
  {
    code: 'not-storefronts',
    rows: rowsWith(firstRows(40, { KIND: 'Special Event Permit' })),
    edits: [
      [
        'category: { column: KIND, table: categories.csv }',
        'skip:\n      - { column: AREA, values: [X], because: x } # why',
      ],
    ],
    becomes:
      /# why\n {6}- \{ column: KIND, values: \[ Special Event Permit \], because: no new business \}\n/,
  },
];

async function findCodes({ env }: MappedCity): Promise<string[]> {
  const ended = await command(['check', '--json', ...NOW], env);
  const [run] = lastJson(ended).runs as { findings: { code: string }[] }[];
  return run!.findings.map(({ code }) => code);
}

for (const { code, rows, edits = [], becomes } of CASES)
  test(`${code} is mended: ${becomes.source}`, async () => {
    const city = aMappedCity(rows, ...edits);
    assert.ok((await findCodes(city)).includes(code));
    const before = city.read('city.yaml').split('\n');
    const { code: exit, out, err } = await command(['check', '--fix', '--yes', ...NOW], city.env);
    assert.equal(exit, 0, err);
    assert.match(city.read('city.yaml'), becomes, err);
    assert.ok(!(await findCodes(city)).includes(code), out);
    assert.deepEqual(city.listLostComments(), []);
    const kept = before.filter((line) => city.read('city.yaml').split('\n').includes(line));
    assert.ok(kept.length >= before.length - 1, 'one line at most is another');
  });

test('types that are no new business are marked in the table of types, which stays as the operator wrote it', async () => {
  const rows = rowsWith(
    firstRows(40, (i) => ({ KIND: i % 2 === 0 ? 'Special Event Permit' : 'Street Vendor; "Cart"' })),
  );
  const city = aMappedCity(rows.map((row) => ({ ...row, KIND: row.KIND!.replaceAll('"', "'") })));
  city.write('categories.csv', `${city.read('categories.csv')}SPECIAL event  permit;2;;;Odile\r\n`);
  const before = city.read('city.yaml');
  const { code, err } = await command(['check', '--fix', '--yes', ...NOW], city.env);
  assert.equal(code, 0, err);
  assert.equal(city.read('city.yaml'), before);
  const [header, alpha, permit, ...others] = city.read('categories.csv').split('\r\n');
  assert.deepEqual(
    [header, alpha, permit],
    [
      'type;rows;category;new_business;seen by',
      'Alpha;400;Restaurants;yes;Quill',
      'SPECIAL event  permit;2;;no;Odile',
    ],
  );
  assert.ok(
    others.every((line) => line === '' || /^".*";;;no;$/.test(line)),
    others.join('\n'),
  );
  assert.ok(!(await findCodes(city)).includes('not-storefronts'));
});

test('two findings that want opposite values of one word are not mended in turns', async () => {
  const rows = rowsWith((i) => (i < 90 ? PERSON : i < 120 ? { NAME: 'Martha Bakery' } : ({} as Cells)));
  const city = aMappedCity(rows);
  const { code, err } = await command(['check', '--fix', '--yes', ...NOW], city.env);
  assert.equal(code, 3, err);
  assert.equal(err.match(/namesLikePeople: (skip|keep)$/gm)?.length, 2, 'one line before, one after');
  assert.match(city.read('city.yaml'), /namesLikePeople: skip/);
});

test('an edit with which the city would not load changes nothing and says why', async () => {
  const city = aMappedCity(rowsWith());
  const path = city.path('city.yaml');
  chmodSync(path, 0o660);
  const repair = { filed: { column: 'DAY', format: 'someday' } };
  const finding = makeFinding('noFirstDate', { count: 1, of: 1, repair })!;
  const edit = planRepair({ path, source: 'licenses' }, finding)!;
  const before = city.read('city.yaml');
  await assert.rejects(writeEdit({ path }, edit), /would not load: city\.yaml:\d+:\d+ registers\[0\]\.filed/);
  assert.equal(city.read('city.yaml'), before);

  const other = { ...edit, text: before.replace('Oregon', 'Washington') };
  await writeEdit({ path }, other);
  assert.equal(city.read('city.yaml'), other.text);
  assert.equal(statSync(path).mode & 0o777, 0o660, 'its permissions stay');
  assert.deepEqual(readdirSync(city.folder).toSorted(), ['categories.csv', 'city.yaml', 'register.csv']);
});

test('a city.yaml that is a link is left alone', async () => {
  const city = aMappedCity(rowsWith(firstRows(61, PERSON)));
  renameSync(city.path('city.yaml'), city.path('real.yaml'));
  symlinkSync(city.path('real.yaml'), city.path('city.yaml'));
  const before = city.read('real.yaml');
  const { code, err } = await command(['check', '--fix', '--yes', ...NOW], city.env);
  assert.equal(code, 3, err);
  assert.match(err, /personal-names: nothing was changed\. .* is a link/);
  assert.equal(city.read('real.yaml'), before);
});

test('--fix needs a terminal or --yes, a city.yaml, and a city of the operator’s own', async () => {
  const city = aMappedCity(rowsWith());
  const says = async (args: string[], env: Record<string, string>) => {
    const { code, err } = await command(['check', ...args, ...NOW], env);
    assert.equal(code, 2, err);
    return err;
  };
  assert.match(await says(['--fix'], city.env), /--fix asks on a terminal\. Add --yes/);
  assert.match(await says(['--yes'], city.env), /--yes belongs to --fix/);
  assert.match(await says(['--fix', '--yes', '--json'], city.env), /cannot be combined/);
  const shipped = { ...city.env, SHINGLE_CITY: 'sample' };
  assert.match(await says(['--fix', '--yes'], shipped), /--fix changes a city\.yaml|comes with Shingle/);
  const program = aCity();
  assert.match(await says(['--fix', '--yes'], program.env), /is a program: change it by hand/);
});

test('a column that is renamed is reported with what the file has instead, and the line of city.yaml to change', async () => {
  const city = aMappedCity(rowsWith());
  city.write('renamed.csv', 'ID,NAME,KIND,AREA,DAY FILED\nL1,Heron,Alpha,Old Town,2026-01-02\n');
  const { code, out } = await command(['check', '--from', city.path('renamed.csv'), '--no-page'], city.env);
  assert.equal(code, 1, out);
  const lines = city.read('city.yaml').split('\n');
  const line = lines.findIndex((one) => one.includes('column: DAY')) + 1;
  assert.match(out, /column "DAY" is missing: .* "DAY FILED"/);
  assert.ok(out.includes(`Change it in city.yaml:${line}`), out);
});

/** An unknown export becomes a plausible city, with named, dated, filterable listings, without editing. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { lastJson } from '../../a-process.ts';
import { aPortal, arcgisOf } from '../../register/import/a-portal.ts';
import { isoOf, nameOf as name, TRADES } from '../../register/survey/a-register.ts';

const folder = aFolder();
const env = { SHINGLE_DATA: join(folder, 'data') };
const COUNT = 240;

const PEOPLE = ['Odile Fenwright', 'Bram Castellane', 'Ines Wolverley'];
const rows = <T>(row: (i: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => row(i));
const file = (called: string, text: string | Uint8Array) => {
  writeFileSync(join(folder, called), text);
  return join(folder, called);
};

/** Each in the style of a real publisher, with made-up rows. */
const EXPORTS: Record<string, () => Promise<string> | string> = {
  'a layer of business licences (Tucson)': async () => {
    const text = 'esriFieldTypeString';
    const records = rows((i) => ({
      ...{
        LICENSE_NO: `T${i}`,
        DBA_NAME: name(i),
        OWNER_NM: PEOPLE[i % 3],
        NAIC_CODE: ['722511', '811111'][i % 2],
        WARD: `Ward ${i % 6}`,
        ZIP: `8570${i % 6}`,
      },
      ...{
        DT_START: Date.parse(isoOf(i)),
        LIC_STATUS: ['ACTIVE', 'CLOSED', 'DELINQUENT'][i % 3],
        x: -110.9,
        y: 32.2,
      },
    }));
    const names = ['LICENSE_NO', 'DBA_NAME', 'OWNER_NM', 'NAIC_CODE', 'WARD', 'ZIP', 'LIC_STATUS'];
    const fields = [
      ...names.map((field) => ({ name: field, type: text })),
      { name: 'DT_START', type: 'esriFieldTypeDate' },
    ];
    const portal = await aPortal(arcgisOf({ records, fields, page: 500 }));
    return `${portal.url}/arcgis/rest/services/BUSLIC/FeatureServer/0`;
  },
  'a list as JSON whose values are nested': () =>
    file(
      'nested.json',
      JSON.stringify(
        rows((i) => ({
          license_number: `N${i}`,
          business_name: name(i),
          issued_date: isoOf(i),
          activity: { code: i % 8, name: TRADES[i % 8] },
          neighborhood: { name: `Quarter ${i % 5}`, ward: null },
          license_status: [i % 4 ? 'Active' : 'Closed'],
        })),
      ),
    ),
};

for (const [what, write] of Object.entries(EXPORTS)) {
  test(`${what}: an unedited draft gives named, dated, filterable listings`, async () => {
    const place = await write();
    const out = join(folder, `city-${what.length}`);
    const made = await command(
      ['init', place, '--name', 'Otterfall', '--out', out, '--json', '--no-install'],
      env,
    );
    assert.equal(made.code, 0, made.err);
    const draft = readFileSync(join(out, 'city.yaml'), 'utf8');
    const [run] = lastJson(made).runs as unknown as {
      state: string;
      findings: { severity: string }[];
      read: number;
      openings: number;
      updates: number;
      detail: string;
      coverage: { category: number; neighborhood: number };
    }[];
    const stops = run!.findings.some(({ severity }) => severity === 'stop');
    assert.equal(run!.state, stops ? 'held' : 'kept', `${run!.detail}\n${draft}`);
    assert.deepEqual([run!.updates, run!.openings], [0, COUNT], draft);
    assert.ok(run!.coverage.category > 0.6, `category ${run!.coverage.category}\n${draft}`);
    // A ZIP area is a neighborhood only where a person says so.
    const placed = what.includes('Tucson') ? 0 : 1;
    assert.equal(run!.coverage.neighborhood, placed, draft);
    for (const person of PEOPLE) assert.ok(!draft.includes(person), 'no name of a person stands in a draft');
    assert.doesNotMatch(draft, /\[object Object\]/);
    const again = await command(['init', place, '--out', out], env);
    assert.deepEqual([again.code, /already exists/.test(again.err)], [78, true]);
  });
}

test('without a terminal, init says that it asked nothing, and each guess with its reason', async () => {
  const place = file(
    'guessed.csv',
    [
      'License,Trade Name,City,State,Date,Opened On,Ward of 7',
      ...rows((i) => {
        const day = i % 4 === 0 ? '1987-01-01' : isoOf(i);
        return `L${i},${name(i)},${i % 10 === 0 ? 'Millrace' : 'Otterfall'},OR,${day},${isoOf(i)},x`;
      }),
    ].join('\n'),
  );
  const out = join(folder, 'guessed');
  const made = await command(
    ['init', place, '--out', out, '--use', 'filed=Date', '--publisher', 'Clerk', '--no-install'],
    env,
  );
  assert.equal(made.code, 0, made.err);
  for (const line of [
    /^Without a terminal, init asks nothing/m,
    /^ {4}name +Trade Name .*\(by its header\)$/m,
    /^ {2}. filed +Date .*\(as you said; or: Opened On\)$/m,
    /^ {4}town +City .*\(by its header\)$/m,
    /^ {4}status +none +\(no column fits\)$/m,
    /^ {4}name +Otterfall {2}\(the town of 90 % of the rows\)$/m,
    /^ {4}region +Oregon {2}\(from the column State\)$/m,
    /^ {4}timeZone +America\/Los_Angeles {2}\(the zone of Oregon\)$/m,
    /^ {2}\? license +Fill in the license {2}\(no column says it\)$/m,
    /60 rows are left out, because 1987-01-01 seems to mean "not known"/,
    /^ {2}filing date not known: 1987-01-01, with which the register seems to say so/m,
  ])
    assert.match(made.out, line);
  assert.doesNotMatch(made.out, /Fill in the publisher/);
  const drafted = readFileSync(join(out, 'city.yaml'), 'utf8');
  assert.match(drafted, /# .*60 rows are left out/, 'the evidence stands beside the line');
  const given = {
    ...{ name: 'Mill Otter', region: 'Ohio', timeZone: 'America/New_York' },
    ...{ publisher: 'Clerk', homepage: 'https://clerk.example/r', license: 'CC0-1.0' },
  };
  const options = Object.entries({ ...given, 'time-zone': given.timeZone })
    .filter(([name]) => name !== 'timeZone')
    .flatMap(([name, value]) => [`--${name}`, value]);
  const told = join(folder, 'told');
  assert.equal((await command(['init', place, '--out', told, '--no-install', ...options], env)).code, 0);
  const lines = readFileSync(join(told, 'city.yaml'), 'utf8').split('\n');
  for (const [name, value] of Object.entries(given))
    assert.ok(
      lines.some((line) => line.trim().startsWith(`${name}: ${value}`)),
      `${name} as it was given`,
    );
});

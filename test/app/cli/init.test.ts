/** An unknown export becomes a plausible city, with named, dated, filterable listings, without editing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastJson } from '../../a-process.ts';
import { aPortal, arcgisOf } from '../../register/import/a-portal.ts';
import { isoOf, nameOf as name, TRADES } from '../../register/survey/a-register.ts';
import { anExportFolder } from './an-export.ts';

const { file, csv, init, yaml } = anExportFolder();
const COUNT = 240;
const PEOPLE = ['Odile Fenwright', 'Bram Castellane', 'Ines Wolverley'];
const rows = <T>(row: (i: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => row(i));

/** Each in the style of a real publisher, with made-up rows; a ZIP area is a neighborhood only where a person says so. */
const EXPORTS: Record<string, { neighborhood: number; place(): Promise<string> | string }> = {
  'a layer of business licences (Tucson)': {
    neighborhood: 0,
    async place() {
      const records = rows((i) => ({
        ...{ LICENSE_NO: `T${i}`, DBA_NAME: name(i), OWNER_NM: PEOPLE[i % 3], WARD: `Ward ${i % 6}` },
        ...{ NAIC_CODE: ['722511', '811111'][i % 2], ZIP: `8570${i % 6}`, x: -110.9, y: 32.2 },
        ...{ DT_START: Date.parse(isoOf(i)), LIC_STATUS: ['ACTIVE', 'CLOSED', 'DELINQUENT'][i % 3] },
      }));
      const names = Object.keys(records[0]!).filter((field) => !['x', 'y'].includes(field));
      const typeOf = (field: string) => `esriFieldType${field === 'DT_START' ? 'Date' : 'String'}`;
      const fields = names.map((field) => ({ name: field, type: typeOf(field) }));
      const portal = await aPortal(arcgisOf({ records, fields, page: 500 }));
      return `${portal.url}/arcgis/rest/services/BUSLIC/FeatureServer/0`;
    },
  },
  'a list as JSON whose values are nested': {
    neighborhood: 1,
    place() {
      const records = rows((i) => ({
        ...{ license_number: `N${i}`, business_name: name(i), issued_date: isoOf(i) },
        activity: { code: i % 8, name: TRADES[i % 8] },
        neighborhood: { name: `Quarter ${i % 5}`, ward: null },
        license_status: [i % 4 ? 'Active' : 'Closed'],
      }));
      return file(JSON.stringify(records), 'nested.json');
    },
  },
};

type Drafted = Record<'state' | 'detail' | 'openings' | 'updates', unknown> & {
  findings: { severity: string }[];
  coverage: { category: number; neighborhood: number };
};

for (const [what, { neighborhood, place }] of Object.entries(EXPORTS))
  test(`${what}: an unedited draft gives named, dated, filterable listings`, async () => {
    const from = await place();
    const out = `city-${what.length}`;
    const made = await init(from, out, '--name', 'Otterfall', '--json');
    assert.equal(made.code, 0, made.err);
    const draft = yaml(out);
    const [run] = lastJson(made).runs as Drafted[];
    const stops = run!.findings.some(({ severity }) => severity === 'stop');
    assert.equal(run!.state, stops ? 'held' : 'kept', `${run!.detail}\n${draft}`);
    assert.deepEqual([run!.updates, run!.openings], [0, COUNT], draft);
    assert.ok(run!.coverage.category > 0.6, `category ${run!.coverage.category}\n${draft}`);
    assert.equal(run!.coverage.neighborhood, neighborhood, draft);
    for (const person of PEOPLE) assert.ok(!draft.includes(person), 'no name of a person stands in a draft');
    assert.doesNotMatch(draft, /\[object Object\]/);
    const again = await init(from, out);
    assert.deepEqual([again.code, /already exists/.test(again.err)], [78, true]);
  });

test('without a terminal, init says that it asked nothing, and each guess with its reason', async () => {
  const place = csv('License,Trade Name,City,State,Date,Opened On,Ward of 7', COUNT, (i) => {
    const day = i % 4 === 0 ? '1987-01-01' : isoOf(i);
    return `L${i},${name(i)},${i % 10 === 0 ? 'Millrace' : 'Otterfall'},OR,${day},${isoOf(i)},x`;
  });
  const made = await init(place, 'guessed', '--use', 'filed=Date', '--publisher', 'Clerk');
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
  assert.match(yaml('guessed'), /# .*60 rows are left out/, 'the evidence stands beside the line');
  const given = {
    ...{ name: 'Mill Otter', region: 'Ohio', timeZone: 'America/New_York' },
    ...{ publisher: 'Clerk', homepage: 'https://clerk.example/r', license: 'CC0-1.0' },
  };
  const optionOf = (word: string) => `--${word === 'timeZone' ? 'time-zone' : word}`;
  const options = Object.entries(given).flatMap(([word, value]) => [optionOf(word), value]);
  assert.equal((await init(place, 'told', ...options)).code, 0);
  const lines = yaml('told').split('\n');
  for (const [word, value] of Object.entries(given))
    assert.ok(
      lines.some((line) => line.trim().startsWith(`${word}: ${value}`)),
      `${word} as it was given`,
    );
});

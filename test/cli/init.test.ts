/** An unknown export becomes a plausible city, with named, dated, filterable listings, without editing. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { command } from '../a-command.ts';
import { lastJson } from '../a-process.ts';
import { aPortal, arcgisOf, socrataOf } from '../import/a-portal.ts';
import { nameOf as name, TRADES } from '../registers/a-register.ts';

const folder = mkdtempSync(join(tmpdir(), 'shingle-init-'));
after(() => rmSync(folder, { recursive: true }));
const env = { SHINGLE_DATA: join(folder, 'data') };
const COUNT = 240;

const PEOPLE = ['Odile Fenwright', 'Bram Castellane', 'Ines Wolverley'];
const month = (i: number) => String(1 + (i % 12)).padStart(2, '0');
const date = (i: number) => String(1 + (i % 28)).padStart(2, '0');
const year = (i: number) => 2018 + (i % 7);
const iso = (i: number) => `${year(i)}-${month(i)}-${date(i)}`;
const us = (i: number) => `${month(i)}/${date(i)}/${year(i)}`;
const rows = <T>(row: (i: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => row(i));
const csvOf = (lines: readonly (readonly string[])[], delimiter = ',') =>
  lines
    .map((cells) => cells.map((cell) => (/[",;\n]/.test(cell) ? `"${cell}"` : cell)).join(delimiter))
    .join('\r\n');
const file = (called: string, text: string | Uint8Array) => {
  writeFileSync(join(folder, called), text);
  return join(folder, called);
};

/** Each in the style of a real publisher, with made-up rows. */
const EXPORTS: Record<string, () => Promise<string> | string> = {
  'locations of registered businesses, packed (San Francisco)': () =>
    file(
      'sf.csv.gz',
      gzipSync(
        `\ufeff${csvOf([
          [
            'Location Id',
            'Business Account Number',
            'Ownership Name',
            'DBA Name',
            'Street Address',
            'City',
            'State',
            'Source Zipcode',
            'Business Start Date',
            'Business End Date',
            'Location Start Date',
            'Location End Date',
            'Mail City',
            'NAICS Code',
            'NAICS Code Description',
            'LIC Code',
            'Supervisor District',
            'Neighborhoods - Analysis Boundaries',
            'Business Location',
          ],
          ...rows((i) => [
            `10${i}-0${i}-001`,
            `${5000 + (i % 200)}`,
            PEOPLE[i % 3]!,
            name(i),
            `${i} Quay St`,
            'San Otterfall',
            'CA',
            '94000',
            us(i),
            '',
            us(i),
            i % 6 === 0 ? '05/01/2025' : '',
            'Elsewhere',
            i % 3 ? '' : '4400-4599',
            '',
            '',
            `${i % 11}`,
            ['Mission Bay', 'Old Town', 'Naples', ''][i % 4]!,
            `POINT (-122.4 37.${i})`,
          ]),
        ])}`,
      ),
    ),
  'licences of a consumer department (New York)': () =>
    file(
      'ny.csv',
      csvOf([
        [
          'DCA License Number',
          'License Type',
          'License Expiration Date',
          'License Status',
          'License Creation Date',
          'Industry',
          'Business Name',
          'Business Name 2',
          'Address Building',
          'Address City',
          'Address ZIP',
          'Contact Phone Number',
          'Address Borough',
          'Borough Code',
          'Longitude',
          'Latitude',
        ],
        ...rows((i) => [
          `${2000000 + i}-DCA`,
          'Business',
          us(i + 7),
          i % 5 ? 'Active' : 'Inactive',
          us(i),
          TRADES[i % 8]!,
          name(i).toUpperCase(),
          '',
          `${i}`,
          'OTTERFALL',
          '10001',
          '5550100',
          ['Northbank', 'Ropewalk', 'Cooper Wharf'][i % 3]!,
          `${i % 3}`,
          '-73.9',
          '40.7',
        ]),
      ]),
    ),
  'sales tax permits (Texas), over a portal': async () => {
    const records = rows((i) => ({
      ...{
        taxpayer_number: `3200${i}`,
        taxpayer_name: PEOPLE[i % 3],
        outlet_number: '00001',
        outlet_name: name(i).toUpperCase(),
      },
      ...{
        outlet_address: `${i} QUAY ST`,
        outlet_city: ['OTTERFALL', 'MILLRACE'][i % 2],
        outlet_zip_code: '78200',
        outlet_naics_code: [722511, 541110, 811111][i % 3],
      },
      ...{
        outlet_permit_issue_date: `${iso(i)}T00:00:00.000`,
        outlet_first_sales_date: `${iso(i)}T00:00:00.000`,
        ':id': `r${i}`,
        ':updated_at': '2026',
      },
    }));
    const columns = Object.keys(records[0]!).filter((key) => !key.startsWith(':'));
    const serve = socrataOf({ records, columns, rowsUpdatedAt: 1, strays: false });
    const portal = await aPortal((url) => {
      if (!url.searchParams.has('$select') && url.pathname.startsWith('/resource'))
        url.searchParams.set('$select', columns.join(','));
      return serve(url);
    });
    return `${portal.url}/resource/jrea-zgmq.json`;
  },
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
        DT_START: Date.UTC(year(i), i % 12, 1 + (i % 28)),
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
  'fictitious business names of a county clerk (California)': () =>
    file(
      'fbn.csv',
      csvOf(
        [
          [
            'File Number',
            'Fictitious Business Name',
            'Registrant',
            'Statement Type',
            'Date Filed',
            'Expiration Date',
            'Filing Status',
            'City of Business',
            'Zip',
          ],
          ...rows((i) => [
            `2024-${10000 + i}`,
            name(i),
            PEOPLE[i % 3]!,
            ['New', 'Refile'][i % 2]!,
            us(i),
            us(i + 7),
            ['Active', 'Abandoned', 'Expired'][i % 3]!,
            ['Otterfall', 'Millrace', 'Northbank'][i % 3]!,
            '90800',
          ]),
        ],
        ';',
      ),
    ),
  'a daily list as JSON in an object': () =>
    file(
      'list.json',
      JSON.stringify({
        generated: 'x',
        data: {
          columns: [{ name: 'registrationId' }, { name: 'businessName' }],
          items: rows((i) => ({
            registrationId: i + 1,
            businessName: name(i),
            registeredOn: `${['Jan', 'June', 'December'][i % 3]} ${1 + (i % 28)}, ${year(i)}`,
            activity: TRADES[i % 8],
            district: `District ${i % 5}`,
            postalCode: `9080${i % 5}`,
            status: i % 4 ? 'Registered' : 'Dissolved',
          })),
        },
      }),
    ),
  'a list as JSON whose values are nested': () =>
    file(
      'nested.json',
      JSON.stringify(
        rows((i) => ({
          license_number: `N${i}`,
          business_name: name(i),
          issued_date: iso(i),
          activity: { code: i % 8, name: TRADES[i % 8] },
          neighborhood: { name: `Quarter ${i % 5}`, ward: null },
          license_status: [i % 4 ? 'Active' : 'Closed'],
        })),
      ),
    ),
};

for (const [what, write] of Object.entries(EXPORTS)) {
  test(`${what}: an unedited draft that gives named, dated, filterable listings`, async () => {
    const place = await write();
    const out = join(folder, `city-${what.length}`);
    const made = await command(
      [
        'init',
        place,
        '--name',
        what.startsWith('fictitious') ? 'Otterfall County' : 'Otterfall',
        '--out',
        out,
        '--json',
        '--no-install',
      ],
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
    // Half of the clerk's statements are filed again for a business that had one: they update it.
    const updates = what.startsWith('fictitious') ? COUNT / 2 : 0;
    assert.equal(run!.updates, updates, draft);
    // Half of the permits are for another town than the one that was named.
    const inside = what.startsWith('sales') ? COUNT / 2 : COUNT;
    assert.ok(
      run!.openings >= 0.9 * (inside - updates) && run!.openings <= inside,
      `${run!.openings} openings\n${draft}`,
    );
    assert.ok(run!.coverage.category > 0.6, `category ${run!.coverage.category}\n${draft}`);
    // A ZIP area is a neighborhood only where a person says so.
    if (/Tucson|daily list|Texas/.test(what)) assert.equal(run!.coverage.neighborhood, 0, draft);
    else assert.ok(run!.coverage.neighborhood > 0.6, `neighborhood ${run!.coverage.neighborhood}\n${draft}`);
    for (const person of PEOPLE) assert.ok(!draft.includes(person), 'no name of a person stands in a draft');
    assert.doesNotMatch(draft, /\[object Object\]/);
    const again = await command(['init', place, '--out', out], env);
    assert.deepEqual([again.code, /already exists/.test(again.err)], [78, true]);
  });
}

test('input that is not data is reported in one sentence, and nothing is written', async () => {
  for (const [text, reason] of [
    ['<!doctype html><p>gone', /web page/],
    ['', /empty/],
    ['{"a": {"b": 1}}', /no list of records/],
    ['A,B\n', /a header and no rows/],
    ['%PDF-1.7\n', /a PDF/],
    ['A,B\n1,2\n3', /may be cut off/],
  ] as const) {
    const out = join(folder, 'nothing');
    const ended = await command(['init', file('odd.csv', text), '--out', out], env);
    assert.deepEqual([ended.code, reason.test(ended.err), existsSync(out)], [1, true, false], ended.err);
    assert.match(ended.err, /^shingle: .*\n$/, 'one line');
  }
});

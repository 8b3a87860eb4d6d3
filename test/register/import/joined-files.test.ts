/** Registers in several files: one of an archive, and codes in a file of their own. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { dryRunCity } from '../../../src/app/operations/dry-run-city.ts';
import { aCity, NOW, type SmallCity } from '../../a-city.ts';
import { listed } from '../../app/operations/an-ingest.ts';
import { faultsOf, SOUND } from '../profile/a-mapping.ts';

const LICENSES = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, i) => `${1001 + i},Heron ${i},1/${1 + (i % 28)}/2026 9:46:14 AM\n`,
  );
  return `LicenseNumber,BusinessName,IssueDate\n${rows.join('')}`;
};
const CODES = `Lob,NaicsCode,NaicsDescription,LicenseNumber,BusinessName
44-45 - Retail Trade,445110 - SUPERMARKETS AND OTHER GROCERY RETAILERS,x,1001,Heron
81 - Other Services,812111 - BARBER SHOPS,x,1001,Heron
72 - Accommodation and Food Services,722511 - FULL-SERVICE RESTAURANTS,x,1002,Heron
`;
const JOIN =
  'join: { from: { csv: codes.csv }, column: LicenseNumber, key: LicenseNumber, take: [NaicsCode] }';

function aLicensedCity(from: string, ...lines: string[]): SmallCity {
  const city = aCity();
  const yaml = SOUND.replace('{ csv: filings }', from)
    .replace('key: No', 'key: LicenseNumber')
    .replace('[Trade, Legal]', 'BusinessName')
    .replace('column: Day', 'column: IssueDate');
  city.config.city = city.file('city.yaml', yaml + lines.map((line) => `    ${line}\n`).join(''));
  return city;
}

test('a profile can name one of several files in an archive', async () => {
  const bytes = zipSync({
    'data/BUSINESS_20260105.csv': strToU8(LICENSES(3)),
    'data/BUSINESS_20251231.csv': strToU8(LICENSES(2)),
    'data/OWNERS.csv': strToU8('a,b\n'),
  });
  const openingsIn = async (entry: string) => {
    const city = aLicensedCity(`{ csv: all.zip${entry} }`);
    writeFileSync(join(city.folder, 'all.zip'), bytes);
    return (await dryRunCity(city.config, { now: () => NOW }))[0]!.openings;
  };
  assert.equal(await openingsIn(', entry: business_20260105.csv'), 3);
  assert.equal(await openingsIn(', entry: business_20251231.csv'), 2);
  assert.equal(await openingsIn(', entry: data/BUSINESS_20251231.csv'), 2);
  for (const [entry, message] of [
    ['', /contains 3 data files: data\/BUSINESS_20260105\.csv.*name one in city\.yaml \(entry\)/],
    [', entry: X.csv', /all\.zip contains no X\.csv, but data\/BUSINESS/],
  ] as const)
    await assert.rejects(openingsIn(entry), { code: 'source', message });
});

test('codes of other files are joined by a key, and are imported again when one of those files changes', async () => {
  const join_ = JOIN.replace('codes.csv', 'codes');
  const city = aLicensedCity('{ csv: a.csv }', join_, 'category: { naics: NaicsCode }');
  city.file('a.csv', LICENSES(3));
  mkdirSync(join(city.folder, 'codes'));
  city.file('codes/1.csv', CODES);
  const more = (rows: string) => city.file('codes/2.csv', `${CODES.split('\n')[0]}\n${rows}`);
  more('');
  const service = await city.open();
  const [first] = await service.ingest({});
  assert.deepEqual([first!.state, first!.detail, first!.added], ['kept', null, 3]);
  const categories = async () =>
    (await listed(service)).map(({ category }) => category ?? 'Uncategorized').toSorted();
  assert.deepEqual(await categories(), ['Grocery & Convenience', 'Restaurants', 'Uncategorized']);
  assert.equal((await service.ingest({}))[0]!.state, 'unchanged');
  more('x,812111 - BARBER SHOPS,x, 1003 ,Heron\n');
  const [later] = await service.ingest({});
  assert.deepEqual([later!.state, later!.changed, later!.added], ['kept', 1, 0]);
  assert.deepEqual(await categories(), ['Beauty & Hair', 'Grocery & Convenience', 'Restaurants']);
});

test('codes that are missing, lack a column or match no row fail the import with a sentence', async () => {
  const failing = async (codes: string | undefined, rows = 3) => {
    const city = aLicensedCity('{ csv: a.csv }', JOIN, 'category: { naics: NaicsCode }');
    city.file('a.csv', LICENSES(rows));
    if (codes !== undefined) city.file('codes.csv', codes);
    const [run] = await (await city.open()).ingest({});
    assert.equal(run!.state, 'failed');
    return run!.detail!;
  };
  assert.match(await failing(undefined), /no file or folder at .*codes\.csv/);
  assert.match(await failing('LicenseNumber,Code\n1,2\n'), /column "NaicsCode" is missing: .*"Code"/);
  assert.match(await failing(CODES.replaceAll(/100\d/g, 'X$&'), 100), /no row has a "LicenseNumber" that is/);
});

test('a source that Shingle cannot read is reported as an error of city.yaml', () => {
  const lines = (from: string, line = '') => `${SOUND.replace('{ csv: filings }', from)}    ${line}\n`;
  for (const [text, problem] of [
    [lines('{ csv: a }', JOIN.replace('codes.csv', '""')), /join\.from\.csv needs a path or a URL/],
    [lines('{ csv: a }', JOIN.replace(', take: [NaicsCode]', '')), /join\.take is missing/],
  ] as const)
    assert.match(faultsOf(text).join('\n'), problem);
});

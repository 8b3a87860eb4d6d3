/** A folder is a city by its `city.yaml`, its tables, and the sources that a `city.ts` beside it adds. */

import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { loadCity } from '../../../src/register/profile/load.ts';
import { MAIL_PROVIDERS } from '../../../src/shared/city/mail-providers.ts';
import { describePlaceholderFix, findPlaceholders } from '../../../src/shared/city/placeholders.ts';
import { messageOf } from '../../../src/shared/errors.ts';
import { aFolder } from '../../a-folder.ts';
import { SOUND } from './a-mapping.ts';

function aTown(files: Record<string, string | Buffer>): string {
  const folder = aFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const WITH_TABLE = `${SOUND}    category: { column: Type, table: categories.csv }\n`;
const TABLE = 'type,category\nTavern,Bars & Nightlife\n';
const SOURCE = `source({ id: 'permits', publisher: 'City', homepage: 'https://a.example', license: 'CC0', checked: 'documentation', from: csv(),
  delivers: 'snapshot', columns: ['ID'], verdict: () => skip('none'),
})`;
const program = (text: string) =>
  `import { csv, defineCity, skip, source } from 'shingle/city';\nexport default ${text};\n`;
const withTable = (table: string | Buffer) => ({ 'city.yaml': WITH_TABLE, 'categories.csv': table });
const withSources = (...sources: string[]) => ({ 'city.yaml': SOUND, 'city.ts': program(`[${sources}]`) });
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const complaintOf = (folder: string) => loadCity(folder).then(() => assert.fail('it loaded'), messageOf);

test('SHINGLE_CITY can name a folder or its city.yaml', async () => {
  const folder = aTown({ 'city.yaml': SOUND });
  const [byFolder, byFile] = await Promise.all([loadCity(folder), loadCity(join(folder, 'city.yaml'))]);
  assert.equal(byFolder.path, join(folder, 'city.yaml'));
  assert.equal(byFolder.slug, basename(folder));
  assert.equal(byFolder.digest, byFile.digest);
  assert.equal(byFolder.city.sources[0]?.license, 'CC0');
  assert.equal(byFolder.city.sources[0]?.checked, 'documentation');
});

test('a profile or table that is not UTF-8 text or not a file is refused by name', async () => {
  const latin1 = Buffer.from(`# a\n# Caf\xe9\n${SOUND}`, 'latin1');
  for (const [files, says] of [
    [{ 'city.yaml': utf16(SOUND) }, /city\.yaml is not text in UTF-8\. If it is text in UTF-16/],
    [{ 'city.yaml': latin1 }, /city\.yaml is not in UTF-8 \(line 2\)\. Save it as UTF-8/],
    [withTable(utf16(TABLE)), /categories\.csv cannot be read: .* UTF-16/],
  ] as const)
    assert.match(await complaintOf(aTown(files)), says);
  const piped = aTown({});
  symlinkSync('/dev/zero', join(piped, 'city.yaml'));
  assert.match(await complaintOf(piped), /city\.yaml is not a file/);
  const pipedTable = aTown({ 'city.yaml': WITH_TABLE });
  symlinkSync('/dev/zero', join(pipedTable, 'categories.csv'));
  assert.match(await complaintOf(pipedTable), /categories\.csv cannot be read: it is not a file/);
});

test('a city.ts beside a city.yaml adds sources', async () => {
  const { city, path } = await loadCity(aTown(withSources(SOURCE)));
  const ids = city.sources.map(({ id }) => id);
  assert.deepEqual(ids, ['licenses', 'permits']);
  assert.equal(basename(path), 'city.yaml');
});

test('a city.ts with a whole city beside a city.yaml is refused, and a list of sources without one is refused', async () => {
  const whole = program(`defineCity({ sources: [${SOURCE}] } as never)`);
  for (const [files, says] of [
    [{ 'city.yaml': SOUND, 'city.ts': whole }, /city\.yaml is the city, so this file may only add sources/],
    [{ 'city.ts': program(`[${SOURCE}]`) }, /is not a city: it exports a list/],
    [withSources(SOURCE.replace('permits', 'licenses')), /two sources have the id "licenses"/],
  ] as const)
    assert.match(await complaintOf(aTown(files)), says);
});

test('the digest covers city.yaml, its tables and the sources of city.ts', async () => {
  const digestOf = async (files: Record<string, string | Buffer>) => (await loadCity(aTown(files))).digest;
  const files = { ...withSources(SOURCE), ...withTable(TABLE) };
  const usual = await digestOf(files);
  assert.equal(await digestOf(files), usual);
  for (const change of [
    { 'city.yaml': WITH_TABLE.replace('CC0', 'CC1') },
    { 'categories.csv': `${TABLE}Grill,Restaurants\n` },
    { 'city.ts': program(`[${SOURCE.replace('none', 'nothing')}]`) },
  ])
    assert.notEqual(await digestOf({ ...files, ...change }), usual, JSON.stringify(change));
});

test('problems of the mapping and of its tables are reported in one message', async () => {
  const message = await complaintOf(aTown(withTable('type,category\nTavern,Bar\nShop,Shops\n')));
  assert.match(message, /categories\.csv:2 "Bar" is not a category/);
  assert.match(message, /categories\.csv:3 "Shops" is not a category/);
  const missing = await complaintOf(aTown({ 'city.yaml': WITH_TABLE }));
  assert.match(missing, /categories\.csv cannot be read: ENOENT/);
});

test('messages name placeholders by the words of city.yaml', async () => {
  const { city } = await loadCity(aTown({ 'city.yaml': SOUND.replace('CC0', 'Fill in the license') }));
  const fields = findPlaceholders(city);
  assert.match(describePlaceholderFix(fields, 'city.yaml'), /registers\[0\]\.license/);
});

test('the providers of city.yaml are added to the large mail providers', async () => {
  const limits = 'limits: { recipientDomain: { day: 40, providers: [city.example] } }\n';
  const { city } = await loadCity(aTown({ 'city.yaml': `${SOUND}${limits}` }));
  assert.deepEqual(city.limits, {
    recipientDomain: { day: 40, providers: [...MAIL_PROVIDERS, 'city.example'] },
  });
});

test('the error for an unknown city lists the known cities', async () => {
  await assert.rejects(
    loadCity('atlantis'),
    /Set SHINGLE_CITY to one of .*austin, .*sample.*, or to the path of a city\.yaml/,
  );
  await assert.rejects(loadCity(aTown({})), /no city profile at/);
});

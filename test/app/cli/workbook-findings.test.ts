/** What a workbook holds besides the rows that are read is found by `check` and by the first ingest, as by `init`. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { textCell, workbook } from '../../register/import/a-workbook.ts';
import { aMappedCity } from './a-mapped-city.ts';

const NS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const rowOf = (at: number, cells: readonly string[]) =>
  `<row r="${at}">${cells.map((text, i) => (text === '' ? '' : textCell(`${'ABCDE'[i]}${at}`, text))).join('')}</row>`;

function sheetOf(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const day = `2026-10-${String(1 + (i % 28)).padStart(2, '0')}`;
    return rowOf(i + 2, [`${prefix}${i}`, `Heron ${prefix} Bakery ${i}`, day, 'Alpha', `Quay ${i % 4}`]);
  });
  const header = rowOf(1, ['ID', 'NAME', 'DAY', 'KIND', 'AREA']);
  return `<worksheet xmlns="${NS}"><sheetData>${header}${rows.join('')}</sheetData></worksheet>`;
}

function threeSheets(): Uint8Array {
  const names = ['Active', 'Closed', 'Moved'];
  const sheets = names
    .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i + 1}"/>`)
    .join('');
  const targets = names
    .map(
      (_, i) =>
        `<Relationship Id="s${i + 1}" Type="${REL}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
    )
    .join('');
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const styles = `<Relationship Id="st" Type="${REL}/styles" Target="styles.xml"/>`;
  return workbook('', {
    'xl/workbook.xml': `<workbook xmlns="${NS}" xmlns:r="${REL}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}">${targets}${styles}</Relationships>`,
    'xl/worksheets/sheet1.xml': sheetOf('A', 30),
    'xl/worksheets/sheet2.xml': sheetOf('C', 29),
    'xl/worksheets/sheet3.xml': sheetOf('M', 12),
  });
}

const FOUND = {
  'unread-sheet': 'not read: 2 other sheets of the same shape with 41 rows',
};
type Runs = { findings: { code: string; detail: string }[] }[];
const listFound = (runs: unknown) =>
  Object.fromEntries(
    (runs as Runs)
      .flatMap(({ findings }) => findings)
      .filter(({ code }) => code in FOUND)
      .map(({ code, detail }) => [code, detail]),
  );

test('check, the first ingest and init find other sheets of the same shape', async () => {
  const city = aMappedCity([], ['{ csv: register.csv }', '{ excel: register.xlsx }']);
  writeFileSync(city.path('register.xlsx'), threeSheets());
  const now = ['--json', '--now', '2026-11-21T03:00:00Z'];
  assert.deepEqual(listFound(lastJson(await command(['check', ...now], city.env)).runs), FOUND);
  assert.deepEqual(listFound(lastJson(await command(['ingest', ...now], city.env)).runs), FOUND);
  const out = join(city.folder, 'drafted');
  const options = ['--name', 'Rivermouth', '--out', out, '--no-install', '--json'];
  const made = await command(['init', city.path('register.xlsx'), ...options], city.env);
  assert.deepEqual(listFound(lastJson(made).runs), FOUND);
});

/** What a workbook holds besides the rows that are read is found by `check` and by the first ingest, as by `init`. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { textCell, workbook } from '../../register/import/a-workbook.ts';
import { aMappedCity } from './a-mapped-city.ts';

type Finding = { code: string; detail: string };

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
  const counts = { Active: 30, Closed: 29, Moved: 12 };
  const each = (part: (name: string, n: number) => string) =>
    Object.keys(counts)
      .map((name, i) => part(name, i + 1))
      .join('');
  const sheets = each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="s${n}"/>`);
  const linkTo = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${REL}/${kind}" Target="${target}"/>`;
  const links = each((_, n) => linkTo(`s${n}`, 'worksheet', `worksheets/sheet${n}.xml`));
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return workbook('', {
    'xl/workbook.xml': `<workbook xmlns="${NS}" xmlns:r="${REL}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}">${links}${linkTo('st', 'styles', 'styles.xml')}</Relationships>`,
    ...Object.fromEntries(
      Object.entries(counts).map(([name, count], i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        sheetOf(name[0]!, count),
      ]),
    ),
  });
}

test('check, the first ingest and init find other sheets of the same shape', async () => {
  const city = aMappedCity([], ['{ csv: register.csv }', '{ excel: register.xlsx }']);
  writeFileSync(city.path('register.xlsx'), threeSheets());
  const now = ['--json', '--now', '2026-11-21T03:00:00Z'];
  const draft = ['--name', 'Rivermouth', '--out', join(city.folder, 'drafted'), '--no-install', '--json'];
  for (const args of [
    ['check', ...now],
    ['ingest', ...now],
    ['init', city.path('register.xlsx'), ...draft],
  ]) {
    const [run] = lastJson(await command(args, city.env)).runs as { findings: Finding[] }[];
    const found = run!.findings.filter(({ code }) => code === 'unread-sheet').map(({ detail }) => detail);
    assert.deepEqual(found, ['not read: 2 other sheets of the same shape with 41 rows'], args.join());
  }
});

/** Reads an unknown workbook: finds the sheet with the register, and its header. */

import { joinFirst } from '../../shared/text/numbers.ts';
import type { HeaderRows } from '../profile/formats.ts';
import {
  formatFoundName,
  joinHeaderRows,
  listHeaderLines,
  nameColumns,
  refuseColumns,
  tidyText,
} from '../readers/row.ts';
import type { Sheet, UnreadSheet } from '../readers/workbook/sheet-rows.ts';
import { openWorkbook } from '../readers/workbook/workbook.ts';
import { describeHeader, findHeader, type SampleRow } from './detect-header.ts';

const SAMPLE_ROWS = 220;

type Candidate = {
  sheet: Sheet;
  header: HeaderRows;
  titles: number;
  columns: string[];
  rows: number;
};

/** Finds how to read a workbook. Chooses the sheet with the largest table that is not hidden. */
export async function findWorkbookReading(path: string) {
  await using workbook = await openWorkbook(path);
  const usual = workbook.find();
  const candidates: Candidate[] = [];
  for (const sheet of workbook.sheets)
    if (!sheet.isHidden || sheet === usual) candidates.push(await describeSheet(sheet, undefined));
  const chosen = candidates.reduce((best, one) => (one.rows > best.rows ? one : best));
  return {
    reading: {
      sheet: chosen.sheet === usual ? undefined : chosen.sheet.name,
      header: chosen.header === 1 ? undefined : chosen.header,
    },
    notes: describeChoice(chosen, candidates),
  };
}

/** Lists other sheets of the same shape, which an import does not read. Lists nothing if another sheet is damaged. */
export async function inspectWorkbook(
  path: string,
  { sheet, header = 1 }: { sheet?: string | undefined; header?: HeaderRows | undefined },
): Promise<UnreadSheet[]> {
  try {
    await using workbook = await openWorkbook(path);
    const chosen = workbook.find(sheet);
    const { columns } = await describeSheet(chosen, header);
    const unread: UnreadSheet[] = [];
    for (const one of workbook.sheets) {
      if (one === chosen || one.isHidden) continue;
      const { rows, columns: others } = await describeSheet(one, undefined);
      const hasSameShape = others.length === columns.length && others.every((name) => columns.includes(name));
      if (rows > 0 && hasSameShape) unread.push({ name: one.name, rows });
    }
    return unread;
  } catch {
    return [];
  }
}

async function describeSheet(sheet: Sheet, known: HeaderRows | undefined): Promise<Candidate> {
  const sample: SampleRow[] = [];
  const first: string[][] = [];
  let [rows, width] = [0, 0];
  for await (const batch of sheet.read())
    for (const row of batch) {
      if (!('cells' in row)) continue;
      const filled = row.cells.filter((cell) => cell !== '').length;
      width = Math.max(width, row.cells.length);
      refuseColumns(filled, `row ${row.line} of the sheet`);
      if (row.line <= SAMPLE_ROWS) {
        sample.push({ line: row.line, cells: row.cells.map(tidyText) });
        first[row.line - 1] = row.cells;
      }
      if (filled >= Math.min(2, width)) rows++;
    }
  const padded = sample.map(({ line, cells }) => ({
    line,
    cells: Array.from({ length: width }, (_, at) => cells[at] ?? ''),
  }));
  const found = known === undefined ? findHeader(padded, width) : { header: known, titles: 0 };
  const lines = listHeaderLines(found.header);
  const columns = nameColumns(joinHeaderRows(lines.map((line) => first[line - 1] ?? [])));
  const above = sample.filter(({ line, cells }) => line <= (lines[0] ?? 0) && isTable(cells, width)).length;
  return { sheet, ...found, columns, rows: rows - above };
}

const isTable = (cells: readonly string[], width: number) =>
  cells.filter((cell) => cell !== '').length >= Math.min(2, width);

function describeChoice({ sheet, header, titles }: Candidate, all: readonly Candidate[]): string[] {
  const notes: string[] = [];
  const list = joinFirst(all.map((one) => formatFoundName(one.sheet.name)));
  if (all.length > 1) notes.push(`sheet "${formatFoundName(sheet.name)}" of ${all.length} was read: ${list}`);
  notes.push(...describeHeader({ header, titles }, 'sheet', 'rows'));
  return notes;
}

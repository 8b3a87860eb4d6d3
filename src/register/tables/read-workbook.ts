/** Reads an unknown workbook: finds the sheet with the register, and its header. */

import type { WorkbookRest } from '../findings/register.ts';
import type { HeaderRows } from '../profile/formats.ts';
import { formatFoundName, nameColumns, tidyText } from '../readers/row.ts';
import { formatRow, readSheets, type Sheet, splitSheet } from '../readers/sheets.ts';
import { describeHeader, findHeader } from './find-header.ts';

const SAMPLE_ROWS = 220;
const SHEETS_NAMED = 8;

type Candidate = { sheet: Sheet; header: HeaderRows; titles: number; columns: string[]; rows: number };

/** Finds how to read a workbook. Chooses the sheet with the largest table. */
export async function findWorkbookReading(path: string) {
  const candidates = (await readSheets(path)).map((sheet) => describeSheet(sheet, undefined));
  const chosen = candidates.reduce((best, one) => (one.rows > best.rows ? one : best));
  return {
    reading: {
      sheet: chosen === candidates[0] ? undefined : chosen.sheet.name,
      header: chosen.header === 1 ? undefined : chosen.header,
    },
    notes: describeChoice(chosen, candidates),
  };
}

/** Describes what an import does not read of a workbook. Describes nothing if another sheet is damaged. */
export async function inspectWorkbook(
  path: string,
  { sheet, header = 1 }: { sheet?: string | undefined; header?: HeaderRows | undefined },
): Promise<WorkbookRest> {
  const sheets = await readSheets(path).catch(() => undefined);
  if (sheets === undefined) return { unreadSheets: [], mergedCells: 0 };
  const chosen = sheets.find(({ name }) => name === sheet) ?? sheets[0];
  const { columns } = describeSheet(chosen, header);
  const others = sheets.filter((one) => one !== chosen).map((one) => describeSheet(one, undefined));
  return {
    unreadSheets: others
      .filter(({ rows }) => rows > 0)
      .map((one) => ({
        name: one.sheet.name,
        rows: one.rows,
        sameShape:
          one.columns.length === columns.length && one.columns.every((name) => columns.includes(name)),
      })),
    mergedCells: chosen.mergedCells,
  };
}

function describeSheet(sheet: Sheet, known: HeaderRows | undefined): Candidate {
  const sample = sheet.cells
    .slice(0, SAMPLE_ROWS)
    .map((cells, i) => ({ line: i + 1, cells: formatRow(cells, i + 1).map(tidyText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const found =
    known === undefined ? findHeader(sample, sheet.cells[0]?.length ?? 0) : { header: known, titles: 0 };
  const { names, headerLine = 0 } = splitSheet(sheet.cells, found.header);
  const filled = (cells: readonly unknown[]) => cells.filter((cell) => cell !== null).length;
  const rows = sheet.cells
    .slice(headerLine)
    .filter((cells) => filled(cells) >= Math.min(2, cells.length)).length;
  return { sheet, ...found, columns: nameColumns(names), rows };
}

function describeChoice({ sheet, header, titles }: Candidate, all: readonly Candidate[]): string[] {
  const notes: string[] = [];
  const names = all.slice(0, SHEETS_NAMED).map((one) => formatFoundName(one.sheet.name));
  const list = names.join(', ') + (all.length > SHEETS_NAMED ? ', ...' : '');
  if (all.length > 1) notes.push(`sheet "${formatFoundName(sheet.name)}" of ${all.length} was read: ${list}`);
  notes.push(...describeHeader({ header, titles }, 'sheet', 'rows'));
  if (sheet.mergedCells > 0)
    notes.push(`${sheet.mergedCells} cells have the text of the merged cell that covers them`);
  return notes;
}

/** Workbooks as rows: one sheet, its first row the header, dates as days. Bounded before it is read, because a sheet is read whole. */

import { stat } from 'node:fs/promises';
import { zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import type { SourceFormat } from '../../city/define.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { formatFoundName, type NumberedRow, openRowReader, type RowSpec } from './row.ts';
import { checkWorkbookPart } from './workbook-bounds.ts';
import { unpackXml } from './zip.ts';

type ExcelFormat = Extract<SourceFormat, { format: 'excel' }>;

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 * 1024; // 30,000 rows of ten columns are 18 MiB, and 258 MiB of memory
const MOST_ROW_CHARACTERS = 64 * 1024; // as of a record of JSON: many cells may share one long text
const SHEET_BATCH_ROWS = 500;
const SHEETS_NAMED = 8;

/** Rows in batches, `line` 1 being the header. Throws `source`: too large, no such sheet, or no workbook at all. */
export async function* readExcel(
  path: string,
  { sheet }: ExcelFormat,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  const [header = [], ...rows] = await readCells(path, sheet);
  const { positions, rowOf } = openRowReader(formatRow(header, 1), spec);
  let batch: NumberedRow[] = [];
  for (const [i, cells] of rows.entries()) {
    if (cells.every((cell) => cell === null)) continue;
    const texts = formatRow(cells, i + 2);
    batch.push({ line: i + 2, row: rowOf(positions.map((at) => texts[at] ?? '')) });
    if (batch.length < SHEET_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function formatRow(cells: readonly Cell[], line: number): string[] {
  const texts = cells.map(formatCell);
  if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_ROW_CHARACTERS)
    throw new ShingleError('source', `line ${line} is larger than ${MOST_ROW_CHARACTERS / 1024} KiB`);
  return texts;
}

type Cell = unknown;

/** The cells of a sheet as they are; of the first one without a name. Throws `source`. */
export async function readCells(path: string, sheet?: string): Promise<Cell[][]> {
  try {
    return (await readSheet(await repackWorkbook(path), sheet ?? 1)) as Cell[][];
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    const { sheets } = error as { sheets?: string[] };
    if (sheets === undefined) return refuse(error);
    const names =
      sheets.slice(0, SHEETS_NAMED).map(formatFoundName).join(', ') +
      (sheets.length > SHEETS_NAMED ? ', ...' : '');
    const what = sheets.length === 0 ? 'sheet' : `sheet "${sheet}"; it has ${names}`;
    throw new ShingleError('source', `the workbook has no ${what}`, { cause: error });
  }
}

/**
 * The XML of a workbook in a new archive, once all of it is found to be within bounds: the reader has nothing to believe of the old one,
 * such as how large its entries are.
 */
async function repackWorkbook(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  const parts = size > MOST_BYTES ? undefined : await unpackXml(path, MOST_UNPACKED);
  if (parts === undefined) {
    const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
    throw new ShingleError(
      'source',
      `the workbook is larger than ${mib(MOST_BYTES)}, or ${mib(MOST_UNPACKED)} unpacked. Save the sheet as CSV`,
    );
  }
  for (const part of parts.values()) checkWorkbookPart(new TextDecoder().decode(part));
  const { buffer, byteOffset, byteLength } = zipSync(Object.fromEntries(parts), { level: 0 });
  return Buffer.from(buffer, byteOffset, byteLength);
}

function refuse(error: unknown): never {
  throw new ShingleError('source', `the workbook cannot be read: ${messageOf(error)}`, { cause: error });
}

/** Days as `YYYY-MM-DD`: a workbook's dates have no time zone, and are read as UTC. */
export function formatCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  return String(cell);
}

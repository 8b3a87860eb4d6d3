/** Workbooks as rows: one sheet, its first row the header, dates as days. Bounded in size, because a sheet is read whole. */

import { stat } from 'node:fs/promises';
import readWorkbook from 'read-excel-file/node';
import type { SourceFormat } from '../../city/define.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { type NumberedRow, openRowReader, type RowSpec } from './row.ts';
import { measureUnpacked } from './unpack.ts';

type ExcelFormat = Extract<SourceFormat, { format: 'excel' }>;

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 * 1024; // 30,000 rows of ten columns are 18 MiB, and 258 MiB of memory
const SHEET_BATCH_ROWS = 500;

/** Rows in batches, `line` 1 being the header. Throws `source`: too large, no such sheet, or no workbook at all. */
export async function* readExcel(
  path: string,
  { sheet }: ExcelFormat,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  await checkSheetSize(path);
  const [header = [], ...rows] = await readCells(path, sheet);
  const rowOf = openRowReader(header.map(formatCell), spec);
  let batch: NumberedRow[] = [];
  for (const [i, cells] of rows.entries()) {
    if (cells.every((cell) => cell === null)) continue;
    batch.push({ line: i + 2, row: rowOf(cells.map(formatCell)) });
    if (batch.length < SHEET_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Cell = unknown;

/** The cells of a sheet as they are; of the first one without a name. Throws `source`. */
export async function readCells(path: string, sheet?: string): Promise<Cell[][]> {
  try {
    const sheets = await readWorkbook(path);
    const names = sheets.map((one) => one.sheet);
    const found = sheet === undefined ? sheets[0] : sheets.find((one) => one.sheet === sheet);
    if (found === undefined)
      throw new ShingleError(
        'source',
        names.length === 0
          ? 'the workbook has no sheet'
          : `the workbook has no sheet "${sheet}"; it has ${names.join(', ')}`,
      );
    return found.data as Cell[][];
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    return refuse(error);
  }
}

/** A workbook is a zip archive: what it unpacks to is in memory as a whole, and must be bounded before. */
async function checkSheetSize(path: string): Promise<void> {
  const { size } = await stat(path);
  const isSmall =
    size <= MOST_BYTES && (await measureUnpacked(path, MOST_UNPACKED).catch(refuse)) <= MOST_UNPACKED;
  if (isSmall) return;
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  throw new ShingleError(
    'source',
    `the workbook is larger than ${mib(MOST_BYTES)}, or ${mib(MOST_UNPACKED)} unpacked. Save the sheet as CSV`,
  );
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

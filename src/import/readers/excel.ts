/** Workbooks as rows: one sheet with its header, dates as days. Bounded before it is read, because a sheet is read whole. */

import { stat } from 'node:fs/promises';
import { unzipSync, zipSync } from 'fflate';
import readXlsxFile, { readSheet } from 'read-excel-file/node';
import type { HeaderRows, SourceFormat } from '../../city/define.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { isNamed } from './csv.ts';
import { firstHeaderLine } from './csv-records.ts';
import { joinHeaderRows, numberColumns } from './header-names.ts';
import { listMergedRows, nameSheet, type WorkbookParts } from './merged-cells.ts';
import { formatFoundName, type NumberedRow, openRowReader, type RowSpec } from './row.ts';
import { checkWorkbookPart } from './workbook-bounds.ts';
import { readZip } from './zip.ts';

type ExcelFormat = Extract<SourceFormat, { format: 'excel' }>;

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 * 1024; // 30,000 rows of ten columns are 18 MiB, and 258 MiB of memory
const MOST_ROW_CHARACTERS = 64 * 1024; // as of a record of JSON: many cells may share one long text
const SHEET_BATCH_ROWS = 500;
const SHEETS_NAMED = 8;
const MOST_MERGED = 2_000_000;

/** Rows in batches; `line` is the row of the sheet. Throws `source` if the file is too large, has no such sheet or is not a workbook. */
export async function* readExcel(
  path: string,
  { sheet, header }: ExcelFormat,
  spec: RowSpec,
): AsyncGenerator<NumberedRow[]> {
  const [{ cells }] = await readSheets(path, sheet ?? 1);
  const { names, headerLine, rows } = splitSheet(cells, header);
  const { listPositions, rowOf } = openRowReader(names, { ...spec, headerLine });
  let batch: NumberedRow[] = [];
  for (const { line, texts } of rows) {
    batch.push({ line, row: rowOf(listPositions().map((at) => texts[at] ?? '')) });
    if (batch.length < SHEET_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The names of the columns of a sheet and its rows as texts, without empty ones and those that repeat the header. */
export function splitSheet(cells: readonly (readonly Cell[])[], header: HeaderRows = 1) {
  const first = firstHeaderLine(header);
  const lines = header === 'none' ? [] : typeof header === 'number' ? [header] : [...header];
  const headers = lines.map((line) => formatRow(cells[line - 1] ?? [], line));
  const names = header === 'none' ? numberColumns(cells[0]?.length ?? 0) : joinHeaderRows(headers);
  const begin = lines.at(-1) ?? 0;
  const dropped = { repeatedHeaders: 0 };
  function* listRows(): Generator<{ line: number; texts: string[] }> {
    for (let line = begin + 1; line <= cells.length; line++) {
      const row = cells[line - 1]!;
      if (row.every((cell) => cell === null)) continue;
      const texts = formatRow(row, line);
      if (headers.some((one) => isNamed(one) && one.every((name, at) => name === texts[at])))
        dropped.repeatedHeaders++;
      else yield { line, texts };
    }
  }
  return { names, headerLine: header === 'none' ? undefined : first, rows: listRows(), dropped };
}

export function formatRow(cells: readonly Cell[], line: number): string[] {
  const texts = cells.map(formatCell);
  if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_ROW_CHARACTERS)
    throw new ShingleError('source', `line ${line} is larger than ${MOST_ROW_CHARACTERS / 1024} KiB`);
  return texts;
}

type Cell = unknown;

export type Sheet = {
  name: string;
  cells: Cell[][];
  /** Cells that got the text of the merged cell above them. */
  mergedCells: number;
};

/** The sheet of a name, or of a number from 1; without either all sheets. Throws `source`. */
export async function readSheets(path: string, sheet?: string | number): Promise<[Sheet, ...Sheet[]]> {
  try {
    const parts = await unpackWorkbook(path);
    const workbook = packWorkbook(parts);
    const found =
      sheet === undefined
        ? await readXlsxFile(workbook)
        : [{ sheet: nameSheet(parts, sheet), data: await readSheet(workbook, sheet) }];
    const [first, ...more] = found.map(({ sheet: name, data }) => spreadMergedCells(name, data, parts));
    if (first === undefined) throw new ShingleError('source', 'the workbook has no sheet');
    return [first, ...more];
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

/** A merged cell has its text on its first row only; it counts for all rows that it covers. */
function spreadMergedCells(name: string, cells: Cell[][], parts: WorkbookParts): Sheet {
  let mergedCells = 0;
  for (const { column, from, to } of listMergedRows(parts, name)) {
    const value = cells[from - 1]?.[column - 1] ?? null;
    if (value === null) continue;
    for (let row = from; row < Math.min(to, cells.length); row++) {
      const beneath = cells[row]!;
      if (beneath.every((cell) => cell === null)) continue;
      beneath[column - 1] = value;
      if (++mergedCells > MOST_MERGED)
        throw new ShingleError('source', 'the workbook has too many merged cells');
    }
  }
  return { name, cells, mergedCells };
}

/** The XML of a workbook, once all of it is found to be within bounds. */
async function unpackWorkbook(path: string): Promise<WorkbookParts> {
  if ((await stat(path)).size > MOST_BYTES) throw tooLarge();
  const parts = await unpackXml(path);
  for (const part of parts.values()) checkWorkbookPart(new TextDecoder().decode(part));
  return parts;
}

function tooLarge(): ShingleError {
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  return new ShingleError(
    'source',
    `the workbook is larger than ${mib(MOST_BYTES)}, or ${mib(MOST_UNPACKED)} unpacked. Save the sheet as CSV`,
  );
}

/** Throws what fflate throws, and where the archive's own list says something else than its entries. */
async function unpackXml(path: string): Promise<WorkbookParts> {
  const found: string[] = [];
  const packed: Buffer[] = [];
  const parts = new Map<string, Uint8Array>();
  let unpacked = 0;
  const chooseReader = (name: string) => {
    const chunks: Uint8Array[] = [];
    let own = 0;
    return (chunk: Uint8Array, isLast: boolean) => {
      own += chunk.length;
      unpacked += chunk.length;
      if (unpacked > MOST_UNPACKED) throw tooLarge();
      if (/\.(xml|rels)$/i.test(name)) chunks.push(chunk);
      if (!isLast) return;
      found.push(`${name} ${own}`);
      if (chunks.length > 0) parts.set(name, Buffer.concat(chunks));
    };
  };
  await readZip(path, chooseReader, (piece) => void packed.push(piece));
  if (`${listEntries(Buffer.concat(packed))}` !== `${found.toSorted()}`)
    throw new Error('the file list of the archive does not match its entries');
  return parts;
}

/** What the list at the end of an archive says of its entries. */
function listEntries(archive: Uint8Array): string[] {
  const listed: string[] = [];
  unzipSync(archive, {
    filter({ name, originalSize }) {
      listed.push(`${name} ${originalSize}`);
      return false;
    },
  });
  return listed.toSorted();
}

/** A new archive of the parts: the reader of workbooks has nothing to believe of the old one, such as how large its entries are. */
function packWorkbook(parts: WorkbookParts): Buffer {
  const { buffer, byteOffset, byteLength } = zipSync(Object.fromEntries(parts), { level: 0 });
  return Buffer.from(buffer, byteOffset, byteLength);
}

function refuse(error: unknown): never {
  if (/zip/i.test(messageOf(error)) || messageOf(error).includes('unexpected EOF'))
    throw new ShingleError(
      'source',
      `the workbook cannot be read: ${messageOf(error)}. The file may be cut off. Download it again`,
      { cause: error },
    );
  throw new ShingleError('source', `the workbook cannot be read: ${messageOf(error)}`, { cause: error });
}

/** Writes days as `YYYY-MM-DD`: a workbook's dates have no time zone, and are read as UTC. */
function formatCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  return String(cell);
}

/** Reads the sheets of a workbook, with dates as days. Checks the size first, because all cells are in memory. */

import { stat } from 'node:fs/promises';
import { unzipSync, zipSync } from 'fflate';
import readXlsxFile, { readSheet } from 'read-excel-file/node';
import { messageOf, ShingleError, sourceError } from '../../shared/errors.ts';
import type { HeaderRows } from '../profile/formats.ts';
import { formatFoundName, isRepeatedHeader, joinHeaderRows, listHeaderLines, numberColumns } from './row.ts';
import { openReadTally } from './utf8.ts';
import { checkWorkbookPart, columnNumber } from './workbook-bounds.ts';
import { readZip } from './zip.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UNPACKED = 16 * 1024 * 1024; // reading 18 MiB (30,000 rows of ten columns) takes 258 MiB of memory
const MOST_ROW_CHARACTERS = 64 * 1024; // the limit of JSON records; one long text may fill many cells
const SHEETS_NAMED = 8;
const MOST_MERGED = 2_000_000;

/** Returns the column names of a sheet, and its rows as texts. Omits empty rows, and rows that repeat the header. */
export function splitSheet(
  cells: readonly (readonly Cell[])[],
  header?: HeaderRows,
  tally = openReadTally(),
) {
  const lines = listHeaderLines(header);
  const headers = lines.map((line) => formatRow(cells[line - 1] ?? [], line));
  const names = lines.length === 0 ? numberColumns(cells[0]?.length ?? 0) : joinHeaderRows(headers);
  function* listRows(): Generator<{ line: number; texts: string[] }> {
    for (let line = (lines.at(-1) ?? 0) + 1; line <= cells.length; line++) {
      const row = cells[line - 1]!;
      if (row.every((cell) => cell === null)) continue;
      const texts = formatRow(row, line);
      if (isRepeatedHeader(headers, (at) => texts[at])) tally.repeatedHeaders++;
      else yield { line, texts };
    }
  }
  return { names, headerLine: lines[0], rows: listRows() };
}

export function formatRow(cells: readonly Cell[], line: number): string[] {
  const texts = cells.map(formatCell);
  if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_ROW_CHARACTERS)
    throw sourceError(`line ${line} is larger than ${MOST_ROW_CHARACTERS / 1024} KiB`);
  return texts;
}

/** Formats a date as `YYYY-MM-DD`. A workbook's dates have no time zone and are read as UTC. */
function formatCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  return String(cell);
}

type Cell = unknown;

/** A sheet of a workbook. `mergedCells` counts the cells that take their text from a merged cell. */
export type Sheet = { name: string; cells: Cell[][]; mergedCells: number };

/** Reads one sheet (a name, or a number from 1) or all sheets. Throws `source` if the workbook cannot be read. */
export async function readSheets(path: string, sheet?: string | number): Promise<[Sheet, ...Sheet[]]> {
  try {
    const parts = await unpackWorkbook(path);
    const workbook = packWorkbook(parts);
    const name = typeof sheet === 'number' ? nameOf(listSheetTags(parts)[sheet - 1] ?? '') : sheet;
    const found =
      sheet === undefined || name === undefined
        ? await readXlsxFile(workbook)
        : [{ sheet: name, data: await readSheet(workbook, sheet) }];
    const [first, ...more] = found.map((one) => spreadMergedCells(one.sheet, one.data, parts));
    if (first === undefined) throw sourceError('the workbook has no sheet');
    return [first, ...more];
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw sourceError(describeFault(error, sheet), error);
  }
}

function describeFault(error: unknown, sheet: string | number | undefined): string {
  const { sheets } = error as { sheets?: string[] };
  if (sheets !== undefined) {
    const names = sheets.slice(0, SHEETS_NAMED).map(formatFoundName).join(', ');
    const more = sheets.length > SHEETS_NAMED ? ', ...' : '';
    return `the workbook has no ${sheets.length === 0 ? 'sheet' : `sheet "${sheet}"; it has ${names}${more}`}`;
  }
  const why = messageOf(error);
  const advice = /zip|unexpected EOF/i.test(why) ? '. The file may be cut off. Download it again' : '';
  return `the workbook cannot be read: ${why}${advice}`;
}

function spreadMergedCells(name: string, cells: Cell[][], parts: WorkbookParts): Sheet {
  let mergedCells = 0;
  for (const { column, from, to } of listMergedRows(parts, name)) {
    const value = cells[from - 1]?.[column - 1] ?? null;
    if (value === null) continue;
    for (let row = from; row < Math.min(to, cells.length); row++) {
      const beneath = cells[row]!;
      if (beneath.every((cell) => cell === null)) continue;
      beneath[column - 1] = value;
      if (++mergedCells > MOST_MERGED) throw sourceError('the workbook has too many merged cells');
    }
  }
  return { name, cells, mergedCells };
}

async function unpackWorkbook(path: string): Promise<WorkbookParts> {
  if ((await stat(path)).size > MOST_BYTES) throw tooLarge();
  const found: string[] = [];
  const archive: Buffer[] = [];
  const parts = new Map<string, Uint8Array>();
  let unpacked = 0;
  const chooseReader = (name: string) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    return (chunk: Uint8Array, isLast: boolean) => {
      size += chunk.length;
      unpacked += chunk.length;
      if (unpacked > MOST_UNPACKED) throw tooLarge();
      if (/\.(xml|rels)$/i.test(name)) chunks.push(chunk);
      if (!isLast) return;
      found.push(`${name} ${size}`);
      if (chunks.length > 0) parts.set(name, Buffer.concat(chunks));
    };
  };
  await readZip(path, chooseReader, (piece) => void archive.push(piece));
  if (`${listEntries(Buffer.concat(archive))}` !== `${found.toSorted()}`)
    throw new Error('the file list of the archive does not match its entries');
  for (const part of parts.values()) checkWorkbookPart(new TextDecoder().decode(part));
  return parts;
}

function tooLarge(): ShingleError {
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  return sourceError(
    `the workbook is larger than ${mib(MOST_BYTES)}, or ${mib(MOST_UNPACKED)} unpacked. Save the sheet as CSV`,
  );
}

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

/** Packs the checked parts into a new archive, because the sizes stated in the original may be wrong. */
function packWorkbook(parts: WorkbookParts): Buffer {
  const { buffer, byteOffset, byteLength } = zipSync(Object.fromEntries(parts), { level: 0 });
  return Buffer.from(buffer, byteOffset, byteLength);
}

type WorkbookParts = ReadonlyMap<string, Uint8Array>;

const MERGED_TAG = /<(?:\w+:)?mergeCell\s[^<>]*?ref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g;

/** Lists the areas of a sheet that are merged over several rows, because the library does not report them. */
function listMergedRows(parts: WorkbookParts, sheet: string) {
  const tag = listSheetTags(parts).find((one) => nameOf(one) === sheet) ?? '';
  const relation = listTags(parts, 'xl/_rels/workbook.xml.rels', 'Relationship').find(
    (one) => attributeOf(one, 'Id') === attributeOf(tag, '[a-zA-Z]+:id'),
  );
  if (relation === undefined) return [];
  const target = attributeOf(relation, 'Target');
  const xml = readPart(parts, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  return [...xml.matchAll(MERGED_TAG)]
    .map(([, letters = '', from, to]) => ({
      column: columnNumber(letters),
      from: Number(from),
      to: Number(to),
    }))
    .filter(({ from, to }) => to > from);
}

const nameOf = (sheetTag: string): string => decodeEntities(attributeOf(sheetTag, 'name'));

const listSheetTags = (parts: WorkbookParts): string[] => listTags(parts, 'xl/workbook.xml', 'sheet');

function listTags(parts: WorkbookParts, part: string, tag: string): string[] {
  return readPart(parts, part).match(new RegExp(`<(?:\\w+:)?${tag}\\s[^<>]*>`, 'g')) ?? [];
}

function readPart(parts: WorkbookParts, name: string): string {
  return new TextDecoder().decode(parts.get(name) ?? new Uint8Array());
}

function attributeOf(tag: string, name: string): string {
  const [, quoted, other] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return quoted ?? other ?? '';
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, code: string | undefined, name: string) => {
    if (code === undefined) return ENTITIES[name] ?? whole;
    const point = Number.parseInt(name, code === '#x' ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

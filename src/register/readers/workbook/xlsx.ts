/** Reads Office Open XML workbooks (.xlsx). Days are `YYYY-MM-DD`, and errors are empty. */

import { posix } from 'node:path';
import { toDay } from '../../../shared/day.ts';
import { lazy } from '../../../shared/remember.ts';
import { DAYS_TO_1904, EXCEL_EPOCH, LAST_EXCEL_DAY } from '../../profile/parse-day.ts';
import type { ZipEntry } from '../zip.ts';
import { type Attributes, readMarkup, readWholeMarkup } from './read-xml.ts';
import { openCellText, openSheetRows, type Sheet } from './sheet-rows.ts';

const MOST_SHARED = { texts: 3_000_000, characters: 64 * 1024 * 1024 };
const MOST_FORMATS = 65_536; // Excel allows 65,490
const MOST_SHEETS = 1_000;
const MOST_MERGED = 200_000;
const LONGEST_FORMAT = 2_048;
const HALF_SECOND = 0.5 / 86_400;

type Parts = ReadonlyMap<string, ZipEntry>;

export async function openXlsx(entries: readonly ZipEntry[]): Promise<Sheet[]> {
  const parts: Parts = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const root = await readRelations(parts, '');
  const main = root.find(({ type }) => type === 'officedocument')?.target ?? 'xl/workbook.xml';
  const relations = await readRelations(parts, main);
  const { tags, isFrom1904 } = await readSheetList(parts, main);
  const partOf = (type: string) => relations.find((one) => one.type === type)?.target;
  const formats = await readFormats(parts.get(partOf('styles') ?? ''));
  const shared = lazy(() => readSharedTexts(parts.get(partOf('sharedstrings') ?? '')));
  return tags.map(({ name = '', state = 'visible', id }) => {
    const target = relations.find((one) => one.id === id)?.target ?? '';
    const entry = parts.get(target);
    const tools = { formats, isFrom1904, shared };
    return { name, isHidden: state !== 'visible', read: () => readSheet(entry, tools) };
  });
}

/** Reads the relations of a part: the ids, types and paths of other parts, in lower case. */
async function readRelations(parts: Parts, part: string) {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const found: { id: string | undefined; type: string; target: string }[] = [];
  await readPart(parts.get(path.toLowerCase()), (name, { Id, Type = '', Target = '' }) => {
    if (name !== 'Relationship' || found.length > MOST_SHEETS * 10) return;
    const target = Target.replaceAll('\\', '/');
    const full = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
    found.push({ id: Id, type: posix.basename(Type).toLowerCase(), target: full.toLowerCase() });
  });
  return found;
}

async function readPart(
  entry: ZipEntry | undefined,
  open: (name: string, attributes: Attributes) => void,
  others: { close?(name: string): void; text?(text: string): void } = {},
): Promise<void> {
  if (entry === undefined) return;
  await readWholeMarkup(await entry.read(), { open, close: () => undefined, ...others });
}

async function readSheetList(parts: Parts, main: string) {
  const tags: Attributes[] = [];
  let isFrom1904 = false;
  await readPart(parts.get(main), (name, attributes) => {
    if (name === 'sheet' && tags.length < MOST_SHEETS) tags.push(attributes);
    if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
  });
  return { tags, isFrom1904 };
}

/** How a cell shows its number: as a day, or with at least so many digits. */
type CellFormat = 'day' | number;

async function readFormats(entry: ZipEntry | undefined): Promise<CellFormat[]> {
  const codes = new Map<string, CellFormat>();
  const formats: CellFormat[] = [];
  let isInside = false;
  await readPart(
    entry,
    (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt' && codes.size < MOST_FORMATS) codes.set(numFmtId, readFormat(formatCode));
      if (name === 'cellXfs') isInside = true;
      if (name !== 'xf' || !isInside) return;
      if (formats.length === MOST_FORMATS) throw new Error(`it has more than ${MOST_FORMATS} cell formats`);
      formats.push(codes.get(numFmtId) ?? (isUsualDay(Number(numFmtId)) ? 'day' : 0));
    },
    {
      close(name) {
        if (name === 'cellXfs') isInside = false;
      },
    },
  );
  return formats;
}

/** The formats of days that need no code: ECMA-376, 18.8.30, with those of East Asia. */
function isUsualDay(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
}

function readFormat(code: string): CellFormat {
  const [shown = ''] = code
    .slice(0, LONGEST_FORMAT)
    .replace(/"[^"]*(?:"|$)|\\.|\[[^\]]*(?:\]|$)|_./g, '')
    .split(';');
  if (/^0+$/.test(shown)) return shown.length;
  if (/general/i.test(shown)) return 0;
  return /[dy]/i.test(shown) || (/m/i.test(shown) && !/[hs]/i.test(shown)) ? 'day' : 0;
}

async function readSharedTexts(entry: ZipEntry | undefined): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  const text = openCellText();
  let [characters, isText, phonetic] = [0, false, 0];
  await readPart(
    entry,
    (name) => {
      if (name === 'si') text.clear();
      if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    {
      close(name) {
        isText = false;
        if (name === 'rPh') phonetic--;
        if (name !== 'si') return;
        const found = text.get();
        characters += found?.length ?? 0;
        texts.push(found === undefined ? undefined : unescapeText(found));
        if (texts.length > MOST_SHARED.texts || characters > MOST_SHARED.characters)
          throw new Error('it has too much text. Save the sheet as CSV');
      },
      text: (piece) => void (isText && text.add(piece)),
    },
  );
  return texts;
}

/** Excel writes characters that XML cannot have as `_x000D_`. */
function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

type SheetTools = {
  formats: readonly CellFormat[];
  isFrom1904: boolean;
  shared(): Promise<(string | undefined)[]>;
};

async function* readSheet(entry: ZipEntry | undefined, { formats, isFrom1904, shared }: SheetTools) {
  const rows = openSheetRows();
  if (entry === undefined) throw new Error('the part of a sheet is missing');
  const texts = await shared();
  const heights = await readMerged(entry);
  const value = openCellText();
  let [attributes, isValue, phonetic]: [Attributes, boolean, number] = [{}, false, 0];
  const addCell = () => {
    const { r = '', t = 'n', s = '0' } = attributes;
    const raw = value.get();
    const column = columnOf(r);
    const text =
      t === 's' ? texts[Number(raw)] : raw && formatCell(raw, t, formats[Number(s)] ?? 0, isFrom1904);
    rows.addCell(t === 's' && raw === '' ? '' : text, { column, rows: heights.get(r) ?? 1 });
  };
  const handler = {
    open(name: string, given: Attributes) {
      if (name === 'row') rows.openRow(given.r === undefined ? undefined : readNumber(given.r));
      if (name === 'c') {
        attributes = given;
        value.clear();
      }
      if (name === 'rPh') phonetic++;
      isValue = (name === 'v' || name === 't') && phonetic === 0;
    },
    close(name: string) {
      isValue = false;
      if (name === 'rPh') phonetic--;
      if (name === 'c') addCell();
      if (name === 'row') rows.closeRow();
    },
    text: (piece: string) => void (isValue && value.add(piece)),
  };
  for await (const _ of readMarkup(await entry.read(), handler)) yield rows.takeRows();
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error('a row has no number that can be read');
}

/** Returns the number of a column: 28 for `AB7`. Returns `undefined` for a cell without a place. */
export function columnOf(place: string): number | undefined {
  if (place === '') return undefined;
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(place)?.[1];
  if (letters === undefined) throw new Error('a cell has no place that can be read');
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

function formatCell(raw: string, type: string, format: CellFormat, isFrom1904: boolean): string {
  if (type === 'e') return '';
  if (type === 'b') return raw === '1' ? 'true' : 'false';
  if (type === 'd') return raw.slice(0, 10);
  if (type === 'str' || type === 'inlineStr') return unescapeText(raw);
  const number = Number(raw);
  if (!Number.isFinite(number)) return raw;
  if (format !== 'day') return (/^\d{1,15}$/.test(raw) ? raw : String(number)).padStart(format, '0');
  return formatDay(number, isFrom1904) ?? raw;
}

function formatDay(number: number, isFrom1904: boolean): string | undefined {
  const day = Math.floor(number + HALF_SECOND) + (isFrom1904 ? DAYS_TO_1904 : 0);
  if (day === 0) return number === 0 ? '' : undefined;
  if (day < 0 || day > LAST_EXCEL_DAY) return undefined;
  return toDay(day + EXCEL_EPOCH + (day < 60 ? 1 : 0)); // Excel has a February 29 in 1900
}

const ROWS_END = Buffer.from('sheetData');

/** Reads how many rows merged cells cover, by their first cell. They stand behind all rows. */
async function readMerged(entry: ZipEntry): Promise<Map<string, number>> {
  const heights = new Map<string, number>();
  const open = (name: string, { ref = '' }: Attributes) => {
    const [, first, from, to] = /^(([A-Z]+)\d+):/.test(ref)
      ? (/^([A-Z]+(\d+)):[A-Z]+(\d+)$/.exec(ref) ?? [])
      : [];
    if (name !== 'mergeCell' || first === undefined || Number(to) <= Number(from)) return;
    if (heights.size === MOST_MERGED) throw new Error('it has too many merged cells');
    heights.set(first, Number(to) - Number(from) + 1);
  };
  await readWholeMarkup(skipRows(await entry.read()), { open, close: () => undefined });
  return heights;
}

/** Yields what follows the last mention of the tag around the rows. */
async function* skipRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [tags, before]: [number, Buffer] = [0, Buffer.alloc(0)];
  for await (const chunk of chunks) {
    let bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    for (let at = bytes.indexOf(ROWS_END); at !== -1 && tags < 2; at = bytes.indexOf(ROWS_END)) {
      tags++;
      bytes = bytes.subarray(at + ROWS_END.length);
    }
    if (tags === 2) yield bytes;
    before =
      tags === 2
        ? Buffer.alloc(0)
        : Buffer.from(bytes.subarray(Math.max(0, bytes.length - ROWS_END.length + 1)));
  }
}

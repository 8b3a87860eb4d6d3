/** Reads tables that are not .xlsx: OpenDocument sheets, Excel 2003 XML, and HTML, which programs name .xls. */

import { type Attributes, type MarkupKind, readMarkup, readWholeMarkup } from './markup.ts';
import { openCellText, openSheetRows, type Sheet } from './sheet-rows.ts';

const MOST_TABLES = 1_000;
/** Rows and cells may be said to repeat up to the end of the sheet. */
const MOST_REPEATS = 1_000;

/** What the tags of a format are called, and what its attributes mean. */
type Dialect = MarkupKind & {
  table: string;
  row: string;
  cells: readonly string[];
  /** Tags whose text is no part of a cell. */
  ignored: readonly string[];
  /** Tags that part words or lines. */
  breaks: readonly string[];
  nameOf(attributes: Attributes): string | undefined;
  /** The number of the row or column, if it does not follow the last one. */
  index?: string;
  repeatedRows?: string;
  repeatedCells?: string;
  /** The number of rows and columns of a merged cell, and what to add to it. */
  spans: readonly [rows: string, columns: string, more: number];
  /** Returns the value of a cell, given its text. */
  valueOf(attributes: Attributes, text: string, type: string): string;
};

const asText = (_: Attributes, text: string) => text;

export const HTML: Dialect = {
  isHtml: true,
  table: 'table',
  row: 'tr',
  cells: ['td', 'th'],
  ignored: ['script', 'style', 'title'],
  breaks: ['br', 'p', 'div', 'li'],
  nameOf: () => undefined,
  spans: ['rowspan', 'colspan', 0],
  valueOf: asText,
};

export const EXCEL_2003: Dialect = {
  table: 'Worksheet',
  row: 'Row',
  cells: ['Cell'],
  ignored: ['Comment'],
  breaks: [],
  nameOf: ({ Name }) => Name,
  index: 'Index',
  spans: ['MergeDown', 'MergeAcross', 1],
  valueOf: (_, text, type) => (type === 'Error' ? '' : type === 'DateTime' ? text.slice(0, 10) : text),
};

export const OPEN_DOCUMENT: Dialect = {
  table: 'table',
  row: 'table-row',
  cells: ['table-cell', 'covered-table-cell'],
  ignored: ['annotation', 'shapes', 'tracked-changes'],
  breaks: ['p'],
  nameOf: ({ name }) => name,
  repeatedRows: 'number-rows-repeated',
  repeatedCells: 'number-columns-repeated',
  spans: ['number-rows-spanned', 'number-columns-spanned', 0],
  valueOf: (attributes, text) => attributes['date-value']?.slice(0, 10) ?? attributes.value ?? text,
};

/** Opens the tables of a document. `open` reads it from its beginning, for the list of tables and for each of them. */
export async function openTables(
  open: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>,
  dialect: Dialect,
  encoding?: string,
): Promise<Sheet[]> {
  const kind: MarkupKind = { isHtml: dialect.isHtml ?? false, ...(encoding !== undefined && { encoding }) };
  const names: string[] = [];
  const see = (name: string, attributes: Attributes) => {
    if (name !== dialect.table || names.length === MOST_TABLES) return;
    names.push(dialect.nameOf(attributes) ?? `table ${names.length + 1}`);
  };
  await readWholeMarkup(await open(), { open: see, close: () => undefined }, kind);
  return names.map((name, at) => ({
    name,
    isHidden: false,
    async *read() {
      const { handler, rows } = openTable(dialect, at);
      for await (const _ of readMarkup(await open(), handler, kind)) yield rows.takeRows();
    },
  }));
}

function openTable(dialect: Dialect, wanted: number) {
  const rows = openSheetRows();
  const text = openCellText();
  let count = 0;
  const open: number[] = []; // the numbers of the tables around a tag; tables may be inside cells
  let [cell, repeats, ignored, type]: [Attributes | undefined, number, number, string] = [
    undefined,
    1,
    0,
    '',
  ];
  const isInside = () => open.at(-1) === wanted && ignored === 0;
  const numberIn = (attributes: Attributes, name = '') =>
    Math.max(0, Number.parseInt(attributes[name] ?? '', 10) || 0);

  function addCell(attributes: Attributes): void {
    const [down, across, more] = dialect.spans;
    const found = text.get();
    const place = {
      column: numberIn(attributes, dialect.index) || undefined,
      rows: (numberIn(attributes, down) || 1 - more) + more,
      columns: (numberIn(attributes, across) || 1 - more) + more,
    };
    const value = found === undefined ? undefined : dialect.valueOf(attributes, found.trim(), type);
    const times = numberIn(attributes, dialect.repeatedCells) || 1;
    if (!value && value !== undefined) rows.addCell('', { ...place, columns: times * place.columns });
    else for (let at = 0; at < Math.min(times, MOST_REPEATS); at++) rows.addCell(value, place);
  }

  const handler = {
    open(name: string, attributes: Attributes) {
      if (name === dialect.table) open.push(count++);
      if (dialect.ignored.includes(name)) ignored++;
      if (!isInside()) return;
      if (name === dialect.row) {
        rows.openRow(numberIn(attributes, dialect.index) || undefined);
        repeats = numberIn(attributes, dialect.repeatedRows) || 1;
      } else if (dialect.cells.includes(name)) {
        cell = attributes;
        type = '';
        text.clear();
      } else if (cell !== undefined) {
        type ||= attributes.Type ?? '';
        if (dialect.breaks.includes(name) && text.get() !== '') text.add('\n');
        if (name === 's') text.add(' ');
      }
    },
    close(name: string) {
      const isHere = isInside();
      if (dialect.ignored.includes(name)) ignored--;
      if (name === dialect.table) open.pop();
      if (!isHere) return;
      if (dialect.cells.includes(name) && cell !== undefined) {
        addCell(cell);
        cell = undefined;
      }
      if (name !== dialect.row) return;
      rows.closeRow();
      if (repeats > 1) rows.repeatRow(repeats - 1);
    },
    text: (piece: string) => void (cell !== undefined && isInside() && text.add(piece)),
  };
  return { handler, rows };
}

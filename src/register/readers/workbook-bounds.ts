/**
 * Checks the XML of a workbook before the library reads it, because the library would fill all gaps up to a cell such
 * as XFD1048576. Looks for a tag at every "<", so it may find more tags than the library, but never fewer.
 */

const MOST_ROWS = 1_048_576; // the limit of Excel
const MOST_AREA = 2_000_000; // cells, including empty cells; a real register of 16 MiB has a quarter of this
const MOST_FORMATS = 65_536; // Excel allows 65,490
const MOST_NUMBER_FORMATS = 1_000; // Excel allows 250
// characters of its tag; Excel allows 255 for the format, before escaping
const LONGEST_NUMBER_FORMAT = 2_048;
const MOST_NESTING = 100;
// characters of a tag and its text; Excel allows 32,767 in a cell, before escaping
const LONGEST_STRETCH = 256 * 1024;

const NAME = /<(?:[^\s<>/:]*:)?(c|row|xf|numFmt)(?=[\s/>])/y;
const WHOLE_TAG = /<[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/y;
const PLACE = /[\s:]r=["']([^"']*)/g;
const CELL_PLACE = /^([A-Z]{1,3})([1-9]\d{0,6})$/;
const ROW_PLACE = /^[1-9]\d{0,6}$/;
const MARKUP_ENDS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

type Extent = {
  row: number;
  /** The number of the last row that has a value. */
  rows: number;
  columns: number;
  formats: number;
  numberFormats: number;
  nesting: number;
};

export function checkWorkbookPart(xml: string): void {
  const extent: Extent = { row: 0, rows: 0, columns: 0, formats: 0, numberFormats: 0, nesting: 0 };
  let start = xml.indexOf('<');
  const endOf = openEndFinder(xml);
  checkStretch(start === -1 ? xml.length : start);
  while (start !== -1) {
    const next = xml.indexOf('<', start + 1);
    checkStretch((next === -1 ? xml.length : next) - start);
    checkMarkup(xml, { start, endOf }, extent);
    start = next;
  }
}

type EndFinder = (closing: string, from: number) => number;

function openEndFinder(xml: string): EndFinder {
  const ends = new Map<string, number>();
  return (closing, from) => {
    const known = ends.get(closing) ?? -1;
    if (known >= from) return known;
    const found = xml.indexOf(closing, from);
    const end = found === -1 ? xml.length : found;
    ends.set(closing, end);
    return end;
  };
}

function checkMarkup(xml: string, at: { start: number; endOf: EndFinder }, extent: Extent): void {
  const { start } = at;
  const markup = MARKUP_ENDS.find(([opening]) => xml.startsWith(opening, start));
  if (markup !== undefined) {
    checkStretch(at.endOf(markup[1], start) - start);
    return;
  }
  if (xml.startsWith('<!', start)) throw new Error('its XML has a document type, which is not allowed');
  WHOLE_TAG.lastIndex = start;
  const tag = WHOLE_TAG.exec(xml)?.[0];
  if (tag === undefined) throw new Error('its XML has a tag that cannot be read');
  checkTag(tag, extent);
}

function checkTag(tag: string, extent: Extent): void {
  const isEmpty = tag.endsWith('/>');
  if (tag.startsWith('</')) extent.nesting--;
  else if (!isEmpty) extent.nesting++;
  if (extent.nesting > MOST_NESTING) throw new Error(`its XML is nested more than ${MOST_NESTING} deep`);
  NAME.lastIndex = 0;
  const name = NAME.exec(tag)?.[1];
  // the library may take a ">" in quotes for the end of the tag
  if (name !== undefined && name !== 'numFmt' && tag.indexOf('>') !== tag.length - 1)
    throw new Error('its XML has a tag that cannot be read');
  if (name === 'row') addRow(tag, extent);
  else if (name === 'c') addCell(tag, extent, isEmpty);
  else if (name === 'xf' && ++extent.formats > MOST_FORMATS)
    throw new Error(`it has more than ${MOST_FORMATS} cell formats`);
  else if (name === 'numFmt') addNumberFormat(tag, extent);
}

/** Counts a number format. Throws if it is long, because the library takes quadratic time to read it. */
function addNumberFormat(tag: string, extent: Extent): void {
  if (tag.length > LONGEST_NUMBER_FORMAT)
    throw new Error(`it has a number format of more than ${LONGEST_NUMBER_FORMAT} characters`);
  if (++extent.numberFormats > MOST_NUMBER_FORMATS)
    throw new Error(`it has more than ${MOST_NUMBER_FORMATS} number formats`);
}

function addRow(tag: string, extent: Extent): void {
  extent.row++;
  for (const [, place = ''] of tag.matchAll(PLACE)) {
    if (!ROW_PLACE.test(place)) throw new Error('a row has no number that can be read');
    extent.row = Math.max(extent.row, Number(place));
  }
  checkRows(extent.row);
}

/** Extends the area to include a cell. An empty cell adds no column, because the library fills none for it. */
function addCell(tag: string, extent: Extent, isEmpty: boolean): void {
  for (const [, place = ''] of tag.matchAll(PLACE)) {
    const [, letters, row] = CELL_PLACE.exec(place) ?? [];
    if (letters === undefined) throw new Error('a cell has no place that can be read');
    checkRows(Number(row));
    if (isEmpty) continue;
    extent.rows = Math.max(extent.rows, extent.row, Number(row));
    extent.columns = Math.max(extent.columns, columnNumber(letters));
  }
  if (extent.rows * extent.columns > MOST_AREA)
    throw new Error(
      `a sheet reaches to row ${extent.rows} and column ${extent.columns}: more than ${MOST_AREA} cells. Delete what lies beside the table, or save the sheet as CSV`,
    );
}

function checkRows(rows: number): void {
  if (rows > MOST_ROWS) throw new Error(`a sheet has more than ${MOST_ROWS} rows`);
}

function checkStretch(characters: number): void {
  if (characters > LONGEST_STRETCH)
    throw new Error(`its XML has more than ${LONGEST_STRETCH / 1024} KiB in one piece`);
}

/** Converts the letters of a column to a number: 1 for A, 28 for AB. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** CSV that is small enough to be read whole, such as a table that people edit. Registers are read by `import/readers`. */

const USUAL_DELIMITERS = [',', ';', '\t', '|'];

/** `start` and `end` are its place in the text, with its quotes. */
export type CsvTextCell = { text: string; start: number; end: number };

/** A record, the line on which it begins, and where it ends in the text. */
export type CsvTextRecord = { line: number; cells: CsvTextCell[]; end: number };

/** The records of a text whose cells have this delimiter. Any line ends are read; a quote that does not close is text. */
export function splitCsvText(text: string, delimiter: string): CsvTextRecord[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))([${delimiter}]|\r\n|\n|\r|$)`, 'y');
  const records: CsvTextRecord[] = [];
  let cells: CsvTextCell[] = [];
  let [line, begins] = [1, 1];
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const [all = '', quoted, bare = '', ending = ''] = cell.exec(text) ?? [];
    const end = start + all.length - ending.length;
    cells.push({ text: quoted?.replaceAll('""', '"') ?? bare, start, end });
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (ending === delimiter) continue;
    records.push({ line: begins, cells, end });
    begins = ++line;
    cells = [];
  }
  return cells.length === 0 ? records : [...records, { line: begins, cells, end: text.length }];
}

/** The usual delimiter that a single line has most of outside quotes, or `undefined` if it has none. */
export function findDelimiter(line: string): string | undefined {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = USUAL_DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  const most = Math.max(...counts);
  return most < 2 ? undefined : USUAL_DELIMITERS[counts.indexOf(most)];
}

/** A table as CSV (RFC 4180). Texts that a spreadsheet would read as a formula get a prefix (ASVS 1.2.10). */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatCsvCell).join(',')}\r\n`).join('');
}

function formatCsvCell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads and writes CSV in memory, such as tables that people edit. For registers, see `register/formats`. */

const USUAL_DELIMITERS = [',', ';', '\t', '|'];

/** A record. `line` is its first line. */
export type CsvTextRecord = { line: number; cells: string[] };

/** Splits CSV into records. Accepts any line ends. Treats an unclosed quote as text. */
export function splitCsvText(text: string, delimiter: string): CsvTextRecord[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))([${delimiter}]|\r\n|\n|\r|$)`, 'y');
  const records: CsvTextRecord[] = [];
  let cells: string[] = [];
  let [line, begins] = [1, 1];
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const [, quoted, bare = '', ending = ''] = cell.exec(text) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (ending === delimiter) continue;
    records.push({ line: begins, cells });
    begins = ++line;
    cells = [];
  }
  return cells.length === 0 ? records : [...records, { line: begins, cells }];
}

/** Returns the usual delimiter that occurs most often outside quotes in a line, or `undefined` if none does. */
export function findDelimiter(line: string): string | undefined {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = USUAL_DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  const most = Math.max(...counts);
  return most < 2 ? undefined : USUAL_DELIMITERS[counts.indexOf(most)];
}

/**
 * Formats a table as CSV (RFC 4180). Adds a prefix to texts that a spreadsheet would run as a formula (ASVS 1.2.10).
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatCsvCell).join(',')}\r\n`).join('');
}

/** Adds a prefix to a formula. Some spreadsheets ignore spaces before it, and read full-width forms of its first sign. */
export function guardFormula(text: string): string {
  return /^[\t\r\n]|^\s*[=+\-@]/.test(text.normalize('NFKC')) ? `'${text}` : text;
}

function formatCsvCell(value: string | number): string {
  const safe = guardFormula(String(value));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

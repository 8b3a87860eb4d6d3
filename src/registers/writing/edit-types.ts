/**
 * Says in the text of a `categories.csv` which types are no new business. Changes these cells only; the delimiter, quotes, line ends and
 * columns of the operator's own stay.
 */

import { foldType } from '../../city/mapping/category-table.ts';
import { formatCsvCell } from './write-city.ts';

type Cell = { start: number; end: number; text: string };
type Line = { cells: Cell[]; end: number };

const NO = 'no';

/** The text with `no` for each of the types, those that it does not have after the others. Undefined without the column to write it in. */
export function markNoBusiness(text: string, types: readonly string[]): string | undefined {
  const [first = ''] = text.split(/\r?\n|\r/, 1);
  const [delimiter = ','] = [',', ';', '\t'].toSorted(
    (a, b) => first.split(b).length - first.split(a).length,
  );
  const [header, ...lines] = splitLines(text, delimiter);
  const names = header?.cells.map((cell) => foldType(cell.text).replace(/[\s-]/g, '_')) ?? [];
  const [typeAt, newAt] = [names.indexOf('type'), names.indexOf('new_business')];
  if (typeAt === -1 || newAt === -1) return undefined;
  const missing = new Map(types.map((type) => [foldType(type), type]));
  let out = text;
  for (const line of lines.toReversed()) {
    const type = foldType(line.cells[typeAt]?.text ?? '');
    if (!types.some((one) => foldType(one) === type)) continue;
    missing.delete(type);
    const cell = line.cells[newAt];
    const by = cell === undefined ? delimiter.repeat(newAt - line.cells.length + 1) + NO : NO;
    out = out.slice(0, cell?.start ?? line.end) + by + out.slice(cell?.end ?? line.end);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const added = [...missing.values()].map((type) =>
    names.map((_, at) => (at === typeAt ? formatCsvCell(type) : at === newAt ? NO : '')).join(delimiter),
  );
  if (added.length === 0) return out;
  return `${out}${/[\r\n]$/.test(out) ? '' : eol}${added.join(eol)}${eol}`;
}

function splitLines(text: string, delimiter: string): Line[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))(${delimiter}|\r\n|\n|\r|$)`, 'y');
  const lines: Line[] = [];
  let cells: Cell[] = [];
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) break; // a quote that does not end: the table was not read either
    const [all, quoted, bare = '', end = ''] = found;
    cells.push({
      start,
      end: start + all.length - end.length,
      text: (quoted?.replaceAll('""', '"') ?? bare).trim(),
    });
    if (end === delimiter) continue;
    lines.push({ cells, end: start + all.length - end.length });
    cells = [];
  }
  if (cells.length > 0) lines.push({ cells, end: text.length });
  return lines;
}

/**
 * Marks types in the text of a `categories.csv` as no new business. Changes only these cells: the delimiter, quotes,
 * line ends and additional columns stay.
 */

import { foldType, splitTypeTable } from '../../city/mapping/category-table.ts';
import { formatCsvCell } from './write-city.ts';

const NO = 'no';

/** Writes `no` for each type. Appends missing types. Returns `undefined` if the table lacks a column for it. */
export function markNoBusiness(text: string, types: readonly string[]): string | undefined {
  const { names, records, delimiter } = splitTypeTable(text);
  const [typeAt, newAt] = [names.indexOf('type'), names.indexOf('new_business')];
  if (typeAt === -1 || newAt === -1) return undefined;
  const missing = new Map(types.map((type) => [foldType(type), type]));
  let out = text;
  for (const line of records.toReversed()) {
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

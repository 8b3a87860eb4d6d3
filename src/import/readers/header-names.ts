/** Names columns: joins the rows of a header, numbers the columns of a table without one, and makes equal names distinct. */

import type { HeaderRows } from '../../city/define.ts';

export function listHeaderLines(header: HeaderRows = 1): readonly number[] {
  if (header === 'none') return [];
  return typeof header === 'number' ? [header] : header;
}

export function numberColumns(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/**
 * The upper of two rows comes first. If the lower texts alone would give two columns the same name, the upper row names
 * groups of columns. Then an empty upper cell belongs to the group on its left.
 */
export function joinHeaderRows(rows: readonly (readonly string[])[]): string[] {
  const [upper = [], lower] = rows.map((row) => row.map((name) => name.trim()));
  if (lower === undefined) return [...(rows[0] ?? [])];
  const named = lower.filter((name) => name !== '');
  const above = new Set(named).size === named.length ? upper : fillRight(upper, lower);
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) => {
    const [first = '', second = ''] = [above[at], lower[at]];
    return first === '' || first === second ? second : `${first} ${second}`.trim();
  });
}

function fillRight(upper: readonly string[], lower: readonly string[]): string[] {
  let group = '';
  return upper.map((name, at) => {
    if (name !== '') group = name;
    return lower[at] === '' ? name : group;
  });
}

/** Returns whether a later row equals a row of the header. Ignores empty rows and single names, which may be data. */
export function isRepeatedHeader(
  headers: readonly (readonly string[])[],
  readText: (at: number) => string | undefined,
): boolean {
  return headers.some(
    (names) =>
      names.filter((name) => name !== '').length > 1 && names.every((name, at) => readText(at) === name),
  );
}

/** Numbers repeated names, starting with `Name 2` and skipping numbers in use. Keeps empty names. */
export function makeNamesDistinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let number = numbers.get(name);
    numbers.set(name, number ?? 1);
    if (name === '' || number === undefined) return name;
    do number++;
    while (taken.has(`${name} ${number}`));
    numbers.set(name, number);
    taken.add(`${name} ${number}`);
    return `${name} ${number}`;
  });
}

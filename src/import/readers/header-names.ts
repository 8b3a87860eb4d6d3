/** Names of columns: of the rows of a header, of a table without one, and of several columns with one name. */

/** `1`, `2` and so on. */
export function numberColumns(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/**
 * One name for each column. Of two rows, the upper text comes first. An empty upper cell belongs to the one on its left where the lower
 * texts alone would name two columns the same: then the upper row names groups of columns.
 */
export function joinHeaderRows(rows: readonly (readonly string[])[]): string[] {
  const [upper = [], lower] = rows.map((row) => row.map((name) => name.trim()));
  if (lower === undefined) return [...(rows[0] ?? [])];
  const count = Math.max(upper.length, lower.length);
  const join = (above: readonly string[]) =>
    Array.from({ length: count }, (_, at) => joinNames(above[at] ?? '', lower[at] ?? ''));
  const named = lower.filter((name) => name !== '');
  return join(new Set(named).size === named.length ? upper : fillRight(upper, lower));
}

function joinNames(upper: string, lower: string): string {
  return upper === '' || upper === lower ? lower : `${upper} ${lower}`.trim();
}

function fillRight(upper: readonly string[], lower: readonly string[]): string[] {
  let group = '';
  return upper.map((name, at) => {
    if (name !== '') group = name;
    return lower[at] === '' ? name : group;
  });
}

/** Names that differ: of columns with one name, the second is `Name 2`, or the next number that no other column has. Empty ones stay. */
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

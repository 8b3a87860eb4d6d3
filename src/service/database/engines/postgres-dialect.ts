/** Translates our statements to PostgreSQL. Combines inserts: 100,000 filings then take 0.7 s instead of 1.9 s. */

import type { Value } from './engine.ts';

export type Statement = { text: string; values?: Value[]; name?: string; rowMode?: 'array' };

const MOST_STATEMENT_ROWS = 100; // with 500, statements take twice as long, because each is parsed anew
const TOKENS = /'(?:[^']|'')*'|\?|\btext\b/g;
/** Matches an insert of one row: up to `values`, the row, and a conflict clause without values. */
const INSERT =
  /^(\s*insert into \w+ \([^()]*\)\s*values\s*)(\([^()]*\?[^()]*\))\s*(on conflict (?:\(|do nothing)[^?]*)?$/i;

/** Numbers the placeholders. Text columns compare by code unit, as in SQLite, whatever the database's default. */
export function toPostgresSql(sql: string): string {
  const isTable = /^\s*(create|alter) table\b/i.test(sql);
  let number = 0;
  return sql.replace(TOKENS, (token) => {
    if (token === '?') return `$${++number}`;
    return token === 'text' && isTable ? 'text collate "C"' : token;
  });
}

/** The names of statements by their text. */
const names = new Map<string, string>();

/** Makes the statements for all rows. PostgreSQL prepares a named statement once; a name always has the same text. */
export function splitStatements(sql: string, rows: readonly (readonly Value[])[]): Statement[] {
  const isRepeated = rows.length > 1;
  const [, head, row, tail = ''] = (isRepeated && INSERT.exec(sql)) || [];
  const size = head === undefined ? 1 : MOST_STATEMENT_ROWS;
  const parts = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  );
  const combine = (count: number): string =>
    toPostgresSql(head === undefined ? sql : `${head}${Array(count).fill(row).join(', ')} ${tail}`);
  const full = combine(size);
  return parts.map((part) => ({
    text: part.length === size ? full : combine(part.length),
    values: part.flat(),
    ...(isRepeated && part.length === size && { name: names.getOrInsert(full, `shingle_${names.size}`) }),
  }));
}

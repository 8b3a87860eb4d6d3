/** Translates our statements to PostgreSQL. Combines inserts: 100,000 filings then take 0.7 s instead of 1.9 s. */

import type { Value } from './engine.ts';

export type Statement = { text: string; values?: Value[]; name?: string; rowMode?: 'array' };
export type Writing = { sql: string; rows: readonly (readonly Value[])[] };

const MOST_STATEMENT_ROWS = 100; // with 500, statements take twice as long, because each is parsed anew
const TOKENS = /'(?:[^']|'')*'|\?|\btext\b/g;

/** Numbers the placeholders. Text columns compare by code unit, as in SQLite, whatever the database's default. */
export function toPostgresSql(sql: string): string {
  const isTable = /^\s*(create|alter) table\b/i.test(sql);
  let number = 0;
  return sql.replace(TOKENS, (token) => {
    if (token === '?') return `$${++number}`;
    return token === 'text' && isTable ? 'text collate "C"' : token;
  });
}

export function splitStatements({ sql, rows }: Writing): Statement[] {
  const insert = rows.length > 1 ? insertOf(sql) : undefined;
  if (insert !== undefined) return partsOf(insert, rows).map((part) => insertion(insert, part));
  const text = toPostgresSql(sql);
  // PostgreSQL prepares a named statement once for all rows; a name always has the same text
  const named = rows.length > 1 ? { name: nameStatement(text) } : {};
  return rows.map((values) => ({ text, values: [...values], ...named }));
}

type Insert = {
  head: string;
  row: string[];
  tail: string;
  /** Positions of the key columns of `on conflict`, or `[]`. */
  key: number[];
};

const INSERT = /^\s*(insert into \w+ \(([^()]*)\)\s*values)\s*\(([^()]*)\)\s*(on conflict[^?]*)?$/i;
const KEY = /^on conflict \(([^()]*)\) do update\b/i;

function insertOf(sql: string): Insert | undefined {
  const [, head, columns = '', values = '', tail = ''] = INSERT.exec(sql) ?? [];
  const [names, row] = [listed(columns), listed(values)];
  const isPlain = row.every((value) => value === '?' || !value.includes('?'));
  if (head === undefined || names.length !== row.length || !isPlain || !row.includes('?')) return undefined;
  const target = KEY.exec(tail)?.[1];
  if (target === undefined && /do update/i.test(tail)) return undefined;
  const given = names.filter((_, at) => row[at] === '?');
  const key = target === undefined ? [] : listed(target).map((name) => given.indexOf(name));
  return { head, row, tail, key };
}

const listed = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Splits rows into statements. A repeated key starts a new statement: no statement can update a row twice. */
function partsOf({ key }: Insert, rows: Writing['rows']): (readonly Value[])[][] {
  const parts: (readonly Value[])[][] = [];
  let keys = new Set<string>();
  for (const row of rows) {
    const own = JSON.stringify(key.map((at) => row[at] ?? null));
    const part = parts.at(-1);
    if (part === undefined || part.length === MOST_STATEMENT_ROWS || (key.length > 0 && keys.has(own))) {
      parts.push([row]);
      keys = new Set([own]);
    } else {
      part.push(row);
      keys.add(own);
    }
  }
  return parts;
}

function insertion({ head, row, tail }: Insert, rows: Writing['rows']): Statement {
  let number = 0;
  const tuples = rows.map(
    () => `(${row.map((value) => (value === '?' ? `$${++number}` : value)).join(', ')})`,
  );
  const text = `${head} ${tuples.join(', ')} ${tail}`;
  return {
    text,
    values: rows.flat(),
    ...(rows.length === MOST_STATEMENT_ROWS && { name: nameStatement(text) }),
  };
}

const names = new Map<string, string>();

function nameStatement(text: string): string {
  return names.getOrInsert(text, `shingle_${names.size}`);
}

/** Portals of whole states and of France, which answer filters and groups as their publishers document, with made-up records. */

import type { ServerResponse } from 'node:http';
import { aPortal, type Portal, type Records, socrataOf } from './a-portal.ts';

type Test = (row: Record<string, unknown>) => boolean;

/** A Socrata data set that reads `$where` and `$group`. A condition that it does not know is an error, as at the publisher. */
export function aSocrataState(data: { records: Records; columns: string[] }): Promise<Portal> {
  const numbered = data.records.map((row, i) => ({
    ...{ ':id': `row-${String(i).padStart(7, '0')}`, ':updated_at': '2026-11-20T00:00:00.000Z' },
    ...row,
  }));
  return aPortal((url, response) => {
    const where = url.searchParams.get('$where') ?? '';
    const test = parseWhere(where.replace(/ AND :updated_at > '[^']*'/, ''));
    if (test === undefined) return refuse(response, `query.soql.no-such-column; ${where}`);
    const records = numbered.filter(test);
    const group = url.searchParams.get('$group');
    if (group !== null) return countGroups(records, [group]);
    return socrataOf({ records, columns: data.columns })(url);
  });
}

/** An export of Opendatasoft: CSV with semicolons, or groups as JSON. */
export function anOpendatasoft(data: { records: Records; columns: string[] }): Promise<Portal> {
  return aPortal((url, response) => {
    const where = url.searchParams.get('where') ?? '';
    const test = parseWhere(where);
    const select = (url.searchParams.get('select') ?? '').split(',');
    const unknown = select.find((column) => !column.includes('(') && !data.columns.includes(column));
    if (test === undefined || unknown !== undefined)
      return refuse(response, `ODSQLError: ${unknown ?? where}`);
    const records = data.records.filter(test);
    if (url.pathname.endsWith('/json'))
      return countGroups(records, url.searchParams.get('group_by')!.split(','));
    const cell = (value: unknown) => {
      const text = String(value ?? '');
      return /[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const lines = [select, ...records.map((row) => select.map((column) => row[column]))];
    response.setHeader('content-type', 'text/csv');
    response.end(`\ufeff${lines.map((line) => line.map(cell).join(';')).join('\r\n')}\r\n`);
  });
}

function refuse(response: ServerResponse, message: string): unknown {
  response.statusCode = 400;
  return { error: true, message };
}

function countGroups(records: Records, columns: readonly string[]): Records {
  const groups = Map.groupBy(records, (row) => JSON.stringify(columns.map((column) => row[column] ?? null)));
  return [...groups].map(([key, rows]) => ({
    ...Object.fromEntries((JSON.parse(key) as unknown[]).map((value, i) => [columns[i]!, value])),
    n: rows.length,
  }));
}

/** `(a='1' OR a='2') AND b >= '3'`, of SoQL and of ODSQL; `undefined` for a condition that is not one of those. */
function parseWhere(where: string): Test | undefined {
  if (where === '') return () => true;
  const conditions = where.split(/ AND /i).map((text) => {
    const inside = text.replace(/^\((.*)\)$/, '$1');
    return inside.split(/ OR /i).map(parseCondition);
  });
  if (!conditions.every((any) => any.every((one) => one !== undefined))) return undefined;
  return (row) => conditions.every((any) => any.some((one) => one!(row)));
}

function parseCondition(text: string): Test | undefined {
  const [, begun, beginning] = /^startswith\((\w+), "(.*)"\)$/.exec(text) ?? [];
  if (begun !== undefined) return (row) => String(row[begun] ?? '').startsWith(beginning!);
  const [, upper, column = '', compare, quoted = ''] =
    /^(upper\()?(\w+)\)? ?(=|!=|>=) ?(?:date)?(['"].*['"])$/.exec(text) ?? [];
  if (compare === undefined) return undefined;
  const wanted = quoted.slice(1, -1).replaceAll("''", "'");
  return (row) => {
    const value = row[column];
    if (value === null || value === undefined) return false;
    const found = upper === undefined ? String(value) : String(value).toUpperCase();
    if (compare === '>=') return found >= wanted;
    return compare === '=' ? found === wanted : found !== wanted;
  };
}

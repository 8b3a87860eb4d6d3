/** Finds the list of records in an unknown JSON file. */

import { Tokenizer, TokenType } from '@streamparser/json';
import { sourceError } from '../../shared/errors.ts';
import { openText } from '../readers/utf8.ts';

const CHUNK_BYTES = 64 * 1024;
const USUAL = ['records', 'features', 'results', 'rows', 'items', 'data', 'filings', 'values'];
const NAMES = ['columns', 'fields', 'headers', 'header', 'cols'];
const DEEPEST = 3;

/** A list: its records, or arrays that are rows. */
type List = { path: string; records: number; arrays: number };

/**
 * Finds the path of the array of records, and of the names of their columns if the records are arrays. Finds no path if
 * the file is an array or has a record on each line.
 */
export async function findRecords(path: string): Promise<{ records?: string; columns?: string }> {
  const { kind, first, all } = await openText(path, CHUNK_BYTES);
  if (kind === 'array' || (kind === 'object' && hasRecordOnFirstLine(first))) {
    await all.return?.(undefined);
    return {};
  }
  const found: List[] = [];
  const tokenizer = openListFinder(found);
  for await (const chunk of all) {
    try {
      tokenizer.write(chunk);
    } catch {
      throw sourceError('the file looks like JSON but is not valid');
    }
    if (found.some((list) => isUsual(list) && (list.records > 0 || found.some(isNames)))) break;
  }
  const lists = found.filter((list) => list.records + list.arrays > 0 && !isNames(list));
  const [best] = lists.toSorted(
    (a, b) => Number(isUsual(b)) - Number(isUsual(a)) || b.records + b.arrays - a.records - a.arrays,
  );
  if (best === undefined) throw sourceError('the JSON contains no list of records');
  if (best.records > 0) return { records: best.path };
  const names = found.find(isNames);
  return { records: best.path, ...(names !== undefined && { columns: names.path }) };
}

const lastKey = ({ path }: List) => path.split('.').at(-1)!;

const isUsual = (list: List) => USUAL.includes(lastKey(list)) && list.records + list.arrays > 0;

const isNames = (list: List) => NAMES.includes(lastKey(list)) && list.arrays === 0;

function hasRecordOnFirstLine(first: Buffer): boolean {
  const text = first.toString('utf8');
  const end = text.indexOf('\n', text.search(/\S/));
  if (end === -1 || text.slice(end).trim() === '') return false;
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

function openListFinder(found: List[]): Tokenizer {
  const tokenizer = new Tokenizer();
  const keys: string[] = [];
  let list: (List & { depth: number }) | undefined;
  let depth = 0;
  let text = '';
  tokenizer.onToken = ({ token, value }) => {
    if (token === TokenType.STRING) text = String(value);
    else if (token === TokenType.COLON) keys[depth] = text;
    else if (token === TokenType.LEFT_BRACE) {
      if (list?.depth === depth) list.records++;
      depth++;
    } else if (token === TokenType.LEFT_BRACKET) {
      if (list?.depth === depth) list.arrays++;
      depth++;
      if (list !== undefined || depth === 1 || depth > DEEPEST + 1) return;
      list = { path: keys.slice(1, depth).join('.'), records: 0, arrays: 0, depth };
      found.push(list);
    } else if (token === TokenType.RIGHT_BRACE) depth--;
    else if (token === TokenType.RIGHT_BRACKET) {
      if (list?.depth === depth) list = undefined;
      depth--;
    }
  };
  return tokenizer;
}

/** Finds the list of records in an unknown JSON file. */

import { Tokenizer, TokenType } from '@streamparser/json';
import { sourceError } from '../../shared/errors.ts';
import { openText } from '../readers/utf8.ts';

const CHUNK_BYTES = 64 * 1024;
const USUAL = ['records', 'features', 'results', 'rows', 'items', 'data', 'filings'];
const DEEPEST = 3;

type List = { path: string; records: number };

/** Finds the path of the array of records. Returns `undefined` if the file is an array or has a record on each line. */
export async function findRecords(path: string): Promise<string | undefined> {
  const { kind, first, all } = await openText(path, CHUNK_BYTES);
  if (kind === 'array' || (kind === 'object' && hasRecordOnFirstLine(first))) {
    await all.return?.(undefined);
    return undefined;
  }
  const found: List[] = [];
  const tokenizer = openListFinder(found);
  for await (const chunk of all) {
    try {
      tokenizer.write(chunk);
    } catch {
      throw sourceError('the file looks like JSON but is not valid');
    }
    if (found.some(isUsual)) break;
  }
  const [best] = found.toSorted((a, b) => Number(isUsual(b)) - Number(isUsual(a)) || b.records - a.records);
  if (best === undefined) throw sourceError('the JSON contains no list of records');
  return best.path;
}

function isUsual({ path }: List): boolean {
  return USUAL.includes(path.split('.').at(-1)!);
}

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
      if (list?.depth === depth && ++list.records === 1) found.push(list);
      depth++;
    } else if (token === TokenType.LEFT_BRACKET) {
      depth++;
      if (depth > 1 && depth <= DEEPEST + 1)
        list ??= { path: keys.slice(1, depth).join('.'), records: 0, depth };
    } else if (token === TokenType.RIGHT_BRACE) depth--;
    else if (token === TokenType.RIGHT_BRACKET) {
      if (list?.depth === depth) list = undefined;
      depth--;
    }
  };
  return tokenizer;
}

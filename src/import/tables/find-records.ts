/** Finds the list of records in unknown JSON. Reads only as much as needed, and keeps nothing. */

import { Tokenizer, TokenType } from '@streamparser/json';
import { ShingleError } from '../../errors.ts';
import { openText } from '../readers/utf8.ts';

const CHUNK_BYTES = 64 * 1024;
const USUAL = ['records', 'features', 'results', 'rows', 'items', 'data', 'filings'];
const DEEPEST = 3;

type List = { path: string; records: number };

/**
 * Returns the dotted path of a list with a usual name, or of the longest list, at most three keys deep. Returns
 * `undefined` if the file is a list or has a record on each line. Throws `source`.
 */
export async function findRecords(path: string): Promise<string | undefined> {
  const { kind, first, all } = await openText(path, CHUNK_BYTES);
  if (kind === 'array' || (kind === 'object' && hasRecordOnFirstLine(first))) {
    await all.return?.(undefined);
    return undefined;
  }
  const search = openSearch();
  for await (const chunk of all) {
    search.write(chunk);
    if (search.isDone()) break;
  }
  const found = search.lists();
  const [best] = found.toSorted((a, b) => Number(isUsual(b)) - Number(isUsual(a)) || b.records - a.records);
  if (best === undefined) throw new ShingleError('source', 'the JSON contains no list of records');
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

/** Counts the objects of each list. Stops at the end of a list with a usual name. */
function openSearch() {
  const tokenizer = new Tokenizer();
  const keys: string[] = [];
  const lists = new Map<number, List>();
  const found: List[] = [];
  let depth = 0;
  let text = '';
  tokenizer.onToken = ({ token, value }) => {
    if (token === TokenType.STRING) text = String(value);
    else if (token === TokenType.COLON) keys[depth] = text;
    else if (token === TokenType.LEFT_BRACE) {
      const list = lists.get(depth);
      if (list !== undefined) list.records++;
      depth++;
    } else if (token === TokenType.LEFT_BRACKET) {
      if (depth > 0 && depth <= DEEPEST && lists.size === 0)
        lists.set(depth + 1, { path: keys.slice(1, depth + 1).join('.'), records: 0 });
      depth++;
    } else if (token === TokenType.RIGHT_BRACE) depth--;
    else if (token === TokenType.RIGHT_BRACKET) {
      const list = lists.get(depth);
      if (list !== undefined && list.records > 0) found.push(list);
      lists.delete(depth);
      depth--;
    }
  };
  const open = () => [...lists.values()].filter(({ records }) => records > 0);
  return {
    write(chunk: Buffer) {
      try {
        tokenizer.write(chunk);
      } catch {
        throw new ShingleError('source', 'the file looks like JSON but is not valid');
      }
    },
    isDone: () => [...found, ...open()].some(isUsual),
    lists: () => [...found, ...open()],
  };
}

/** The arguments of the MCP tools: their schema and how they are read, both derived from the search parameters. */

import { STATUSES } from '../listings/listing.ts';
import type { ListingIndex } from '../search/listing-index.ts';
import {
  EVERYTHING,
  type ParameterFault,
  type ReadQuestion,
  readQuestion,
  type SearchParameterName,
  searchParameters,
} from '../search/parameters.ts';
import { isParameter, MOST_FAULTS, makeUnknownFault } from '../search/query.ts';

const LONGEST_VALUE = 2048; // a warning repeats it; over HTTP no address is longer
const MOST_VALUES = 20;

type KnownValues = Partial<Record<SearchParameterName, readonly string[]>>;

/** The values of the filters that are few enough for a schema. */
export function listKnownValues(index: ListingIndex | undefined): KnownValues {
  const category = index?.stats(EVERYTHING).byCategory.map(({ value }) => value) ?? [];
  return { status: STATUSES, ...(category.length > 0 && { category }) };
}

/** The schema of a tool: parameters that may be repeated are a list, or a single text. */
export function describeArguments(names: readonly SearchParameterName[], known: KnownValues): object {
  const properties = names.map((name) => {
    const { schema, isList } = searchParameters[name];
    if (!isList) return [name, schema];
    const value = { type: 'string', ...(known[name] && { enum: known[name] }) };
    const more = known[name] === undefined ? ' count_listings lists all values.' : '';
    const description = `Exact value, or a list of values to match any of them.${more}`;
    return [name, { anyOf: [value, { type: 'array', items: value, maxItems: MOST_VALUES }], description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Reads arguments with the same rules as a query: case and accents of values do not matter. Errors name the argument. */
export function readArguments(given: unknown, names: readonly SearchParameterName[]): ReadQuestion {
  const faults: ParameterFault[] = [];
  const texts: Partial<Record<SearchParameterName, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (faults.length >= MOST_FAULTS) break;
    if (!isParameter(name, names)) faults.push(makeUnknownFault(name, names));
    else {
      const detail = findFault(name, value);
      if (detail === undefined) texts[name] = [value].flat().map(String);
      else faults.push({ parameter: name, detail: `${name} ${detail}` });
    }
  }
  const read = readQuestion(texts);
  return { ...read, faults: [...faults, ...read.faults] };
}

/** What is wrong with the type or the size of an argument, if anything. */
function findFault(name: SearchParameterName, value: unknown): string | undefined {
  const { isList, schema } = searchParameters[name];
  if (schema.type === 'integer') return typeof value === 'number' ? undefined : 'must be a whole number.';
  const all = isList && Array.isArray(value) ? value : [value];
  if (!all.every((one) => typeof one === 'string')) {
    const [example] = schema.examples as string[];
    return `must be a text${isList ? ' or a list of texts' : ''}, such as "${example}".`;
  }
  if (all.length > MOST_VALUES) return `can have at most ${MOST_VALUES} values.`;
  return all.every((text) => text.length <= LONGEST_VALUE)
    ? undefined
    : `can have at most ${LONGEST_VALUE} characters.`;
}

/** The arguments of the MCP tools: their schema and how they are read, both derived from the search parameters. */

import { STATUSES } from '../listings/listing.ts';
import type { Counts, ListingIndex } from '../search/listing-index.ts';
import {
  EVERYTHING,
  type ParameterFault,
  type Question,
  type SearchParameter,
  type SearchParameterName,
  searchParameters,
} from '../search/parameters.ts';
import {
  type Asked,
  isParameter,
  MOST_FAULTS,
  makeUnknownFault,
  type OtherParameters,
  readAsked,
} from '../search/query.ts';

const LONGEST_VALUE = 2048; // a warning repeats it; over HTTP no address is longer
const MOST_VALUES = 20;

type KnownValues = Partial<Record<SearchParameterName, readonly string[]>>;

/** Values of a filter in a schema, at most: a model reads them with every conversation. */
const MOST_LISTED = 50;

/** The values of the filters that are few enough for a schema. */
export function listKnownValues(index: ListingIndex | undefined): KnownValues {
  if (index === undefined) return { status: STATUSES };
  const { byCategory, byNeighborhood } = index.stats(EVERYTHING);
  const known = {
    status: STATUSES,
    category: listValues(byCategory),
    neighborhood: listValues(byNeighborhood),
  };
  const isShort = ([, values]: [string, readonly string[]]) =>
    values.length > 0 && values.length <= MOST_LISTED;
  return Object.fromEntries(Object.entries(known).filter(isShort));
}

function listValues(counts: Counts): string[] {
  return counts.map(({ value }) => value);
}

/** The parameters of a tool: some of those of a search, and others. */
export type ToolParameters<Others extends object> = {
  names: readonly SearchParameterName[];
  others: OtherParameters<Others>;
};

function listParameters<Others extends object>({ names, others }: ToolParameters<Others>): Parameters {
  return {
    ...Object.fromEntries(names.map((name) => [name, searchParameters[name]])),
    ...others,
  };
}

type Parameters = Record<string, SearchParameter<unknown>>;

/** The schema of a tool: parameters that may be repeated are a list, or a single text. */
export function describeArguments<Others extends object>(
  tool: ToolParameters<Others>,
  known: KnownValues,
): object {
  const properties = Object.entries(listParameters(tool)).map(([name, { schema, isList }]) => {
    if (!isList) return [name, schema];
    const values = known[name as SearchParameterName];
    const value = { type: 'string', ...(values && { enum: values }) };
    const more = values === undefined ? ' count_listings lists all values.' : '';
    const description = `Exact value, or a list of values to match any of them.${more}`;
    return [name, { anyOf: [value, { type: 'array', items: value, maxItems: MOST_VALUES }], description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Reads arguments with the same rules as a query: case and accents of values do not matter. Errors name the argument. */
export function readArguments<Others extends object>(
  given: unknown,
  tool: ToolParameters<Others>,
): Asked<Others> {
  const parameters = listParameters(tool);
  const names = Object.keys(parameters);
  const faults: ParameterFault[] = [];
  const texts: Partial<Record<string, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (faults.length >= MOST_FAULTS) break;
    if (!isParameter(name, names)) faults.push(makeUnknownFault(name, names));
    else {
      const detail = findFault(parameters[name]!, value);
      if (detail === undefined) texts[name] = [value].flat().map(String);
      else faults.push({ parameter: name, detail: `${name} ${detail}` });
    }
  }
  const read = readAsked(texts, tool.others);
  return { ...read, faults: [...faults, ...read.faults] };
}

/** What is wrong with the type or the size of an argument, if anything. Models also write numbers as texts. */
function findFault({ isList, schema }: SearchParameter<unknown>, value: unknown): string | undefined {
  if (schema.type === 'integer')
    return typeof value === 'number' || typeof value === 'string' ? undefined : 'must be a whole number.';
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

/** The arguments of `search_listings` that ask this. */
export function toArguments(question: Question): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries<SearchParameter<unknown>>(searchParameters)) {
    const texts = parameter.write(question[name as SearchParameterName]);
    const value = parameter.schema.type === 'integer' ? Number(texts[0]) : texts[0];
    if (texts.length > 0) given[name] = parameter.isList ? texts : value;
  }
  return given;
}

/** Describes and reads the arguments of the MCP tools, which correspond to the search parameters. */

import type { ListingIndex } from '../search/listing-index.ts';
import {
  type Asked,
  EVERYTHING,
  NARROWING,
  type Paging,
  type ParameterFault,
  pagingParameters,
  perFilter,
  type Question,
  readQuestion,
  type SearchParameter,
  type SearchParameterName,
  searchParameters,
  type ValueFilter,
} from '../search/parameters.ts';
import { isParameter, MOST_FAULTS, makeUnknownFault } from '../search/query.ts';

const LONGEST_VALUE = 2048; // as long as a URL can be, because warnings repeat the value
const MOST_VALUES = 20;

type KnownValues = Record<ValueFilter, readonly string[] | undefined>;

/** Maximum number of filter values in a schema. A model reads the schema in every conversation. */
const MOST_LISTED = 50;

/** Lists the values of each filter that has few enough for a schema. */
export function listKnownValues(index: ListingIndex | undefined): KnownValues {
  const facets = index?.facets(EVERYTHING);
  return perFilter((filter) => {
    const values = searchParameters[filter].known ?? facets?.[filter].map(({ value }) => value) ?? [];
    return values.length > 0 && values.length <= MOST_LISTED ? values : undefined;
  });
}

type ToolParameters = Record<string, SearchParameter<unknown>>;

export const SEARCH_TOOL: ToolParameters = { ...searchParameters, ...pagingParameters };
export const COUNT_TOOL: ToolParameters = Object.fromEntries(
  NARROWING.map((name) => [name, searchParameters[name]]),
);

/** Makes the schema of a tool. A parameter that may be repeated accepts a list or a single text. */
export function describeArguments(tool: ToolParameters, known: KnownValues): object {
  const properties = Object.entries(tool).map(([name, { schema, isList }]) => {
    if (!isList) return [name, schema];
    const values = known[name as ValueFilter];
    const value = { type: 'string', ...(values && { enum: values }) };
    const more = values === undefined ? ' count_listings lists all values.' : '';
    const description = `Exact value, or a list of values to match any of them.${more}`;
    return [name, { anyOf: [value, { type: 'array', items: value, maxItems: MOST_VALUES }], description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Reads arguments by the same rules as a query. Errors name the argument. */
export function readArguments(given: unknown, tool: ToolParameters): Asked<Paging> {
  const names = Object.keys(tool);
  const faults: ParameterFault[] = [];
  const texts: Partial<Record<string, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (faults.length >= MOST_FAULTS) break;
    if (!isParameter(name, names)) faults.push(makeUnknownFault(name, names));
    else {
      const detail = findFault(tool[name]!, value);
      if (detail === undefined) texts[name] = [value].flat().map(String);
      else faults.push({ parameter: name, detail: `${name} ${detail}` });
    }
  }
  const read = readQuestion(texts, pagingParameters);
  return { ...read, faults: [...faults, ...read.faults] };
}

/** Describes a wrong type or size of an argument. Accepts numbers as text, because models write them that way. */
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

export function toArguments(question: Question): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries<SearchParameter<unknown>>(searchParameters)) {
    const texts = parameter.write(question[name as SearchParameterName]);
    const value = parameter.schema.type === 'integer' ? Number(texts[0]) : texts[0];
    if (texts.length > 0) given[name] = parameter.isList ? texts : value;
  }
  return given;
}

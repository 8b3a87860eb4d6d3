/** Defines the search parameters. Queries, types, API documents, forms, links and cache keys are derived from them. */

import PARAMETERS from '../data/parameters.json' with { type: 'json' };
import type WARNINGS from '../data/warnings.json';
import { isUnknown } from './city/value-names.ts';
import { type Day, type Instant, makeDay } from './day.ts';
import { type Listing, STATUSES } from './listing.ts';
import { parsePeriod } from './periods.ts';
import { rememberTexts } from './remember.ts';
import { fillIn } from './text/fill-in.ts';
import { formatNumber } from './text/numbers.ts';
import { countDistinctWords, PLAIN } from './words.ts';

export const PAGE_LIMIT = PARAMETERS.limit.default;
export const LONGEST_Q = PARAMETERS.q.maxLength;
/** Maximum characters of a question that a page reads. Its search has at most `LONGEST_Q`. */
export const LONGEST_ASKED = 1_000;
/** Maximum distinct words in `q`. Each needs a lookup in the index. */
export const MOST_WORDS = 12;
/** Maximum listings that paging can reach. */
export const FURTHEST = 1000;

const LISTS = new Intl.ListFormat('en-GB');
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The parsed value, with a warning if it was adjusted, or the reason why it is invalid. */
type ParsedParameter<Value> =
  | { value: Value; warning?: Pick<Warning, 'code' | 'detail'> }
  | { problem: string };

export type SearchParameter<Value> = {
  /** JSON Schema of a value in the API. Its description appears in the API reference. */
  schema: { type: string; description: string; [keyword: string]: unknown };
  /** Whether the parameter may be repeated, to match any of several values. */
  isList: boolean;
  /** All possible values, if there are few and they do not depend on listings. */
  known?: readonly string[] | undefined;
  /** Whether words of `q` also match the values of this filter. */
  isSearched?: boolean | undefined;
  /** Parses the texts of the parameter, none of which is empty. The list is empty if the parameter is not given. */
  read(given: readonly string[]): ParsedParameter<Value>;
  /** Returns the texts of the value for a link, or `[]` for the default value. */
  write(value: Value): readonly string[];
};

/** A parameter of a specific route, which no link repeats. */
export type OtherParameter<Value> = Omit<SearchParameter<Value>, 'write'>;

/** Returns a schema whose description has these values. */
function describe<Schema extends { description: string }>(
  schema: Schema,
  values: Record<string, string | number>,
) {
  return { ...schema, description: fillIn(schema.description, values) };
}

const words: SearchParameter<string> = {
  schema: describe(PARAMETERS.q, { words: MOST_WORDS }),
  isList: false,
  read([text = '']) {
    if (text.length > LONGEST_Q && [...text].length > LONGEST_Q)
      return { problem: `q can have at most ${LONGEST_Q} characters.` };
    if (text.length > MOST_WORDS && countDistinctWords(text) > MOST_WORDS)
      return {
        problem: `q can have at most ${MOST_WORDS} different words. The page at / reads longer questions.`,
      };
    return { value: text };
  },
  write: (text) => (text === '' ? [] : [text]),
};

/** Defines a filter by listing values. */
function values(
  example: string,
  { known, isSearched }: Pick<SearchParameter<readonly string[]>, 'known' | 'isSearched'>,
): SearchParameter<readonly string[]> {
  const which = known === undefined ? 'Exact value' : formatAlternatives(known.map((one) => `\`${one}\``));
  return {
    schema: { ...describe(PARAMETERS.value, { which }), examples: [example] },
    isList: true,
    known,
    isSearched,
    read: (given) => ({ value: given }),
    write: (chosen) => chosen,
  };
}

/** Defines a parameter for a day as `YYYY-MM-DD`. A month or year means its first or last day. `''` if not given. */
function day(name: 'filed_from' | 'filed_to'): SearchParameter<Day | ''> {
  return {
    schema: PARAMETERS[name],
    isList: false,
    read([text]) {
      if (text === undefined) return { value: '' };
      const value = parsePeriod(text)?.[name];
      const problem = `${name} must be a date that exists, as YYYY-MM-DD, YYYY-MM or YYYY.`;
      return value === undefined ? { problem } : { value };
    },
    write: (value) => (value === '' ? [] : [value]),
  };
}

/** A day, or a time with its zone. Other forms that JavaScript reads are ambiguous. */
const SINCE = new RegExp(PARAMETERS.added_from.pattern);

/** The moment from which on listings count as new: a day of the city, or an instant in UTC. `''` if not given. */
const since: SearchParameter<Day | Instant | ''> = {
  schema: PARAMETERS.added_from,
  isList: false,
  read([text]) {
    if (text === undefined) return { value: '' };
    const value = readSince(text);
    if (value !== undefined) return { value };
    const plus = /^\S+T\S+ \d{2}:\d{2}$/.test(text) ? ' Write + as %2B.' : '';
    return {
      problem: `added_from must be a day that exists, as YYYY-MM-DD, or an instant with its zone, as 2026-06-30T08:00:00Z.${plus}`,
    };
  },
  write: (value) => (value === '' ? [] : [value]),
};

function readSince(text: string): Day | Instant | undefined {
  const [, year, month, date, time] = SINCE.exec(text) ?? [];
  const day = makeDay(Number(year), Number(month), Number(date));
  if (day === undefined || time === undefined) return day;
  try {
    const instant = new Date(Temporal.Instant.from(text).epochMilliseconds).toISOString();
    return /^\d{4}-/.test(instant) ? instant : undefined; // its offset may lead out of the years that have four digits
  } catch {
    return undefined;
  }
}

function wholeNumber(
  name: 'limit' | 'offset',
  values: Record<string, string | number>,
  most?: number,
): SearchParameter<number> {
  const { default: usual } = PARAMETERS[name];
  return {
    schema: describe(PARAMETERS[name], values),
    isList: false,
    read([text]) {
      if (text === undefined) return { value: usual };
      if (!/^(0|[1-9][0-9]*)$/.test(text))
        return { problem: `${name} must be a whole number, 0 or more, written in digits.` };
      const value = Math.min(Number(text), Number.MAX_SAFE_INTEGER); // no page starts at a larger number
      if (most === undefined || value <= most) return { value };
      const detail = `A response has at most ${most} listings.`;
      return { value: most, warning: { code: 'limit-lowered', detail } };
    },
    write: (value) => (value === usual ? [] : [String(value)]),
  };
}

/** All search parameters, in the order that links use. */
export const searchParameters = {
  q: words,
  category: values('Restaurants', { isSearched: true }),
  neighborhood: values('Old Town', { isSearched: true }),
  status: values('open', { known: STATUSES }),
  filed_from: day('filed_from'),
  filed_to: day('filed_to'),
  added_from: since,
  limit: wholeNumber('limit', { most: PAGE_LIMIT }, PAGE_LIMIT),
  offset: wholeNumber('offset', { furthest: formatNumber(FURTHEST) }),
};

/** Parameters that links to a next page add: the version of the data of this page. They never affect matches. */
export const pagingParameters: { data: OtherParameter<string> } = {
  data: {
    schema: PARAMETERS.data,
    isList: false,
    read: ([text = '']) => ({ value: text }),
  },
};
export type Paging = { data: string };

export type SearchParameterName = keyof typeof searchParameters;

/** A parsed query with values as given. Matching ignores case, accents and surrounding spaces. */
export type Question = {
  [Name in SearchParameterName]: (typeof searchParameters)[Name] extends SearchParameter<infer Value>
    ? Value
    : never;
};

type NamesOf<Value> = {
  [Name in SearchParameterName]: Question[Name] extends Value ? Name : never;
}[SearchParameterName];

/** Parameters that filter by listing values and may be repeated. */
export type ValueFilter = NamesOf<readonly string[]>;

/** Parameters that restrict which listings match. The others choose the page of matches. */
export type NarrowingName = Exclude<SearchParameterName, 'limit' | 'offset'>;

const entries = Object.entries(searchParameters) as [
  SearchParameterName,
  SearchParameter<Question[SearchParameterName]>,
][];

export const PARAMETER_NAMES: readonly SearchParameterName[] = entries.map(([name]) => name);
export const NARROWING = PARAMETER_NAMES.filter(
  (name) => name !== 'limit' && name !== 'offset',
) as readonly NarrowingName[];
/** Value filters, in the order used throughout the index. */
export const VALUE_FILTERS = PARAMETER_NAMES.filter(
  (name) => searchParameters[name].isList,
) as readonly ValueFilter[];
/** Value filters whose values also match words of a query. */
export const SEARCHED_FILTERS = VALUE_FILTERS.filter((name) => searchParameters[name].isSearched);

/** Returns whether a value of a filter is excluded: `-Downtown`. */
export function isExcluded(value: string): boolean {
  return /^\s*-/.test(value);
}

/** Returns an excluded value without its sign. */
export function includeValue(value: string): string {
  return value.replace(/^\s*-/, '');
}

export function perFilter<Made>(make: (filter: ValueFilter) => Made): Record<ValueFilter, Made> {
  return Object.fromEntries(VALUE_FILTERS.map((filter) => [filter, make(filter)])) as Record<
    ValueFilter,
    Made
  >;
}

/** What is wrong with a parameter. `href`: the path of the query that was probably meant. */
export type ParameterProblem = {
  parameter: string;
  detail: string;
  did_you_mean?: string | undefined;
  href?: string;
};

/** The codes of warnings, which programs can act on. */
export type WarningCode = keyof typeof WARNINGS;

/** Why a query may not find what was meant. A warning does not prevent an answer. */
export type Warning = {
  code: WarningCode;
  parameter: string;
  /** An explanation for programs, in English. */
  detail: string;
  /** The value, word or day that the warning is about. */
  word?: string;
  /** The value or the words that were probably meant. */
  didYouMean?: string | undefined;
  /** The complete query that was probably meant. */
  meant?: Question | undefined;
  /** Words of `q` that `meant` does not use. */
  notUsed?: readonly string[] | undefined;
};

/** A parsed query with its errors. */
export type ReadQuestion = {
  question: Question;
  warnings: readonly Warning[];
  problems: readonly ParameterProblem[];
};

/** A parsed query with the parameters of a specific route. */
export type Asked<Others extends object = object> = ReadQuestion & { others: Others };
export type OtherParameters<Others extends object> = {
  [Name in keyof Others]: OtherParameter<Others[Name]>;
};

type GivenTexts = Partial<Record<string, readonly string[]>>;

/** Parses the search parameters and the other parameters of a route. Empty texts count as absent. */
export function readQuestion<Others extends object = object>(
  given: GivenTexts,
  others = {} as OtherParameters<Others>,
): Asked<Others> {
  const found: Found = { warnings: [], problems: [] };
  const question = readParameters<Question>(searchParameters, given, found);
  return { question, others: readParameters<Others>(others, given, found), ...found };
}

type Found = { warnings: Warning[]; problems: ParameterProblem[] };

function readParameters<Values extends object>(
  parameters: OtherParameters<Values>,
  given: GivenTexts,
  { warnings, problems }: Found,
): Values {
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter: OtherParameter<unknown> = parameters[name];
    const texts = given[name]?.filter((text) => text !== '') ?? NO_VALUES;
    if (texts.length > 1 && !parameter.isList)
      problems.push({ parameter: name, detail: `${name} can only be given once.` });
    let reading: ReturnType<typeof parameter.read> = parameter.read(texts);
    if ('problem' in reading) {
      problems.push({ parameter: name, detail: reading.problem });
      reading = parameter.read(NO_VALUES) as Exclude<typeof reading, { problem: string }>;
    }
    if (reading.warning !== undefined) warnings.push({ parameter: name, ...reading.warning });
    values[name] = reading.value;
  }
  return values as Values;
}

const NO_VALUES: readonly string[] = [];

/** The default query: the newest listings of the entire city. */
export const EVERYTHING: Question = readQuestion({}).question;

const written = entries.map(([name, { write }]) => ({ name, usual: EVERYTHING[name], write }));

/** Formats a query as a canonical query string, without default values. */
export function formatQuestion(question: Question): string {
  let text = '';
  for (const { name, usual, write } of written) {
    const given = question[name];
    // most parameters of the hundreds of links on a page are as usual
    if (given === usual || (typeof given === 'object' && given.length === 0)) continue;
    for (const value of write(given)) text += `&${name}=${encode(value)}`;
  }
  return text.slice(1);
}

/** Pages have hundreds of addresses with the same values. */
const encode = rememberTexts(encodeURIComponent);

/** Formats an address such as `/feeds?q=coffee`. `others` are further parameters; empty ones are omitted. */
export function formatAddress(path: string, question: Question, ...others: readonly string[]): string {
  let query = formatQuestion(question);
  for (const other of others) if (other !== '') query += query === '' ? other : `&${other}`;
  return query === '' ? path : `${path}?${query}`;
}

/** Returns whether the query restricts the listings or requests a page other than the first. */
export function asksAnything(question: Question): boolean {
  return NARROWING.some((name) => isNarrowedBy(question, name)) || question.offset > 0;
}

/** Joins names for a sentence: `a, b or c`. */
export function formatAlternatives(names: readonly string[]): string {
  return ALTERNATIVES.format(names);
}

/** Joins names for a sentence: `a, b and c`. */
export function formatList(names: readonly string[]): string {
  return LISTS.format(names);
}

export function isNarrowedBy(question: Question, name: SearchParameterName): boolean {
  return (searchParameters[name] as SearchParameter<unknown>).write(question[name]).length > 0;
}

/** Returns the search that leads to a listing. */
export function findListing({ name, neighborhood }: Pick<Listing, 'name' | 'neighborhood'>): Question {
  return { ...EVERYTHING, q: fitToQ(name), neighborhood: isUnknown(neighborhood) ? [] : [neighborhood] };
}

/** Where a text of ASCII may be split into words, of which `&` is one. */
const BETWEEN_WORDS = /[^a-z0-9&]|(?<=&)|(?=&)/i;

/** Truncates a text to the limits of `q`. Counts characters, because half a character cannot be percent-encoded. */
export function fitToQ(text: string): string {
  // most names are short, and then their words need not be compared
  if (text.length <= LONGEST_Q && PLAIN.test(text) && text.split(BETWEEN_WORDS).length <= MOST_WORDS)
    return text;
  const pieces = [...text]
    .slice(0, LONGEST_Q)
    .join('')
    .toWellFormed()
    .split(/(?=\s)/);
  while (countDistinctWords(pieces.join('')) > MOST_WORDS) pieces.pop();
  return pieces.join('');
}

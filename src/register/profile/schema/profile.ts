/**
 * Defines the fields that `city.ts` and `city.yaml` share, and checks a `city.ts`. `addWords` adds descriptions from
 * `src/data/city-fields.csv`. `wanted` ends the sentence "NAME must be ...". `section` is the prefix for the names of
 * nested fields.
 */

import { UNAPPROVED, WEEKDAYS } from '../../../shared/city/city-facts.ts';
import { isKnownWord, listWordsOf, type PageWords, shippedWordsOf } from '../../../shared/city/page-words.ts';
import { isRecord } from '../../../shared/record.ts';
import { FINDING_CODES, type FindingCode } from '../../../shared/report.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { FILE_FORMATS, FORMATS } from '../formats.ts';
import { formatPath, isLanguage, type Problem, readValue } from './check-value.ts';
import {
  anyOf,
  anyText,
  type Fields,
  integerOf,
  listOf,
  numberOf,
  objectOf,
  oneOf,
  optional,
  type Place,
  recordOf,
  type Schema,
  type SchemaWords,
  type StaticFields,
  text,
  textOf,
} from './schema.ts';

const WORDS = new Map(
  readDataLines('city-fields.csv').map(([field = '', wanted, usual = '', examples, description]) => [
    field,
    {
      ...(wanted && { wanted }),
      ...(usual !== '' && { default: Number.isNaN(Number(usual)) ? usual : Number(usual) }),
      ...(examples && { examples: examples.split('|') }),
      description,
    },
  ]),
);

export function addWords(schema: Schema, path = ''): Schema {
  const { section = path, properties, items, anyOf: branches } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const inner = `${section}.${name}`;
    return [name, { ...addWords(field, inner), ...WORDS.get(inner) }];
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: addWords(items, section) }),
    ...(branches && { anyOf: branches.map((branch) => addWords(branch, section)) }),
  };
}

export const COLUMN = text('the name of a column', { isColumn: true });

const placeWith = <const Others extends Fields>(
  others: Others,
  options: SchemaWords = {},
): Schema<Place & StaticFields<Others>> =>
  objectOf(
    {
      file: optional(text('the path of a file or folder')),
      url: optional(textOf('web-address', 'an http(s) URL')),
      ...others,
    },
    { oneKeyOf: ['file', 'url'], ...options },
  ) as Schema<Place & StaticFields<Others>>;

const COUNT = optional(integerOf({ minimum: 1, wanted: 'a whole number above 0' }));
const HOURS = optional(numberOf({ exclusiveMinimum: 0, wanted: 'a number of hours above 0' }));

const STREET = anyOf([text(), listOf(text(), { minItems: 1 })], {
  wanted: 'the name of a column, or a list of them',
});
/** The headers of `number` and `street`, or of `address`. Several street columns are joined in order. */
export const ADDRESS_HEADERS = objectOf({
  longitude: optional(COLUMN),
  latitude: optional(COLUMN),
  number: optional(COLUMN),
  address: optional(COLUMN),
  zip: optional(COLUMN),
  town: optional(COLUMN),
  street: optional(STREET),
});
const ADDRESS_FILE = placeWith(
  { columns: optional(ADDRESS_HEADERS) },
  { wanted: '{ file | url, columns? }, or a list of them' },
);

const LIMITS = objectOf({
  burst: COUNT,
  rows: optional(integerOf({ minimum: 50, wanted: 'a whole number, 50 or more' })),
  signup: COUNT,
  connections: COUNT,
  confirmations: COUNT,
  trusted: optional(listOf(textOf('network', 'a network such as "203.0.113.0/24"'))),
  recipientDomain: optional(
    objectOf({
      hour: COUNT,
      day: COUNT,
      providers: optional(listOf(textOf('domain', 'a domain in lower case'))),
    }),
  ),
});
const WEEKLY = objectOf({
  weekday: optional(oneOf(WEEKDAYS)),
  time: optional(anyText({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', wanted: 'a time such as "08:00"' })),
  approval: optional<boolean>({ type: 'boolean' }),
  unapproved: optional(oneOf(UNAPPROVED)),
});

export const CITY_FIELDS = {
  name: text(),
  region: text(),
  timeZone: textOf('time-zone'),
  language: optional(textOf('language')),
  accent: optional(anyText({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })),
  webSearch: optional(anyText({ pattern: '^https://[^\\s{}]+\\{words\\}[^\\s{}]*$' })),
  words: optional<Partial<PageWords>>(recordOf(text())),
  asOf: optional(textOf('day')),
  archive: optional<boolean>({ type: 'boolean' }),
  invented: optional<boolean>({ type: 'boolean' }),
  zips: optional(recordOf(text('the name of a neighborhood'))),
  alsoCalled: optional(recordOf(listOf(text('another name'), { minItems: 1, wanted: 'a list of names' }))),
  boundaries: optional(
    placeWith({
      property: text('the property that holds the name of the neighborhood'),
      names: optional(recordOf(text('the right name of the neighborhood'))),
    }),
  ),
  addresses: optional(anyOf([ADDRESS_FILE, listOf(ADDRESS_FILE, { minItems: 1 })])),
  limits: optional(LIMITS),
  weekly: optional(WEEKLY),
};

export type CityFields = StaticFields<typeof CITY_FIELDS>;

export const OPERATOR = objectOf({
  name: text('who runs the service'),
  contact: text('where to request a removal'),
  answers: optional(text('how long an answer takes')),
});

const REASON = optional(text('the reason why it is right'));
const ACCEPTS: Schema<Readonly<Partial<Record<FindingCode, string>>>> = objectOf(
  Object.fromEntries(FINDING_CODES.map((code) => [code, REASON])),
  { wanted: `an object of finding -> reason (findings: ${FINDING_CODES.join(', ')})` },
);

export const SOURCE_FIELDS = {
  id: anyText({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  publisher: text(),
  homepage: textOf('web-address'),
  pack: optional(text()),
  terms: optional(textOf('web-address')),
  notice: optional(text()),
  delivers: oneOf(['snapshot', 'changes']),
  hosts: optional(listOf(text('the name of a host'))),
  everyHours: HOURS,
  newForDays: COUNT,
  freshForHours: HOURS,
  rejectedShare: optional(numberOf({ minimum: 0, maximum: 1 })),
  accepts: optional(ACCEPTS),
  aliases: optional(recordOf(listOf(text('a header'), { minItems: 1, wanted: 'a list of headers' }))),
};

export type SourceFields = StaticFields<typeof SOURCE_FIELDS>;

export const CHECKED = oneOf(['live', 'documentation']);

const CALLED_FROM = objectOf(
  { format: oneOf(FORMATS), ...FILE_FORMATS.csv.options },
  {
    additionalProperties: true,
    section: 'from',
    wanted: `one of ${FORMATS.map((format) => `${format}({...})`).join(', ')}`,
  },
);
const JOIN = objectOf({
  from: CALLED_FROM,
  column: COLUMN,
  key: COLUMN,
  take: listOf(COLUMN, { minItems: 1 }),
});
const VERDICT: Schema = { isFunction: true, wanted: 'a function (row, at) => verdict' };

const SOURCE = objectOf(
  {
    ...SOURCE_FIELDS,
    license: text('the license of the data'),
    checked: CHECKED,
    from: CALLED_FROM,
    baseline: optional(placeWith({}, { wanted: '{ file } or { url }' })),
    join: optional(JOIN),
    columns: listOf(COLUMN, { minItems: 1, wanted: 'a list of required column names, at least one' }),
    optional: optional(listOf(COLUMN, { wanted: 'a list of column names' })),
    verdict: VERDICT,
    mapping: optional({}),
  },
  { section: 'register' },
);

const SOURCES = listOf(SOURCE, { minItems: 1, wanted: 'a list with at least one source' });
const PROFILE = addWords(
  objectOf({ ...CITY_FIELDS, operator: OPERATOR, sources: SOURCES }, { section: 'city' }),
);
const WORD = { word: 'a field of a profile' };

/** Returns a sentence for each error in the default export of a `city.ts`, or `[]` if it is valid. */
export function listProfileProblems(profile: unknown): string[] {
  if (!isRecord(profile))
    return ['the default export is not an object. Write `export default defineCity({ ... })`'];
  const { problems } = readValue(PROFILE, profile, WORD);
  const all = [...problems, ...listCityProblems(profile, 'sources')];
  return all.map(({ path, says }) => `${formatPath(path)} ${says}`);
}

/** Checks the rules about several fields, which a schema cannot express. */
export function listCityProblems(city: Record<string, unknown>, name: 'sources' | 'registers'): Problem[] {
  const needsBoundaries = city.addresses !== undefined && city.boundaries === undefined;
  const says = 'need boundaries: an address leads to a point, and the boundaries to its neighborhood';
  const problems: Problem[] = [
    ...(needsBoundaries ? [{ path: ['addresses'], says }] : []),
    ...listWordProblems(city),
  ];
  const ids = new Set<unknown>();
  for (const [i, one] of Array.isArray(city[name]) ? city[name].entries() : []) {
    const { id, from } = Object(one) as { id?: unknown; from?: unknown };
    const { header } = Object(from) as { header?: unknown };
    if (typeof id === 'string' && ids.has(id))
      problems.push({ path: [name, i, 'id'], says: `is not unique: two ${name} have the id "${id}"` });
    if (Array.isArray(header) && Number(header[0]) >= Number(header[1]))
      problems.push({ path: [name, i, 'from', 'header'], says: 'must have its two lines in their order' });
    ids.add(id);
  }
  return problems;
}

/** Checks page texts. Without shipped texts in its language, a profile needs all of them, to avoid mixed languages. */
function listWordProblems({ words, language = 'en' }: Record<string, unknown>): Problem[] {
  const given = isRecord(words) ? Object.keys(words) : [];
  const problems: Problem[] = given
    .filter((word) => !isKnownWord(word))
    .map((word) => ({
      path: ['words', word],
      isKey: true,
      says: 'is not a text (see page-words.json and subscription-words.json in src/data for all of them)',
    }));
  if (typeof language !== 'string' || !isLanguage(language) || shippedWordsOf(language) !== undefined)
    return problems;
  const missing = listWordsOf(language).filter((word) => !given.includes(word));
  const says = `is "${language}", so words must contain all texts. Missing: ${missing.join(', ')}`;
  return missing.length > 0 ? [...problems, { path: ['language'], says }] : problems;
}

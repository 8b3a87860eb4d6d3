/**
 * Defines the fields that `city.ts` and `city.yaml` share, and checks a `city.ts`. `addWords` adds descriptions from
 * `src/data/city-fields.csv`. `wanted` ends the sentence "NAME must be ...". `section` is the prefix of the names of
 * the fields inside.
 */

import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { readDataLines } from '../../data/word-table.ts';
import { isRecord } from '../../listings/record.ts';
import { FINDING_CODES, type FindingCode, FORMATS, type Place, WEEKDAYS } from '../define.ts';
import { isKnownWord, listWordsOf, type PageWords, shippedWordsOf } from '../words.ts';
import { type Fault, formatPath, isLanguage, readValue } from './check-value.ts';

type Options = TSchemaOptions & { wanted?: string; minItems?: number };

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

export function addWords<Schema extends TSchema>(schema: Schema): Schema {
  return addWordsInside(schema, '') as Schema;
}

function addWordsInside(schema: unknown, path: string): unknown {
  if (!isRecord(schema)) return schema;
  const { section = path, properties, items, anyOf } = schema;
  const fields = Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    const inner = `${section}.${name}`;
    return [name, { ...Object(addWordsInside(field, inner)), ...WORDS.get(inner) }];
  });
  const addTo = (part: unknown) => addWordsInside(part, String(section));
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: addTo(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(addTo) }),
  };
}

const optional = Type.Optional;

export const text = (wanted = 'a text', options: Options = {}) =>
  Type.String({ pattern: '\\S', wanted, ...options });

export const textOf = (format: string, wanted?: string) => Type.String({ format, ...(wanted && { wanted }) });

export const listOf = <Item extends TSchema>(item: Item, options: Options = {}) =>
  Type.Unsafe<readonly Static<Item>[]>(Type.Array(item, options));

export const recordOf = <Value extends TSchema>(value: Value) =>
  Type.Unsafe<Readonly<Record<string, Static<Value>>>>(Type.Object({}, { additionalProperties: value }));

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });

/** The name of a column. `isColumn` marks the fields of `city.yaml` that name a column of the register. */
export const COLUMN = text('the name of a column', { isColumn: true });

const placeWith = <Others extends Record<string, TSchema>>(others: Others, options: Options = {}) =>
  Type.Unsafe<Place & Static<Type.TObject<Others>>>(
    Type.Object(
      {
        file: optional(text('the path of a file or folder')),
        url: optional(textOf('web-address', 'an http(s) URL')),
        ...others,
      },
      { oneKeyOf: ['file', 'url'], ...options },
    ),
  );

const COUNT = optional(Type.Integer({ minimum: 1, wanted: 'a whole number above 0' }));
const HOURS = optional(Type.Number({ exclusiveMinimum: 0, wanted: 'a number of hours above 0' }));

const STREET = Type.Union([text(), listOf(text(), { minItems: 1 })], {
  wanted: 'the name of a column, or a list of them',
});
/** The headers of `number` and `street`, or of `address`. Several street columns are joined in order. */
export const ADDRESS_HEADERS = Type.Object({
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

const LIMITS = Type.Object({
  burst: COUNT,
  rows: COUNT,
  signup: COUNT,
  connections: COUNT,
  confirmations: COUNT,
  trusted: optional(listOf(textOf('network', 'a network such as "203.0.113.0/24"'))),
  recipientDomain: optional(
    Type.Object({
      hour: COUNT,
      day: COUNT,
      providers: optional(listOf(textOf('domain', 'a domain in lower case'))),
    }),
  ),
});
const WEEKLY = Type.Object({
  weekday: oneOf(WEEKDAYS),
  time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', wanted: 'a time such as "08:00"' }),
});

export const CITY_FIELDS = {
  name: text(),
  region: text(),
  timeZone: textOf('time-zone'),
  language: optional(textOf('language')),
  accent: optional(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })),
  words: optional(Type.Unsafe<Partial<PageWords>>(recordOf(text()))),
  asOf: optional(textOf('day')),
  archive: optional(Type.Boolean()),
  zips: optional(recordOf(text('the name of a neighborhood'))),
  boundaries: optional(placeWith({ property: text('the property that holds the name of the neighborhood') })),
  addresses: optional(Type.Union([ADDRESS_FILE, listOf(ADDRESS_FILE, { minItems: 1 })])),
  limits: optional(LIMITS),
  weekly: optional(WEEKLY),
};

export type CityFields = Static<Type.TObject<typeof CITY_FIELDS>>;

export const OPERATOR = Type.Object({
  name: text('who runs the service'),
  contact: text('where to request a removal'),
});

const REASON = optional(text('the reason why it is right'));
const ACCEPTS = Type.Unsafe<Readonly<Partial<Record<FindingCode, string>>>>(
  Type.Object(Object.fromEntries(FINDING_CODES.map((code) => [code, REASON])), {
    wanted: `an object of finding -> reason (findings: ${FINDING_CODES.join(', ')})`,
  }),
);

export const SOURCE_FIELDS = {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  publisher: text(),
  homepage: textOf('web-address'),
  pack: optional(text()),
  notice: optional(text()),
  delivers: oneOf(['snapshot', 'changes']),
  hosts: optional(listOf(text('the name of a host'))),
  everyHours: HOURS,
  newForDays: COUNT,
  freshForHours: HOURS,
  rejectedShare: optional(Type.Number({ minimum: 0, maximum: 1 })),
  accepts: optional(ACCEPTS),
  aliases: optional(recordOf(listOf(text('a header'), { minItems: 1, wanted: 'a list of headers' }))),
};

export type SourceFields = Static<Type.TObject<typeof SOURCE_FIELDS>>;

export const CHECKED = oneOf(['live', 'documentation']);

const LINE = Type.Integer({ minimum: 1, wanted: 'the number of a line' });
const TWO_LINES = Type.Unsafe<readonly [number, number]>(Type.Array(LINE, { minItems: 2, maxItems: 2 }));
const WIDTH = Type.Integer({ minimum: 1, wanted: 'a number of characters' });
export const HEADER = Type.Union([LINE, TWO_LINES, oneOf(['none'])]);
export const TEXT_READING = {
  delimiter: optional(textOf('delimiter')),
  quote: optional(oneOf(['"', "'"])),
  encoding: optional(textOf('encoding')),
  header: optional(HEADER),
  widths: optional(listOf(WIDTH, { minItems: 1 })),
};

const FROM = Type.Object(
  { format: oneOf(FORMATS), ...TEXT_READING },
  {
    additionalProperties: true,
    section: 'from',
    wanted: `one of ${FORMATS.map((format) => `${format}({...})`).join(', ')}`,
  },
);
const JOIN = Type.Object({ from: FROM, column: COLUMN, key: COLUMN, take: listOf(COLUMN, { minItems: 1 }) });
const VERDICT: TSchema = Type.Unsafe({ isFunction: true, wanted: 'a function (row, at) => verdict' });

const SOURCE = Type.Object(
  {
    ...SOURCE_FIELDS,
    licence: text('the licence of the data'),
    checked: CHECKED,
    from: FROM,
    baseline: Type.Optional(placeWith({}, { wanted: '{ file } or { url }' })),
    join: Type.Optional(JOIN),
    columns: listOf(COLUMN, { minItems: 1, wanted: 'a list of required column names, at least one' }),
    optional: Type.Optional(listOf(COLUMN, { wanted: 'a list of column names' })),
    verdict: VERDICT,
    mapping: Type.Optional(Type.Unsafe({})),
  },
  { section: 'register' },
);

const SOURCES = listOf(SOURCE, { minItems: 1, wanted: 'a list with at least one source' });
const PROFILE = addWords(
  Type.Object({ ...CITY_FIELDS, operator: OPERATOR, sources: SOURCES }, { section: 'city' }),
);
const WORD = { word: 'a field of a profile' };

/** Returns a sentence for each error in the default export of a `city.ts`, or `[]` if it is valid. */
export function listProfileFaults(profile: unknown): string[] {
  if (!isRecord(profile))
    return ['the default export is not an object. Write `export default defineCity({ ... })`'];
  const { faults } = readValue(PROFILE, profile, WORD);
  const all = [...faults, ...listCityFaults(profile, 'sources')];
  return all.map(({ path, says }) => `${formatPath(path)} ${says}`);
}

/** Checks the rules about several fields, which a schema cannot express. */
export function listCityFaults(city: Record<string, unknown>, name: 'sources' | 'registers'): Fault[] {
  const needsBoundaries = city.addresses !== undefined && city.boundaries === undefined;
  const says = 'need boundaries: an address leads to a point, and the boundaries to its neighborhood';
  const list = Array.isArray(city[name]) ? city[name].map((one: unknown) => (isRecord(one) ? one : {})) : [];
  const repeated = `is not unique: two ${name} have the id`;
  return [
    ...(needsBoundaries ? [{ path: ['addresses'], says }] : []),
    ...listWordFaults(city),
    ...list.flatMap(({ id, from }, i) => {
      const isRepeated = typeof id === 'string' && list.findIndex((one) => one.id === id) < i;
      const [first, second] = isRecord(from) && Array.isArray(from.header) ? from.header : [];
      const isReversed = Number(first) >= Number(second);
      const order = { path: [name, i, 'from', 'header'], says: 'must have its two lines in their order' };
      return [
        ...(isRepeated ? [{ path: [name, i, 'id'], says: `${repeated} "${id}"` }] : []),
        ...(isReversed ? [order] : []),
      ];
    }),
  ];
}

/** Checks page texts. Without shipped texts in its language, a profile needs all of them, to avoid mixed languages. */
function listWordFaults({ words, language = 'en' }: Record<string, unknown>): Fault[] {
  const given = isRecord(words) ? Object.keys(words) : [];
  const faults: Fault[] = given
    .filter((word) => !isKnownWord(word))
    .map((word) => ({
      path: ['words', word],
      isKey: true,
      says: 'is not a text (see page-words.json and subscription-words.json in src/data for all of them)',
    }));
  if (typeof language !== 'string' || !isLanguage(language) || shippedWordsOf(language) !== undefined)
    return faults;
  const missing = listWordsOf(language).filter((word) => !given.includes(word));
  const says = `is "${language}", so words must contain all texts. Missing: ${missing.join(', ')}`;
  return missing.length > 0 ? [...faults, { path: ['language'], says }] : faults;
}

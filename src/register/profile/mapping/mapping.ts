/** Defines the schema of `city.yaml`. Its checks, types, reference and JSON Schema are derived from the schema. */

import { isRecord } from '../../../shared/record.ts';
import { FILE_FORMATS, FORMATS, type MappedFile } from '../formats.ts';
import { addWords, CHECKED, CITY_FIELDS, COLUMN, OPERATOR, SOURCE_FIELDS } from '../schema/profile.ts';
import {
  anyOf,
  anyText,
  integerOf,
  listOf,
  objectOf,
  oneOf,
  optional,
  recordOf,
  type Schema,
  type Static,
  text,
  textOf,
} from '../schema/schema.ts';

const COLUMN_LIST = listOf(COLUMN, { minItems: 1 });
const COLUMNS = anyOf([COLUMN, COLUMN_LIST], {
  wanted: 'the name of a column, or a list such as [First, Second]',
});

/** A list of cell texts. `''` means an empty cell. */
const VALUES = listOf(anyText({ wanted: 'a text' }), {
  minItems: 1,
  wanted: 'a list such as [FIRST, SECOND]',
});
const COLUMN_VALUES = objectOf({ column: COLUMN, values: VALUES }, { wanted: '{ column, values: [...] }' });

/** A path relative to `city.yaml`, a URL, or `''` if `--from` gives the place. */
const PLACE = anyText({ wanted: 'a path or a URL' });
const HOST = textOf('host', 'a host such as data.example.org');
const TEXT = optional(text());

const FILES = Object.entries(FILE_FORMATS).map(([format, { options }]) =>
  objectOf({ [format]: PLACE, ...options, entry: TEXT }),
) as Schema<MappedFile>[];
const PORTALS = [
  objectOf({ socrata: objectOf({ host: HOST, dataset: text(), where: TEXT }, { section: 'from' }) }),
  objectOf({ arcgis: textOf('web-address'), where: TEXT }),
  objectOf({
    ckan: objectOf(
      { host: HOST, resource: text(), filters: optional(recordOf(text())) },
      { section: 'from' },
    ),
  }),
] as const;
const YAML_FROM = anyOf([...FILES, ...PORTALS], {
  oneKeyOf: FORMATS,
  wanted: `exactly one of ${FORMATS.join(', ')}`,
  section: 'from',
});

const FORMAT = textOf('day-format', 'a format such as M/D/YYYY, or instant');
const DAY = objectOf(
  {
    column: COLUMN,
    format: anyOf([FORMAT, listOf(FORMAT, { minItems: 1 })]),
    pivot: optional(integerOf({ minimum: 1900, maximum: 2199 })),
    unknown: optional(listOf(text('a day'))),
  },
  { wanted: '{ column, format }', section: 'day' },
);

const WORDS = optional(VALUES);
const STATUS = objectOf({
  column: COLUMN,
  open: WORDS,
  closed: WORDS,
  expired: WORDS,
  abandoned: WORDS,
  unknown: WORDS,
  never: WORDS,
});

const CATEGORY = objectOf({
  column: optional(COLUMNS),
  table: TEXT,
  naics: optional(COLUMN),
  nace: optional(COLUMN),
  naceWhere: optional(COLUMN_VALUES),
  text: optional(COLUMN),
});

const JOIN = objectOf({
  from: YAML_FROM,
  column: COLUMN,
  key: text(),
  take: listOf(text('the name of a column'), { minItems: 1 }),
});

const TOWNS = listOf(text('a town'), { minItems: 1, wanted: 'a list of towns' });

const REGISTER = objectOf(
  {
    ...SOURCE_FIELDS,
    license: text(),
    checked: optional(CHECKED),
    from: YAML_FROM,
    join: optional(JOIN),
    baseline: optional(text('a path or a URL')),
    missing: optional(listOf(text())),
    key: anyOf([COLUMN, COLUMN_LIST, objectOf({ nameAnd: listOf(COLUMN) })]),
    name: COLUMNS,
    legalName: optional(COLUMNS),
    owner: optional(COLUMNS),
    person: optional(COLUMN_VALUES),
    namesLikePeople: optional(anyOf([oneOf(['skip', 'certain', 'keep']), COLUMN_VALUES])),
    filed: DAY,
    since: optional(textOf('day')),
    ended: optional(DAY),
    expires: optional(DAY),
    status: optional(STATUS),
    renewals: optional(COLUMN_VALUES),
    opens: optional(COLUMN_VALUES),
    category: optional(CATEGORY),
    neighborhood: optional(
      anyOf([COLUMN, objectOf({ column: COLUMN, prefix: text() }), objectOf({ postalCode: COLUMN })]),
    ),
    address: optional(COLUMNS),
    postalCode: optional(COLUMN),
    point: optional(anyOf([objectOf({ longitude: COLUMN, latitude: COLUMN }), objectOf({ column: COLUMN })])),
    town: optional(objectOf({ column: COLUMN, keep: TOWNS })),
    inside: optional(COLUMN_VALUES),
    skip: optional(listOf(objectOf({ column: COLUMNS, values: VALUES, because: text() }))),
  },
  { section: 'register' },
);

const CITY = objectOf(
  { ...CITY_FIELDS, operator: optional(OPERATOR), registers: listOf(REGISTER, { minItems: 1 }) },
  { section: 'city' },
);
export const CITY_MAPPING = addWords(CITY);

/** The content of `city.yaml`: a profile with a mapping for each register instead of sources. */
export type CityMapping = Static<typeof CITY>;
export type RegisterMapping = Static<typeof REGISTER>;
export type MappedFormat = RegisterMapping['from'];
export type DayMapping = RegisterMapping['filed'];

/** Lists the columns that a mapping names, without repeats. Columns that identify a business come first. */
export function listMappedColumns(mapping: RegisterMapping): string[] {
  const { key, name, legalName, owner, address, postalCode, category } = mapping;
  const first = { key, name, legalName, owner, address, postalCode, category };
  const { column, take = [] } = mapping.join ?? {};
  const named = listColumnsIn(REGISTER, { ...first, ...mapping }).filter((one) => !take.includes(one));
  return [...new Set(column === undefined ? named : [...named, column])];
}

function listColumnsIn(
  { isColumn, anyOf: branches = [], properties = {}, items }: Schema,
  value: unknown,
): string[] {
  if (typeof value === 'string' && isColumn === true) return [value];
  if (Array.isArray(value) && items !== undefined) return value.flatMap((one) => listColumnsIn(items, one));
  const fields = isRecord(value) ? Object.entries(value) : [];
  return [
    ...fields.flatMap(([name, one]) => listColumnsIn(properties[name] ?? {}, one)),
    ...branches.flatMap((branch) => listColumnsIn(branch, value)),
  ];
}

/**
 * The schema of `city.yaml`. The checks, the types, the reference (docs/city-yaml.md) and the JSON Schema for editors
 * are derived from it. Its words are in `src/data/city-fields.csv`. Columns are headers of the register. All values are
 * text unless stated otherwise.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { isRecord } from '../../listings/record.ts';
import { type City, FORMATS } from '../define.ts';
import {
  CHECKED,
  CITY_FIELDS,
  COLUMN,
  columnOf,
  HEADER,
  helpOf,
  listOf,
  OPERATOR,
  oneOf,
  recordOf,
  SOURCE_FIELDS,
  TEXT_READING,
  text,
  textOf,
} from '../schema/fields.ts';

const optional = Type.Optional;

const column = (field: string) => columnOf(helpOf(field));
const COLUMNS = listOf(COLUMN, { minItems: 1 });
const columns = (field: string) =>
  Type.Union([COLUMN, COLUMNS], {
    wanted: 'the name of a column, or a list such as [First, Second]',
    ...helpOf(field),
  });

/** A list in which `''` means an empty cell. */
const values = (help: object = {}) =>
  listOf(Type.String({ wanted: 'a text' }), {
    minItems: 1,
    wanted: 'a list such as [FIRST, SECOND]',
    ...help,
  });
const valuesOf = (help: object = {}) =>
  Type.Object({ column: COLUMN, values: values() }, { wanted: '{ column, values: [...] }', ...help });

const PLACE = { wanted: 'a path or a URL' };
/** A path (relative to `city.yaml`), a URL, or `''` if `--from` gives the place. */
const place = (field: string) => Type.String({ ...PLACE, ...helpOf(field) });
const HOST = { wanted: 'a host such as data.example.org' };
const ENTRY = { entry: optional(text(helpOf('from.entry'))) };

const FORMAT_OPTIONS = [
  Type.Object({ csv: place('from.csv'), ...TEXT_READING, ...ENTRY }),
  Type.Object({ json: place('from.json'), records: optional(text(helpOf('from.records'))), ...ENTRY }),
  Type.Object({
    excel: place('from.excel'),
    sheet: optional(text(helpOf('from.sheet'))),
    header: optional(HEADER),
    ...ENTRY,
  }),
  Type.Object({ geojson: place('from.geojson'), ...ENTRY }),
  Type.Object({
    socrata: Type.Object(
      {
        host: textOf('host', { ...HOST, ...helpOf('from.socrata.host') }),
        dataset: text(helpOf('from.socrata.dataset')),
        where: optional(text(helpOf('from.where'))),
      },
      helpOf('from.socrata'),
    ),
  }),
  Type.Object({
    arcgis: textOf('web-address', helpOf('from.arcgis')),
    where: optional(text(helpOf('from.where'))),
  }),
  Type.Object({
    ckan: Type.Object(
      {
        host: textOf('host', { ...HOST, ...helpOf('from.ckan.host') }),
        resource: text(helpOf('from.ckan.resource')),
        filters: optional(recordOf(text(), helpOf('from.ckan.filters'))),
      },
      helpOf('from.ckan'),
    ),
  }),
] as const;
const from = (field: string) =>
  Type.Union([...FORMAT_OPTIONS], {
    oneKeyOf: FORMATS,
    wanted: `exactly one of ${FORMATS.join(', ')}`,
    ...helpOf(field),
  });

const FORMAT = textOf('day-format', { wanted: 'a format such as M/D/YYYY, or instant' });
const day = (field: string) =>
  Type.Object(
    {
      column: COLUMN,
      format: Type.Union([FORMAT, listOf(FORMAT, { minItems: 1 })], helpOf('day.format')),
      pivot: optional(Type.Integer({ minimum: 1900, maximum: 2199, ...helpOf('day.pivot') })),
      unknown: optional(listOf(text({ wanted: 'a day' }), helpOf('day.unknown'))),
    },
    { wanted: '{ column, format }', ...helpOf(field) },
  );

const words = (meaning: string) => optional(values(helpOf(`register.status.${meaning}`)));
const STATUS = Type.Object(
  {
    column: COLUMN,
    open: words('open'),
    closed: words('closed'),
    expired: words('expired'),
    abandoned: words('abandoned'),
    unknown: words('unknown'),
    never: words('never'),
  },
  helpOf('register.status'),
);

const CATEGORY = Type.Object(
  {
    column: optional(columns('register.category.column')),
    table: optional(text(helpOf('register.category.table'))),
    naics: optional(column('register.category.naics')),
    nace: optional(column('register.category.nace')),
    naceWhere: optional(valuesOf(helpOf('register.category.naceWhere'))),
    text: optional(column('register.category.text')),
  },
  helpOf('register.category'),
);

const JOIN = Type.Object(
  {
    from: from('register.join.from'),
    column: column('register.join.column'),
    key: text(helpOf('register.join.key')),
    take: listOf(text({ wanted: 'the name of a column' }), { minItems: 1, ...helpOf('register.join.take') }),
  },
  helpOf('register.join'),
);

const SKIP = Type.Object({
  column: columns('register.skip.column'),
  values: values(),
  because: text(helpOf('register.skip.because')),
});

const REGISTER = Type.Object({
  ...SOURCE_FIELDS,
  license: text(helpOf('register.license')),
  checked: optional(CHECKED),
  from: from('register.from'),
  join: optional(JOIN),
  baseline: optional(text({ ...PLACE, ...helpOf('register.baseline') })),
  missing: optional(listOf(text(), helpOf('register.missing'))),
  key: Type.Union(
    [
      COLUMN,
      COLUMNS,
      Type.Object({ nameAnd: listOf(COLUMN, { minItems: 1, ...helpOf('register.key.nameAnd') }) }),
    ],
    helpOf('register.key'),
  ),
  name: columns('register.name'),
  legalName: optional(columns('register.legalName')),
  owner: optional(columns('register.owner')),
  person: optional(valuesOf(helpOf('register.person'))),
  namesLikePeople: optional(
    Type.Union([oneOf(['skip', 'certain', 'keep']), valuesOf()], helpOf('register.namesLikePeople')),
  ),
  filed: day('register.filed'),
  since: optional(textOf('day', helpOf('register.since'))),
  ended: optional(day('register.ended')),
  expires: optional(day('register.expires')),
  status: optional(STATUS),
  renewals: optional(valuesOf(helpOf('register.renewals'))),
  opens: optional(valuesOf(helpOf('register.opens'))),
  category: optional(CATEGORY),
  neighborhood: optional(
    Type.Union(
      [COLUMN, Type.Object({ column: COLUMN, prefix: text() }), Type.Object({ postalCode: COLUMN })],
      helpOf('register.neighborhood'),
    ),
  ),
  address: optional(columns('register.address')),
  postalCode: optional(column('register.postalCode')),
  point: optional(
    Type.Union(
      [Type.Object({ longitude: COLUMN, latitude: COLUMN }), Type.Object({ column: COLUMN })],
      helpOf('register.point'),
    ),
  ),
  town: optional(
    Type.Object(
      {
        column: COLUMN,
        keep: listOf(text({ wanted: 'a town' }), { minItems: 1, wanted: 'a list of towns' }),
      },
      helpOf('register.town'),
    ),
  ),
  inside: optional(valuesOf(helpOf('register.inside'))),
  skip: optional(listOf(SKIP, helpOf('register.skip'))),
});

/** The schema of an entire `city.yaml`. */
export const CITY_MAPPING: TSchema = Type.Object({
  ...CITY_FIELDS,
  operator: optional(OPERATOR),
  registers: listOf(REGISTER, { minItems: 1, ...helpOf('city.registers') }),
});

export type RegisterMapping = Static<typeof REGISTER>;
export type MappedFormat = RegisterMapping['from'];
export type DayMapping = RegisterMapping['filed'];

type ColumnNode = TSchema & {
  isColumn?: boolean;
  anyOf?: ColumnNode[];
  properties?: Record<string, ColumnNode>;
  items?: ColumnNode;
};

/** Lists the columns of the register that a mapping names, without repetition: first what identifies a business. */
export function listMappedColumns(mapping: RegisterMapping): string[] {
  const { key, name, legalName, owner, address, postalCode, category } = mapping;
  const first = { key, name, legalName, owner, address, postalCode, category };
  const { column, take = [] } = mapping.join ?? {};
  const named = listColumnsIn(REGISTER, { ...first, ...mapping }).filter((one) => !take.includes(one));
  return [...new Set(column === undefined ? named : [...named, column])];
}

function listColumnsIn(
  { isColumn, anyOf = [], properties = {}, items }: ColumnNode,
  value: unknown,
): string[] {
  if (typeof value === 'string' && isColumn === true) return [value];
  if (Array.isArray(value) && items !== undefined) return value.flatMap((one) => listColumnsIn(items, one));
  const fields = isRecord(value) ? Object.entries(value) : [];
  return [
    ...fields.flatMap(([name, one]) => listColumnsIn(properties[name] ?? {}, one)),
    ...anyOf.flatMap((branch) => listColumnsIn(branch, value)),
  ];
}

/** A profile as data, with a mapping for each register instead of sources. */
export type CityMapping = Omit<City, 'sources' | 'operator'> & {
  operator?: City['operator'];
  registers: readonly RegisterMapping[];
};

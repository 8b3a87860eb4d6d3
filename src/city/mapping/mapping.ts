/**
 * The schema of `city.yaml`. The checks, the types, the reference (docs/city-yaml.md) and the JSON Schema for editors
 * are derived from it. Columns are headers of the register. All values are text unless stated otherwise.
 */

import { type Static, type TSchema, Type } from 'typebox';
import type { City } from '../define.ts';
import {
  CHECKED_HOW,
  CITY_FIELDS,
  listOf,
  OPERATOR,
  type Options,
  oneOf,
  SOURCE_FIELDS,
  text,
  textOf,
} from '../schema/fields.ts';
import { FROM } from './mapped-format.ts';

export type { MappedFormat } from './mapped-format.ts';

const COLUMN = text('the name of a column');
const A_COLUMN = { wanted: 'the name of a column' };
const COLUMNS = { wanted: 'the name of a column, or a list such as [First, Second]' };
/** A list in which `''` means an empty cell. */
const VALUES = listOf(Type.String({ wanted: 'a text' }), {
  minItems: 1,
  wanted: 'a list such as [FIRST, SECOND]',
});

const optional = Type.Optional;
const columns = (options: Options) =>
  Type.Union([COLUMN, listOf(COLUMN, { minItems: 1 })], { ...COLUMNS, ...options });
const valuesOf = (options: Options = {}) =>
  Type.Object({ column: COLUMN, values: VALUES }, { wanted: '{ column, values: [...] }', ...options });

const FORMAT = textOf('day-format', 'a format such as M/D/YYYY, or instant');
const day = (options: Options) =>
  Type.Object(
    {
      column: COLUMN,
      format: Type.Union([FORMAT, listOf(FORMAT, { minItems: 1 })], {
        wanted: 'a format such as M/D/YYYY, or a list of them',
        description:
          'Formats, tried in their order. `instant` is a moment with an offset, read as the city’s day.',
      }),
      pivot: optional(
        Type.Integer({
          minimum: 1900,
          maximum: 2199,
          wanted: 'a year such as 2029',
          description: 'The last year that two digits may mean.',
        }),
      ),
      unknown: optional(
        listOf(text('a day'), {
          wanted: 'a list of days',
          description: 'Days that stand for "not known", as YYYY-MM-DD or as in the file.',
        }),
      ),
    },
    { wanted: '{ column, format }', ...options },
  );

const statusOf = (description: string) => optional({ ...VALUES, description } as typeof VALUES);

const REGISTER = Type.Object({
  ...SOURCE_FIELDS,
  license: text('the license of the data', { description: 'The license of the data.' }),
  checked: optional({ ...CHECKED_HOW, default: 'documentation' } as typeof CHECKED_HOW),
  from: FROM,
  join: optional(
    Type.Object(
      {
        from: {
          ...FROM,
          description: 'Where the other file is, and its format.',
          examples: [],
        } as typeof FROM,
        column: text(A_COLUMN.wanted, { description: 'The column of this register with the key.' }),
        key: text(A_COLUMN.wanted, { description: 'The column of the other file with the same key.' }),
        take: listOf(COLUMN, {
          minItems: 1,
          wanted: 'a list of columns',
          description: 'Columns of the other file, which the other words then may name.',
        }),
      },
      {
        wanted: '{ from, column, key, take }',
        description:
          'Columns of another file with the same keys, such as codes. Of several rows with a key the first counts.',
        examples: ['{ from: { csv: codes.csv }, column: License No, key: License, take: [NAICS] }'],
      },
    ),
  ),
  baseline: optional(
    text('a path or a URL', { description: 'A complete first file, where `from` has only changes.' }),
  ),
  missing: optional(
    listOf(text(), {
      wanted: 'a list of texts',
      description: 'Texts that mean "empty" in every column, besides the usual ones (`N/A`, `None`, `-`).',
      examples: ['[TBD, see file]'],
    }),
  ),
  key: Type.Union(
    [
      COLUMN,
      listOf(COLUMN, { minItems: 1 }),
      Type.Object({
        nameAnd: listOf(COLUMN, {
          minItems: 1,
          wanted: 'a list of columns',
          description: 'Columns such as the address.',
        }),
      }),
    ],
    {
      wanted: 'the name of a column, a list of them, or { nameAnd: [...] }',
      description:
        'Names the business and its premises: a column; several, joined by `-`; or `nameAnd`: the name and these columns as a hash, which stores none of them.',
      examples: ['License No', '[Account, Site]', '{ nameAnd: [Address] }'],
    },
  ),
  name: columns({
    description: 'The name of the business: the first of these columns that is not empty.',
    examples: ['[Trade Name, Legal Name]'],
  }),
  legalName: optional(
    columns({
      description:
        'Served where there is no trade name. Then all columns of `name` hold trade names, not only the first.',
      examples: ['Legal Name'],
    }),
  ),
  owner: optional(
    columns({
      description:
        'Never served. A name equal to the owner’s is a person’s; so is one that looks like a person’s where the first column of `name` is empty.',
      examples: ['Owner'],
    }),
  ),
  person: optional(
    valuesOf({
      description:
        'What says that a business is one person’s. Without a trade name that differs from the owner’s, such rows are skipped.',
      examples: ['{ column: Entity, values: [Individual] }'],
    }),
  ),
  namesLikePeople: optional(
    Type.Union([oneOf(['skip', 'certain', 'keep']), valuesOf()], {
      wanted: 'skip, certain, keep, or { column, values: [...] }',
      description:
        'Whether a name that only looks like a person’s is skipped where no column tells: always, with a common given name or a title alone, never, or under these values.',
      default: 'skip',
      examples: ['certain', '{ column: Type, values: [Real Estate] }'],
    }),
  ),
  filed: day({
    description: 'The day of the first filing. Rows without one are skipped, unreadable ones rejected.',
    examples: ['{ column: First Issued, format: M/D/YYYY }'],
  }),
  since: optional(
    textOf('day', 'a day such as "2023-11-23"', { description: 'Rows filed before this day are skipped.' }),
  ),
  ended: optional(day({ description: 'Closed from this day on.' })),
  expires: optional(day({ description: 'The last day on which it is valid.' })),
  status: optional(
    Type.Object(
      {
        column: COLUMN,
        open: statusOf('Words that mean open.'),
        closed: statusOf('Words that mean closed.'),
        expired: statusOf('Words that mean expired.'),
        abandoned: statusOf('Words that mean abandoned.'),
        unknown: statusOf('Words that say nothing. Words that are not listed are `unknown`, too.'),
        never: statusOf('Words that mean that it never opened: the row is skipped.'),
      },
      {
        wanted: '{ column, open: [...], closed: [...] }',
        description: 'What the words of a column mean. Without it every business is open.',
        examples: ['{ column: State, open: [ACTIVE], closed: [CLOSED] }'],
      },
    ),
  ),
  renewals: optional(
    valuesOf({
      description:
        'Rows that say so change a listing and never open one. Words of `status` that are not listed leave its status.',
      examples: ['{ column: Application, values: [RENEWAL] }'],
    }),
  ),
  opens: optional(
    valuesOf({
      description:
        'Only rows that say so open a business. Rows that are neither this nor a renewal are rejected, so that a new word is noticed.',
      examples: ['{ column: Application, values: [ISSUE] }'],
    }),
  ),
  category: optional(
    Type.Object(
      {
        column: optional(columns({ description: 'Types of the register, the more specific column first.' })),
        table: optional(text('the path of a CSV file', { description: 'What the types mean: see below.' })),
        naics: optional(text(A_COLUMN.wanted, { description: 'A column of NAICS codes.' })),
        nace: optional(
          text(A_COLUMN.wanted, {
            description:
              'A column of codes that begin with a class of NACE revision 2: UK SIC 2007, NAF, EMTAK, TOL.',
          }),
        ),
        naceWhere: optional(
          valuesOf({
            description:
              'Rows whose code is of that revision: 2.1 has other meanings for the same numbers. Other codes are not read.',
          }),
        ),
        text: optional(text(A_COLUMN.wanted, { description: 'A column of official descriptions.' })),
      },
      {
        wanted: '{ column?, table?, naics?, nace?, text? }',
        description: 'What says the category, in this order; the words of the name come last.',
        default: 'the words of the name',
        examples: ['{ column: Type, table: categories.csv }'],
      },
    ),
  ),
  neighborhood: optional(
    Type.Union(
      [COLUMN, Type.Object({ column: COLUMN, prefix: text() }), Type.Object({ postalCode: COLUMN })],
      {
        wanted: 'the name of a column, { column, prefix } or { postalCode }',
        description:
          'The publisher’s own neighborhoods; numbered areas with a word before them; or ZIP areas in their place.',
        examples: ['Area', '{ column: District, prefix: "District " }', '{ postalCode: Zip }'],
      },
    ),
  ),
  address: optional(columns({ description: 'The address of the premises. Never stored.' })),
  postalCode: optional(text(A_COLUMN.wanted, { description: 'The postal code of the premises.' })),
  point: optional(
    Type.Union([Type.Object({ longitude: COLUMN, latitude: COLUMN }), Type.Object({ column: COLUMN })], {
      wanted: '{ longitude, latitude } or { column }',
      description: 'Where the premises are, in degrees.',
      examples: ['{ longitude: Lon, latitude: Lat }'],
    }),
  ),
  town: optional(
    Type.Object(
      { column: COLUMN, keep: listOf(text('a town'), { minItems: 1, wanted: 'a list of towns' }) },
      {
        wanted: '{ column, keep: [...] }',
        description: 'Rows of other towns are skipped as outside the city; rows without a town are kept.',
        examples: ['{ column: City, keep: [OTTERFALL] }'],
      },
    ),
  ),
  inside: optional(
    valuesOf({
      description: 'Rows with other values are skipped as outside the city.',
      examples: ['{ column: In City, values: [Y] }'],
    }),
  ),
  skip: optional(
    listOf(
      Type.Object({
        column: columns({ description: 'A column, or several whose texts are joined by spaces.' }),
        values: VALUES,
        because: text('the reason', { description: 'The reason, which is counted and shown.' }),
      }),
      {
        wanted: 'a list of { column, values, because }',
        description: 'Rows that open no business.',
        examples: ['[{ column: Type, values: [Street Fair Stall], because: special event }]'],
      },
    ),
  ),
});

/** The schema of an entire `city.yaml`. */
export const CITY_MAPPING: TSchema = Type.Object({
  ...CITY_FIELDS,
  operator: optional(OPERATOR),
  registers: listOf(REGISTER, {
    minItems: 1,
    wanted: 'a list with at least one register',
    description: 'The registers of the city.',
  }),
});

export type RegisterMapping = Static<typeof REGISTER>;
export type DayMapping = RegisterMapping['filed'];

/** A profile as data, with a mapping for each register instead of sources. */
export type CityMapping = Omit<City, 'sources' | 'operator'> & {
  operator?: City['operator'];
  registers: readonly RegisterMapping[];
};

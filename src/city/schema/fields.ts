/**
 * The fields that `city.ts` and `city.yaml` share, defined only here. `wanted` ends the sentence "NAME must be ...".
 * `description` explains the field in editors and in docs/city-yaml.md.
 */

import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { FINDING_CODES, type FindingCode, WEEKDAYS } from '../define.ts';

export type Options = TSchemaOptions & { wanted?: string };

/** Makes the schema of a text that is not blank. */
export const text = (wanted = 'a text', options: Options = {}) =>
  Type.String({ pattern: '\\S', wanted, ...options });

/** Makes the schema of a text in a format of `check-value.ts`. */
export const textOf = (format: string, wanted: string, options: Options = {}) =>
  Type.String({ format, wanted, ...options });

export const listOf = <Item extends TSchema>(item: Item, options: Options = {}) =>
  Type.Unsafe<readonly Static<Item>[]>(Type.Array(item, options));

export const recordOf = <Value extends TSchema>(value: Value, options: Options = {}) =>
  Type.Unsafe<Readonly<Record<string, Static<Value>>>>(
    Type.Object({}, { ...options, additionalProperties: value }),
  );

export const oneOf = <const Words extends readonly string[]>(words: Words, options: Options = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options });

/** Makes the schema of an object with either `file` or `url`. */
const place = (others: Record<string, TSchema>, options: Options) =>
  Type.Object(
    {
      file: Type.Optional(text('the path of a file or folder')),
      url: Type.Optional(textOf('web-address', 'an http(s) URL')),
      ...others,
    },
    { oneKeyOf: ['file', 'url'], ...options },
  );

const hours = (description: string, usual?: number) =>
  Type.Optional(
    Type.Number({ exclusiveMinimum: 0, wanted: 'a number of hours above 0', description, default: usual }),
  );
const count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, wanted: 'a whole number above 0', description }));

const column = () => Type.Optional(text('the name of a column'));
const ADDRESS_FILE = place(
  {
    columns: Type.Optional(
      Type.Object(
        {
          longitude: column(),
          latitude: column(),
          number: column(),
          address: column(),
          zip: column(),
          town: column(),
          street: Type.Optional(Type.Union([text(), listOf(text(), { minItems: 1 })], COLUMNS())),
        },
        { description: 'Headers of the file, where they are not the usual ones.' },
      ),
    ),
  },
  { wanted: '{ file | url, columns? }, or a list of them' },
);

function COLUMNS(): Options {
  return { wanted: 'the name of a column, or a list of them' };
}

/** Fields of a city other than its operator and sources. */
export const CITY_FIELDS = {
  name: text('the name of the city', { description: 'The name of the city.' }),
  region: text('the state or region', { description: 'The state or region.' }),
  timeZone: textOf('time-zone', 'an IANA time zone such as "America/Chicago"', {
    description: 'The time zone of the city.',
    examples: ['America/Chicago'],
  }),
  language: Type.Optional(
    textOf('language', 'a language tag such as "en"', {
      description:
        'The language of the page, of emails and of category names. Any but English and French needs all `words`.',
      default: 'en',
    }),
  ),
  accent: Type.Optional(
    Type.String({
      pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
      wanted: 'a CSS hex color such as "#0a6"',
      description: 'The color of the page, in quotes: `#` begins a comment.',
      examples: ['"#0b6e69"'],
    }),
  ),
  words: Type.Optional(
    recordOf(text(), {
      wanted: 'an object of page texts',
      description: 'Texts of pages, signup, editions and emails, by their names: see below.',
    }),
  ),
  asOf: Type.Optional(
    textOf('day', 'a day such as "2026-09-30"', {
      description: 'For an archive: the day that counts as today.',
      default: 'today',
    }),
  ),
  archive: Type.Optional(
    Type.Boolean({
      wanted: 'true or false',
      description: 'Whether the register has ended: nothing is new, and there is no weekly email.',
      default: 'whether nothing was filed for 180 days',
    }),
  ),
  zips: Type.Optional(
    recordOf(text('the name of a neighborhood'), {
      wanted: 'an object of ZIP -> neighborhood',
      description: 'ZIP codes that belong to one neighborhood, with its name.',
      examples: ['{ 97003: Ferry Hill }'],
    }),
  ),
  boundaries: Type.Optional(
    place(
      { property: text('the property that holds the name of the neighborhood') },
      {
        wanted: '{ file | url, property }',
        description: 'GeoJSON polygons of the neighborhoods; `property` holds their names.',
        examples: ['{ file: boundaries.geojson, property: name }'],
      },
    ),
  ),
  addresses: Type.Optional(
    Type.Union([ADDRESS_FILE, listOf(ADDRESS_FILE, { minItems: 1 })], {
      wanted: '{ file | url, columns? }, or a list of them',
      description: 'Where the addresses of the city are, to place businesses through `boundaries`.',
      examples: ['{ file: addresses.csv }'],
    }),
  ),
  limits: Type.Optional(
    Type.Object(
      {
        burst: count('Requests of a client in a minute.'),
        rows: count('Listings that a client may see in 24 hours.'),
        signup: count('Signups of a client in an hour.'),
        connections: count('Connections of a client at once.'),
        confirmations: count('Confirmation emails in an hour, for the whole service.'),
        trusted: Type.Optional(
          listOf(textOf('network', 'a network such as "203.0.113.0/24"'), {
            wanted: 'a list of networks such as "203.0.113.0/24"',
            description: 'Networks whose clients may see any number of listings.',
          }),
        ),
        recipientDomain: Type.Optional(
          Type.Object(
            {
              hour: count('Confirmation emails to one domain in an hour.'),
              day: count('Confirmation emails to one domain in a day.'),
              providers: Type.Optional(
                listOf(textOf('domain', 'a domain in lower case'), {
                  wanted: 'a list of domains',
                  description: 'Domains without these limits.',
                }),
              ),
            },
            { wanted: '{ hour?, day?, providers? }', description: 'Confirmation emails to one domain.' },
          ),
        ),
      },
      {
        wanted: '{ burst?, rows?, signup?, connections?, confirmations?, trusted?, recipientDomain? }',
        description: 'Rate limits. Each has a default: see "Limits" in docs/api.md.',
        examples: ['{ rows: 5000 }'],
      },
    ),
  ),
  weekly: Type.Optional(
    Type.Object(
      {
        weekday: oneOf(WEEKDAYS),
        time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', wanted: 'a time such as "08:00"' }),
      },
      {
        wanted: '{ weekday: "Monday", time: "08:00" }',
        description: 'When the weekly email is sent.',
        default: 'Monday, 08:00',
        examples: ['{ weekday: Monday, time: 08:00 }'],
      },
    ),
  ),
};

const OPERATOR_WORDS = { name: text('who runs the service'), contact: text('where to request a removal') };
export const OPERATOR = Type.Object(OPERATOR_WORDS, {
  wanted: '{ name, contact }: who runs the service and where to request the removal of a listing',
  description: 'Who runs the service. `OPERATOR_NAME` and `OPERATOR_CONTACT` may say it instead.',
  examples: ['{ name: Otterfall Gazette, contact: news@example.org }'],
});

const accepted = Object.fromEntries(
  FINDING_CODES.map((code) => [code, Type.Optional(text('the reason why it is right'))]),
);

/** Fields of a source in `city.ts` and a register in `city.yaml`. */
export const SOURCE_FIELDS = {
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
    wanted: 'lower-case letters, digits and dashes',
    description: 'A short name that never changes: lower-case letters, digits and dashes.',
  }),
  publisher: text('the name of the publisher', { description: 'Who publishes the register.' }),
  homepage: textOf('web-address', 'the http(s) URL of the data for visitors', {
    description: 'Where visitors find the register.',
  }),
  pack: Type.Optional(
    text('the name of a state or country', {
      description:
        'The state or country of the register pack that it comes from. The page says so until `checked` is `live`.',
      examples: ['Oregon'],
    }),
  ),
  notice: Type.Optional(
    text('a text', { description: 'Shown word for word with listings of this register.' }),
  ),
  delivers: oneOf(['snapshot', 'changes'], {
    description: '`snapshot`: each file has all rows. `changes`: only new or changed ones.',
  }),
  hosts: Type.Optional(
    listOf(text('the name of a host'), {
      wanted: 'a list of host names',
      description: 'Hosts that the publisher redirects to.',
    }),
  ),
  everyHours: hours('Hours between two imports.', 24),
  newForDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      wanted: 'a number of days, 1 or more',
      description:
        'Days after which a filing is not news when it is first seen. It is served, but is not in the weekly email.',
      default: 60,
    }),
  ),
  freshForHours: hours('Hours after which health warns that the data is old.'),
  rejectedShare: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      wanted: 'a number from 0 to 1',
      description: 'The largest share of rejected rows for which a run is not held.',
      default: 0.01,
    }),
  ),
  accepts: Type.Optional(
    Type.Unsafe<Readonly<Partial<Record<FindingCode, string>>>>(
      Type.Object(accepted, {
        wanted: `an object of finding -> reason (findings: ${FINDING_CODES.join(', ')})`,
        description: 'Findings that are right for this register, each with the reason.',
        examples: ['{ coarse-neighborhoods: the profile is of a county }'],
      }),
    ),
  ),
  aliases: Type.Optional(
    recordOf(listOf(text('a header'), { minItems: 1, wanted: 'a list of headers' }), {
      wanted: 'an object of column -> list of other headers',
      description: 'Other headers of a column, such as those of the portal’s CSV.',
      examples: ['{ businessname: [BusinessName] }'],
    }),
  ),
};

const CHECKED = ['live', 'documentation'] as const;
export const CHECKED_HOW = oneOf(CHECKED, {
  description: '`live`: tested against the publisher. `documentation`: written from documentation only.',
});

const LINE = Type.Integer({ minimum: 1, wanted: 'the number of a line' });

const TWO_LINES = Type.Unsafe<readonly [number, number]>(listOf(LINE, { minItems: 2, maxItems: 2 }));
export const HEADER = Type.Union([LINE, TWO_LINES, oneOf(['none'])], {
  wanted: 'the number of its line, two numbers such as [3, 4], or none',
  description:
    'The line of the header; two lines that are joined; or `none`: columns are then named `1`, `2`, ….',
  default: 1,
});
export const TEXT_READING = {
  delimiter: Type.Optional(
    textOf('delimiter', 'one ASCII character', { description: 'What separates cells.', default: ',' }),
  ),
  quote: Type.Optional(
    oneOf(['"', "'"], {
      wanted: 'a quotation mark or an apostrophe',
      description: 'What quotes cells.',
      default: '"',
    }),
  ),
  encoding: Type.Optional(
    textOf('encoding', 'a text encoding such as windows-1252', {
      description: 'How characters are stored.',
      default: 'utf-8',
    }),
  ),
  header: Type.Optional(HEADER),
  widths: Type.Optional(
    listOf(Type.Integer({ minimum: 1, wanted: 'a number of characters' }), {
      minItems: 1,
      wanted: 'a list of numbers of characters',
      description:
        'Characters of each column of a file of fixed width. Without a header its columns are `1`, `2`, ….',
    }),
  ),
};

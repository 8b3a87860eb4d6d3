/**
 * The shapes of the fields that `city.ts` and `city.yaml` share, defined only here. Their words are in
 * `src/data/city-fields.csv`. `wanted` ends the sentence "NAME must be ...", `description` is for editors and the docs.
 */

import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { readDataLines } from '../../data/word-table.ts';
import { FINDING_CODES, type FindingCode, WEEKDAYS } from '../define.ts';

type Help = TSchemaOptions & { wanted?: string };

const HELP = new Map(
  readDataLines('city-fields.csv').map(([field = '', ...cells]) => [field, toHelp(cells)]),
);

function toHelp([wanted = '', usual = '', examples = '', description]: string[]): Help {
  return {
    ...(wanted !== '' && { wanted }),
    ...(usual !== '' && { default: Number.isNaN(Number(usual)) ? usual : Number(usual) }),
    ...(examples !== '' && { examples: examples.split('|') }),
    description,
  };
}

/** Returns the words of a field, named as in the table. */
export function helpOf(field: string): Help {
  const help = HELP.get(field);
  if (help === undefined) throw new Error(`city-fields.csv has no line for ${field}`);
  return help;
}

const optional = Type.Optional;

/** Makes the schema of a text that is not blank. */
export const text = (help: Help = {}) => Type.String({ pattern: '\\S', wanted: 'a text', ...help });

/** Makes the schema of a text in a format of `check-value.ts`. */
export const textOf = (format: string, help: Help) => Type.String({ format, ...help });

const webAddress = (help: Help = {}) => textOf('web-address', { wanted: 'an http(s) URL', ...help });

export const listOf = <Item extends TSchema>(item: Item, help: Help & { minItems?: number } = {}) =>
  Type.Unsafe<readonly Static<Item>[]>(Type.Array(item, help));

export const recordOf = <Value extends TSchema>(value: Value, help: Help = {}) =>
  Type.Unsafe<Readonly<Record<string, Static<Value>>>>(
    Type.Object({}, { ...help, additionalProperties: value }),
  );

export const oneOf = <const Words extends readonly string[]>(words: Words, help: Help = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...help });

/** `isColumn` marks where `city.yaml` names a column of its register. */
export const columnOf = (help: Help = {}) =>
  text({ wanted: 'the name of a column', isColumn: true, ...help });
export const COLUMN = columnOf();

/** Makes the schema of an object with either `file` or `url`. */
export const placeWith = (others: Record<string, TSchema>, help: Help) =>
  Type.Object(
    {
      file: optional(text({ wanted: 'the path of a file or folder' })),
      url: optional(webAddress()),
      ...others,
    },
    { oneKeyOf: ['file', 'url'], ...help },
  );

const count = (field: string) =>
  optional(Type.Integer({ minimum: 1, wanted: 'a whole number above 0', ...helpOf(field) }));
const hours = (field: string) =>
  optional(Type.Number({ exclusiveMinimum: 0, wanted: 'a number of hours above 0', ...helpOf(field) }));

const ADDRESS_HEADERS = Type.Object(
  {
    ...Object.fromEntries(
      ['longitude', 'latitude', 'number', 'address', 'zip', 'town'].map((name) => [name, optional(COLUMN)]),
    ),
    street: optional(
      Type.Union([text(), listOf(text(), { minItems: 1 })], {
        wanted: 'the name of a column, or a list of them',
      }),
    ),
  },
  helpOf('city.addresses.columns'),
);
const ADDRESS_FILE = placeWith(
  { columns: optional(ADDRESS_HEADERS) },
  { wanted: helpOf('city.addresses').wanted! },
);

const DOMAIN_LIMITS = Type.Object(
  {
    hour: count('city.limits.recipientDomain.hour'),
    day: count('city.limits.recipientDomain.day'),
    providers: optional(
      listOf(
        textOf('domain', { wanted: 'a domain in lower case' }),
        helpOf('city.limits.recipientDomain.providers'),
      ),
    ),
  },
  helpOf('city.limits.recipientDomain'),
);
const LIMITS = Type.Object(
  {
    burst: count('city.limits.burst'),
    rows: count('city.limits.rows'),
    signup: count('city.limits.signup'),
    connections: count('city.limits.connections'),
    confirmations: count('city.limits.confirmations'),
    trusted: optional(
      listOf(
        textOf('network', { wanted: 'a network such as "203.0.113.0/24"' }),
        helpOf('city.limits.trusted'),
      ),
    ),
    recipientDomain: optional(DOMAIN_LIMITS),
  },
  helpOf('city.limits'),
);
const WEEKLY = Type.Object(
  {
    weekday: oneOf(WEEKDAYS),
    time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', wanted: 'a time such as "08:00"' }),
  },
  helpOf('city.weekly'),
);

/** Fields of a city other than its operator and sources. */
export const CITY_FIELDS = {
  name: text(helpOf('city.name')),
  region: text(helpOf('city.region')),
  timeZone: textOf('time-zone', helpOf('city.timeZone')),
  language: optional(textOf('language', helpOf('city.language'))),
  accent: optional(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', ...helpOf('city.accent') })),
  words: optional(recordOf(text(), helpOf('city.words'))),
  asOf: optional(textOf('day', helpOf('city.asOf'))),
  archive: optional(Type.Boolean(helpOf('city.archive'))),
  zips: optional(recordOf(text({ wanted: 'the name of a neighborhood' }), helpOf('city.zips'))),
  boundaries: optional(
    placeWith(
      { property: text({ wanted: 'the property that holds the name of the neighborhood' }) },
      helpOf('city.boundaries'),
    ),
  ),
  addresses: optional(
    Type.Union([ADDRESS_FILE, listOf(ADDRESS_FILE, { minItems: 1 })], helpOf('city.addresses')),
  ),
  limits: optional(LIMITS),
  weekly: optional(WEEKLY),
};

export const OPERATOR = Type.Object(
  {
    name: text({ wanted: 'who runs the service' }),
    contact: text({ wanted: 'where to request a removal' }),
  },
  helpOf('city.operator'),
);

const REASON = text({ wanted: 'the reason why it is right' });
const ACCEPTS = Type.Unsafe<Readonly<Partial<Record<FindingCode, string>>>>(
  Type.Object(Object.fromEntries(FINDING_CODES.map((code) => [code, optional(REASON)])), {
    wanted: `an object of finding -> reason (findings: ${FINDING_CODES.join(', ')})`,
    ...helpOf('register.accepts'),
  }),
);

/** Fields of a source in `city.ts` and a register in `city.yaml`. */
export const SOURCE_FIELDS = {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$', ...helpOf('register.id') }),
  publisher: text(helpOf('register.publisher')),
  homepage: webAddress(helpOf('register.homepage')),
  pack: optional(text(helpOf('register.pack'))),
  notice: optional(text(helpOf('register.notice'))),
  delivers: oneOf(['snapshot', 'changes'], helpOf('register.delivers')),
  hosts: optional(listOf(text({ wanted: 'the name of a host' }), helpOf('register.hosts'))),
  everyHours: hours('register.everyHours'),
  newForDays: count('register.newForDays'),
  freshForHours: hours('register.freshForHours'),
  rejectedShare: optional(Type.Number({ minimum: 0, maximum: 1, ...helpOf('register.rejectedShare') })),
  accepts: optional(ACCEPTS),
  aliases: optional(
    recordOf(
      listOf(text({ wanted: 'a header' }), { minItems: 1, wanted: 'a list of headers' }),
      helpOf('register.aliases'),
    ),
  ),
};

export const CHECKED = oneOf(['live', 'documentation'], helpOf('register.checked'));

const LINE = Type.Integer({ minimum: 1, wanted: 'the number of a line' });
const TWO_LINES = Type.Unsafe<readonly [number, number]>(Type.Array(LINE, { minItems: 2, maxItems: 2 }));
export const HEADER = Type.Union([LINE, TWO_LINES, oneOf(['none'])], helpOf('from.header'));
export const TEXT_READING = {
  delimiter: optional(textOf('delimiter', helpOf('from.delimiter'))),
  quote: optional(oneOf(['"', "'"], helpOf('from.quote'))),
  encoding: optional(textOf('encoding', helpOf('from.encoding'))),
  header: optional(HEADER),
  widths: optional(
    listOf(Type.Integer({ minimum: 1, wanted: 'a number of characters' }), {
      minItems: 1,
      ...helpOf('from.widths'),
    }),
  ),
};

/** Defines the schemas of responses, which allow no other fields. Routes serialize with them; tests check them. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { STATUSES, type Status } from '../listings/listing.ts';
import { formatAlternatives, type OtherParameter, PAGE_LIMIT } from '../search/parameters.ts';
import { MOST_PREFERRED } from '../subscribers/preferences.ts';
import { SIGNUP_TYPES, SIGNUPS, type SignupType } from '../subscribers/subscriber.ts';

const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** The schemas of the OpenAPI document by name. Routes refer to them by name. */
export const SHARED_SCHEMAS = new Map<string, TSchema>();

function shared<Properties extends TProperties>(name: string, properties: Properties) {
  const schema = closed(properties);
  SHARED_SCHEMAS.set(name, schema);
  return schema;
}

const textSchema = Type.String();
const described = (description: string, more: object = {}) => Type.String({ ...more, description });
const countSchema = Type.Integer({ minimum: 0 });
const number = (description: string, more: object = {}) => Type.Integer({ minimum: 0, ...more, description });
const enumSchema = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: values, description });
const nullable = (format: string, description: string) =>
  Type.Union([Type.String({ format }), Type.Null()], { description });
const counts = <Name extends string>(name: Name, description: string, value: TSchema = textSchema) =>
  Type.Array(closed({ [name]: value, count: countSchema }), { description });

export const ListingSchema = shared('Listing', {
  name: described('The trade name, if there is one.'),
  category: described(
    'The kind of business, from a list that is the same for every city; `Uncategorized` if it is not known.',
  ),
  neighborhood: described('The city’s name for it; `Unknown` if it is not known.'),
  status: enumSchema<Status>(
    STATUSES,
    'The status in the filings. Whether a listing has expired depends on the local date of the city.',
  ),
  filing_date: described('Local date of the first filing. Renewals and moves do not change it.', {
    format: 'date',
  }),
});

const detailed = {
  detail: described('What is wrong, in a sentence.'),
  did_you_mean: Type.Optional(described('What was probably meant.')),
};
const code = Type.Optional(
  described('`data-changed` if the data has changed since the page before. Other warnings have none.'),
);
const WarningSchema = shared('Warning', {
  code,
  parameter: described('The name of the parameter.'),
  ...detailed,
  href: Type.Optional(described('The search that was probably meant, complete.')),
});
const warnings = Type.Optional(
  Type.Array(WarningSchema, {
    minItems: 1,
    description:
      'Present only if there are warnings. Suggestions are never applied: the listings are those of the query as you sent it.',
  }),
);
const dataAsOf = nullable(
  'date-time',
  'When the last successful import ended; with several sources, the oldest of these times.',
);
const latestFiling = nullable(
  'date',
  'The most recent filing date of the city. The data cannot say what was filed after it.',
);
const latestMatch = nullable('date', 'The most recent filing date among the matching listings.');

export const SearchSchema = shared('Search', {
  total: number('Number of listings that match, exact even above 1,000.'),
  limit: number('The limit that was used.', { maximum: PAGE_LIMIT }),
  offset: number('The offset that was used.'),
  next: nullable(
    'uri-reference',
    'Address of the next page; `null` on the last one. The `Link` header has it too.',
  ),
  listings: Type.Array(ListingSchema, {
    maxItems: PAGE_LIMIT,
    description: 'Most recent filing first; on the same day by name, in code unit order.',
  }),
  data_as_of: dataAsOf,
  latest_filing: latestFiling,
  warnings,
});

export const StatsSchema = shared('Stats', {
  total: number('Number of listings that match.'),
  data_as_of: dataAsOf,
  latest_filing: latestMatch,
  by_month: counts(
    'month',
    'Newest first, without gaps. With `filed_from` or `filed_to`, all months of that range; else back to the first month with at least 1 % of the busiest month’s filings.',
    Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }),
  ),
  earlier: Type.Optional(number('Listings before the first month of `by_month`, if any.', { minimum: 1 })),
  by_category: counts('category', 'Largest first. Adds up to `total`.'),
  by_neighborhood: counts('neighborhood', 'Largest first. Adds up to `total`.'),
  warnings,
});

export const HealthSchema = shared('Health', {
  status: enumSchema(
    ['ok', 'warn', 'fail'],
    '`warn`: requests are answered, but something is wrong, and `detail` says what. `fail`: the service cannot answer requests.',
  ),
  listings: number('Number of listings that are served.'),
  data_as_of: dataAsOf,
  latest_filing: latestFiling,
  version: described('The version of Shingle.'),
  detail: Type.Optional(described('What is wrong, in sentences.')),
});

const preferredSchema = (field: string, example: string) =>
  Type.Array(textSchema, {
    maxItems: MOST_PREFERRED,
    description: `Only for \`weekly\`: the email covers only listings with one of these values of ${field}, ignoring case and accents. Leave it out for all.`,
    examples: [[example]],
  });

export const SIGNUPS_IN_WORDS = formatAlternatives(Object.values(SIGNUPS).map(({ name }) => name));

shared('Signup', {
  email: described('Your email address.'),
  type: enumSchema<SignupType>(
    SIGNUP_TYPES,
    SIGNUP_TYPES.map((type) => `\`${type}\` is ${SIGNUPS[type].promise}.`).join(' '),
  ),
  categories: Type.Optional(preferredSchema('category', 'Restaurants')),
  neighborhoods: Type.Optional(preferredSchema('neighborhood', 'Downtown')),
});

shared('Accepted', {
  status: Type.Unsafe<'accepted'>({ type: 'string', const: 'accepted' }),
  detail: textSchema,
});

export const ProblemSchema = shared('Problem', {
  type: described('A page that explains this kind of problem.', { format: 'uri' }),
  title: described('The kind of problem in a few words.'),
  status: number('The status of the response.', { minimum: 400, maximum: 599 }),
  detail: described('What happened, in a sentence or two.'),
  errors: Type.Optional(
    Type.Array(
      Type.Union([
        WarningSchema,
        closed({ pointer: described('A place in the body (RFC 6901).'), ...detailed }),
      ]),
      { minItems: 1, description: 'Each parameter or place in the body that is wrong.' },
    ),
  ),
});

const addressSchema = Type.String({ format: 'uri' });

export const FeedSchema = shared('Feed', {
  version: Type.Unsafe<string>({ type: 'string', const: 'https://jsonfeed.org/version/1.1' }),
  title: textSchema,
  home_page_url: addressSchema,
  feed_url: addressSchema,
  next_url: Type.Optional(described('The next page; the last one has none.', { format: 'uri' })),
  description: textSchema,
  language: textSchema,
  items: Type.Array(
    closed({
      id: described(
        'Made from the name, neighborhood and filing date, so a change of status does not make a new item.',
      ),
      url: addressSchema,
      title: described('The name of the listing.'),
      content_text: textSchema,
      date_published: described('The filing date, in the city’s time zone.', { format: 'date-time' }),
      tags: Type.Array(textSchema, { description: 'Category, neighborhood, status.' }),
    }),
    { maxItems: PAGE_LIMIT },
  ),
});

const countsByValue = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: countSchema,
});

/** Warnings for agents. Suggestions are arguments instead of addresses, because agents cannot open addresses. */
const toolWarnings = Type.Optional(
  Type.Array(
    closed({
      code,
      parameter: described('The name of the argument.'),
      ...detailed,
      arguments: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          description: 'The arguments of search_listings that were probably meant. Never applied for you.',
        }),
      ),
    }),
  ),
);

const { next: _next, warnings: _warnings, ...found } = SearchSchema.properties;

export const FoundSchema = closed({
  ...found,
  next_offset: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The `offset` of the next page; null on the last one. Send `data` with it.',
  }),
  data: described('The version of the data. Send it with `next_offset` to learn if it has changed.'),
  warnings: toolWarnings,
});

/** Counts for agents: objects of value and count. */
export const CountsSchema = closed({
  total: countSchema,
  data_as_of: dataAsOf,
  latest_filing: latestMatch,
  by_month: countsByValue,
  by_category: countsByValue,
  by_neighborhood: countsByValue,
  warnings: toolWarnings,
});

/** Describes parameters of a query for the OpenAPI document. */
export function describeParameters(parameters: Record<string, OtherParameter<unknown>>) {
  return Object.entries(parameters).map(([name, { schema, isList }]) => {
    const { description, examples = [], ...value } = schema;
    const [example] = examples as unknown[];
    const common = { name, in: 'query', description };
    if (isList) return { ...common, schema: { type: 'array', items: value }, example: [example] };
    return { ...common, schema: value, example };
  });
}

type Shape = TSchema & { $ref?: string; properties?: Record<string, TSchema>; items?: TSchema };

/** Serializes a value with only the fields of its schema. Fastify's own compiler would slow down the start. */
export function serializeFields(schema: TSchema, value: unknown): string {
  return JSON.stringify(pickFields(schema, value));
}

function pickFields({ $ref, properties, items }: Shape, value: unknown): unknown {
  if ($ref !== undefined) return pickFields(SHARED_SCHEMAS.get($ref.split('/').at(-1)!)!, value);
  if (Array.isArray(value)) return items === undefined ? value : value.map((one) => pickFields(items, one));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([name]) => name in properties);
  return Object.fromEntries(known.map(([name, field]) => [name, pickFields(properties[name]!, field)]));
}

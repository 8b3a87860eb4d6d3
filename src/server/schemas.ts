/** The response schemas. They allow no other fields. Routes serialize with them, and tests check every response against them. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { STATUSES, type Status } from '../listings/listing.ts';
import { PARAMETER_NAMES, type SearchParameterName, searchParameters } from '../search/parameters.ts';
import { SIGNUP_TYPES, type SignupType } from '../subscriptions/ports.ts';

/** An object with these properties and no others. */
const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const textSchema = Type.String();
const countSchema = Type.Integer({ minimum: 0 });
const enumSchema = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: values });
const nullable = (format: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format });
const counts = <Name extends string>(name: Name, value: TSchema = textSchema) =>
  Type.Array(closed({ [name]: value, count: countSchema }), { description: 'The counts add up to total.' });

export const ListingSchema = closed(
  {
    name: textSchema,
    category: Type.String({ description: 'What the business does, in plain words.' }),
    neighborhood: textSchema,
    status: enumSchema<Status>(STATUSES),
    filing_date: Type.String({
      format: 'date',
      description: 'Date of the first filing, in local time.',
    }),
  },
  { $id: 'Listing' },
);

const detailed = { detail: textSchema, did_you_mean: Type.Optional(textSchema) };
const WarningSchema = closed({ parameter: textSchema, ...detailed });

export const SearchSchema = closed(
  {
    total: countSchema,
    limit: Type.Integer({ minimum: 0, maximum: 25 }),
    offset: countSchema,
    next: nullable('uri-reference'),
    listings: Type.Array(ListingSchema, { maxItems: 25 }),
    data_as_of: nullable('date-time'),
    warnings: Type.Optional(Type.Array(WarningSchema, { minItems: 1 })),
  },
  { $id: 'Search' },
);

export const StatsSchema = closed(
  {
    total: countSchema,
    data_as_of: nullable('date-time'),
    latest_filing: nullable('date'),
    by_month: counts('month', Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
    by_category: counts('category'),
    by_neighborhood: counts('neighborhood'),
    warnings: Type.Optional(Type.Array(WarningSchema, { minItems: 1 })),
  },
  { $id: 'Stats' },
);

export const HealthSchema = closed(
  {
    status: enumSchema(['ok', 'warn', 'fail']),
    listings: countSchema,
    data_as_of: nullable('date-time'),
    version: textSchema,
    detail: Type.Optional(textSchema),
  },
  { $id: 'Health' },
);

export const SignupSchema = closed(
  {
    email: Type.String({ description: 'Your email address.' }),
    type: enumSchema<SignupType>(SIGNUP_TYPES),
  },
  { $id: 'Signup' },
);

export const AcceptedSchema = closed(
  { status: Type.Unsafe<'accepted'>({ type: 'string', const: 'accepted' }), detail: textSchema },
  { $id: 'Accepted' },
);

export const ProblemSchema = closed(
  {
    type: Type.String({ format: 'uri' }),
    title: textSchema,
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: textSchema,
    errors: Type.Optional(
      Type.Array(Type.Union([WarningSchema, closed({ pointer: textSchema, ...detailed })]), { minItems: 1 }),
    ),
  },
  { $id: 'Problem' },
);

const FeedItemSchema = closed({
  id: Type.String({ description: 'Derived from name, neighborhood and filing date.' }),
  url: Type.String({ format: 'uri' }),
  title: textSchema,
  content_text: textSchema,
  date_published: Type.String({
    format: 'date-time',
    description: 'The filing date, in the city’s time zone.',
  }),
  tags: Type.Array(textSchema, { description: 'Category, neighborhood, status.' }),
});

export const FeedSchema = closed(
  {
    version: Type.Unsafe<string>({ type: 'string', const: 'https://jsonfeed.org/version/1.1' }),
    title: textSchema,
    home_page_url: Type.String({ format: 'uri' }),
    feed_url: Type.String({ format: 'uri' }),
    description: textSchema,
    language: textSchema,
    items: Type.Array(FeedItemSchema, { maxItems: 25 }),
  },
  { $id: 'Feed' },
);

/** The named schemas of the OpenAPI document; routes refer to them by `$id`. */
export const SHARED_SCHEMAS = [
  ListingSchema,
  SearchSchema,
  StatsSchema,
  HealthSchema,
  SignupSchema,
  AcceptedSchema,
  ProblemSchema,
  FeedSchema,
];

const countsByValue = Type.Record(textSchema, countSchema);

/** The counts as agents get them: objects of value and count. */
export const CountsSchema = closed({
  total: countSchema,
  data_as_of: nullable('date-time'),
  latest_filing: nullable('date'),
  by_month: countsByValue,
  by_category: countsByValue,
  by_neighborhood: countsByValue,
  warnings: Type.Optional(Type.Array(WarningSchema, { minItems: 1 })),
});

/** The parameters of a search as one schema of a query string. */
export function buildQuerySchema(names: readonly SearchParameterName[] = PARAMETER_NAMES): TSchema {
  const properties = names.map((name): [string, TSchema] => {
    const { schema, isList } = searchParameters[name];
    const { description, ...value } = schema;
    return [name, Type.Optional(isList ? Type.Array(value, { description }) : schema)];
  });
  return closed(Object.fromEntries(properties));
}

/** The contract as schemas: the shape of every answer, closed to anything else. Routes answer by them; tests hold every answer against them. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { STATUSES, type Status } from '../listings/listing.ts';
import { SIGNUP_TYPES, type SignupType } from '../subscriptions/ports.ts';

/** An object of these properties and no others. */
const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const oneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>({ type: 'string', enum: values });
const nullable = (format: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format });
const counts = <Name extends string>(name: Name, value: TSchema = text) =>
  Type.Array(closed({ [name]: value, count }), { description: 'The counts add up to total.' });

export const ListingSchema = closed(
  {
    name: text,
    category: Type.String({ description: 'What the business does, in plain words.' }),
    neighborhood: text,
    status: oneOf<Status>(STATUSES),
    filing_date: Type.String({
      format: 'date',
      description: 'Date of the first filing, in local time.',
    }),
  },
  { $id: 'Listing' },
);

const detailed = { detail: text, did_you_mean: Type.Optional(text) };
const WarningSchema = closed({ parameter: text, ...detailed });

export const SearchSchema = closed(
  {
    total: count,
    limit: Type.Integer({ minimum: 0, maximum: 25 }),
    offset: count,
    next: nullable('uri-reference'),
    listings: Type.Array(ListingSchema, { maxItems: 25 }),
    data_as_of: nullable('date-time'),
    warnings: Type.Optional(Type.Array(WarningSchema, { minItems: 1 })),
  },
  { $id: 'Search' },
);

export const StatsSchema = closed(
  {
    total: count,
    data_as_of: nullable('date-time'),
    latest_filing: nullable('date'),
    by_month: counts('month', Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
    by_category: counts('category'),
    by_neighborhood: counts('neighborhood'),
  },
  { $id: 'Stats' },
);

export const HealthSchema = closed(
  {
    status: oneOf(['ok', 'warn', 'fail']),
    listings: count,
    data_as_of: nullable('date-time'),
    version: text,
    detail: Type.Optional(text),
  },
  { $id: 'Health' },
);

export const SignupSchema = closed(
  { email: Type.String({ description: 'Your email address.' }), type: oneOf<SignupType>(SIGNUP_TYPES) },
  { $id: 'Signup' },
);

export const AcceptedSchema = closed(
  { status: Type.Unsafe<'accepted'>({ type: 'string', const: 'accepted' }), detail: text },
  { $id: 'Accepted' },
);

export const ProblemSchema = closed(
  {
    type: Type.String({ format: 'uri' }),
    title: text,
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: text,
    errors: Type.Optional(
      Type.Array(Type.Union([WarningSchema, closed({ pointer: text, ...detailed })]), { minItems: 1 }),
    ),
  },
  { $id: 'Problem' },
);

const FeedItemSchema = closed({
  id: Type.String({ description: 'Derived from name, neighborhood and filing date.' }),
  url: Type.String({ format: 'uri' }),
  title: text,
  content_text: text,
  date_published: Type.String({
    format: 'date-time',
    description: 'The filing date, in the city’s time zone.',
  }),
  tags: Type.Array(text, { description: 'Category, neighborhood, status.' }),
});

export const FeedSchema = closed(
  {
    version: Type.Unsafe<string>({ type: 'string', const: 'https://jsonfeed.org/version/1.1' }),
    title: text,
    home_page_url: Type.String({ format: 'uri' }),
    feed_url: Type.String({ format: 'uri' }),
    description: text,
    language: text,
    items: Type.Array(FeedItemSchema, { maxItems: 25 }),
  },
  { $id: 'Feed' },
);

/** What the OpenAPI document names; routes refer to them by their `$id`. */
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

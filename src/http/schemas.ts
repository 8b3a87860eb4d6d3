/** The contract as schemas: the shape of every answer, closed to anything else. Tests hold every answer against them. */

import Type, { type TSchema } from 'typebox';
import { STATUSES } from '../listings/listing.ts';
import { SIGNUP_TYPES } from '../mailing/ports.ts';

const closed = { additionalProperties: false };
const count = Type.Integer({ minimum: 0 });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Moment = Type.String({ format: 'date-time' });
const counts = (name: string, value: TSchema) =>
  Type.Array(Type.Object({ [name]: value, count }, closed), { description: 'Adds up to total.' });

export const LISTING = Type.Object(
  {
    name: Type.String(),
    category: Type.String({ description: 'The kind of business, in plain words.' }),
    neighborhood: Type.String(),
    status: Type.Enum([...STATUSES]),
    filing_date: Type.String({
      format: 'date',
      description: 'Of the first filing; a calendar day in the city.',
    }),
  },
  closed,
);

const said = { detail: Type.String(), did_you_mean: Type.Optional(Type.String()) };
const WARNING = Type.Object({ parameter: Type.String(), ...said }, closed);
const FAULT = Type.Union([WARNING, Type.Object({ pointer: Type.String(), ...said }, closed)]);

export const SEARCH = Type.Object(
  {
    total: count,
    limit: Type.Integer({ minimum: 0, maximum: 25 }),
    offset: count,
    next: nullable(Type.String({ format: 'uri-reference' })),
    listings: Type.Array(LISTING, { maxItems: 25 }),
    data_as_of: nullable(Moment),
    warnings: Type.Optional(Type.Array(WARNING, { minItems: 1 })),
  },
  closed,
);

export const STATS = Type.Object(
  {
    total: count,
    data_as_of: nullable(Moment),
    latest_filing: nullable(Type.String({ format: 'date' })),
    by_month: counts('month', Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
    by_category: counts('category', Type.String()),
    by_neighborhood: counts('neighborhood', Type.String()),
  },
  closed,
);

export const HEALTH = Type.Object(
  {
    status: Type.Enum(['ok', 'warn', 'fail']),
    listings: count,
    data_as_of: nullable(Moment),
    version: Type.String(),
    detail: Type.Optional(Type.String()),
  },
  closed,
);

export const SIGNUP = Type.Object(
  {
    email: Type.String({ description: 'Where mail reaches you.' }),
    type: Type.Enum([...SIGNUP_TYPES]),
  },
  closed,
);

export const ACCEPTED = Type.Object({ status: Type.Literal('accepted'), detail: Type.String() }, closed);

export const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    errors: Type.Optional(Type.Array(FAULT, { minItems: 1 })),
  },
  closed,
);

const ITEM = Type.Object(
  {
    id: Type.String({ description: 'Made of name, neighborhood and filing date.' }),
    url: Type.String({ format: 'uri' }),
    title: Type.String(),
    content_text: Type.String(),
    date_published: Type.String({
      format: 'date-time',
      description: 'The filing date, by the city’s clocks.',
    }),
    tags: Type.Array(Type.String(), { description: 'Category, neighborhood, status.' }),
  },
  closed,
);

export const FEED = Type.Object(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1'),
    title: Type.String(),
    home_page_url: Type.String({ format: 'uri' }),
    feed_url: Type.String({ format: 'uri' }),
    description: Type.String(),
    language: Type.String(),
    items: Type.Array(ITEM, { maxItems: 25 }),
  },
  closed,
);

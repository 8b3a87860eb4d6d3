/** The contract as JSON Schemas: the shape of every answer, closed to anything else. Tests hold every answer against them. */

import { STATUSES } from '../listings/listing.ts';
import { SIGNUP_TYPES } from '../mailing/ports.ts';

/** A JSON Schema, as far as the contract needs it. */
export type Schema = { [keyword: string]: Keyword };
type Keyword = string | number | boolean | null | readonly Keyword[] | { [name: string]: Keyword };

/** An object of these properties and no other; all must be there but those named as optional. */
export function closed(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
  };
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const moment = { ...text, format: 'date-time' };
const day = { ...text, format: 'date' };
const nullable = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: Schema, more: Schema = {}) => ({ type: 'array', items, ...more });
const counts = (name: string, value: Schema) =>
  listOf(closed({ [name]: value, count }), { description: 'Adds up to total.' });

export const LISTING = closed({
  name: text,
  category: { ...text, description: 'The kind of business, in plain words.' },
  neighborhood: text,
  status: { enum: STATUSES },
  filing_date: { ...day, description: 'Of the first filing; a calendar day in the city.' },
});

const said = { detail: text, did_you_mean: text };
const WARNING = closed({ parameter: text, ...said }, ['did_you_mean']);
const FAULT = { anyOf: [WARNING, closed({ pointer: text, ...said }, ['did_you_mean'])] };

export const SEARCH = closed(
  {
    total: count,
    limit: { ...count, maximum: 25 },
    offset: count,
    next: nullable({ ...text, format: 'uri-reference' }),
    listings: listOf(LISTING, { maxItems: 25 }),
    data_as_of: nullable(moment),
    warnings: listOf(WARNING, { minItems: 1 }),
  },
  ['warnings'],
);

export const STATS = closed({
  total: count,
  data_as_of: nullable(moment),
  latest_filing: nullable(day),
  by_month: counts('month', { ...text, pattern: '^\\d{4}-\\d{2}$' }),
  by_category: counts('category', text),
  by_neighborhood: counts('neighborhood', text),
});

export const HEALTH = closed(
  {
    status: { enum: ['ok', 'warn', 'fail'] },
    listings: count,
    data_as_of: nullable(moment),
    version: text,
    detail: text,
  },
  ['detail'],
);

export const SIGNUP = closed({
  email: { ...text, description: 'Where mail reaches you.' },
  type: { enum: SIGNUP_TYPES },
});

export const ACCEPTED = closed({ status: { type: 'string', const: 'accepted' }, detail: text });

export const PROBLEM = closed(
  {
    type: { ...text, format: 'uri' },
    title: text,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text,
    errors: listOf(FAULT, { minItems: 1 }),
  },
  ['errors'],
);

const ITEM = closed({
  id: { ...text, description: 'Made of name, neighborhood and filing date.' },
  url: { ...text, format: 'uri' },
  title: text,
  content_text: text,
  date_published: { ...moment, description: 'The filing date, by the city’s clocks.' },
  tags: listOf(text, { description: 'Category, neighborhood, status.' }),
});

export const FEED = closed({
  version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
  title: text,
  home_page_url: { ...text, format: 'uri' },
  feed_url: { ...text, format: 'uri' },
  description: text,
  language: text,
  items: listOf(ITEM, { maxItems: 25 }),
});

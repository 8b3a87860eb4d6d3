/** The contract as schemas, and GET /openapi.json made of them. Tests hold every answer against the same schemas. */

import Type, { type TSchema } from 'typebox';
import { STATUSES } from '../listings/listing.ts';
import { SIGNUP_TYPES } from '../mailing/ports.ts';
import type { Door } from './door.ts';
import { etagOf, namesEtag } from './fingerprint.ts';
import { JSON_HEADERS } from './json.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { Resource } from './reply.ts';

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

const FILTER = 'Exact value, ignoring case, accents and outer space; repeated: any of them.';
const SEARCH_PARAMETERS = [
  parameter(
    'q',
    { type: 'string', maxLength: 200 },
    'Words that must all match, in any order; the last also as a beginning.',
  ),
  ...['category', 'neighborhood', 'status'].map((name) =>
    parameter(name, { type: 'array', items: { type: 'string' } }, FILTER),
  ),
  parameter(
    'limit',
    { type: 'integer', minimum: 0, default: 25 },
    'Above 25 answers 25 and warns; 0 only counts.',
  ),
  parameter(
    'offset',
    { type: 'integer', minimum: 0, default: 0 },
    'offset + limit up to 1,000 where more lie there.',
  ),
];

type Parameter = {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  schema: object;
  description: string;
};
type Operation = {
  summary: string;
  parameters: Parameter[];
  requestBody?: object;
  responses: Record<string, object>;
};
type Path = { get?: Operation; post?: Operation };

function parameter(name: string, schema: object, description: string): Parameter {
  return { name, in: 'query', required: false, schema, description };
}

/** The whole document: every path, and every status it can answer with. */
export function openApiDocument(publicUrl: string, version: string) {
  const same = { '304': { description: 'As you have it already' } };
  const html = { description: 'A page for people', content: { 'text/html': { schema: { type: 'string' } } } };
  const code: Parameter = {
    name: 'code',
    in: 'path',
    required: true,
    schema: { enum: Object.keys(PROBLEMS) },
    description: 'The last part of the `type` of a problem.',
  };
  const paths: Record<string, Path> = {
    '/api/search': get('The listings that match, most recent filing first', SEARCH_PARAMETERS, {
      '200': json('At most 25 listings', 'Search'),
      ...same,
      ...problems('invalid-parameter', 'not-ready', ...ANYWHERE),
    }),
    '/api/stats': get('How the listings spread', [], {
      '200': json('Counts that add up', 'Stats'),
      ...same,
      ...problems('not-ready', ...ANYWHERE),
    }),
    '/api/health': get('Whether it can answer', [], {
      '200': json('It can answer', 'Health'),
      '503': json('It cannot', 'Health'),
      ...problems(...ANYWHERE.filter((one) => one !== 'quota-exceeded')),
    }),
    '/openapi.json': get('This document', [], {
      '200': { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
      ...same,
      ...problems(...ANYWHERE),
    }),
    '/api/signup': {
      post: {
        summary: 'Joins the weekly email or the Pro waitlist, once confirmed',
        parameters: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Signup' } } },
        },
        responses: {
          '202': json('The same for every address', 'Accepted'),
          ...problems(
            'invalid-body',
            'foreign-origin',
            'too-large',
            'unsupported-media-type',
            'invalid-value',
            'unavailable',
            ...ANYWHERE,
          ),
        },
      },
    },
    '/signup': formPath('The signup form', html),
    '/confirm': linkPath('Confirm what was asked for', html),
    '/unsubscribe': linkPath('Leave; also by one click (RFC 8058)', html),
    '/manage': linkPath('See what is kept, leave, or erase it', html),
    '/style.css': get('How the pages look', [], {
      '200': { description: 'A style sheet', content: { 'text/css': { schema: { type: 'string' } } } },
      ...problems(...ANYWHERE),
    }),
    '/': get('What this is, and the newest listings', [], {
      '200': html,
      '503': html,
      ...problems(...ANYWHERE),
    }),
    '/problems/{code}': get('What a problem means', [code], {
      '200': html,
      ...problems('not-found', ...ANYWHERE),
    }),
  };
  const info = {
    title: 'Shingle: the new businesses of one city',
    version,
    description: 'Free, no credentials. Nothing about a business beyond five facts is served.',
  };
  const schemas = {
    ...{ Listing: LISTING, Search: SEARCH, Stats: STATS, Health: HEALTH, Problem: PROBLEM },
    ...{ Signup: SIGNUP, Accepted: ACCEPTED },
  };
  return { openapi: '3.1.0', info, servers: [{ url: publicUrl }], paths, components: { schemas } };
}

/** How any path can say no. */
const ANYWHERE: ProblemCode[] = [
  'bad-request',
  'uri-too-long',
  'quota-exceeded',
  'headers-too-large',
  'internal',
];

/** A page with a form, and what becomes of the form. */
function formPath(summary: string, html: object): Path {
  const wrong = Object.fromEntries(['403', '415', '422', '429', '503'].map((status) => [status, html]));
  const responses = { '200': html, ...problems('too-large', ...ANYWHERE) };
  return {
    get: { summary, parameters: [], responses: { '200': html, ...problems(...ANYWHERE) } },
    post: { summary: 'What the form sends', parameters: [], responses: { ...responses, ...wrong } },
  };
}

/** A page that a link in an email opens, and what its button does. */
function linkPath(summary: string, html: object): Path {
  const token: Parameter = {
    ...{ name: 'token', in: 'query', required: true },
    ...{ schema: { type: 'string' }, description: 'As it stands in the email.' },
  };
  const responses = { '200': html, '404': html, '503': html, ...problems('too-large', ...ANYWHERE) };
  return {
    get: { summary: `${summary}: asks, and changes nothing`, parameters: [token], responses },
    post: { summary, parameters: [token], responses },
  };
}

function get(
  summary: string,
  parameters: Parameter[],
  responses: Record<string, object>,
): { get: Operation } {
  return { get: { summary, parameters, responses } };
}

function json(description: string, schema: string, type = 'application/json'): object {
  return { description, content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

function problems(...codes: ProblemCode[]): Record<string, object> {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = PROBLEMS[code];
      return [String(status), json(title, 'Problem', 'application/problem+json')];
    }),
  );
}

export function openapiResource(door: Door): Resource {
  const body = Buffer.from(JSON.stringify(openApiDocument(door.publicUrl, door.version)));
  const etag = etagOf(body.toString());
  const headers = [...JSON_HEADERS, 'Cache-Control', 'public, max-age=300', 'ETag', etag];
  return {
    path: '/openapi.json',
    isOpen: false,
    get: (ask) =>
      namesEtag(ask.headers['if-none-match'], etag)
        ? { status: 304, headers: headers.slice(2), body: null }
        : { status: 200, headers, body },
  };
}

/** GET /openapi.json: every path, what it takes and every status it can answer with, made of the schemas of the answers. */

import { searchParameters } from '../catalogue/parameters.ts';
import type { Operation, Parameter, Path, Response, Schema } from '../web/reference.ts';
import type { Door } from './door.ts';
import { etagOf } from './fingerprint.ts';
import { forEverybody } from './json.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { Resource } from './reply.ts';
import { ACCEPTED, FEED, HEALTH, LISTING, PROBLEM, SEARCH, SIGNUP, STATS } from './schemas.ts';

const SEARCH_PARAMETERS = Object.entries(searchParameters).map(([name, { schema, isList }]): Parameter => {
  const { description, ...one } = schema as Schema & { description: string };
  const value = isList ? { type: 'array', items: one } : one;
  return { name, in: 'query', required: false, schema: value, description };
});

const PAGE_PARAMETERS = SEARCH_PARAMETERS.filter(({ name }) => name !== 'limit');

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
      ...problems('invalid-parameter', 'too-far', 'not-ready', ...ANYWHERE),
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
    '/feed.json': get('One page of a search as a JSON Feed', SEARCH_PARAMETERS, {
      '200': json('At most 25 items', 'Feed', 'application/feed+json'),
      ...same,
      ...problems('invalid-parameter', 'too-far', 'not-ready', ...ANYWHERE),
    }),
    '/mcp': { post: mcp() },
    '/openapi.json': get('This document', [], {
      '200': { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
      ...same,
      ...problems(...ANYWHERE),
    }),
    '/': get('The page for people: any search, the map, the figures', PAGE_PARAMETERS, {
      '200': html,
      ...same,
      '503': html,
      ...problems(...ANYWHERE),
    }),
    '/docs': get('This document as a page', [], { '200': html, ...problems(...ANYWHERE) }),
    '/signup': formPath('The signup form', html),
    '/confirm': linkPath('Confirm what was asked for', html),
    '/unsubscribe': linkPath('Leave; also by one click (RFC 8058)', html),
    '/manage': linkPath('See what is kept, leave, or erase it', html),
    '/llms.txt': text('What agents should know', 'text/markdown'),
    '/robots.txt': text('What search engines may keep', 'text/plain'),
    '/.well-known/security.txt': text('Whom to tell of a weakness (RFC 9116)', 'text/plain'),
    '/style.css': text('How the pages look', 'text/css'),
    '/page.js': text('What the pages do in a browser', 'text/javascript'),
    '/icon.svg': text('The sign', 'image/svg+xml'),
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
    ...{ Signup: SIGNUP, Accepted: ACCEPTED, Feed: FEED },
  };
  return { openapi: '3.1.0', info, servers: [{ url: publicUrl }], paths, components: { schemas } };
}

/** The protocol's own messages; what they are is its affair. */
function mcp(): Operation {
  const message = { 'application/json': { schema: { type: 'object' } } };
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return {
    summary: 'The Model Context Protocol for agents (Streamable HTTP): search_listings and listing_stats',
    parameters: [],
    requestBody: { required: true, content: message },
    responses: {
      '200': { description: 'A JSON-RPC answer', content: { ...message, ...stream } },
      '202': { description: 'Taken, with nothing to answer' },
      '406': { description: 'The client must accept both JSON and event streams', content: message },
      ...problems('foreign-origin', 'too-large', 'unsupported-media-type', 'not-ready', ...ANYWHERE),
      '400': {
        description: 'Not a message of the protocol, or of HTTP',
        content: { ...message, ...problem },
      },
    },
  };
}

function text(summary: string, type: string): Path {
  const responses = { '200': { description: summary, content: { [type]: { schema: { type: 'string' } } } } };
  return get(summary, [], { ...responses, ...problems(...ANYWHERE) });
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
function formPath(summary: string, html: Response): Path {
  const wrong = Object.fromEntries(['403', '415', '422', '429', '503'].map((status) => [status, html]));
  const responses = { '200': html, ...problems('too-large', ...ANYWHERE) };
  return {
    get: { summary, parameters: [], responses: { '200': html, ...problems(...ANYWHERE) } },
    post: { summary: 'What the form sends', parameters: [], responses: { ...responses, ...wrong } },
  };
}

/** A page that a link in an email opens, and what its button does. */
function linkPath(summary: string, html: Response): Path {
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
  responses: Record<string, Response>,
): { get: Operation } {
  return { get: { summary, parameters, responses } };
}

function json(description: string, schema: string, type = 'application/json'): Response {
  return { description, content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } } };
}

/** Several problems of one status are one answer. */
function problems(...codes: ProblemCode[]): Record<string, Response> {
  const titles = new Map<number, string[]>();
  for (const code of codes) {
    const { status, title } = PROBLEMS[code];
    titles.set(status, [...(titles.get(status) ?? []), title]);
  }
  const answers = [...titles].map(([status, all]) => [
    String(status),
    json(all.join('; '), 'Problem', 'application/problem+json'),
  ]);
  return Object.fromEntries(answers);
}

export function openapiResource(door: Door): Resource {
  const body = Buffer.from(JSON.stringify(openApiDocument(door.publicUrl, door.version)));
  const etag = etagOf(body.toString());
  return { path: '/openapi.json', get: (ask) => forEverybody(ask, etag, body) };
}

/** Adds GET /docs, the reference for developers, and GET /openapi.json, the same for tools. */

import type { FastifyInstance } from 'fastify';
import { type City, formatContactLink } from '../../city/define.ts';
import type { ListingIndex } from '../../search/listing-index.ts';
import { JSON_TYPE, pageHeaders, sendFree } from '../answers.ts';
import type { ServerContext } from '../context.ts';
import { makeEtag } from '../limits/hash.ts';
import { type ReferenceSection, renderReferencePage } from '../pages/reference-page.ts';
import { PROBLEMS } from '../problems.ts';
import { answerSamples, readReference } from '../reference.ts';
import {
  CACHED_HEADERS,
  type Described,
  describeEmptyResponse,
  describeProblems,
  describeResponse,
  HEADERS,
} from '../responses.ts';
import { SHARED_SCHEMAS, SIGNUPS_IN_WORDS } from '../schemas.ts';

const CACHED = 'public, max-age=300';

export function docsRoute(app: FastifyInstance, context: ServerContext): void {
  const headers = pageHeaders(context, { referrer: 'same-origin', robots: 'all' });
  const render = async (index: ListingIndex | undefined) => {
    const written = readReference(context);
    const sections =
      index === undefined ? written : await answerSamples(app, context, { index, sections: written });
    const view = { layout: context.layout, sections, problems: Object.keys(PROBLEMS) };
    const html = renderReferencePage(view);
    return { etag: makeEtag(html), body: Buffer.from(html) };
  };
  let rendered: { index: ListingIndex | undefined; page: ReturnType<typeof render> } | undefined; // depends on the index, because limits and samples do
  app.get('/docs', { config: { priority: 'page' } }, async (_request, reply) => {
    const index = context.index();
    if (rendered === undefined || rendered.index !== index) rendered = { index, page: render(index) };
    return sendFree(context, reply, { ...(await rendered.page), cacheControl: CACHED, headers });
  });
}

export function openApiRoute(app: FastifyInstance, context: ServerContext): void {
  const schema = {
    operationId: 'getOpenApi',
    tags: ['Service'],
    summary: 'This document',
    description: 'The description of the API for tools, such as generators of clients.',
    response: {
      200: describeResponse('OpenAPI 3.1', { schema: { type: 'object' }, headers: CACHED_HEADERS }),
      304: describeEmptyResponse('Not modified', CACHED_HEADERS),
      ...describeProblems(),
    },
  };
  let body: string | undefined;
  app.get(
    '/openapi.json',
    { config: { isCrossOrigin: true, isForPrograms: true }, schema },
    (_request, reply) => {
      body ??= JSON.stringify(describeApi(app, context));
      return sendFree(context, reply, { body, cacheControl: CACHED, headers: { 'content-type': JSON_TYPE } });
    },
  );
}

/** An operation of the OpenAPI document: the schema of a route, with texts and samples from the reference. */
type Operation = {
  description?: string;
  requestBody?: Pick<Described, 'content'>;
  responses: Record<string, Described>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};

/** Describes the routes that have an `operationId`. */
function describeApi(app: FastifyInstance, context: ServerContext): object {
  const { city, publicUrl, version } = context;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { path, schemas } of app.targets())
    for (const [method, { response: responses, ...schema } = {}] of Object.entries(schemas))
      if (schema.operationId !== undefined)
        paths[path] = { ...paths[path], [method]: JSON.parse(JSON.stringify({ ...schema, responses })) };
  for (const section of readReference(context)) addReference(paths, section, publicUrl);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shingle: the new businesses of one city',
      version,
      description: 'Free to use, no credentials needed. Each listing has five fields.',
      contact: describeContact(city.operator),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: [],
    tags: [
      { name: 'Listings', description: 'Search and count the listings.' },
      { name: 'Signup', description: `Join ${SIGNUPS_IN_WORDS}.` },
      { name: 'Feeds', description: 'Any search as a feed.' },
      { name: 'Agents', description: 'The listings as tools of an agent.' },
      { name: 'Service', description: 'The state of the service and the description of its API.' },
    ],
    paths,
    components: { schemas: describeShared(), headers: HEADERS },
  };
}

/** Copies the shared schemas, with references to each other. Serializers need them inline. */
function describeShared(): object {
  const refer = (_key: string, value: { $id?: string } | null) =>
    value?.$id === undefined ? value : { $ref: `#/components/schemas/${value.$id}` };
  const described = SHARED_SCHEMAS.map(({ $id, ...schema }) => [
    $id,
    JSON.parse(JSON.stringify(schema, refer)),
  ]);
  return Object.fromEntries(described);
}

/** Describes the operator. Omits a contact that is neither an address nor a URL. */
function describeContact({ name, contact }: City['operator']) {
  const link = formatContactLink(contact);
  if (link === undefined) return { name };
  return link.startsWith('mailto:') ? { name, email: contact } : { name, url: link };
}

/**
 * Adds the first paragraphs of a section to its operations. Adds its commands as code samples, with bodies and responses
 * as examples, but no samples that show only headers.
 */
function addReference(
  paths: Record<string, Record<string, Operation>>,
  { operations, text, samples }: ReferenceSection,
  publicUrl: string,
): void {
  const find = (method: string, path: string) => paths[path]![method.toLowerCase()]!;
  const [, ...blocks] = text.trim().split('\n\n');
  const end = blocks.findIndex((block) => /^(?:<!--|\*\*|###)/.test(block));
  const description = blocks.slice(0, end).map((paragraph) => paragraph.replaceAll('\n', ' '));
  for (const name of operations) {
    const [method = '', path = ''] = name.split(' ');
    find(method, path).description = description.join('\n\n');
  }
  for (const { label: summary, request: source, status, type, answer } of samples) {
    if (source === undefined || status === undefined || type === undefined) continue;
    const [path = ''] = source.slice(source.indexOf(publicUrl) + publicUrl.length).split(/[?']/, 1);
    const body = /-d '(.*)'/.exec(source)?.[1];
    const operation = find(body === undefined ? 'GET' : 'POST', path);
    operation['x-codeSamples'] ??= [];
    const number = operation['x-codeSamples'].push({ lang: 'Shell', label: summary, source });
    const addExample = (content: NonNullable<Described['content']>, type: string, text: string) => {
      const value = type.endsWith('json') ? JSON.parse(text) : text;
      content[type]!.examples = { ...content[type]!.examples, [`sample-${number}`]: { summary, value } };
    };
    if (body !== undefined) addExample(operation.requestBody!.content!, 'application/json', body);
    addExample(operation.responses[status]!.content!, type, answer);
  }
}

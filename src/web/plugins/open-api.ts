/** Makes the OpenAPI document from the schemas of the routes when it is first requested. Omits pages and assets. */

import { type FastifyInstance, fastify, type RouteOptions } from 'fastify';
import { type City, formatContactLink } from '../../city/define.ts';
import type { ServerContext } from '../context.ts';
import type { ReferenceSample } from '../pages/reference-page.ts';
import { readReference } from '../reference.ts';
import { SHARED_SCHEMAS, SIGNUPS_IN_WORDS } from '../schemas.ts';

declare module 'fastify' {
  interface FastifyInstance {
    openApi(): Promise<object>;
  }
}

export function addOpenApi(app: FastifyInstance, context: ServerContext): void {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  let document: Promise<object> | undefined;
  app.decorate('openApi', () => {
    document ??= describeRoutes(routes, context);
    return document;
  });
}

/** Describes the routes in an app that never listens. Loads `@fastify/swagger` late, to start faster. */
async function describeRoutes(routes: readonly RouteOptions[], context: ServerContext): Promise<object> {
  const described = fastify({ exposeHeadRoutes: false });
  for (const schema of SHARED_SCHEMAS) described.addSchema(referToShared(schema));
  await addSwagger(described, context);
  for (const { method, url, schema } of routes)
    if (method !== 'HEAD') described.route({ method, url, schema: { ...schema }, handler: () => undefined });
  await described.ready();
  const document = described.swagger() as ApiDocument;
  addReference(document, context);
  shareHeaders(document);
  return document;
}

/** Copies a shared schema. Replaces other shared schemas inside it with references; serializers need them inline. */
function referToShared(schema: object): object {
  const refer = (key: string, value: { $id?: string } | null) =>
    key !== '' && value?.$id !== undefined ? { $ref: `${value.$id}#` } : value;
  return JSON.parse(JSON.stringify(schema, refer));
}

async function addSwagger(app: FastifyInstance, { city, publicUrl, version }: ServerContext): Promise<void> {
  await app.register((await import('@fastify/swagger')).default, {
    openapi: {
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
    },
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
}

/** Describes the operator. Omits a contact that is neither an address nor a URL. */
function describeContact({ name, contact }: City['operator']) {
  const link = formatContactLink(contact);
  if (link === undefined) return { name };
  return link.startsWith('mailto:') ? { name, email: contact } : { name, url: link };
}

type Header = { schema: object } | { $ref: string };
type Content = Record<string, { examples?: Record<string, { summary: string; value: unknown }> }>;
type Operation = {
  description?: string;
  requestBody?: { content: Content };
  responses: Record<string, { headers?: Record<string, Header>; content?: Content }>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};

/** The parts of an OpenAPI 3.1 document that this file changes. */
type ApiDocument = {
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { headers?: Record<string, Header> };
};

/** Adds texts from the reference: descriptions of operations (the first paragraphs of a section) and samples. */
function addReference({ paths }: ApiDocument, context: ServerContext): void {
  for (const { operations, text, samples } of readReference(context)) {
    for (const name of operations) {
      const [method, path = ''] = name.split(' ');
      const [, ...blocks] = text.trim().split('\n\n');
      const end = blocks.findIndex((block) => /^(?:<!--|\*\*|###)/.test(block));
      const description = blocks.slice(0, end).map((paragraph) => paragraph.replaceAll('\n', ' '));
      paths[path]![method === 'POST' ? 'post' : 'get']!.description = description.join('\n\n');
    }
    for (const sample of samples) addSample(paths, sample, context.publicUrl);
  }
}

/** Adds a command as a code sample, and its body and response as examples. Skips samples that show only headers. */
function addSample(
  paths: ApiDocument['paths'],
  { label: summary, request: source, status, type, answer }: ReferenceSample,
  publicUrl: string,
): void {
  if (source === undefined || status === undefined || type === undefined) return;
  const [path = ''] = source.slice(source.indexOf(publicUrl) + publicUrl.length).split(/[?']/, 1);
  const body = /-d '(.*)'/.exec(source)?.[1];
  const operation = paths[path]![body === undefined ? 'get' : 'post']!;
  operation['x-codeSamples'] ??= [];
  const number = operation['x-codeSamples'].push({ lang: 'Shell', label: summary, source });
  const addExample = (content: Content[string], value: unknown) => {
    content.examples = { ...content.examples, [`sample-${number}`]: { summary, value } };
  };
  if (body !== undefined)
    for (const content of Object.values(operation.requestBody?.content ?? {}))
      addExample(content, JSON.parse(body));
  addExample(
    operation.responses[status]!.content![type]!,
    type.endsWith('json') ? JSON.parse(answer) : answer,
  );
}

/** Describes each header once, and makes responses refer to it. */
function shareHeaders({ paths, components }: ApiDocument): void {
  const shared: Record<string, Header> = {};
  for (const { responses } of Object.values(paths).flatMap(({ get, post }) => [get ?? [], post ?? []].flat()))
    for (const { headers = {} } of Object.values(responses))
      for (const [name, header] of Object.entries(headers)) {
        if ('schema' in header) shared[name] = header;
        headers[name] = { $ref: `#/components/headers/${name}` };
      }
  components.headers = shared;
}

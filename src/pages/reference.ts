/** The API reference, generated from the OpenAPI document: every path, parameter and response, with examples that use this service. */

import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';

/** The parts of OpenAPI 3.1 that are used here. */
export type Schema = {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  $ref?: string;
};
export type Parameter = {
  name: string;
  in: 'query' | 'path';
  description: string;
  required: boolean;
  schema: Schema;
};
export type Operation = {
  summary: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Response>;
};
export type Content = Record<string, { schema: Schema }>;
export type Response = { description: string; content?: Content };
export type Path = { get?: Operation; post?: Operation };
export type Reference = {
  info: { title: string; version: string; description: string };
  paths: Record<string, Path>;
  components: { schemas: Record<string, Schema> };
};

/** An example for a path: an address to open, or a command to copy. */
export type Example = { address: string } | { command: string };

export function renderReferencePage(
  layout: PageLayout,
  reference: Reference,
  examples: Record<string, readonly Example[]>,
): string {
  const { info, paths, components } = reference;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const main = markup`<div class="narrow reference"><h1>API reference</h1>
<p>${info.description} Version ${info.version}. Machine-readable version: <a href="/openapi.json">/openapi.json</a>. The examples below use this service.</p>
<ul class="contents">${operations.map(({ path, method }) => markup`<li><a href="#${anchor(method, path)}"><code>${method} ${path}</code></a></li>`)}</ul>
${operations.map((one) => section(one, examples[one.path] ?? []))}
<section><h2>Schemas</h2>${Object.entries(components.schemas).map(([name, schema]) => shape(name, schema))}</section></div>`;
  return renderDocument(layout, { title: 'API reference', main, language: 'en', isLive: true });
}

function section(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  examples: readonly Example[],
): Markup {
  const body = operation.requestBody && Object.values(operation.requestBody.content)[0]!.schema;
  return markup`<section id="${anchor(method, path)}"><h2><code><span class="method">${method}</span> ${path}</code></h2><p>${operation.summary}.</p>
${operation.parameters !== undefined && parameters(`${method} ${path}`, operation.parameters)}${body && markup`<h3>Body</h3><p>${renderType(body)}</p>`}
<h3>Responses</h3>${renderReferenceTable(`Responses of ${method} ${path}`, Object.entries(operation.responses).map(answer))}
${examples.length > 0 && markup`<h3>Try it</h3>${examples.map(example)}`}</section>`;
}

function parameters(of: string, all: readonly Parameter[]): Markup {
  const rows = all.map(
    ({ name, description, required, schema }) =>
      markup`<tr><th scope="row"><code>${name}</code></th><td>${renderType(schema)}${required && ', required'}</td><td>${description}</td></tr>`,
  );
  return markup`<h3>Parameters</h3>${renderReferenceTable(`Parameters of ${of}`, rows)}`;
}

function answer([status, { description, content }]: [string, Response]): Markup {
  const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? [];
  const view = schema?.$ref === undefined ? undefined : markup`, ${renderType(schema)}`;
  return markup`<tr><th scope="row"><code>${status}</code></th><td>${description}</td><td>${type !== undefined && markup`<code>${type}</code>${view}`}</td></tr>`;
}

function example(one: Example): Markup {
  if ('command' in one) return markup`<pre tabindex="0">${one.command}</pre>`;
  return markup`<div class="try"><p><a href="${one.address}" data-try><code>GET ${one.address}</code></a></p></div>`;
}

function shape(name: string, schema: Schema): Markup {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([field, one]) =>
      markup`<tr><th scope="row"><code>${field}</code></th><td>${renderType(one)}${schema.required?.includes(field) !== true && ', optional'}</td><td>${one.description}</td></tr>`,
  );
  return markup`<h3 id="${name}">${name}</h3>${renderReferenceTable(name, rows)}`;
}

/** Wide on narrow screens, so it scrolls by itself, also with the keyboard. */
function renderReferenceTable(label: string, rows: readonly Markup[]): Markup {
  return markup`<div class="scrolls" tabindex="0" role="region" aria-label="${label}"><table><tbody>${rows}</tbody></table></div>`;
}

/** A schema in a few words. A named schema is a link. */
function renderType(schema: Schema): Markup {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return markup`<a href="#${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined) return joinMarkup(schema.anyOf.map(renderType), ' or ');
  if (schema.enum !== undefined)
    return joinMarkup(
      schema.enum.map((one) => markup`<code>${String(one)}</code>`),
      ', ',
    );
  if (schema.const !== undefined) return markup`<code>${String(schema.const)}</code>`;
  if (schema.items !== undefined) return markup`list of ${renderType(schema.items)}`;
  const { type = 'object', format, maximum, maxLength, default: usual } = schema;
  const more = [
    format,
    maximum === undefined ? undefined : `up to ${maximum}`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    usual === undefined ? undefined : `default ${usual}`,
  ].filter((one) => one !== undefined);
  return markup`${[type].flat().join(' or ')}${more.length > 0 && ` (${more.join(', ')})`}`;
}

function joinMarkup(parts: readonly Markup[], text: string): Markup {
  return markup`${parts.map((part, i) => markup`${i > 0 && text}${part}`)}`;
}

function anchor(method: string, path: string): string {
  return `${method}${path.replaceAll(/[^a-z]+/gi, '-')}`.toLowerCase();
}

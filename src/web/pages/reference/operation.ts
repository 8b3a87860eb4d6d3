/** Operations and schemas of the OpenAPI document: what an operation takes and what it answers with. */

import { type Markup, markup } from '../markup.ts';
import type { ApiDocument, Operation, ResponseObject, Schema } from './document.ts';
import { renderRows, type TermRow } from './rows.ts';
import { joinMarkup, renderInline, renderParagraphs } from './text.ts';

export type NamedOperation = { method: string; path: string; operation: Operation };

export function findOperation({ paths }: ApiDocument, operationId: string): NamedOperation | undefined {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === operationId) return { method: method.toUpperCase(), path, operation };
  return undefined;
}

/** The method, the path and the description. */
export function renderOperation({ method, path, operation }: NamedOperation): Markup {
  return markup`<p class="endpoint"><code><span class="method">${method}</span> ${path}</code></p>
${renderParagraphs(operation.description ?? operation.summary)}`;
}

/** Parameters in full, or only their names where those of a search are meant. */
export function renderParameters({ parameters = [] }: Operation, isFull: boolean): Markup {
  if (parameters.length === 0) return markup``;
  const rows = parameters.map(({ name, required, schema, description }) =>
    toRow(name, { ...(schema.items ?? schema), description }, formatUse(required, schema)),
  );
  if (isFull) return markup`<h3>Parameters</h3>${renderRows(rows)}`;
  const names = joinMarkup(
    rows.map(({ term }) => term),
    ', ',
  );
  return markup`<h3>Parameters</h3><p>${names}, as in a <a href="#search">search</a>.</p>`;
}

function formatUse(isRequired: boolean, { items }: Schema): string {
  if (items !== undefined) return ', can be repeated';
  return isRequired ? ', required' : '';
}

/** The responses by status. Errors are explained once, in their own section. */
export function renderResponses({ responses }: Operation): Markup {
  const all = Object.entries(responses);
  const [errors, results] = [all.filter(isProblem), all.filter((one) => !isProblem(one))];
  return markup`<h3>Responses</h3><p>${results.map(([status, { description }]) => markup`<code>${status}</code> ${description}. `)}Errors: <a href="#errors">${errors.map(([status]) => status).join(', ')}</a>.</p>`;
}

function isProblem([, { content = {} }]: [string, ResponseObject]): boolean {
  return 'application/problem+json' in content;
}

/** The fields of a named schema. */
export function renderSchema({ components }: ApiDocument, name: string): Markup {
  const { properties = {}, required = [] } = components.schemas[name] ?? {};
  const rows = Object.entries(properties).map(([field, schema]) =>
    toRow(field, schema, required.includes(field) ? '' : ', optional'),
  );
  return markup`<h3 id="${anchorOf(name)}">${name} object</h3>${renderRows(rows)}`;
}

function toRow(name: string, schema: Schema, more: string): TermRow {
  return {
    term: markup`<code>${name}</code>`,
    note: markup`${renderType(schema)}${more}`,
    text: renderInline(schema.description ?? ''),
  };
}

/** A schema in a few words. A named schema is a link to its fields. */
function renderType(schema: Schema): Markup {
  const { $ref, anyOf, items, properties, enum: values } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return markup`<a href="#${anchorOf(name)}">${name}</a>`;
  }
  if (anyOf !== undefined) return joinMarkup(anyOf.map(renderType), ' or ');
  if (items !== undefined) return markup`list of ${renderType(items)}`;
  if (properties !== undefined) return markup`<code>{ ${Object.keys(properties).join(', ')} }</code>`;
  if (values !== undefined)
    return joinMarkup(
      values.map((one) => markup`<code>${String(one)}</code>`),
      ', ',
    );
  return markup`${describeType(schema)}`;
}

function describeType({ type = 'object', format, maximum, maxLength, default: usual }: Schema): string {
  const more = [
    format,
    maximum === undefined ? undefined : `up to ${maximum}`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    usual === undefined ? undefined : `default ${usual}`,
  ];
  return [[type].flat().join(' or '), ...more.filter((one) => one !== undefined)].join(', ');
}

function anchorOf(name: string): string {
  return `schema-${name.toLowerCase()}`;
}

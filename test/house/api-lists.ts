/**
 * The lists of docs/api.md, made of the OpenAPI document. `node bin/node.mjs test/house/api-lists.ts` writes them; a test compares.
 * The list below `<!-- fields of NAME -->` has a schema's fields, and the other comments name an operation or all problems.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import WARNINGS from '../../src/data/warnings.json' with { type: 'json' };
import { PROBLEMS } from '../../src/service/web/problems.ts';
import { searchParameters } from '../../src/shared/question.ts';
import { openApiDocument } from '../service/web/a-door.ts';

const PAGE = fileURLToPath(new URL('../../docs/api.md', import.meta.url));

type Schema = {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema;
  $ref?: string;
};
type Parameter = { name: string; description: string; required: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters?: readonly Parameter[];
};
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Other lists leave out what the fields of this schema say already. */
const SEARCH = 'SearchResult';

/** Fields whose samples on the page say what they are. */
const EVIDENT = ['limit', 'offset', 'parameter', 'version', 'email'];

/** Where each schema is described on the page. */
const ANCHORS: Record<string, string> = {
  Listing: 'a-listing',
  Warning: 'warnings',
};

/** The page with every list written anew. */
export function fillApiLists(page: string, document: ApiDocument): string {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const find = (id: string) => {
    const found = operations.find(({ operationId }) => operationId === id);
    if (found === undefined)
      throw new Error(`docs/api.md describes ${id}, which no route of src/app/web/app.ts has`);
    return found;
  };
  return page.replaceAll(
    /(<!-- (fields|parameters|problems|codes)(?: of (\w+))? -->\n)\n?(?:- .*\n)*/g,
    (_, mark, what, name) => {
      if (what === 'fields') return `${mark}\n${describeFields(document.components.schemas, name)}`;
      if (what === 'codes')
        return `${mark}\n${list(Object.entries(WARNINGS).map(([code, text]) => [`\`${code}\``, text]))}`;
      if (what === 'parameters') return `${mark}\n${describeParameters(find(name))}`;
      return `${mark}\n${describeProblems()}`;
    },
  );
}

function describeFields(schemas: Record<string, Schema>, name: string): string {
  const { properties = {}, required = [] } = inlineUnlinked(schemas, schemas[name]!);
  const ofSearch = name === SEARCH ? {} : inlineUnlinked(schemas, schemas[SEARCH]!).properties!;
  const isOfSearch = (field: string) => ofSearch[field]?.description === properties[field]!.description;
  const own = Object.entries(properties).filter(([field]) => !isOfSearch(field) && !EVIDENT.includes(field));
  const meanings = Object.groupBy(own, ([, { description = '' }]) => description);
  const items = Object.entries(meanings).map(([meaning, same = []]): Item => {
    const isOptional = !required.includes(same[0]![0]);
    const type = `${describeType(same[0]![1])}${isOptional ? ', optional' : ''}`;
    return [`${quote(same.map(([field]) => field))} (${type})`, meaning];
  });
  const same = Object.keys(properties).filter(isOfSearch);
  const last: Item = [quote(same), 'As in a [search](#the-result-of-a-search).'];
  return list(same.length === 0 ? items : [...items, last]);
}

/** A schema in which those that the page does not describe elsewhere stand in place of their names. */
function inlineUnlinked(schemas: Record<string, Schema>, schema: Schema): Schema {
  const text = JSON.stringify(schema, (_key, part: Schema | null) => {
    const name = part?.$ref?.split('/').at(-1);
    if (name === undefined || name in ANCHORS) return part;
    const { $ref: _, ...own } = part!;
    return { ...schemas[name], ...own };
  });
  return JSON.parse(text);
}

/** In full for a search, and for what it does not have. */
function describeParameters({ operationId, parameters = [] }: Operation): string {
  const isFull = operationId === 'searchListings';
  const isOfSearch = ({ name }: Parameter) => name in searchParameters;
  const shown = parameters.filter((one) => isFull || !isOfSearch(one));
  const meanings = Object.groupBy(shown, ({ description }) => description);
  const items = Object.entries(meanings).map(([meaning, same = []]): Item => {
    const { schema } = same[0]!;
    const type = `${describeType(schema.items ?? schema)}${schema.items === undefined ? '' : ', can be repeated'}`;
    return [`${quote(same.map(({ name }) => name))} (${type})`, meaning];
  });
  if (isFull) return list(items);
  const left = Object.keys(searchParameters).filter((one) => !parameters.some(({ name }) => name === one));
  const which = left.map((name) => `\`${name}\``).join(' and ');
  return list([['Parameters of a [search](#search)', `All except ${which}.`], ...items]);
}

function describeProblems(): string {
  const byStatus = Object.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status);
  return list(
    Object.entries(byStatus).map(([status, problems = []]) => [
      status,
      quote(problems.map(([code]) => code)),
    ]),
  );
}

type Item = readonly [term: string, text: string];

function list(items: readonly Item[]): string {
  return items.map(([term, text]) => `- ${term}: ${text}\n`).join('');
}

function quote(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

/** Longer enumerations have a list of their own. */
const MOST_LISTED = 6;

/** A schema in a few words. */
function describeType(schema: Schema): string {
  const { $ref, anyOf, items, properties, additionalProperties, enum: values } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return `[${name}](#${ANCHORS[name]})`;
  }
  if (anyOf !== undefined) return anyOf.map(describeType).join(' or ');
  if (items !== undefined) return `list of ${describeType(items)}`;
  if (additionalProperties) return `object of ${describeType(additionalProperties)}`;
  if (properties !== undefined) return `\`{ ${Object.keys(properties).join(', ')} }\``;
  const { type = 'object', format, minimum = 0, maximum, maxLength, default: usual } = schema;
  if (values !== undefined && values.length <= MOST_LISTED) {
    const all = values.map((one) => `\`${one}\``).join(', ');
    return usual === undefined ? all : `${all}; default \`${usual}\``;
  }
  const more = [
    ...(format === undefined ? [] : [format]),
    ...(maximum === undefined ? [] : [minimum > 0 ? `${minimum} to ${maximum}` : `up to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(usual === undefined ? [] : [`default ${usual}`]),
  ];
  return [[type].flat().join(' or '), ...more].join(', ');
}

export async function readApiPage(): Promise<{ page: string; filled: string }> {
  const page = readFileSync(PAGE, 'utf8');
  return { page, filled: fillApiLists(page, (await openApiDocument()) as ApiDocument) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, (await readApiPage()).filled);

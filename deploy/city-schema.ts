/**
 * Writes `city.schema.json`, with which editors complete and check a `city.yaml`, and the lists of docs/city-yaml.md. Editors see a number in `02134`
 * and a truth in `yes`; to Shingle both are text, so where it wants text the schema for editors allows numbers, true, false and null, too.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITY_MAPPING } from '../src/register/profile/mapping/mapping.ts';
import { isRecord } from '../src/shared/record.ts';

const SCHEMA = join(import.meta.dirname, '../city.schema.json');
const PAGE = join(import.meta.dirname, '../docs/city-yaml.md');
const SCALAR = ['string', 'number', 'boolean', 'null'];
/** What editors know of these; the other words are ours. */
const KEPT = [
  ...['description', 'default', 'enum', 'pattern', 'type', 'required', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum'],
];

/** The text of the file. */
export function formatEditorSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'city.yaml',
    ...toEditor(CITY_MAPPING),
  };
  return `${JSON.stringify(schema)}\n`;
}

function toEditor(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  const { properties, items, anyOf, additionalProperties, oneKeyOf } = schema;
  const kept = Object.fromEntries(Object.entries(schema).filter(([word]) => KEPT.includes(word)));
  if (schema.type === 'string' && schema.enum === undefined) kept.type = SCALAR;
  return {
    ...kept,
    ...(schema.type === 'object' && {
      properties: mapValues(properties),
      additionalProperties: isRecord(additionalProperties) ? toEditor(additionalProperties) : false,
    }),
    ...(items !== undefined && { items: toEditor(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(toEditor) }),
    ...(Array.isArray(oneKeyOf) &&
      anyOf === undefined && { oneOf: oneKeyOf.map((word) => ({ required: [word] })) }),
  };
}

function mapValues(properties: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(isRecord(properties) ? properties : {}).map(([name, one]) => [name, toEditor(one)]),
  );
}

/** What a reader looks for in a register, with its words. A word of no group is in the first one. */
const GROUPS: Record<string, readonly string[]> = {
  register: [],
  file: [
    'from',
    'delivers',
    'baseline',
    'join',
    'hosts',
    'everyHours',
    'rejectedShare',
    'aliases',
    'missing',
    'accepts',
  ],
  name: ['key', 'name', 'legalName', 'owner', 'person', 'namesLikePeople'],
  days: ['filed', 'ended', 'expires', 'since', 'newForDays', 'freshForHours'],
  status: ['status', 'renewals', 'opens'],
  category: ['category'],
  place: ['town', 'inside', 'address', 'postalCode', 'point', 'neighborhood'],
  skip: ['skip'],
};

/** The lists of docs/city-yaml.md: of the city, of each group of a register, and of its formats. */
function listWords(): Map<string, string> {
  const { properties } = CITY_MAPPING as { properties?: Record<string, unknown> };
  const { registers, ...city } = properties ?? {};
  const register = Object(registers).items;
  const { from, ...words } = register.properties;
  const explained = new Set<string>();
  const rowsOf = (one: unknown, properties: unknown) =>
    listRows('', { ...Object(one), properties }, explained);
  const lists = new Map([
    ['city', rowsOf(CITY_MAPPING, { ...city, registers: { ...Object(registers), items: {} } })],
  ]);
  const all: Record<string, unknown> = { ...words, from: { ...from, anyOf: undefined } };
  for (const [group, own] of Object.entries(GROUPS)) {
    const others = Object.keys(all).filter((word) => !Object.values(GROUPS).flat().includes(word));
    const chosen = own.length === 0 ? others : own;
    lists.set(group, rowsOf(register, Object.fromEntries(chosen.map((word) => [word, all[word]]))));
  }
  const formats = Object(from).anyOf.flatMap((one: unknown) =>
    listRows('', { ...Object(one), required: [] }, new Set()),
  );
  lists.set('from', [...new Set<string>(formats)]);
  return new Map([...lists].map(([name, rows]) => [name, rows.join('\n')]));
}

/**
 * An item for each word, with those inside it below. What a word inside means is explained once: where it is the same again,
 * or follows from its name, the row above only names it, if its example does not.
 */
function listRows(prefix: string, schema: unknown, explained: Set<string>): string[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([word, one]) => {
    const inner = word === 'accepts' || word === 'from' ? {} : listInner(one);
    const named = Object.keys(inner).filter((name) => !needsRow(name, Object(inner[name]), explained));
    const needed = listForms(one).flatMap((form) => Object(form).required ?? []);
    const rest = { required: needed, properties: omit(inner, named) };
    const rows = listRows(`${prefix}${word}.`, rest, explained);
    return [describeWord(`${prefix}${word}`, Object(one), required.includes(word), named), ...rows];
  });
}

/** The words inside a word, of all the forms that it can have. */
function listInner(schema: unknown): Record<string, unknown> {
  return Object.assign({}, ...listForms(schema).map((form) => Object(form).properties));
}

function listForms(schema: unknown): unknown[] {
  const { anyOf, items } = Object(schema);
  return Array.isArray(anyOf) ? anyOf : [schema, items];
}

function needsRow(name: string, { description }: Word, explained: Set<string>): boolean {
  const key = `${name}: ${description}`;
  const isNew = !explained.has(key);
  explained.add(key);
  return isNew && description !== undefined;
}

function omit(words: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(words).filter(([word]) => !names.includes(word)));
}

function describeWord(
  name: string,
  { description, default: usual, examples = [] }: Word,
  isRequired: boolean,
  named: readonly string[],
) {
  if (description === undefined)
    throw new Error(`no row of src/data/city-fields.csv says what ${name} means`);
  const unseen = named.filter((one) => !examples.some((text) => text.includes(`${one}: `)));
  const lead = unseen.length < named.length ? 'It can also have' : 'It can have';
  const inside =
    unseen.length === 0
      ? ''
      : ` ${lead} ${new Intl.ListFormat('en').format(unseen.map((one) => `\`${one}\``))}.`;
  const absent =
    usual === undefined ? (isRequired ? ' Required.' : '') : ` Default: ${quoteSign(String(usual))}.`;
  const example = examples.map((one) => `\`${one}\``).join(', ');
  return `- \`${name}\`: ${description}${inside}${absent}${example && ` Example: ${example}.`}`;
}

/** A sign such as `,` in backticks, and other texts as they are. */
function quoteSign(text: string): string {
  return /\w/.test(text) ? text : `\`${text}\``;
}

type Word = {
  description?: string;
  default?: unknown;
  examples?: string[];
};

/** The page with its lists in place of those that it has, between `<!-- NAME -->` and `<!-- end -->`. They repeat no example of its first sample. */
export function fillLists(page: string): string {
  const lists = listWords();
  const sample = page.split('\n## ', 1)[0]!;
  return page.replace(
    /(<!-- (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, start, name, end) =>
      start +
      lists
        .get(name)!
        .replaceAll(/ Example: `([^`]+)`\./g, (text, example) =>
          sample.includes(`: ${example}\n`) ? '' : text,
        ) +
      end,
  );
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(SCHEMA, formatEditorSchema());
  writeFileSync(PAGE, fillLists(readFileSync(PAGE, 'utf8')));
}

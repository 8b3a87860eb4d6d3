/**
 * Writes `city.schema.json`, with which editors complete and check a `city.yaml`, and the tables of docs/city-yaml.md. Editors see a number in `02134` and a truth in `yes`;
 * to Shingle both are text, so where it wants text the schema for editors allows numbers, true, false and null, too.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CITY_MAPPING } from '../src/city/mapping/mapping.ts';
import { isRecord } from '../src/listings/record.ts';

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

/** The tables of docs/city-yaml.md: of the city, of a register, and of its formats. */
function listWordTables(): Map<string, string> {
  const { properties } = CITY_MAPPING as { properties?: Record<string, unknown> };
  const { registers, ...city } = properties ?? {};
  const register = Object(registers).items;
  const { from, ...words } = register.properties;
  const formats = Object(from).anyOf.flatMap((one: unknown) => listRows('', one));
  const own = (one: unknown, rest: Record<string, unknown>) => ({ ...Object(one), properties: rest });
  return new Map([
    [
      'city',
      formatTable(
        listRows('', own(CITY_MAPPING, { ...city, registers: { ...Object(registers), items: {} } })),
      ),
    ],
    ['register', formatTable(listRows('', own(register, { ...words, from: { ...from, anyOf: undefined } })))],
    ['from', formatTable([...new Set<string>(formats)])],
  ]);
}

function formatTable(rows: readonly string[]): string {
  return ['| word | meaning | without it | example |', '|---|---|---|---|', ...rows].join('\n');
}

/** A row for each word, with those inside it below. */
function listRows(prefix: string, schema: unknown): string[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([word, one]) => {
    const inner = isRecord(one) && Array.isArray(one.anyOf) ? one.anyOf : [one, Object(one).items];
    const rows = inner
      .flatMap((branch) => listRows(`${prefix}${word}.`, branch))
      .filter((row) => !/\.accepts\./.test(row));
    return [
      describeWord(`${prefix}${word}`, Object(one), required.includes(word)),
      ...(word === 'accepts' || word === 'from' ? [] : rows),
    ];
  });
}

function describeWord(
  name: string,
  { description, wanted, default: usual, examples = [], enum: words = [] }: Word,
  isRequired: boolean,
) {
  const meaning =
    description ?? (wanted === undefined ? words.map((one) => `\`${one}\``).join(', ') : sentence(wanted));
  const absent = usual === undefined ? (isRequired ? 'an error' : '') : String(usual);
  const example = examples.map((one) => `\`${one}\``).join(', ');
  return `| \`${name}\` | ${meaning} | ${absent} | ${example} |`;
}

type Word = {
  description?: string;
  wanted?: string;
  default?: unknown;
  examples?: string[];
  enum?: string[];
};

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** The page with its tables in place of those that it has, between `<!-- NAME -->` and `<!-- end -->`. */
export function fillTables(page: string): string {
  return page.replace(
    /(<!-- (\w+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, start, name, end) => `${start}${listWordTables().get(name)}${end}`,
  );
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(SCHEMA, formatEditorSchema());
  writeFileSync(PAGE, fillTables(readFileSync(PAGE, 'utf8')));
}

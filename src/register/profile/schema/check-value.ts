/**
 * Checks a value against a schema of `schema.ts`. Reports every problem once, with its path and what to write instead.
 */

import { parseNetwork } from '../../../shared/city/networks.ts';
import { makeDay } from '../../../shared/day.ts';
import { isRecord } from '../../../shared/record.ts';
import { findNearest } from '../../../shared/text/edits.ts';
import { DAY_FORMATS } from '../parse-day.ts';
import type { Schema } from './schema.ts';

export type Path = readonly (string | number)[];

/** What is wrong with a value. `says` completes a sentence with the path: `registers[0].delivers must be ...`. */
export type Problem = { path: Path; says: string; isKey?: boolean };

export type CheckOptions = {
  /** Whether to read numbers, `true` and `false` from text. */
  isText?: boolean;
  /** The end of the sentence "NAME is not ..." about an unknown key, such as `a field of a profile`. */
  word: string;
};

type Visit = { options: CheckOptions; problems: Problem[] };

/** Checks a value. Returns it, with numbers and booleans parsed from text, and all its problems. */
export function readValue(schema: Schema, value: unknown, options: CheckOptions) {
  const visit: Visit = { options, problems: [] };
  return { value: readNode(schema, { value, path: [] }, visit), problems: visit.problems };
}

export function formatPath(path: Path): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i > 0 ? '.' : ''}${step}`))
    .join('');
}

type At = { value: unknown; path: Path };

function readNode(schema: Schema, at: At, visit: Visit): unknown {
  const given = schema.oneKeyOf?.filter((key) => isRecord(at.value) && Object.hasOwn(at.value, key));
  if (given !== undefined && given.length !== 1 && isRecord(at.value)) {
    const has = given.length === 0 ? 'none of them' : given.join(' and ');
    const says = `must have exactly one of ${schema.oneKeyOf!.join(', ')}; it has ${has}`;
    return refuse(schema, at, visit, says);
  }
  if (schema.anyOf !== undefined) return readUnion(schema, at, visit, given);
  if (schema.type === 'object') return readObject(schema, at, visit);
  if (schema.type === 'array') return readList(schema, at, visit);
  const { isText = false } = visit.options;
  const value = isText && typeof at.value === 'string' ? parseText(schema, at.value) : at.value;
  const isSound = isSimpleValue(schema, value);
  return isSound ? value : refuse(schema, at, visit);
}

function isSimpleValue(schema: Schema, value: unknown): boolean {
  const { isFunction, type, enum: words, pattern = '', format, minimum, maximum, exclusiveMinimum } = schema;
  if (isFunction) return typeof value === 'function';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'number' || type === 'integer')
    return (
      typeof value === 'number' &&
      (type === 'number' ? Number.isFinite(value) : Number.isInteger(value)) &&
      value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
      value <= (maximum ?? Number.POSITIVE_INFINITY) &&
      value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
    );
  if (type !== 'string') return true;
  return (
    typeof value === 'string' &&
    (words?.includes(value) ?? true) &&
    new RegExp(pattern, 'u').test(value) &&
    (format === undefined || FORMATS[format]!(value))
  );
}

function parseText({ type }: Schema, text: string): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text))
    return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/**
 * Reads a value by the first branch with the given keys that accepts it. If none does, reports the problems of the only
 * branch of its type.
 */
function readUnion(schema: Schema, at: At, visit: Visit, keys: readonly string[] = []): unknown {
  const own = schema.anyOf!.filter(({ properties = {} }) =>
    keys.every((key) => Object.hasOwn(properties, key)),
  );
  const tried = own.map((branch) => {
    const trial: Visit = { options: visit.options, problems: [] };
    return { branch, value: readNode(branch, at, trial), problems: trial.problems };
  });
  const sound = tried.find(({ problems }) => problems.length === 0);
  if (sound !== undefined) return sound.value;
  const [only, ...others] = tried.filter(({ branch }) => branch.type === sortOf(at.value));
  if (only === undefined || others.length > 0 || sortOf(at.value) === 'value')
    return refuse(schema, at, visit);
  visit.problems.push(...only.problems);
  return at.value;
}

function sortOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return isRecord(value) ? 'object' : 'value';
}

function readObject(schema: Schema, at: At, visit: Visit): unknown {
  const { value, path } = at;
  if (!isRecord(value)) return refuse(schema, at, visit);
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required)
    if (!isGiven(value, name))
      visit.problems.push({
        path: [...path, name],
        says: `is missing: it must be ${wantedOf(properties[name]!, visit)}`,
      });
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isGiven(value, name))
      .map(([name, inner]) => {
        const there = { value: inner, path: [...path, name] };
        if (Object.hasOwn(properties, name)) return [name, readNode(properties[name]!, there, visit)];
        if (typeof additionalProperties === 'object')
          return [name, readNode(additionalProperties, there, visit)];
        if (additionalProperties !== true)
          visit.problems.push(unknownWord(there.path, Object.keys(properties), visit));
        return [name, inner];
      }),
  );
}

function isGiven(record: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(record, name) && record[name] !== undefined;
}

function unknownWord(path: Path, known: readonly string[], { options }: Visit): Problem {
  const nearest = findNearest(String(path.at(-1)), known);
  const hint = nearest === undefined ? ` (known: ${known.join(', ')})` : `: did you mean ${nearest}?`;
  return { path, isKey: true, says: `is not ${options.word}${hint}` };
}

function readList(schema: Schema, at: At, visit: Visit): unknown {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (!Array.isArray(at.value)) return refuse(schema, at, visit);
  if (at.value.length < minItems || at.value.length > maxItems) return refuse(schema, at, visit);
  return at.value.map((value, i) => readNode(items!, { value, path: [...at.path, i] }, visit));
}

function refuse(schema: Schema, { value, path }: At, visit: Visit, says?: string): unknown {
  const wanted = `must be ${wantedOf(schema, visit)}, not ${formatValue(value)}`;
  visit.problems.push({ path, says: says ?? wanted });
  return value;
}

const WANTED = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
]);

function wantedOf(
  { wanted, enum: words, type = 'string', required = [] }: Schema,
  { options }: Visit,
): string {
  if (wanted !== undefined) return wanted;
  if (type === 'object' && options.isText && required.length > 0)
    return `settings such as ${required
      .slice(0, 2)
      .map((name) => `"${name}: ..."`)
      .join(' and ')}`;
  if (words === undefined) return WANTED.get(type) ?? 'a text';
  const shown = options.isText ? words : words.map((word) => `"${word}"`);
  return shown.length < 3 ? shown.join(' or ') : `one of ${shown.join(', ')}`;
}

function formatValue(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const FORMATS: Record<string, (text: string) => boolean> = {
  day: isDayText,
  'day-format': (text) => text === 'instant' || DAY_FORMATS.some((format) => format === text),
  /** Accepts one ASCII character, because the CSV reader works on bytes. Rejects quotes and line ends. */
  delimiter: (text) => /^[\t -~]$/.test(text) && text !== '"',
  domain: (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text),
  // the readers know code page 850, which `TextDecoder` does not
  encoding: (text) => /^(?:cp|ibm|dos)-?850$/i.test(text) || isAccepted(() => new TextDecoder(text)),
  host: (text) => /^[a-z0-9.-]+(?::\d+)?$/i.test(text),
  language: isLanguage,
  network: (text) => parseNetwork(text) !== undefined,
  'time-zone': isTimeZone,
  'web-address': (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
};

export function isTimeZone(text: string): boolean {
  return text.includes('/') && isAccepted(() => new Temporal.ZonedDateTime(0n, text));
}

export function isLanguage(text: string): boolean {
  return text.trim() !== '' && isAccepted(() => new Intl.Locale(text));
}

function isDayText(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return makeDay(Number(year), Number(month), Number(day)) === text;
}

function isAccepted(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}

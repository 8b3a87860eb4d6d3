/** Checks a `city.ts`, and the rules that it shares with `city.yaml`. Reports all errors. */

import { type TSchema, Type } from 'typebox';
import { isRecord } from '../../listings/record.ts';
import { FORMATS } from '../define.ts';
import { isKnownWord, listWordsOf, shippedWordsOf } from '../words.ts';
import { type Fault, formatPath, isLanguage, readValue } from './check-value.ts';
import {
  addWords,
  CHECKED,
  CITY_FIELDS,
  COLUMN,
  listOf,
  OPERATOR,
  oneOf,
  placeWith,
  SOURCE_FIELDS,
  TEXT_READING,
  text,
} from './fields.ts';

const FROM = Type.Object(
  { format: oneOf(FORMATS), ...TEXT_READING },
  {
    additionalProperties: true,
    section: 'from',
    wanted: `one of ${FORMATS.map((format) => `${format}({...})`).join(', ')}`,
  },
);
const JOIN = Type.Object({ from: FROM, column: COLUMN, key: COLUMN, take: listOf(COLUMN, { minItems: 1 }) });
const VERDICT: TSchema = Type.Unsafe({ isFunction: true, wanted: 'a function (row, at) => verdict' });

const SOURCE = Type.Object(
  {
    ...SOURCE_FIELDS,
    licence: text('the licence of the data'),
    checked: CHECKED,
    from: FROM,
    baseline: Type.Optional(placeWith({}, { wanted: '{ file } or { url }' })),
    join: Type.Optional(JOIN),
    columns: listOf(COLUMN, { minItems: 1, wanted: 'a list of required column names, at least one' }),
    optional: Type.Optional(listOf(COLUMN, { wanted: 'a list of column names' })),
    verdict: VERDICT,
    mapping: Type.Optional(Type.Unsafe({})),
  },
  { section: 'register' },
);

const SOURCES = listOf(SOURCE, { minItems: 1, wanted: 'a list with at least one source' });
const PROFILE = addWords(
  Type.Object({ ...CITY_FIELDS, operator: OPERATOR, sources: SOURCES }, { section: 'city' }),
);
const WORD = { word: 'a field of a profile' };

/** Returns a sentence for each error in the default export of a `city.ts`. Returns `[]` for a valid one. */
export function listProfileFaults(profile: unknown): string[] {
  if (!isRecord(profile))
    return ['the default export is not an object. Write `export default defineCity({ ... })`'];
  const { faults } = readValue(PROFILE, profile, WORD);
  const more = [
    ...findRepeatedIds(profile.sources, 'sources'),
    ...findHeaderFaults(profile.sources, 'sources'),
  ];
  return [...faults, ...listCityFaults(profile), ...more].map(formatFault);
}

function formatFault({ path, says }: Fault): string {
  return `${formatPath(path)} ${says}`;
}

export function listCityFaults(city: Record<string, unknown>): Fault[] {
  const needsBoundaries = city.addresses !== undefined && city.boundaries === undefined;
  const says = 'need boundaries: an address leads to a point, and the boundaries to its neighborhood';
  return [...(needsBoundaries ? [{ path: ['addresses'], says }] : []), ...wordFaults(city)];
}

/** Checks page texts. In other languages a profile needs all texts, so that no page is in two languages. */
function wordFaults({ words, language = 'en' }: Record<string, unknown>): Fault[] {
  const given = isRecord(words) ? Object.keys(words) : [];
  const faults: Fault[] = given
    .filter((word) => !isKnownWord(word))
    .map((word) => ({
      path: ['words', word],
      isKey: true,
      says: 'is not a text (see page-words.json and subscription-words.json in src/data for all of them)',
    }));
  if (typeof language !== 'string' || !isLanguage(language) || shippedWordsOf(language) !== undefined)
    return faults;
  const missing = listWordsOf(language).filter((word) => !given.includes(word));
  const says = `is "${language}", so words must contain all texts. Missing: ${missing.join(', ')}`;
  return missing.length > 0 ? [...faults, { path: ['language'], says }] : faults;
}

export function findRepeatedIds(list: unknown, name: 'sources' | 'registers'): Fault[] {
  const ids = Array.isArray(list) ? list.map((one) => (isRecord(one) ? one.id : undefined)) : [];
  return ids.flatMap((id, i) =>
    typeof id === 'string' && ids.indexOf(id) < i
      ? [{ path: [name, i, 'id'], says: `is not unique: two ${name} have the id "${id}"` }]
      : [],
  );
}

export function findHeaderFaults(list: unknown, name: 'sources' | 'registers'): Fault[] {
  const froms = Array.isArray(list) ? list.map((one) => (isRecord(one) ? one.from : undefined)) : [];
  return froms.flatMap((from, i) => {
    const [first, second] = isRecord(from) && Array.isArray(from.header) ? from.header : [];
    const isReversed = Number(first) >= Number(second);
    return isReversed
      ? [{ path: [name, i, 'from', 'header'], says: 'must have its two lines in their order' }]
      : [];
  });
}

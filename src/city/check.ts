/** Checks a city profile and describes its errors in sentences for its author. Reports all errors, not only the first. */

import { makeDay } from '../listings/day.ts';
import { isRecord } from '../listings/record.ts';
import { FINDING_CODES, WEEKDAYS } from './define.ts';
import { parseNetwork } from './networks.ts';
import { isKnownWord, listWordsOf } from './words.ts';

const FORMATS = ['csv', 'json', 'excel', 'geojson', 'socrata', 'arcgis', 'ckan'];

type Field = [name: string, test: (value: unknown) => boolean, wanted: string];

const CITY_FIELDS: Field[] = [
  ['name', isText, 'the name of the city'],
  ['region', isText, 'the state or region'],
  ['timeZone', isTimeZone, 'an IANA time zone such as "America/Chicago"'],
  ['language', optional(isLanguage), 'a language tag such as "en"'],
  ['accent', optional(isColour), 'a CSS hex colour such as "#0a6"'],
  ['words', optional(isTextMap), 'an object of page texts'],
  ['asOf', optional(isDay), 'a day such as "2026-09-30"'],
  ['archive', optional(isBoolean), 'true or false'],
  ['zips', optional(isTextMap), 'an object of ZIP -> neighborhood'],
  ['boundaries', optional(isBoundaries), '{ file | url, property }'],
  ['addresses', optional(isAddresses), '{ file | url, columns? }, or a list of them'],
  [
    'limits',
    optional(isLimits),
    '{ burst?, rows?, signup?, connections?, confirmations? } as whole numbers above 0, trusted?: a list of networks such as "203.0.113.0/24", and recipientDomain?: { hour?, day?, providers? }',
  ],
  ['weekly', optional(isWeekly), '{ weekday: "Monday", time: "08:00" }'],
];

const SOURCE_FIELDS: Field[] = [
  ['id', isSlug, 'lower-case letters, digits and dashes'],
  ['publisher', isText, 'the name of the publisher'],
  ['homepage', isWebAddress, 'the http(s) URL of the data for visitors'],
  ['licence', isText, 'the licence of the data'],
  ['notice', optional(isText), 'a text'],
  ['checked', isOneOf('live', 'documentation'), '"live" or "documentation"'],
  [
    'from',
    isFormat,
    'one of csv({...}), json({...}), excel({...}), geojson({...}), socrata({...}), arcgis({...}), ckan({...}); a delimiter is one ASCII character, quote is \'"\' or "\'", encoding one that TextDecoder knows, header a line, two lines or "none", widths a list of numbers of characters',
  ],
  ['hosts', optional(isTextList), 'a list of host names'],
  ['baseline', optional(isPlace), '{ file } or { url }'],
  ['delivers', isOneOf('snapshot', 'changes'), '"snapshot" or "changes"'],
  ['everyHours', optional(isPositive), 'a number of hours above 0'],
  ['freshForHours', optional(isPositive), 'a number of hours above 0'],
  ['rejectedShare', optional(isShare), 'a number from 0 to 1'],
  [
    'accepts',
    optional(isAccepting),
    `an object of finding -> reason (findings: ${FINDING_CODES.join(', ')})`,
  ],
  ['columns', isNames, 'a list of required column names, at least one'],
  ['optional', optional(isTextList), 'a list of column names'],
  ['aliases', optional(isAliases), 'an object of column -> list of other headers'],
  ['verdict', (value) => typeof value === 'function', 'a function (row, at) => verdict'],
];

/** One sentence for each error; an empty list if the profile is valid. */
export function listProfileFaults(profile: unknown): string[] {
  if (!isRecord(profile))
    return ['the default export is not an object. Write `export default defineCity({ ... })`'];
  const faults = fieldFaults(profile, CITY_FIELDS, '');
  const operator = profile.operator;
  if (!isRecord(operator) || !isText(operator.name) || !isText(operator.contact)) {
    faults.push(
      'operator must be { name, contact }: who runs the service and where to request the removal of a listing',
    );
  }
  faults.push(...unknownFields(profile, [...CITY_FIELDS.map(([name]) => name), 'operator', 'sources'], ''));
  if (profile.addresses !== undefined && profile.boundaries === undefined)
    faults.push(
      'addresses need boundaries: an address leads to a point, and the boundaries to its neighborhood',
    );
  return [...faults, ...wordFaults(profile), ...sourceFaults(profile.sources)];
}

/** A page in two languages would be worse than a page in English. */
function wordFaults({ words, language = 'en' }: Record<string, unknown>): string[] {
  const given = isRecord(words) ? Object.keys(words) : [];
  const unknown = given.filter((word) => !isKnownWord(word));
  const isForeign = isLanguage(language) && new Intl.Locale(language as string).language !== 'en';
  const missing = isForeign ? listWordsOf(language as string).filter((word) => !given.includes(word)) : [];
  return [
    ...unknown.map(
      (word) =>
        `words.${word} is not a text (see page-words.ts and subscription-words.ts in src/city for all of them)`,
    ),
    ...(missing.length > 0
      ? [`language is "${language}", so words must contain all texts. Missing: ${missing.join(', ')}`]
      : []),
  ];
}

function sourceFaults(sources: unknown): string[] {
  if (!Array.isArray(sources) || sources.length === 0)
    return ['sources must be a list with at least one source'];
  const known = SOURCE_FIELDS.map(([name]) => name);
  const faults = sources.flatMap((source, i) => {
    const where = `sources[${i}].`;
    if (!isRecord(source)) return [`sources[${i}] must be an object`];
    return [...fieldFaults(source, SOURCE_FIELDS, where), ...unknownFields(source, known, where)];
  });
  const ids = sources.map((source) => (isRecord(source) ? source.id : undefined)).filter(isText);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  return twice === undefined ? faults : [...faults, `two sources have the id "${twice}"`];
}

function fieldFaults(record: Record<string, unknown>, fields: Field[], where: string): string[] {
  return fields
    .filter(([name, test]) => !test(record[name]))
    .map(([name, , wanted]) =>
      record[name] === undefined
        ? `${where}${name} is missing: it must be ${wanted}`
        : `${where}${name} must be ${wanted}, not ${formatValue(record[name])}`,
    );
}

function unknownFields(record: Record<string, unknown>, known: string[], where: string): string[] {
  return Object.keys(record)
    .filter((name) => !known.includes(name))
    .map((name) => `${where}${name} is not a field of a profile (known: ${known.join(', ')})`);
}

function formatValue(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
function isLanguage(value: unknown): boolean {
  try {
    return isText(value) && new Intl.Locale(value).language !== '';
  } catch {
    return false;
  }
}
function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
function isNames(value: unknown): boolean {
  return isTextList(value) && (value as string[]).length > 0;
}
function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}
function isAccepting(value: unknown): boolean {
  return (
    isTextMap(value) &&
    Object.keys(value as object).every((code) => FINDING_CODES.some((one) => one === code))
  );
}
function isAliases(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isNames);
}
function isSlug(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value);
}
function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}
function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
function isColour(value: unknown): boolean {
  return typeof value === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
}
function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
function isDay(value: unknown): boolean {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) : null;
  return parts !== null && makeDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) === value;
}
function isTimeZone(value: unknown): boolean {
  try {
    return isText(value) && value.includes('/') && new Temporal.ZonedDateTime(0n, value) !== undefined;
  } catch {
    return false;
  }
}
function isPlace(value: unknown): boolean {
  return isRecord(value) && (isText(value.file) || isWebAddress(value.url));
}
function isBoundaries(value: unknown): boolean {
  return isPlace(value) && isText((value as Record<string, unknown>).property);
}
function isAddresses(value: unknown): boolean {
  const files = Array.isArray(value) ? value : [value];
  return files.length > 0 && files.every((file) => isPlace(file) && isAddressColumns(file.columns));
}
const ADDRESS_COLUMNS = ['longitude', 'latitude', 'number', 'street', 'address', 'zip', 'town'];
function isAddressColumns(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value) || !Object.keys(value).every((name) => ADDRESS_COLUMNS.includes(name))) return false;
  return Object.entries(value).every(
    ([name, column]) => isText(column) || (name === 'street' && isNames(column)),
  );
}
function isFormat(value: unknown): boolean {
  if (!isRecord(value) || !FORMATS.some((format) => format === value.format)) return false;
  return (
    optional(isDelimiter)(value.delimiter) &&
    optional(isOneOf('"', "'"))(value.quote) &&
    optional(isEncoding)(value.encoding) &&
    optional(isHeaderRows)(value.header) &&
    optional(isWidths)(value.widths)
  );
}
function isEncoding(value: unknown): boolean {
  try {
    return isText(value) && new TextDecoder(value as string).encoding !== '';
  } catch {
    return false;
  }
}
function isHeaderRows(value: unknown): boolean {
  if (!Array.isArray(value)) return value === 'none' || isCount(value);
  return value.length === 2 && value.every(isCount) && value[0] < value[1];
}
function isWidths(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isCount);
}
/** The CSV reader works on bytes: a quote, a line end or a character of several bytes is no delimiter. */
function isDelimiter(value: unknown): boolean {
  return typeof value === 'string' && /^[\t -~]$/.test(value) && value !== '"';
}
function isWeekly(value: unknown): boolean {
  return (
    isRecord(value) &&
    WEEKDAYS.some((weekday) => weekday === value.weekday) &&
    typeof value.time === 'string' &&
    /^([01]\d|2[0-3]):[0-5]\d$/.test(value.time)
  );
}
function isLimits(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, limit]) => {
      if (name === 'recipientDomain') return isRecipientDomain(limit);
      if (name === 'trusted') return isNetworkList(limit);
      return ['burst', 'rows', 'signup', 'connections', 'confirmations'].includes(name) && isCount(limit);
    })
  );
}
function isNetworkList(value: unknown): boolean {
  return isTextList(value) && (value as string[]).every((text) => parseNetwork(text) !== undefined);
}
function isRecipientDomain(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, limit]) =>
      name === 'providers' ? isDomainList(limit) : ['hour', 'day'].includes(name) && isCount(limit),
    )
  );
}
function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0;
}
function isDomainList(value: unknown): boolean {
  return (
    isTextList(value) && (value as string[]).every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  );
}
function isOneOf(...values: unknown[]): (value: unknown) => boolean {
  return (value) => values.includes(value);
}
function optional(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || test(value);
}

/**
 * Guesses the meaning of the columns of an unknown export, each with its evidence, for a person to correct. Pure. Uses only
 * headers and a few thousand rows, and keeps only the values that a profile must name.
 */

import type { DayFormat } from '../city/days.ts';
import { kindOf } from '../city/kind.ts';
import { looksPersonal } from '../city/persons.ts';
import { UNCATEGORIZED } from '../listings/listing.ts';
import {
  type Column,
  describeFill,
  formatShare,
  profileColumn,
  rankColumns,
  type Sample,
  scoreColumn,
  type Weighted,
} from './columns.ts';

export type Guess<T> = (T & { evidence: string }) | undefined;

export type StatusWord = 'open' | 'closed' | 'expired' | 'abandoned' | 'unknown' | 'never';

export type Guesses = {
  /** `isNumber`: one column identifies the businesses; otherwise these are the address, which is hashed with the name. */
  key: { columns: readonly string[]; isNumber: boolean; evidence: string };
  /** `owner` is the column that can contain a person's name: a name that is equal to it or taken from it counts as personal. */
  name: Guess<{
    column: string;
    fallback: string | undefined;
    owner: string | undefined;
    isTrade: boolean;
    isOften: number;
  }>;
  filedOn: Guess<{ column: string; format: DayFormat }>;
  expiresOn: Guess<{ column: string; format: DayFormat }>;
  endedOn: Guess<{ column: string; format: DayFormat }>;
  status: Guess<{ column: string; values: readonly (readonly [string, number, StatusWord])[] }>;
  kind: Guess<{ column: string; isNaics: boolean; values: readonly (readonly [string, number, string])[] }>;
  neighborhood: Guess<{ column: string; isZip: boolean }>;
  point: Guess<{ longitude: string; latitude: string }>;
  /** The most frequent value, if a column contains the town. */
  town: Guess<{ column: string; value: string }>;
};

export function guessColumns({ columns, rows }: Sample): Guesses {
  const looked = columns.map((name) => profileColumn(name, rows));
  const filedOn = dayColumn(looked, FILED, NOT_FILED);
  const rest = looked.filter(({ name }) => name !== filedOn?.column);
  const status = statusColumn(looked);
  return {
    key: keyColumns(looked, rows),
    name: nameColumns(looked, rows),
    filedOn,
    expiresOn: dayColumn(rest, EXPIRES, /^$/),
    endedOn: dayColumn(rest, ENDED, /renew|expir/),
    status,
    kind: kindColumn(looked, status?.column),
    neighborhood: neighborhoodColumn(looked),
    point: pointColumns(looked),
    town: townColumn(looked),
  };
}

const FILED: Weighted = [
  [/\b(filed?|filing)\b/, 10],
  [/\b(issued?|issuance)\b/, 9],
  [/\b(regist\w*|recorded|recording|granted)\b/, 8],
  [
    /\b(start\w*|began|begin|commenced?|open\w*|first|establish\w*|effective|original|incorporat\w*|formation|inception)\b/,
    7,
  ],
  [/\b(appl\w*|received|created?|creation|entered|submitted)\b/, 5],
  [/\b(date|day|on)\b/, 2],
];
const NOT_FILED =
  /expir|\bend|clos|ceas|cancel|renew|updat|modif|load|status|chang|as of|payment|paid|inspect|birth|last|next|due|dissol|terminat|abandon|withdr|until|valid to|data|print/;
const EXPIRES: Weighted = [[/expir|valid (until|to|through)|until|term end/, 10]];
const ENDED: Weighted = [
  [
    /\b(end\w*|clos\w*|ceas\w*|dissol\w*|terminat\w*|cancel\w*|out of business|abandon\w*|inactive|surrender\w*)\b/,
    10,
  ],
];

function dayColumn(
  columns: readonly Column[],
  weights: Weighted,
  not: RegExp,
): Guess<{ column: string; format: DayFormat }> {
  const days = columns
    .filter(({ day, header }) => day !== undefined && !not.test(header))
    .filter(({ day, header }) => day!.format !== 'excel' || /date|day/.test(header));
  const [found] = rankColumns(
    days,
    (column) => scoreColumn(column, weights) * (weights === FILED ? column.filled : 1),
  );
  if (found === undefined) return undefined;
  const { name, day, filled } = found;
  const evidence = `${formatShare(filled)} of the rows have it, ${formatShare(day!.share)} of those are dates as ${day!.format}`;
  return { column: name, format: day!.format, evidence };
}

const TRADE: Weighted = [
  [/\b(dba|doing business|trade|trading|fictitious|assumed|storefront)\b/, 12],
  [
    /\b(business|company|establishment|firm|outlet|location|store|entity|organization|licen[cs]ee|account)\b.*\bname\b|\bname of (business|company|firm)\b/,
    9,
  ],
  [/^(name|business|company|bus name|busname|bname)$/, 8],
  [/\b(legal|corporate|corporation|taxpayer|ownership|registrant|applicant)\b.*\bname\b|^ownership name$/, 5],
  [/\bname\b|name$/, 3],
];
const NOT_NAME =
  /\b(first|last|middle|contact|agent|street|road|city|town|county|neighbou?rhood|category|officer|file|district|area|center|parcel|code|phone|manager|mail\w*|address|plan|user|dataset)\b/;

const OWNER =
  /\b(owner|ownership|legal|taxpayer|registrant|applicant|licensee|full)\b.*\bname\b|^(owner|registrant|applicant|licensee|ownership)$/;

function nameColumns(columns: readonly Column[], rows: Sample['rows']): Guesses['name'] {
  const texts = columns.filter(
    ({ header, letters, day, length }) =>
      !NOT_NAME.test(header) && letters > 0.8 && day === undefined && length > 4,
  );
  const [first, ...others] = rankColumns(
    texts.sort((a, b) => b.filled - a.filled),
    (column) =>
      scoreColumn(column, TRADE) *
      (column.distinct > rows.length * column.filled * 0.2 || rows.length < 30 ? 1 : 0.1),
  );
  if (first === undefined) return undefined;
  const second = first.filled < 0.98 ? others.find(({ filled }) => filled > first.filled) : undefined;
  const owner = columns.find(
    ({ name, header, letters }) => name !== first.name && letters > 0.5 && OWNER.test(header),
  )?.name;
  const names = rows
    .map((row) => row[first.name] || row[second?.name ?? ''] || '')
    .filter((name) => name !== '');
  const isOften = names.filter((name) => looksPersonal(name)).length / Math.max(1, names.length);
  const evidence = `${describeFill(first)}; ${formatShare(isOften)} of the names look like only a person's`;
  const isTrade = scoreColumn(first, TRADE) >= 12;
  return {
    column: first.name,
    fallback: second?.name ?? (first.filled < 0.98 ? owner : undefined),
    owner,
    isTrade,
    isOften,
    evidence,
  };
}

const KEYS: Weighted = [
  [
    /\b(licen[cs]e|account|certificate|permit|registration|document|doc|filing|file|instrument|record|business|location|outlet|unique|taxpayer|entity|control)\b.*\b(id|number|num|no|nbr|key|code)\b/,
    10,
  ],
  [/(id|number|num|nbr|no|key)$/, 6],
  [/^(id|key|uid|uniqueid|licenseno|licenceno|permitno|docnumber|ttxid)$/, 9],
];
const NOT_KEY =
  /phone|fax|zip|street|address|house|suite|unit|ward|district|parcel|naics|sic\b|code$|object ?id|^fid$|row id|latitude|longitude|employees|tract/;

function keyColumns(columns: readonly Column[], rows: Sample['rows']): Guesses['key'] {
  const unique = ({ distinct, filled }: Column) => (filled > 0 ? distinct / (filled * rows.length) : 0);
  const [column] = rankColumns(
    columns.filter(({ header, filled, day }) => !NOT_KEY.test(header) && filled > 0.98 && day === undefined),
    (one) => scoreColumn(one, KEYS) * (unique(one) > 0.999 ? 3 : unique(one) > 0.5 ? 1 : 0),
  );
  if (column !== undefined) {
    const share = unique(column);
    const evidence = `every row has it; ${column.distinct} different in ${rows.length} rows${share > 0.999 ? '' : ': several rows of one business become one listing'}`;
    return { columns: [column.name], isNumber: true, evidence };
  }
  const address = columns.filter(
    ({ header, filled }) => /address|street|zip|postal|city/.test(header) && filled > 0.3,
  );
  const evidence = 'no column identifies the businesses, so the key is a hash of name and address';
  return { columns: address.slice(0, 2).map(({ name }) => name), isNumber: false, evidence };
}

const STATUS_WORDS: readonly (readonly [RegExp, StatusWord])[] = [
  [
    /pending|denied|void|applied|application|in (review|process)|incomplete|rejected|deleted|draft|not issued|submitted/i,
    'never',
  ],
  [/abandon/i, 'abandoned'],
  [/expired?|lapsed|delinquent|^exp$/i, 'expired'],
  [
    /inactive|clos|cancel|revok|out of (business|bus)|terminat|dissol|surrender|withdr|ceased|suspend|non.?renew|discontinu|^(c|aac|rev|inact|i)$/i,
    'closed',
  ],
  [
    /active|current|open|issued|good standing|licen[cs]ed|valid|approved|renewed|registered|operating|existence|filed|^(a|aai|act|y|yes)$/i,
    'open',
  ],
];

function statusColumn(columns: readonly Column[]): Guesses['status'] {
  const found = columns
    .filter(({ header }) => /status|standing|\bactive\b|\bstate\b|disposition/.test(header))
    .filter(({ distinct }) => distinct > 0 && distinct <= 40)
    .filter(({ values }) => values.some(([value]) => wordFor(value) !== 'unknown'))
    .filter(({ values }) => !values.every(([value]) => /^[A-Z]{2}$/.test(value)));
  const [column] = rankColumns(found, ({ filled, header }) => filled * (/status/.test(header) ? 2 : 1));
  if (column === undefined) return undefined;
  const values = column.values.map(([value, count]) => [value, count, wordFor(value)] as const);
  return { column: column.name, values, evidence: describeFill(column) };
}

function wordFor(value: string): StatusWord {
  return STATUS_WORDS.find(([words]) => words.test(value))?.[1] ?? 'unknown';
}

const KIND_HEADERS: Weighted = [
  [/\bnaics\b/, 12],
  [/\b(activity|industry|nature|category|sector|classification)\b/, 8],
  [/\b(licen[cs]e|business|permit|bus)\b.*\b(type|description|desc|class|category|kind)\b/, 8],
  [/\b(description|desc|type|class|kind|sic)\b/, 4],
];
const NOT_KIND =
  /status|applic|location|owner|entity|organi|street|unit|address|ownership|transaction|instrument/;
const LEGAL =
  /llc|corporation|corp\b|partnership|proprietor|individual|limited|inc\b|trust|general|non.?profit/i;

function kindColumn(columns: readonly Column[], status: string | undefined): Guesses['kind'] {
  const [column] = rankColumns(
    columns.filter(({ name, header, distinct }) => name !== status && distinct > 1 && !NOT_KIND.test(header)),
    (one) => scoreColumn(one, KIND_HEADERS) * one.filled * (isLegalForm(one) ? 0 : shareKnownWords(one)),
  );
  if (column === undefined) return undefined;
  const isNaics = column.header.split(' ').includes('naics') && column.numeric > 0.8;
  const values = column.values.map(([value, count]) => [value, count, kindOf({ name: value })] as const);
  const evidence = `${describeFill(column)}${isNaics ? ' NAICS codes' : ''}`;
  return { column: column.name, isNaics, values, evidence };
}

/** The share of rows for which our words give a category, plus a minimum: the best column is worth correcting by hand in any case. */
function shareKnownWords({ values, numeric }: Column): number {
  if (numeric > 0.8) return 1;
  const sure = values.filter(([value]) => kindOf({ name: value }) !== UNCATEGORIZED);
  return 0.2 + sumRows(sure) / Math.max(1, sumRows(values));
}

function sumRows(values: Column['values']): number {
  return values.reduce((sum, [, count]) => sum + count, 0);
}

function isLegalForm({ values }: Column): boolean {
  const legal = values.filter(([value]) => LEGAL.test(value)).length;
  return values.length > 0 && legal / values.length > 0.4;
}

const PLACES: Weighted = [
  [/neighbou?rhood/, 12],
  [/community area|planning area|quarter|village/, 9],
  [/borough|barrio/, 8],
  [/\b(area|zone|precinct|corridor)\b/, 5],
  [/\bcouncil district\b|\bdistrict\b|\bward\b/, 5],
  [/\b(city|town|municipality|locality|place)\b/, 3],
  [/\b(zip|postal)\b/, 1],
];

const NOT_PLACE = /mail|owner|police|fire|phone|area code|sq|code enforcement|school|state/;

function neighborhoodColumn(columns: readonly Column[]): Guesses['neighborhood'] {
  const [column] = rankColumns(
    columns
      .filter(({ distinct, filled }) => distinct > 1 && distinct < 600 && filled > 0.2)
      .filter(({ values }) => (values[0]?.[1] ?? 0) / Math.max(1, sumRows(values)) < 0.97)
      .filter(({ header }) => !NOT_PLACE.test(header)),
    (one) => scoreColumn(one, PLACES) * (0.5 + one.filled) * (one.length > 45 ? 0 : 1),
  );
  if (column === undefined) return undefined;
  return { column: column.name, isZip: /zip|postal/.test(column.header), evidence: describeFill(column) };
}

function pointColumns(columns: readonly Column[]): Guesses['point'] {
  const inRange = ({ values, numeric }: Column, most: number) =>
    numeric > 0.8 && values.every(([value]) => Math.abs(Number(value)) <= most);
  const named = (header: RegExp, most: number) =>
    columns.find((column) => header.test(column.header) && inRange(column, most))?.name;
  const latitude = named(/^(.* )?(lat|latitude|y|y coord\w*)$/, 90);
  const longitude = named(/^(.* )?(lon|lng|long|longitude|x|x coord\w*)$/, 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude, longitude, evidence: 'the values are in the range of degrees' };
}

function townColumn(columns: readonly Column[]): Guesses['town'] {
  const column = columns.find(
    ({ header, values, filled }) =>
      /^(business |location |site |physical |loc |outlet )?(city|town|municipality)$/.test(header) &&
      filled > 0.5 &&
      values.length > 0,
  );
  const [value, count] = column?.values[0] ?? [];
  if (column === undefined || value === undefined) return undefined;
  return { column: column.name, value, evidence: `${count} rows of the sample have this value` };
}

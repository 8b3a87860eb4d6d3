/** What says the kind of a business: NAICS codes, the publisher's own types as a table, and types that are no new business. */

import { type Category, naicsCategory } from '../city/kinds/categories.ts';
import { isGeneralType } from '../city/kinds/general-types.ts';
import { kindOfType } from '../city/kinds/kind-of-type.ts';
import { UNCATEGORIZED } from '../listings/listing.ts';
import {
  type Column,
  countRows,
  describeFill,
  rankColumns,
  scoreColumn,
  shareOf,
  type Weighted,
} from './columns.ts';

/** A text of the publisher's, on how many rows it is, and what it means. */
export type KindText = readonly [text: string, rows: number, category: Category];

export type KindGuess = {
  naics: Column | undefined;
  /** Columns of official types, the more specific one first. */
  types: readonly Column[];
  /** Types that mean one kind. */
  exact: readonly KindText[];
  /** Types so broad that the words of the name say more (`Retail Sales`). */
  broad: readonly KindText[];
  /** Types that mean nothing to us, most frequent first. */
  unknown: readonly (readonly [string, number])[];
  /** A column of free text, read by its words where nothing else is known. */
  description: Column | undefined;
  evidence: string;
};

export type NoBusinessGuess = {
  column: Column;
  values: readonly (readonly [string, number])[];
  doubtful: readonly string[];
};

const MOST_TYPES = 600;
const MOST_LINES = 300;

const TYPES: Weighted = [
  [/\bnaics\b.*\b(title|description|name|text)\b|\b(title|description)\b.*\bnaics\b/, 12],
  [
    /\b(business|trade|establishment) (type|category|description|class\w*)\b|\btype of business\b|\bnature of business\b/,
    10,
  ],
  [/\b(activity|activities|industry|nature|sector)\b/, 9],
  [/\b(license|permit|bus)\b.*\b(type|description|class|category|kind)\b|\bclassification\b/, 8],
  [/\b(category|class|kind|trade|occupation|profession)\b/, 7],
  [/\b(sub ?type|sub ?category)\b/, 6],
  [/\b(description|type|sic)\b/, 4],
];
const NOT_TYPE =
  /status|applic|location|owner|entity|organi|street|unit|address|ownership|transaction|instrument|reason|mail|phone|company type|legal|rate|fee|zoning|property|geo|council|district|stage|milestone|statement|record type|filing/;
const LEGAL_FORM =
  /llc|corporation|corp\b|partnership|proprietor|individual|limited liability|inc\b|trust\b|non.?profit/i;

export function guessKinds(columns: readonly Column[], taken: readonly (Column | undefined)[]): KindGuess {
  const free = columns.filter((column) => !taken.includes(column));
  // Of a code and a sector, the code has more different values.
  const [naics] = rankColumns(
    free.filter(
      (one) => /\bnaics\b/.test(one.header) && shareOf(one, (text) => naicsIn(text) !== undefined) > 0.5,
    ),
    ({ distinct, filled }) => distinct * filled,
  );
  const texts = free.filter(
    (column) =>
      column !== naics &&
      column.letters > 0.5 &&
      column.filled > 0.1 &&
      !NOT_TYPE.test(column.header) &&
      !isLegalForm(column),
  );
  const types = typeColumns(texts);
  const [description] = rankColumns(
    texts.filter((one) => one.distinct > MOST_TYPES && shareOfKnown(one) > 0.3),
    (one) => scoreColumn(one, TYPES) * one.filled,
  );
  const all = mergeTexts(types);
  const read = all.map(([text, rows]): KindText => [text, rows, readKind(text)]);
  const known = read.filter(([, , category]) => category !== UNCATEGORIZED).slice(0, MOST_LINES);
  const evidence = [naics, ...types]
    .filter((one) => one !== undefined)
    .map((one) => `${one.name}: ${describeFill(one)}`)
    .join('; ');
  return {
    naics,
    types,
    exact: known.filter(([text]) => !isGeneralType(text)),
    broad: known.filter(([text]) => isGeneralType(text)),
    unknown: read
      .filter(([, , category]) => category === UNCATEGORIZED)
      .map(([text, rows]) => [text, rows] as const),
    description,
    evidence: evidence || 'the words of the name alone',
  };
}

/** A NAICS code alone, or one with its title behind it. */
export function naicsIn(text: string): Category | undefined {
  return naicsCategory(/^\s*(\d{2,6})(?!\d)(?!-\d)/.exec(text)?.[1] ?? '');
}

/** At most two columns of which our words know something, the one with more different types first. */
function typeColumns(texts: readonly Column[]): Column[] {
  const ranked = rankColumns(
    texts.filter((one) => one.distinct > 0 && one.distinct <= MOST_TYPES),
    (one) => scoreColumn(one, TYPES) * one.filled * shareOfKnown(one),
  ).filter((one) => shareOfKnown(one) * one.filled > 0.05);
  const [best, ...others] = ranked;
  if (best === undefined) return [];
  const second = others.find((one) => !isSameColumn(one, best));
  return [best, ...(second === undefined ? [] : [second])].sort((a, b) => b.distinct - a.distinct);
}

function isSameColumn(a: Column, b: Column): boolean {
  return a.distinct === b.distinct && a.values[0]?.[0] === b.values[0]?.[0];
}

function shareOfKnown(column: Column): number {
  return shareOf(column, (text) => readKind(text) !== UNCATEGORIZED && !isGeneralType(text));
}

/** The texts of both columns, most frequent first. A text longer than a line names no type. */
function mergeTexts(columns: readonly Column[]): [string, number][] {
  const rows = new Map<string, number>();
  for (const { values } of columns)
    for (const [text, count] of values)
      if (text.length <= 120) rows.set(text, Math.max(rows.get(text) ?? 0, count));
  return [...rows].sort((a, b) => b[1] - a[1]);
}

export function readKind(text: string): Category {
  return kindOfType(text) ?? UNCATEGORIZED;
}

function isLegalForm(column: Column): boolean {
  return shareOf(column, (text) => LEGAL_FORM.test(text)) > 0.4;
}

/** Licences that open no new business: rented homes, stalls for a day, machines, vehicles, people at work. */
const LANDLORD =
  /\brental[\s\S]*\b(?:residential|propert\w*|units?|housing|dwelling|space|commercial)\b|\b(?:residential|propert\w*|apartment\w*|space|unit|housing|dwelling|short.term|long.term|vacation|commercial)\b[\s\S]*\brentals?\b|\bapartment (?:house|building|complex)|\blessor|\blandlord|\bhome ?stay\b|\bshared housing\b/i;
const DOUBTFUL =
  /\b(?:special events?|event vendor|temporary (?:food|vendors?|events?|permits?|licen[cs]es?|uses?|outdoor|sales?|merchants?)|pop.?up|one.day|itinerant|flea market|swap meet|raffles?|bingo|(?:yard|garage) sale|solicitors?|canvass\w*|peddlers?|street perform\w*|(?:vending|amusement|coin|music|juke\w*|gaming)[\s\S]*\b(?:machines?|devices?|games?)|(?:taxi\w*|cab|livery|limousine)[\s\S]*\b(?:drivers?|vehicles?|medallions?)|medallion|chauffeur|alarm (?:permit|user|system)s?|dog licen[cs]e|valet parking|booth|sidewalk cafe|outdoor patio|employee of|pharmaceutical representative)\b/i;

/** The types of a column that are no new business; those that are no landlord's are doubtful, and asked about on a terminal. */
export function guessNoBusiness(columns: readonly Column[], kinds: KindGuess): NoBusinessGuess[] {
  const candidates = new Set([
    ...kinds.types,
    ...columns.filter(
      (one) => one.distinct <= MOST_TYPES && scoreColumn(one, TYPES) >= 7 && !NOT_TYPE.test(one.header),
    ),
  ]);
  return [...candidates].flatMap((column) => {
    const values = column.values.filter(([text]) => LANDLORD.test(text) || DOUBTFUL.test(text));
    if (values.length === 0 || countRows(values) > column.rows * 0.9) return [];
    const doubtful = values.map(([text]) => text).filter((text) => !LANDLORD.test(text));
    return [{ column, values, doubtful }];
  });
}

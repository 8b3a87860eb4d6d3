/** Where businesses are, by what columns say: their address, town, state and whether they are inside the city. */

import { DIRECTIONS, SUFFIXES } from '../city/addresses/street-words.ts';
import { isInTown, parsePoint, readTown } from '../city/place-text.ts';
import { countEdits } from '../listings/edits.ts';
import { findState } from '../registers/zones.ts';
import {
  type Column,
  countRows,
  rankColumns,
  scoreColumn,
  shareOf,
  topShare,
  type Weighted,
} from './columns.ts';

export type TownGuess = {
  column: Column;
  /** As most rows write the town, and other spellings of it. */
  names: readonly string[];
  /** The share of rows that are in it. */
  share: number;
};

/** Values of a column that say that a business is in the city, or in its state. */
export type InsideGuess = { column: Column; values: readonly string[]; share: number };

export type PlaceGuesses = {
  /** Together they are the address. */
  address: readonly Column[];
  town: TownGuess | undefined;
  /** Towns without a majority: a county's. */
  towns: Column | undefined;
  inside: InsideGuess | undefined;
  state: { name: string; timeZone: string } | undefined;
};

/** Somebody else's place: where letters go, where the owner lives. */
export const ELSEWHERE =
  /\b(mail\w*|owner|owners|contact|billing|home|agent|applicant|registrant|officer|taxpayer|legal|corporate|previous|former|email|web\w*|ip)\b/;

export function guessPlaces(columns: readonly Column[]): PlaceGuesses {
  const near = columns.filter(({ header }) => !ELSEWHERE.test(header));
  const address = addressColumns(near);
  const towns = townColumn(near) ?? address.find(holdsTown);
  const town = towns && majorityTown(towns);
  return {
    address,
    town,
    towns: town === undefined ? towns : undefined,
    inside: insideColumn(columns),
    state: stateOf(near, towns),
  };
}

const ADDRESS: Weighted = [
  [
    /\b(business|site|location|street|premises?|physical|full|situs|outlet|storefront)\b.*\b(address|location)\b|^(address|site location|location address|bus address)$/,
    10,
  ],
  [/\baddress\b( (line )?1)?$|^street( address)?$/, 8],
  [/\blocation\b$/, 6],
];
const NOT_ADDRESS =
  /city|town|state|zip|postal|number$|unit|suite|type|direction|email|country|line 2|address 2|precinct|ward/;
const NUMBER_PART =
  /^((business|site|location|premises?|situs|physical) )?(street|st|house|building|address|civic|site)?\s?(number|house|building|civic)$|^house$|address building$/;
const STREET_PART = /^(street|road)( name)?$|^(address|site|business)? ?street( name)?( 1)?$/;
const UNIT_PART = /^(unit|suite|apt|apartment|room|address unit|unit number|suite number|address apt suite)$/;

/** The address in one column, else house, street and unit. */
function addressColumns(columns: readonly Column[]): Column[] {
  const filled = columns.filter((column) => column.filled > 0.5);
  const [whole] = rankColumns(
    filled.filter(
      (one) => !NOT_ADDRESS.test(one.header) && one.length > 5 && one.distinct > 5 && !isPoint(one),
    ),
    (column) => scoreColumn(column, ADDRESS),
  );
  const number = filled.find(({ header }) => NUMBER_PART.test(header));
  const street = filled.find(({ header }) => STREET_PART.test(header));
  const hasNumbers = whole !== undefined && shareOf(whole, (text) => /\d/.test(text)) > 0.5;
  if (whole !== undefined && (hasNumbers || number === undefined)) return [whole];
  const unit = columns.find(({ header }) => UNIT_PART.test(header));
  const [before, after] = [
    /(^|\b)(pre ?)?(dir|direction|prefix)\b/,
    /\b(post|suffix|suf) ?(dir|direction)\b|\bpost ?dir\b/,
  ].map((header) => columns.find((column) => header.test(column.header) && isMadeOf(column, DIRECTIONS)));
  const suffix = columns.find((column) => SUFFIX_PART.test(column.header) && isMadeOf(column, SUFFIXES));
  const parts = [number, before === after ? undefined : before, street ?? whole, suffix, after, unit];
  return parts.filter((column) => column !== undefined);
}

const SUFFIX_PART = /\b(suffix|type|sfx|suf)$/;

/** Whether the texts of a column are words of this table, such as directions. */
function isMadeOf(column: Column, words: ReadonlyMap<string, string>): boolean {
  return (
    column.distinct > 0 && shareOf(column, (text) => words.has(text.toUpperCase().replace('.', ''))) > 0.8
  );
}

const TOWN =
  /^((business|location|site|physical|outlet|address|premises?|store|street|work|facility|situs) )*(city|town|municipality|community|locality)( name)?( state)?( (zip|postal))?( code)?$|^city of (business|location)$/;

function townColumn(columns: readonly Column[]): Column | undefined {
  return columns.find(({ header, filled, letters }) => TOWN.test(header) && filled > 0.5 && letters > 0.9);
}

function isPoint(column: Column): boolean {
  return column.letters < 0.5 || shareOf(column, (text) => parsePoint(text) !== undefined) > 0.5;
}

/** `12 Quay St, Otterfall, AR 72201`: the town stands in the address. */
function holdsTown(column: Column): boolean {
  return shareOf(column, (text) => /^\d[^,]*,.*[^,\d]+,\s*[A-Z]{2}\b/.test(text)) > 0.6;
}

const MAJORITY = 0.55;

/** The town most rows are in, with spellings of it that are one or two letters off. */
function majorityTown(column: Column): TownGuess | undefined {
  const counts = countTowns(column);
  const [top] = counts;
  const all = countRows(counts);
  if (top === undefined || top[1] / all < MAJORITY) return undefined;
  const [name, count] = top;
  const near = counts.slice(1).filter(([other, rows]) => isMisspelt(other, name) && rows < count / 50);
  const names = [name, ...near.slice(0, 20).map(([other]) => other)];
  return { column, names, share: shareOf(column, (text) => isInTown(text, names)) };
}

/** Towns and how many rows are in each, however they are cased, most first. */
export function countTowns(column: Column): [string, number][] {
  const counts = new Map<string, [string, number]>();
  for (const [text, rows] of column.values) {
    const town = readTown(text);
    const found = counts.get(town.toLowerCase()) ?? [town, 0];
    counts.set(town.toLowerCase(), [found[0], found[1] + rows]);
  }
  return [...counts.values()].sort((a, b) => b[1] - a[1]);
}

function isMisspelt(other: string, name: string): boolean {
  const [a, b] = [other.toLowerCase(), name.toLowerCase()];
  return b.length >= 6 && a[0] === b[0] && countEdits(a, b, 3) <= (b.length >= 9 ? 2 : 1);
}

const INSIDE =
  /\bis [a-z ]*address$|\b(in|inside|within)( the)? (city|town|limits)\b|inside outside|city limits/;
const OUTSIDE = /\b(outside|out of)( of)?( the)? (city|town|limits)\b/;
const YES = /^(?:1|y|yes|true|t|in|inside)$/i;
const NO = /^(?:0|n|no|false|f|out|outside)$/i;

/** A column of yes and no that says who is inside the city. */
function insideColumn(columns: readonly Column[]): InsideGuess | undefined {
  for (const column of columns) {
    const { header, values, filled } = column;
    const isOutside = OUTSIDE.test(header) && !INSIDE.test(header);
    if (filled < 0.5 || !(isOutside || INSIDE.test(header))) continue;
    if (values.length > 4 || !values.every(([text]) => YES.test(text) || NO.test(text))) continue;
    const inside = values.map(([text]) => text).filter((text) => (isOutside ? NO : YES).test(text));
    const share = shareOf(column, (text) => inside.includes(text));
    if (inside.length > 0 && share > 0.2) return { column, values: inside, share };
  }
  return undefined;
}

const STATE =
  /^((business|location|site|physical|outlet|address|premises?) )*(state|province|state code|state province)$/;

/** The state of most rows, from its own column or from behind the town. */
function stateOf(columns: readonly Column[], towns: Column | undefined): PlaceGuesses['state'] {
  const own = columns.find(({ header, filled }) => STATE.test(header) && filled > 0.3);
  if (own !== undefined && topShare(own) > 0.5) return findState(own.values[0]![0]);
  const behind = new Map<string, number>();
  for (const [text, rows] of towns?.values ?? []) {
    const state = /[,\s]([A-Z]{2})\b\.?[\s,]*(?:[\dA-Z][\d A-Z-]*)?$/.exec(text)?.[1];
    if (state !== undefined) behind.set(state, (behind.get(state) ?? 0) + rows);
  }
  const [top] = [...behind].sort((a, b) => b[1] - a[1]);
  return top === undefined || top[1] < (towns?.rows ?? 0) / 3 ? undefined : findState(top[0]);
}

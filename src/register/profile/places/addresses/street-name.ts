/** Splits the name of a street into parts that do not depend on the spelling: `North 1st Street`, `N FIRST ST`. */

import { openWordLists } from '../../../../shared/text/word-table.ts';

export const streetWords = openWordLists('street-words.csv');
export const DIRECTIONS: ReadonlyMap<string, string> = streetWords('direction');
export const SUFFIXES: ReadonlyMap<string, string> = streetWords('suffix');
const NAME_WORDS = streetWords('name');
const NAME_ALIASES = streetWords('alias');
const ROAD_SYSTEMS = streetWords('road');

const ONES = 'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH'.split(' ');
const TEENS =
  'TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH FIFTEENTH SIXTEENTH SEVENTEENTH EIGHTEENTH NINETEENTH';
const TENS = 'TWENT THIRT FORT FIFT SIXT SEVENT EIGHT NINET'.split(' ');
/** Ordinals in words: `FIRST` -> `1`, `TWENTYFIRST` -> `21`, up to `NINETYNINTH`. */
const ORDINALS = new Map(
  [
    ...[...ONES, ...TEENS.split(' ')],
    ...TENS.flatMap((ten) => [`${ten}IETH`, ...ONES.map((word) => `${ten}Y${word}`)]),
  ].map((word, i) => [word, `${i + 1}`]),
);

/** The parts of a street's name in upper case and with standard abbreviations. A missing part is `''`. */
export type StreetName = {
  /** The direction before the name: `N` of `N Main St`. */
  before: string;
  /** The name without spaces. Ordinals are numbers. */
  name: string;
  /** The suffix, such as `ST`, or the system of a numbered road, such as `US`. */
  suffix: string;
  /** The direction after the name: `NW` of `5th St NW`. */
  after: string;
};

/**
 * Lists possible readings of a street's words (in upper case, without units), the most likely first. Words after a
 * suffix cause several readings: they may belong to the name, or they may be a town. Returns `[]` without words.
 */
export function listStreetReadings(words: readonly string[]): StreetName[] {
  if (words.length === 0) return [];
  const start = countDirectionsBefore(words);
  const before = words
    .slice(0, start)
    .map((word) => DIRECTIONS.get(word))
    .join('');
  const all = words.slice(start);
  const road = readNumberedRoad(all);
  if (road !== undefined) return [{ before, ...road }];
  const rest = cutAtNumber(all);
  const ends = [...rest.keys()].filter((i) => i > 0 && SUFFIXES.has(rest[i]!)).reverse();
  const readings = ends.map((end) => readUpTo(rest, end, before));
  return ends[0] === rest.length - 1 || isTail(rest, ends[0])
    ? readings
    : [...readings.slice(0, 1), readWithoutSuffix(rest, before), ...readings.slice(1)];
}

/** Counts the directions before a name: one in `N 5th St`, two in `N E 5th St`. */
function countDirectionsBefore(words: readonly string[]): number {
  if (!DIRECTIONS.has(words[0]!) || words.length < 2) return 0;
  const isPair =
    words.length > 3 && /^(?:[NS]|NORTH|SOUTH)$/.test(words[0]!) && /^(?:[EW]|EAST|WEST)$/.test(words[1]!);
  if (isPair) return 2;
  if (
    SUFFIXES.get(words[1]!) === 'AVE' &&
    /^(?:\d+|[A-Z])$/.test(words[2] ?? '') &&
    !DIRECTIONS.has(words[2]!)
  )
    return 1; // the name of `N Avenue 52` is `Avenue 52`
  // in `North Ave` and `E Street`, the direction is the name
  const isName = SUFFIXES.has(words[1]!) && (words.length === 2 || isAside(words[2]!));
  return isName ? 0 : 1;
}

/** Removes a unit that begins with a number (`Oceangate 800`), but not from names (`Avenue 52`, `Calle 5`). */
function cutAtNumber(words: readonly string[]): readonly string[] {
  const first = words.length > 1 && isNumbered(words[0]!) ? 2 : 1;
  const end = words.findIndex((word, i) => i >= first && /^\d/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Returns whether a word after a suffix is a unit or a direction: `4`, `B`, `2ND`, `NW`. */
function isAside(word: string): boolean {
  return /^(?:\d.*|[A-Z])$/.test(word) || DIRECTIONS.has(word);
}

function isTail(words: readonly string[], end: number | undefined): boolean {
  return end !== undefined && words.slice(end + 1).every(isAside);
}

function readUpTo(words: readonly string[], end: number, before: string): StreetName {
  const next = words[end + 1];
  const after = next === undefined ? '' : (DIRECTIONS.get(next) ?? '');
  return { before, name: foldName(words.slice(0, end)), suffix: SUFFIXES.get(words[end]!)!, after };
}

/** Reads a name without a suffix. A letter after it is a unit (`Oceangate B`), but not in `Avenue D`. */
function readWithoutSuffix(words: readonly string[], before: string): StreetName {
  let end = words.length;
  while (end > 1 && isUnit(words[end - 1]!) && !(end === 2 && isNumbered(words[0]!))) end--;
  const after = end > 1 ? (DIRECTIONS.get(words[end - 1]!) ?? '') : '';
  const name = foldName(words.slice(0, after === '' ? end : end - 1));
  return { before, name, suffix: '', after };
}

function isUnit(word: string): boolean {
  return /^[A-Z]\d*$/.test(word) && !DIRECTIONS.has(word);
}

function isNumbered(word: string): boolean {
  return SUFFIXES.has(word) || word === 'CALLE';
}

function foldName(words: readonly string[]): string {
  if (words.length === 1) return foldWord(words[0]!);
  const joined = words.join('');
  return ORDINALS.get(joined) ?? NAME_ALIASES.get(joined) ?? words.map(foldWord).join('');
}

function foldWord(word: string): string {
  if (word.charCodeAt(0) <= 57) return word.replace(/(?<=^\d+)(?:ST|ND|RD|TH)$/, '');
  return ORDINALS.get(word) ?? NAME_WORDS.get(word) ?? SUFFIXES.get(word) ?? NAME_ALIASES.get(word) ?? word;
}

const NUMBERED_ROAD =
  /^((?:[A-Z]+ ){1,3})(?:NO |NUMBER |# )?(\d{1,4}[A-Z]?)(?: (?:(N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST)\b.*|.*))?$/;

/** Reads numbered roads (`US HWY 101`, `STATE ROUTE 5`, `CR 12`, `I 35`), but not `OLD HWY 5` or `HIGHWAY DR`. */
function readNumberedRoad(words: readonly string[]): Omit<StreetName, 'before'> | undefined {
  if (!words.some((word) => /\d/.test(word))) return undefined;
  const [, system = '', number, after = ''] =
    NUMBERED_ROAD.exec(words.join(' ').replace(/\b(I|US|SR|CR|FM)(?=\d)/, '$1 ')) ?? [];
  if (number === undefined) return undefined;
  const key = system.trim().split(' ').map(shortenRoadWord).join('');
  const known = ROAD_SYSTEMS.get(key) ?? (/^[A-Z]{2}HWY$/.test(key) ? 'STATE' : undefined);
  if (known === undefined) return undefined;
  return { name: `HWY${number}`, suffix: known, after: DIRECTIONS.get(after) ?? '' };
}

function shortenRoadWord(word: string): string {
  const suffix = SUFFIXES.get(word);
  return suffix === 'HWY' || suffix === 'RTE' || suffix === 'RD' || suffix === 'ST' ? suffix : word;
}

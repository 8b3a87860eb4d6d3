/** What names a business and its premises. Every candidate is tried on the whole file, never on a sample. */

import { textAt } from '../registers/table.ts';
import {
  type Column,
  describeFill,
  formatShare,
  rankColumns,
  scoreColumn,
  type Weighted,
} from './columns.ts';
import type { FiledGuess } from './dates.ts';
import { daysOf } from './dates.ts';
import type { NameGuess } from './people.ts';

export type KeyGuess = {
  /** `number`: one column numbers the businesses. `place`: these are the place, hashed with the name. */
  kind: 'number' | 'place';
  columns: readonly Column[];
  /** Several rows have one key: they are merged into one listing. */
  repeats: number;
  evidence: string;
};

type KeyClues = {
  columns: readonly Column[];
  name: NameGuess | undefined;
  filedOn: FiledGuess | undefined;
  /** The columns that tell one place from another, the best first. */
  places: readonly Column[];
  /** They are an address or a point, and not only a town or a ZIP code, where two shops of one name may be. */
  areExact: boolean;
};

const KEYS: Weighted = [
  [/^(id|key|uid|unique ?id|ttxid)$/, 9],
  [
    /\b(license|account|certificate|permit|registration|document|doc|filing|file|instrument|record|business|location|outlet|unique|taxpayer|entity|control)\b.*\b(id|number|num|key|code|rsn)\b/,
    10,
  ],
  [/\b(license|licenseno|permitno|docnumber|account|certificate|permit)$/, 7],
  [/(id|number|num|nbr|key|rsn)$/, 6],
];
const NOT_KEY =
  /phone|fax|zip|postal|street|address|house|suite|unit|ward|district|parcel|apn|naics|sic\b|code$|object ?id|^fid$|row id|latitude|longitude|employees|tract|revision|type|block|lot\b|council|geo|activity|inspect|year|count of|number of|of (employees|units)/;

const MOST_FAULTS = 0.02;
/** Two shops of one name in one town are no fault of a number. */
const MOST_FAULTS_IN_A_TOWN = 0.2;

/** A sound number of the register; else name and place; else, without a place, the number that does least harm. */
export function guessKey(clues: KeyClues): KeyGuess {
  const ids = rankColumns(
    clues.columns.filter(
      ({ header, filled, distinct, rows }) =>
        !NOT_KEY.test(header) && filled > 0.995 && distinct > rows * 0.05,
    ),
    (column) => scoreColumn(column, KEYS),
  ).filter((column) => !isDayColumn(column, clues));
  const trials = ids.slice(0, 8).map((column) => tryKey(column, clues));
  const sound = trials.find(({ fault }) => fault === undefined);
  if (sound !== undefined) return numberKey(sound.column, 'tried on all rows');
  const [first] = trials;
  if (clues.places.length > 0 && clues.name !== undefined) {
    const why =
      first === undefined ? 'no column numbers the businesses' : `${first.column.name}: ${first.fault}`;
    return {
      kind: 'place',
      columns: clues.places,
      repeats: shareOfRepeats(clues),
      evidence: `${why}. The key is a hash of name and place`,
    };
  }
  if (first !== undefined) return numberKey(first.column, `${first.fault}, but no column tells the place`);
  return {
    kind: 'place',
    columns: [],
    repeats: 0,
    evidence: 'no column numbers the businesses or tells their place: the key is a hash of the name',
  };
}

function isDayColumn(column: Column, { filedOn }: KeyClues): boolean {
  return column === filedOn?.column;
}

function numberKey(column: Column, why: string): KeyGuess {
  const repeats = 1 - column.distinct / Math.max(1, column.filled * column.rows);
  const folds = repeats > 0.001 ? ': rows of one number are merged into one listing' : '';
  return {
    kind: 'number',
    columns: [column],
    repeats,
    evidence: `${describeFill(column)} in ${column.rows}${folds}; ${why}`,
  };
}

type KeyTrial = { column: Column; fault: string | undefined };

function tryKey(column: Column, clues: KeyClues): KeyTrial {
  const merged = shareOfMerged(column, clues);
  const split = shareOfSplit(column, clues);
  const yearly = shareWithYear(column, clues.filedOn);
  const fault =
    split > (clues.areExact ? MOST_FAULTS : MOST_FAULTS_IN_A_TOWN)
      ? `${formatShare(split)} of the rows are a business that has another number as well`
      : merged > MOST_FAULTS
        ? `${formatShare(merged)} of the rows share a number with another business`
        : yearly > 0.6 && clues.filedOn?.isFirst !== true
          ? 'the number holds the year, so a renewal has another one'
          : undefined;
  return { column, fault };
}

/** Rows whose name and place came before under another number: renewals, or licences of one shop. */
function shareOfSplit(column: Column, clues: KeyClues): number {
  const identity = identityOf(clues);
  if (identity === undefined) return 0;
  const first = new Map<string, number>();
  let split = 0;
  for (let row = 0; row < column.rows; row++) {
    const who = identity(row);
    if (who === undefined) continue;
    const before = first.get(who);
    if (before === undefined) first.set(who, column.codes[row]!);
    else if (before !== column.codes[row]) split++;
  }
  return split / Math.max(1, column.rows);
}

/** Rows that share a number with a row of another name, or of another house. */
function shareOfMerged(column: Column, { name, places }: KeyClues): number {
  const first = new Map<number, number>();
  const [place] = places;
  let merged = 0;
  for (let row = 0; row < column.rows; row++) {
    const key = column.codes[row]!;
    const before = first.get(key);
    if (before === undefined) first.set(key, row);
    else if (
      (name !== undefined && !sharesWord(nameAt(name, row), nameAt(name, before))) ||
      (place !== undefined && numberIn(textAt(place, row)) !== numberIn(textAt(place, before)))
    )
      merged++;
  }
  return merged / Math.max(1, column.rows);
}

function nameAt({ column, fallback }: NameGuess, row: number): string {
  return textAt(column, row) || (fallback === undefined ? '' : textAt(fallback, row));
}

function sharesWord(a: string, b: string): boolean {
  if (a === b) return true;
  const words = foldText(a).split(' ');
  return words.some((word) => word.length > 2 && foldText(b).split(' ').includes(word));
}

const numberIn = (text: string): string => /\d+/.exec(text)?.[0] ?? '';

function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Name and place of a row, where it has both. */
function identityOf({ name, places }: KeyClues): ((row: number) => string | undefined) | undefined {
  if (name === undefined || places.length === 0) return undefined;
  return (row) => {
    const where = places.map((place) => foldText(textAt(place, row))).join('|');
    const who = foldText(nameAt(name, row));
    return who === '' || /^\|*$/.test(where) ? undefined : `${who}|${where}`;
  };
}

function shareOfRepeats(clues: KeyClues): number {
  const identity = identityOf(clues);
  if (identity === undefined) return 0;
  const seen = new Set<string>();
  let rows = 0;
  let repeated = 0;
  for (let row = 0; row < (clues.columns[0]?.rows ?? 0); row++) {
    const who = identity(row);
    if (who === undefined) continue;
    rows++;
    if (seen.has(who)) repeated++;
    seen.add(who);
  }
  return repeated / Math.max(1, rows);
}

/** How many rows hold the year of their own filing day, or the one after, inside their number: `24-148301`, `780RESTAM2020`. */
function shareWithYear(column: Column, filedOn: FiledGuess | undefined): number {
  if (filedOn === undefined) return 0;
  const days = daysOf(filedOn);
  let [dated, yearly] = [0, 0];
  const years = new Set<string>();
  for (let row = 0; row < column.rows; row++) {
    const year = days[filedOn.column.codes[row]!]?.slice(0, 4);
    if (year === undefined) continue;
    dated++;
    const found = [year, String(Number(year) + 1)].find((one) => holdsYear(textAt(column, row), one));
    if (found === undefined) continue;
    yearly++;
    years.add(found);
  }
  return years.size < 2 ? 0 : yearly / Math.max(1, dated);
}

function holdsYear(text: string, year: string): boolean {
  if (new RegExp(`(?:^|\\D)${year}(?:\\D|$)`).test(text)) return true;
  return new RegExp(`^\\D{0,4}(?:${year}|${year.slice(2)}-)|\\D${year.slice(2)}$|-${year.slice(2)}-`).test(
    text,
  );
}

/** Reads the days in a question: years, months, seasons, decades, ranges, edges such as `since`, and days counted back. */

import {
  addDays,
  addMonths,
  type Day,
  firstDayOf,
  lastDayOf,
  makeDay,
  monthOf,
} from '../../../shared/day.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { splitWords } from '../../../shared/words.ts';
import type { Token } from './tokens.ts';

type Edge = 'from' | 'after' | 'to' | 'before' | 'between' | 'onward' | 'backward' | 'younger' | 'older';
/** What a word means beside a date: an edge, or a part of one (`last`, `unit:day`, `season:3`). */
type DayWord = { kind: string; argument: string };

/** What a question says about days. An open end is `''`. */
export type DaysRead = { length: number; from: Day | ''; to: Day | ''; isRelative: boolean };
type Span = { from: Day; to: Day };
/** A period whose year may be given by another one: `march` in `march to june 2024`. */
type Point = {
  length: number;
  year: number | undefined;
  span(year: number): Span;
  isRelative?: boolean;
  /** Whether it is a decade, which `from` does not open: `from the nineties`. */
  isClosed?: boolean;
  /** Whether `since` opens it, and `from` does not: `last summer`. */
  isNear?: boolean;
};

const EDGES = new Set<string>([
  ...['from', 'after', 'to', 'before', 'between', 'onward', 'backward', 'younger', 'older'],
]);
/** Parts of a year, each with its months. */
const MONTHS_OF: Record<string, number> = { season: 3, quarter: 3, half: 6 };
const SPANS = new Set(Object.keys(MONTHS_OF));
const PARTS = new Set(['last', 'this', 'unit', 'number', 'decade', 'age', ...SPANS]);
const DAYS_IN: Record<string, number> = { day: 1, week: 7, month: 30.4375, year: 365 };
const YEAR = /^(?:19|20)\d\d$/;
const DECADE = /^(?:19|20)?\d0s$/;
const LONGEST_PHRASE = 4;

export function isDayWord(meaning: string): boolean {
  return EDGES.has(meaning) || PARTS.has(meaning);
}

type Sources = {
  /** Phrases with the meanings that count only beside a date. */
  phrases: ReadonlyMap<string, DayWord>;
  /** Phrases of days counted back: `last year`. */
  relative: ReadonlyMap<string, Span>;
  lastDay: Day;
  language: string;
  /** Whether a word says nothing within a date: `the`, `of`. */
  isIdle(word: string): boolean;
};

/** Reads days from a token on. `isLed`: whether a word before may be about days, such as `in`. */
type ReadDays = (start: number, isLed: boolean) => DaysRead | undefined;

/** Returns a function that returns the reader of a question's tokens. */
export function openDays({ phrases, relative, lastDay, language, isIdle }: Sources) {
  const months = indexMonths(language);
  const numbers = indexNumbers();
  const beginnings = new Set(Array.from(phrases.keys(), (phrase) => phrase.split(' ')[0]!));
  const mayBegin = (text: string) =>
    beginnings.has(text) || months.has(text) || numbers.has(text) || /^\d/.test(text);
  const isDayFirst = !/^en\b/.test(language);

  return (tokens: readonly Token[]): ReadDays => {
    const word = (at: number): string => (tokens[at]?.isLiteral ? '' : (tokens[at]?.word ?? ''));
    const skip = (at: number): number => (isIdle(word(at)) ? skip(at + 1) : at);
    const isJoined = (at: number, separators: RegExp) => separators.test(tokens[at]?.gap ?? '');

    function wordAt(at: number, kinds: ReadonlySet<string>): (DayWord & { length: number }) | undefined {
      for (let length = LONGEST_PHRASE; length > 0; length--) {
        const words = Array.from({ length }, (_, i) => word(at + i));
        const found = words.includes('') ? undefined : phrases.get(words.join(' '));
        if (found && kinds.has(found.kind)) return { ...found, length };
      }
      return undefined;
    }

    const only = (kind: string): ReadonlySet<string> => new Set([kind]);
    const numberAt = (at: number): { n: number; length: number } | undefined => {
      if (/^\d{1,3}$/.test(word(at))) return { n: Number(word(at)), length: 1 };
      const named = wordAt(at, only('number'));
      if (named) return { n: Number(named.argument), length: named.length };
      const n = numbers.get(word(at));
      return n === undefined ? undefined : { n, length: 1 };
    };
    const spanMonths = (year: number, month: number, count: number): Span => {
      const first = addMonths(`${year}-01`, month - 1);
      return { from: firstDayOf(first), to: lastDayOf(addMonths(first, count - 1)) };
    };

    /** The latest of these spans that has begun or, with `hasEnded`, ended. */
    function findLatest(span: (year: number) => Span, hasEnded: boolean): number {
      let year = Number(lastDay.slice(0, 4));
      while ((hasEnded ? span(year).to : span(year).from) > lastDay) year--;
      return year;
    }

    /** `last 30 days`, `past year`, `les 3 derniers mois`, `30 days ago`. */
    function readBack(at: number, isLead: boolean): Point | undefined {
      const first = wordAt(at, only('last'));
      const count = numberAt(first ? at + first.length : at);
      const afterCount = at + (first?.length ?? 0) + (count?.length ?? 0);
      const second = first ?? wordAt(afterCount, only('last'));
      const unitAt = first ? afterCount : afterCount + (second?.length ?? 0);
      const unit = wordAt(unitAt, only('unit'));
      if (unit === undefined || count === undefined || (second === undefined && !isLead)) return undefined;
      const days = Math.round(count.n * DAYS_IN[unit.argument]!);
      const span = () => ({ from: addDays(lastDay, 1 - days), to: lastDay });
      return { length: unitAt + unit.length - at, year: 0, span, isRelative: true };
    }

    function readRelative(at: number): Point | undefined {
      for (let length = LONGEST_PHRASE; length > 0; length--) {
        const words = Array.from({ length }, (_, i) => word(at + i));
        const span = words.includes('') ? undefined : relative.get(words.join(' '));
        if (span) return { length, year: 0, span: () => span, isNear: true };
      }
      return undefined;
    }

    /** A whole date: `2015-06-01`, `6/1/2015`, `June 5, 2015`, `5 juin 2015`. */
    function readDate(at: number): Point | undefined {
      const [a, b, c] = [word(at), word(at + 1), word(at + 2)];
      const isDate = (from: number) => [from, from + 1].every((i) => isJoined(i, /^[-/.]$/));
      const make = (year: string, month: number, date: string, length: number): Point | undefined => {
        const day = makeDay(Number(year), month, Number(date.replace(/\D+$/, '')));
        return day === undefined
          ? undefined
          : { length, year: Number(year), span: () => ({ from: day, to: day }) };
      };
      if (isDate(at + 1) && YEAR.test(a)) return make(a, Number(b), c, 3);
      if (isDate(at + 1) && YEAR.test(c))
        return isDayFirst ? make(c, Number(b), a, 3) : make(c, Number(a), b, 3);
      const isDay = (text: string) => /^\d{1,2}(?:st|nd|rd|th|er)?$/.test(text);
      if (months.has(a) && isDay(b) && YEAR.test(c)) return make(c, months.get(a)!, b, 3);
      if (isDay(a) && months.has(b) && YEAR.test(c)) return make(c, months.get(b)!, a, 3);
      return undefined;
    }

    /** A month, season or quarter, with or without its year. */
    function readPart(at: number): Point | undefined {
      const when = wordAt(at, new Set(['last', 'this']));
      const from = at + (when?.length ?? 0);
      const month = months.get(word(from));
      const part = wordAt(from, SPANS);
      if (month === undefined && part === undefined) return undefined;
      const length = part ? MONTHS_OF[part.kind]! : 1;
      const first =
        month ??
        (part!.kind === 'season' ? Number(part!.argument) : length * (Number(part!.argument) - 1) + 1);
      const span = (year: number) => spanMonths(year, first, length);
      const end = from + (part?.length ?? 1);
      const yearAt = skip(end);
      if (YEAR.test(word(yearAt)) && !when)
        return { length: yearAt + 1 - at, year: Number(word(yearAt)), span };
      const year = when ? findLatest(span, when.kind === 'last') : undefined;
      return { length: end - at, year, span, isNear: when !== undefined };
    }

    function readPoint(at: number, isLead = false): Point | undefined {
      const a = word(at);
      const found =
        readDate(at) ?? readBack(at, isLead) ?? readPart(at) ?? (isLead ? readRelative(at) : undefined);
      if (found) return found;
      if (YEAR.test(a) && /^(?:0[1-9]|1[0-2])$/.test(word(at + 1)) && isJoined(at + 1, /^[-/]$/))
        return { length: 2, year: Number(a), span: (year) => spanMonths(year, Number(word(at + 1)), 1) };
      if (YEAR.test(a)) return { length: 1, year: Number(a), span: (year) => spanMonths(year, 1, 12) };
      const decade = wordAt(at, only('decade'));
      const years = decade?.argument ?? (DECADE.test(a) ? toDecade(a) : undefined);
      if (years === undefined) return undefined;
      const length = decade?.length ?? 1;
      return { length, year: Number(years), span: (year) => spanMonths(year, 1, 120), isClosed: true };
    }

    const settle = (point: Point, year = point.year): Span =>
      point.span(year ?? findLatest(point.span, false));

    /** Reads one or two periods. The second one may give the first one its year, and the other way round. */
    function readSpan(at: number, isLead: boolean, isBetween: boolean) {
      const first = readPoint(at, isLead);
      if (first === undefined) return undefined;
      const end = at + first.length;
      const to = wordAt(end, only('to')) ?? (isBetween ? wordAt(end, only('and')) : undefined);
      const secondAt = skip(end + (to?.length ?? 0));
      const second = to || isJoined(end, /^\s*[-–—]\s*$/) ? readPoint(secondAt) : undefined;
      // `may` and `march` are also other words, and `spring` is in names
      if (second === undefined && first.year === undefined && !isLead) return undefined;
      const { isRelative = false, isClosed = false, isNear = false } = first;
      if (second === undefined)
        return { length: first.length, ...settle(first), isRelative: isRelative || isNear, isClosed, isNear };
      const late = settle(second, second.year ?? first.year);
      const lastYear = Number(late.to.slice(0, 4));
      const same = settle(first, first.year ?? lastYear);
      const early = first.year === undefined && same.from > late.to ? first.span(lastYear - 1) : same;
      const [from, last] = early.from <= late.to ? [early.from, late.to] : [late.from, early.to];
      return { length: secondAt + second.length - at, from, to: last, isRelative, isClosed: true, isNear };
    }

    return (start, isLed) => {
      if (!mayBegin(word(start))) return undefined;
      const edge = wordAt(start, EDGES);
      const kind = edge?.kind as Edge | undefined;
      const at = edge ? skip(start + edge.length) : start;
      const found = readSpan(at, isLed || edge !== undefined, kind === 'between' || kind === 'from');
      if (found === undefined || kind === 'onward' || kind === 'backward') return undefined;
      const isAge = kind === 'younger' || kind === 'older';
      // `over 2015` is no age
      if (isAge && (!found.isRelative || found.isNear)) return undefined;
      const suffix = wordAt(at + found.length, isAge ? only('age') : SUFFIXES);
      const length = at - start + found.length + (suffix?.length ?? 0);
      const { from, to, isRelative, isClosed, isNear } = found;
      const result = (first: Day | '', last: Day | '') => ({ length, from: first, to: last, isRelative });
      if (kind === 'younger') return result(from, '');
      if (kind === 'older') return result('', addDays(from, -1));
      if (kind === 'after') return result(addDays(to, 1), '');
      if (kind === 'before') return result('', addDays(from, -1));
      if (kind === 'to' || suffix?.kind === 'backward') return result('', to);
      const isOpened = isNear ? !/^(?:from|de)$/.test(word(start)) : !isRelative;
      const isOpen = (kind === 'from' && isOpened && !isClosed) || suffix?.kind === 'onward';
      return result(from, isOpen ? '' : to);
    };
  };
}

const SUFFIXES = new Set(['onward', 'backward']);

/** Returns the first year of a decade such as `1980s` or `80s`. */
function toDecade(text: string): string {
  const digits = text.slice(0, -1);
  return digits.length === 4 ? digits : `${Number(digits) < 30 ? 20 : 19}${digits}`;
}

/** Indexes the months (1 to 12) by their long and short names, in English and in the language of the city. */
function indexMonths(language: string): Map<string, number> {
  const months = new Map<string, number>();
  for (const locale of ['en', language])
    for (const length of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++)
        for (const word of splitWords(format.format(Date.UTC(2020, month - 1)))) months.set(word, month);
    }
  return months.set('sept', 9);
}

/** Indexes written numbers: `three`. */
function indexNumbers(): Map<string, number> {
  const lines = readDataLines('same-words.csv').filter(([words = '']) => /^\d+\|/.test(words));
  return new Map(
    lines.flatMap(([words = '']) => {
      const [n, ...names] = words.split('|');
      return names.map((name): [string, number] => [name, Number(n)]);
    }),
  );
}

/** Returns the days of a relative period: the seven `days` to the newest filing, the `week` or `year` before. */
export function countBack(kind: string, count: number, lastDay: Day): Span | undefined {
  if (kind === 'days') return { from: addDays(lastDay, 1 - count), to: lastDay };
  if (kind === 'day') return { from: addDays(lastDay, -count), to: addDays(lastDay, -count) };
  if (kind === 'week') return { from: addDays(lastDay, -6 - 7 * count), to: addDays(lastDay, -7 * count) };
  if (kind === 'month') {
    const month = addMonths(monthOf(lastDay), -count);
    return { from: firstDayOf(month), to: lastDayOf(month) };
  }
  const year = Number(lastDay.slice(0, 4)) - count;
  return kind === 'year' ? { from: `${year}-01-01`, to: `${year}-12-31` } : undefined;
}

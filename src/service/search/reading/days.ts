/** Reads the days in a question: dates, seasons, holidays, years, parts of these, ranges, edges such as `since`, and days counted back. */

import {
  addDays,
  addMonths,
  countDays,
  type Day,
  firstDayOf,
  lastDayOf,
  makeDay,
  monthOf,
} from '../../../shared/day.ts';
import { listMonths, moveByMonths } from '../../../shared/periods.ts';
import { lazy } from '../../../shared/remember.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { splitWords } from '../../../shared/words.ts';
import type { Tokens } from './tokens.ts';

/** What a word means beside a date: an edge, or a part of one (`last`, `unit:day`, `season:3`, `slice:1/3`). */
type DayWord = { kind: string; argument: string };

/** What a question says about days. An open end is `''`. */
export type DaysRead = {
  length: number;
  from: Day | '';
  to: Day | '';
  isRelative: boolean;
  /** Whether it recurs each year: `july` without its year. */
  isYearly?: boolean;
  /** Whether it is a named event, such as `the recession`. */
  isEvent?: boolean;
  /** Whether there is no such day: June 31. */
  isNone?: boolean;
};
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
  isHoliday?: boolean;
  isEvent?: boolean;
  isNone?: boolean;
};

const EDGES = new Set('from after to before between during onward backward younger older'.split(' '));
const PARTS = new Set('last this ago unit number season holiday part slice decade event now age'.split(' '));
const YEAR = /^(?:19|20)\d\d$/;
const DECADE = /^(?:19|20)?\d0s$/;
const DATE = /^\d{1,2}(?:st|nd|rd|th|er)?$/;
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

/** What is known before a period: `isLead`, a word that may be about days, such as `in`; an edge; and whether this is an age. */
type Context = { isLead: boolean; isEdge: boolean; isAge: boolean; isAfter: boolean };

/** Reads days from a token on. `isLed`: whether a word before may be about days, such as `in`. */
type ReadDays = (start: number, isLed: boolean) => DaysRead | undefined;

/** Returns a function that returns the reader of a question's tokens. */
export function openDays({ phrases, relative, lastDay, language, isIdle }: Sources) {
  const months = indexNames(language, 'month');
  const weekdays = indexNames(language, 'weekday');
  const beginnings = new Set(Array.from(phrases.keys(), (phrase) => phrase.split(' ')[0]!));
  const mayBegin = (text: string) =>
    beginnings.has(text) ||
    months.has(text) ||
    weekdays.has(text) ||
    readNumbers().has(text) ||
    /^\d/.test(text);
  const isDayFirst = !/^en\b/.test(language);

  return (tokens: Tokens): ReadDays => {
    const word = (at: number): string => (tokens[at]?.isLiteral ? '' : (tokens[at]?.word ?? ''));
    // `now` says nothing, but after `to` it is a day
    const skip = (at: number): number =>
      isIdle(word(at)) && phrases.get(word(at))?.kind !== 'now' ? skip(at + 1) : at;
    const isJoined = (at: number, separators: RegExp) => separators.test(tokens[at]?.gap ?? '');

    /** Finds the longest phrase at a token. */
    function phraseAt<T>(
      at: number,
      find: (phrase: string) => T | undefined,
    ): (T & { length: number }) | undefined {
      for (let length = LONGEST_PHRASE; length > 0; length--) {
        const words = Array.from({ length }, (_, i) => word(at + i));
        const found = words.includes('') ? undefined : find(words.join(' '));
        if (found) return { ...found, length };
      }
      return undefined;
    }

    const wordAt = (at: number, kinds: ReadonlySet<string>) =>
      phraseAt(at, (phrase) => {
        const found = phrases.get(phrase);
        return found && kinds.has(found.kind) ? found : undefined;
      });

    const only = (kind: string): ReadonlySet<string> => new Set([kind]);
    const numberAt = (at: number): { n: number; length: number } | undefined => {
      const { argument = word(at), length = 1 } = wordAt(at, only('number')) ?? {};
      const n = readNumber(argument);
      return n === undefined ? undefined : { n, length };
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

    /** `last 30 days`, `les 3 derniers mois`, `over 5 years`, `3 months ago`, `il y a 3 mois`. */
    function readBack(at: number, { isLead, isAge }: Context): Point | undefined {
      const first = wordAt(at, only('last')) ?? (isAge ? undefined : wordAt(at, only('ago')));
      const count = numberAt(first ? at + first.length : at);
      const afterCount = at + (first?.length ?? 0) + (count?.length ?? 0);
      const second = first ?? wordAt(afterCount, only('last'));
      const unitAt = first ? afterCount : afterCount + (second?.length ?? 0);
      const unit = wordAt(unitAt, only('unit'));
      if (unit === undefined || count === undefined) return undefined;
      const end = unitAt + unit.length;
      const later = second || isAge ? undefined : wordAt(end, only('ago'));
      if (second === undefined && later === undefined && !isLead) return undefined;
      const isAgo = later !== undefined || first?.kind === 'ago';
      const found = isAgo ? countBack(unit.argument, count.n, lastDay) : sinceBack(unit.argument, count.n);
      const length = end + (later?.length ?? 0) - at;
      return found && { length, year: 0, span: () => found, isRelative: true, isNear: isAgo };
    }

    function sinceBack(unit: string, n: number): Span {
      const months = { month: n, year: 12 * n, decade: 120 * n }[unit];
      const days = { hour: Math.ceil(n / 24), day: n, week: 7 * n }[unit] ?? 0;
      const before = months === undefined ? addDays(lastDay, -days) : moveByMonths(lastDay, -months);
      return { from: addDays(before, 1), to: lastDay };
    }

    function readRelative(at: number): Point | undefined {
      const found = phraseAt(at, (phrase) => relative.get(phrase));
      return found && { length: found.length, year: 0, span: () => found, isNear: true };
    }

    /** A date, in numbers only with its year: `2015-06-01`, `6/1/2015`, `6/2015`, `June 5, 2015`, `5 juin`. */
    function readDate(at: number): Point | undefined {
      const [a, b, c] = [word(at), word(at + 1), word(at + 2)];
      const isDate = (...joints: number[]) => joints.every((i) => isJoined(at + i, /^[-/.]$/));
      const make = (year: string, month: number, date: string, length: number): Point | undefined => {
        const day = (of: number) => makeDay(of, month, Number.parseInt(date, 10));
        // a leap day of no year is none, and no year has a June 31
        const isNone = day(year === '' ? 2001 : Number(year)) === undefined;
        if (isNone && !(month <= 12 && Number.parseInt(date, 10) <= 31)) return undefined;
        const span = (of: number) => (isNone ? spanMonths(of, month, 1) : { from: day(of)!, to: day(of)! });
        return { length, year: year === '' ? undefined : Number(year), span, isNone };
      };
      if (YEAR.test(a) && isDate(1, 2)) return make(a, Number(b), c, 3);
      if (YEAR.test(c) && isDate(1, 2))
        return isDayFirst ? make(c, Number(b), a, 3) : make(c, Number(a), b, 3);
      const [year, month] = YEAR.test(a) ? [a, b] : [b, a];
      if (
        YEAR.test(year) &&
        /^(?:0?[1-9]|1[0-2])$/.test(month) &&
        isJoined(at + 1, year === a ? /^[-/]$/ : /^\/$/)
      )
        return { length: 2, year: Number(year), span: (of) => spanMonths(of, Number(month), 1) };
      const [name, date] = months.has(a) ? [a, b] : [b, a];
      const n = months.get(name);
      if (n === undefined || !DATE.test(date)) return undefined;
      return YEAR.test(c) ? make(c, n, date, 3) : make('', n, date, 2);
    }

    /** A month, season, holiday, half or quarter, with or without its year. */
    function readPart(at: number): Point | undefined {
      const when = wordAt(at, new Set(['last', 'this']));
      const from = at + (when?.length ?? 0);
      const month = months.get(word(from));
      const part = wordAt(from, new Set(['season', 'holiday', 'part']));
      if (month === undefined && part === undefined) return undefined;
      const { kind, argument } = part ?? { kind: 'month', argument: '' };
      const span = (year: number): Span => {
        if (kind === 'part') return sliceOf(spanMonths(year, 1, 12), argument);
        if (kind !== 'holiday') return spanMonths(year, month ?? Number(argument), month ? 1 : 3);
        const day = findHoliday(argument, year);
        return week ? weekOf(day) : { from: day, to: day };
      };
      const isHoliday = kind === 'holiday';
      const partEnd = from + (part?.length ?? 1);
      const unit = isHoliday ? wordAt(partEnd, only('unit')) : undefined;
      const week = unit?.argument === 'week' ? unit : undefined;
      const end = partEnd + (week?.length ?? 0);
      const yearAt = skip(end);
      if (YEAR.test(word(yearAt)) && !when)
        return { length: yearAt + 1 - at, year: Number(word(yearAt)), span, isHoliday };
      const year = when ? findLatest(span, when.kind === 'last') : undefined;
      return { length: end - at, year, span, isNear: when !== undefined, isHoliday };
    }

    /** `last monday`, `since friday`: the latest one. */
    function readWeekday(at: number, { isEdge }: Context): Point | undefined {
      const when = wordAt(at, new Set(['last', 'this']));
      const weekday = weekdays.get(word(at + (when?.length ?? 0)));
      if (weekday === undefined || !(when || isEdge)) return undefined;
      const day = addDays(lastDay, -((weekdayOf(lastDay) - weekday + 7) % 7));
      return { length: 1 + (when?.length ?? 0), year: 0, span: () => ({ from: day, to: day }), isNear: true };
    }

    /** `early 2018`, `the second half of last year`, `the week of christmas 2018`. */
    function readSlice(at: number, context: Context): Point | undefined {
      const slice = wordAt(at, new Set(['slice', 'part']));
      const of = slice && readPoint(skip(at + slice.length), { ...context, isLead: true });
      const { argument, length = 0 } = slice ?? { argument: '' };
      const isWeek = argument === 'week';
      if (of === undefined || (of.isHoliday && !isWeek)) return undefined;
      const span = (year: number) => (isWeek ? weekOf(of.span(year).from) : sliceOf(of.span(year), argument));
      return { ...of, length: skip(at + length) + of.length - at, span };
    }

    function readPoint(at: number, context: Context): Point | undefined {
      const { isLead, isEdge } = context;
      const a = word(at);
      const found =
        readDate(at) ??
        readBack(at, context) ??
        readSlice(at, context) ??
        readPart(at) ??
        readWeekday(at, context) ??
        (isLead ? readRelative(at) : undefined);
      if (found) return found;
      const now = isEdge ? wordAt(at, only('now')) : undefined;
      if (now)
        return { length: now.length, year: 0, span: () => ({ from: lastDay, to: lastDay }), isClosed: true };
      if (YEAR.test(a)) return { length: 1, year: Number(a), span: (year) => spanMonths(year, 1, 12) };
      if (wordAt(at, only('unit'))?.argument === 'year' && YEAR.test(word(at + 1)))
        return { ...readPoint(at + 1, context)!, length: 2 };
      const event = isEdge ? wordAt(at, only('event')) : undefined;
      const [from, to] = event?.argument.split(' ') ?? [];
      if (event && from !== undefined && to !== undefined) {
        // what has not ended is after its beginning
        const end = context.isAfter && to > lastDay ? addDays(from, -1) : to;
        return { length: event.length, year: 0, span: () => ({ from, to: end }), isEvent: true };
      }
      const decade = wordAt(at, only('decade'));
      const years = decade?.argument ?? (DECADE.test(a) ? toDecade(a) : undefined);
      if (years === undefined) return undefined;
      const length = decade?.length ?? 1;
      return { length, year: Number(years), span: (year) => spanMonths(year, 1, 120), isClosed: true };
    }

    const settle = (point: Point, year = point.year): Span =>
      point.span(year ?? findLatest(point.span, false));

    /** Reads one or two periods. The second one may give the first one its year, and the other way round. */
    function readSpan(at: number, context: Context, isBetween: boolean) {
      const first = readPoint(at, context);
      if (first === undefined) return undefined;
      const end = at + first.length;
      const to = wordAt(end, only('to')) ?? (isBetween ? wordAt(end, only('and')) : undefined);
      const secondAt = skip(end + (to?.length ?? 0));
      const second =
        to || isJoined(end, /^\s*[-–—]\s*$/)
          ? readPoint(secondAt, { ...context, isLead: false, isEdge: true })
          : undefined;
      // `may` and `march` are also other words, and `spring` is in names
      if (second === undefined && first.year === undefined && !context.isLead) return undefined;
      const { isRelative = false, isClosed = false, isNear = false, isEvent } = first;
      const isNone = first.isNone || second?.isNone;
      const isYearly = first.year === undefined && second?.year === undefined;
      const how = { isRelative: isRelative || isNear, isYearly, isEvent, isNone, isNear };
      if (second === undefined) return { length: first.length, ...settle(first), ...how, isClosed };
      const late = settle(second, second.year ?? first.year);
      const lastYear = Number(late.to.slice(0, 4));
      const same = settle(first, first.year ?? lastYear);
      const early = first.year === undefined && same.from > late.to ? first.span(lastYear - 1) : same;
      const [from, last] = early.from <= late.to ? [early.from, late.to] : [late.from, early.to];
      return { length: secondAt + second.length - at, from, to: last, ...how, isClosed: true };
    }

    return (start, isLed) => {
      if (!mayBegin(word(start))) return undefined;
      const edge = wordAt(start, EDGES);
      const kind = edge?.kind;
      // `before and after covid`: the days are behind the second edge
      const joint = edge && wordAt(start + edge.length, JOINTS);
      const other = joint && wordAt(start + edge.length + joint.length, EDGES);
      const before = start + (edge?.length ?? 0) + (other ? joint!.length + other.length : 0);
      const at = edge ? skip(before) : start;
      const isEdge = edge !== undefined;
      const isAge = kind === 'younger' || kind === 'older';
      const isSpan = isAge && wordAt(at, only('last')) !== undefined; // `over the last five years`
      const context = { isLead: isLed || isEdge, isEdge, isAge, isAfter: kind === 'after' };
      const found = readSpan(at, context, kind === 'between' || kind === 'from');
      if (found === undefined || kind === 'onward' || kind === 'backward') return undefined;
      // `over 2015` is no age
      if (isAge && (!found.isRelative || found.isNear)) return undefined;
      const after = wordAt(at + found.length, isAge ? AGES : SUFFIXES);
      // `2017 or after 2019` has two periods
      const isNext = after && !isAge && readPoint(at + found.length + after.length, context) !== undefined;
      const suffix = isNext ? undefined : after;
      const length = other ? edge!.length : at - start + found.length + (suffix?.length ?? 0);
      const { from, to, isRelative, isYearly, isEvent, isNone, isClosed, isNear } = found;
      const how = { length, isRelative, isYearly, isEvent, isNone };
      const result = (first: Day | '', last: Day | '') => ({ ...how, from: first, to: last });
      if (isSpan) return result(from, to);
      if (kind === 'younger') return result(from, '');
      if (kind === 'after') return result(addDays(to, 1), '');
      if (kind === 'older' || kind === 'before') return result('', addDays(from, -1));
      if (kind === 'to' || suffix?.kind === 'backward') return result('', to);
      const isOpened = isNear ? !/^(?:from|de)$/.test(word(start)) : !isRelative;
      const isOpen = (kind === 'from' && isOpened && !isClosed) || suffix?.kind === 'onward';
      return result(from, isOpen ? '' : to);
    };
  };
}

const JOINTS = new Set(['and', 'or']);
const SUFFIXES = new Set(['onward', 'backward']);
const AGES = new Set(['age', 'ago']);

/** Returns the first year of a decade such as `1980s` or `80s`. */
function toDecade(text: string): string {
  const digits = text.slice(0, -1);
  return digits.length === 4 ? digits : `${Number(digits) < 30 ? 20 : 19}${digits}`;
}

/** Indexes months (1 to 12) or weekdays (0, Sunday, to 6) by their long and short names, in English and in the city's language. */
function indexNames(language: string, kind: 'month' | 'weekday'): Map<string, number> {
  const names = new Map<string, number>();
  for (const locale of ['en', language])
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { [kind]: style, timeZone: 'UTC' });
      // the first of each month of 2020, and the week that began on March 1, a Sunday
      for (let i = 0; i < (kind === 'month' ? 12 : 7); i++) {
        const date = kind === 'month' ? Date.UTC(2020, i) : Date.UTC(2020, 2, 1 + i);
        for (const word of splitWords(format.format(date))) names.set(word, kind === 'month' ? i + 1 : i);
      }
    }
  return kind === 'month' ? names.set('sept', 9) : names;
}

function weekdayOf(day: Day): number {
  return new Date(day).getUTCDay();
}

/** Returns the week, from Sunday on, that has a day. */
function weekOf(day: Day): Span {
  const from = addDays(day, -weekdayOf(day));
  return { from, to: addDays(from, 6) };
}

/** Returns the part `n/of` of a period: in whole years, months or days, whichever it has several of. */
function sliceOf({ from, to }: Span, slice: string): Span {
  const [n = 1, of = 1] = slice.split('/').map(Number);
  const months = listMonths(monthOf(from), monthOf(to)).length;
  const unit = months >= 120 ? 12 : months >= of ? 1 : 0;
  const count = unit > 0 ? months / unit : countDays(from, to) + 1;
  const move = (parts: number) => {
    const units = Math.round((count * parts) / of);
    return unit > 0 ? firstDayOf(addMonths(monthOf(from), units * unit)) : addDays(from, units);
  };
  return { from: move(n - 1), to: addDays(move(n), -1) };
}

/** Returns the day of a holiday: `12-25`, `11-4-4` (the fourth Thursday of November; a fifth one is the last one), or `easter -2`. */
function findHoliday(rule: string, year: number): Day {
  if (rule.startsWith('easter')) return addDays(findEaster(year), Number(rule.slice('easter'.length)));
  const [month = 1, n = 1, weekday] = rule.split('-').map(Number);
  if (weekday === undefined) return makeDay(year, month, n)!;
  const first = makeDay(year, month, 1)!;
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1));
  return monthOf(day) === monthOf(first) ? day : addDays(day, -7);
}

/** Returns Easter Sunday of a year from 1900 to 2099 (Carter's rule). */
function findEaster(year: number): Day {
  const moon = ((204 - 11 * (year % 19)) % 30) + 21;
  const full = moon > 48 ? moon - 1 : moon;
  return addDays(`${year}-03-01`, full + 6 - ((year + Math.floor(year / 4) + full + 1) % 7));
}

/** Written numbers: `three`. */
const readNumbers = lazy((): Map<string, number> => {
  const lines = readDataLines('same-words.csv').filter(([words = '']) => /^\d+\|/.test(words));
  return new Map(
    lines.flatMap(([words = '']) => {
      const [n, ...names] = words.split('|');
      return names.map((name): [string, number] => [name, Number(n)]);
    }),
  );
});

/** Lists the numbers of short lists, in digits and written. */
export function listNumbers(): string[] {
  return [...Array.from({ length: 21 }, (_, i) => String(i + 1)), ...readNumbers().keys()];
}

/** Reads a small number of a folded word, in digits or written. */
export function readNumber(word: string): number | undefined {
  return /^\d{1,3}$/.test(word) ? Number(word) : readNumbers().get(word);
}

/** Returns the days of a relative period: the seven `days` to the newest filing, the `week` or `year` before; -1 is the next one. */
export function countBack(kind: string, count: number, lastDay: Day): Span | undefined {
  if (kind === 'days') return { from: addDays(lastDay, 1 - count), to: lastDay };
  if (kind === 'day') return { from: addDays(lastDay, -count), to: addDays(lastDay, -count) };
  if (kind === 'week') return { from: addDays(lastDay, -6 - 7 * count), to: addDays(lastDay, -7 * count) };
  const length = { month: 1, quarter: 3, year: 12 }[kind];
  if (length === undefined) return undefined;
  const passed = (Number(lastDay.slice(5, 7)) - 1) % length;
  const from = addMonths(monthOf(lastDay), -passed - length * count);
  return { from: firstDayOf(from), to: lastDayOf(addMonths(from, length - 1)) };
}

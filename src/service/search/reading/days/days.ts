/** Reads the days in a question: a table of rules reads periods, and a table of edges, such as `since`, opens or ends them. */

import { addDays, makeDay } from '../../../../shared/day.ts';
import {
  type Days,
  isOneYear,
  isWholeYears,
  pickLater,
  spanDaysTo,
  spanYear,
} from '../../../../shared/periods.ts';
import type { Meaning } from '../draft.ts';
import type { Tokens } from '../tokens.ts';
import {
  countBack,
  type Ends,
  endOf,
  findLatest,
  indexNames,
  moveBy,
  parseDays,
  sliceOf,
  takeMonths,
  toDecade,
  weekdayOf,
} from './calendar.ts';
import { EDGE_KINDS, EDGES, isAge, isOfEnds, pickEdge } from './edges.ts';
import { readNumber, readNumbers, readWritten, type WordsAt } from './numbers.ts';

/** What a phrase means beside a date: an edge, or a part of one (`last`, `unit:day`, `season:3`, `slice:1/3`). */
export type DayWord = { kind: string; argument: string };

/** A period whose year may be given by another one: `march` in `march to june 2024`. */
type Period = {
  year: number | undefined;
  span(year: number): Days;
  isRelative?: boolean;
  /** Whether it is a decade or `now`, which `from` does not open: `from the nineties`. */
  isClosed?: boolean;
  /** Whether it is counted back, so that `since` opens it, and `from` does not: `last summer`. */
  isNear?: boolean;
  /** Whether it is a part of a period, which `from` does not open either: `early june`. */
  isPart?: boolean;
  /** Whether it is about days without a word that says so: `bars june 5`. */
  isSure?: boolean;
  isEvent?: boolean;
  /** Whether there is no such day: June 31. */
  isNone?: boolean;
};
type Point = Period & { length: number };

/** What is known of a period: whether a word before may be about days, such as `in`; the edge before; and the city. */
type Context = Ends & { isLead: boolean; edge: string | undefined; isDayFirst: boolean };
/** The words that a rule found, by their kinds. */
type Words = Readonly<Record<string, string | undefined>>;
type Read = (words: Words, context: Context, of: Point | undefined) => Period | undefined;
type Rule = readonly [example: string, words: string, read: Read];

/**
 * How periods are said; the first rule that reads something counts. Its words are kinds of `question-words.csv`, or `month`, `weekday`,
 * `year`, `n` and `m` (one or two digits), `relative` (a phrase of days counted back) and `point` (another period). `a|b` is either,
 * and `?` may be missing; before `-` stands nothing but `-`, `/` or `.`, and before `_` may stand words that say nothing.
 */
const RULES: readonly Rule[] = [
  ['2015-06-01', 'year -n -m', ({ year, n, m }) => readDate(year, n, m)],
  ['6/1/2015', 'n -m -year', ({ n, m, year }, { isDayFirst: is }) => readDate(year, is ? m : n, is ? n : m)],
  ['2015-06', 'year -n', ({ year, n }) => readMonth(year, n)],
  ['6/2015', 'n -year', ({ n, year }) => readMonth(year, n)],
  ['march of last year', 'season|part|month date? _point', readOfYear],
  ['june 5, 2015', 'month date _year?', ({ year, month, date }) => readDate(year, month, date)],
  ['first of june', 'date _month _year?', ({ year, month, date }) => readDate(year, month, date)],
  ['deux mars', 'number month year?', ({ year, month, number }) => readDate(year, month, number)],
  ['first two weeks of 2018', 'date|last number? unit _point', readEnd],
  ['deux premières semaines de mai', 'number date|last unit _point', readEnd],
  ['last 30 days', 'last|latest number unit', readBack],
  ['les 3 derniers mois', 'number last unit', readBack],
  ['the latest full year', 'last|latest whole unit', readAgo],
  ['la dernière année complète', 'last unit whole', readAgo],
  ['3 months ago', 'number unit ago', readAgo],
  ['il y a 3 mois', 'ago number unit', readAgo],
  [
    'over 5 years',
    'number unit',
    (words, context) => (context.isLead ? readBack(words, context) : undefined),
  ],
  ['early 2018', 'slice|part _point', readSlice],
  ['week of june 5', 'unit _point', readUnit],
  // of which month, nobody said
  ['third week of the month', 'date|last|slice|part number? unit? _unit', readNone],
  [
    'easter week',
    'time unit',
    (words, context) => (words.unit === 'week' ? readNone(words, context) : undefined),
  ],
  ['mars dernier', 'season|part|month last', readPart],
  ['last summer', 'last|this? season|part|month _year?', readPart],
  ['last monday', 'last|this? weekday', readWeekday],
  ['before last year', 'relative', readRelative],
  ['until today', 'now', readNow],
  [
    '2012 december 5',
    'year month date?',
    ({ year, month, date }) => (date ? readDate(year, month, date) : readMonth(year, month)),
  ],
  ['2015', 'year', ({ year }) => readYears(year, 1)],
  ['after covid began', 'event began|ended', readEvent],
  ['since covid', 'event', readEvent],
  ['nineties', 'decade', ({ decade }) => ({ ...readYears(toDecade(decade!), 10), isClosed: true })],
];

type Element = { joint: string; kinds: readonly string[]; isOptional: boolean };
const PATTERNS = RULES.map(([, words]) =>
  words.split(' ').map((element): Element => {
    const [, joint = '', kinds = '', optional] = /^([_-]?)([^?]+)(\??)$/.exec(element)!;
    return { joint, kinds: kinds.split('|'), isOptional: optional !== '' };
  }),
);

/** Words of digits by their kinds. */
const DIGITS: Readonly<Record<string, RegExp>> = {
  year: /^(?:19|20)\d\d$/,
  decade: /^(?:19|20)?\d0s$/,
  date: /^\d{1,2}(?:st|nd|rd|th|er)?$/,
  n: /^\d{1,2}$/,
  m: /^\d{1,2}$/,
};
const LONGEST_PHRASE = 4;

type Sources = Ends & {
  /** Phrases with the meanings that count only beside a date. */
  phrases: ReadonlyMap<string, DayWord>;
  /** Phrases of days counted back, with their first and last day: `last year`. */
  relative: ReadonlyMap<string, DayWord>;
  language: string;
  /** Whether a word says nothing within a date: `the`, `of`. */
  isIdle(word: string): boolean;
};
/** The tokens of a question, and the phrases at each of them, the longest first. */
type Text = Omit<Sources, 'language'> & {
  tokens: Tokens;
  found: (DayWord & { length: number })[][];
  names: Readonly<Record<string, ReadonlyMap<string, number>>>;
  isDayFirst: boolean;
  written: WordsAt;
};

/** The meaning of the tokens that are about days, and how many these are. */
type Dated = { length: number; meaning: Meaning };

/**
 * Returns a function that takes the tokens of a question and returns a function that reads days from one of these on. `isLed`: whether a
 * word before may be about days, such as `in`.
 */
export function openDays({ language, ...sources }: Sources) {
  const names = indexNames(language);
  const first = Array.from(sources.phrases.keys(), (phrase) => phrase.split(' ')[0]!);
  const beginnings = new Set([
    ...first,
    ...names.month.keys(),
    ...names.weekday.keys(),
    ...readNumbers().keys(),
  ]);
  const known = { ...sources, names, isDayFirst: !/^en\b/.test(language) };
  return (tokens: Tokens) => {
    const written = { phrases: known.phrases, wordAt: (at: number) => wordAt({ tokens }, at) };
    const text: Text = { ...known, tokens, found: [], written };
    const mayBegin = (word: string) => beginnings.has(word) || /^\d/.test(word);
    return (start: number, isLed: boolean) =>
      mayBegin(wordAt(text, start)) ? readFrom(text, start, isLed) : undefined;
  };
}

function wordAt({ tokens }: Pick<Text, 'tokens'>, at: number): string {
  return tokens[at]?.isLiteral ? '' : (tokens[at]?.word ?? '');
}

/** Returns the first position from here on that says something. `now` says nothing, but after `to` it is a day, and so is `this year`. */
function skipIdle(text: Text, at: number): number {
  const isDay = findPhrase(text, at, ['now', 'relative']) !== undefined;
  return text.isIdle(wordAt(text, at)) && !isDay ? skipIdle(text, at + 1) : at;
}

/** Finds the longest phrase of some kinds at a token. */
function findPhrase(text: Text, at: number, kinds: readonly string[]) {
  text.found[at] ??= Array.from({ length: LONGEST_PHRASE }, (_, i) => LONGEST_PHRASE - i).flatMap(
    (length) => {
      const words = Array.from({ length }, (_, i) => wordAt(text, at + i));
      const meant = words.includes('') ? [] : [text.phrases, text.relative];
      return meant.flatMap((map) => map.get(words.join(' ')) ?? []).map((phrase) => ({ ...phrase, length }));
    },
  );
  return text.found[at].find(({ kind }) => kinds.includes(kind));
}

type Match = { length: number; value: string; of?: Point };

function matchKind(text: Text, at: number, kind: string, context: Context): Match | undefined {
  if (kind === 'point') {
    const of = readPoint(text, at, { ...context, isLead: true });
    return of && { length: of.length, value: '', of };
  }
  const written = kind === 'number' ? readWritten(text.written, at) : undefined;
  const phrase = findPhrase(text, at, [kind]);
  if (written && written.length >= (phrase?.length ?? 0))
    return { length: written.length, value: String(written.n) };
  if (phrase) return { length: phrase.length, value: phrase.argument };
  const word = wordAt(text, at);
  const digits = DIGITS[kind]?.exec(word)?.[0];
  const value = digits ?? text.names[kind]?.get(word) ?? (kind === 'number' ? readNumber(word) : undefined);
  return value === undefined ? undefined : { length: 1, value: String(value) };
}

function matchWords(text: Text, at: number, elements: readonly Element[], context: Context) {
  const words: Record<string, string> = {};
  let of: Point | undefined;
  let end = at;
  for (const { joint, kinds, isOptional } of elements) {
    const from = joint === '_' ? skipIdle(text, end) : end;
    const isBroken = joint === '-' && !isJoined(text, from, /^[-/.]$/);
    const found = kinds.map((kind) => (isBroken ? undefined : matchKind(text, from, kind, context)));
    const which = found.findIndex((one) => one !== undefined);
    if (which < 0 && !isOptional) return undefined;
    if (which < 0) continue;
    const { value, length, of: inner } = found[which]!;
    words[kinds[which]!] = value;
    of ??= inner;
    end = from + length;
  }
  return { words, of, length: end - at };
}

function isJoined({ tokens }: Text, at: number, separators: RegExp): boolean {
  return separators.test(tokens[at]?.gap ?? '');
}

/** Reads one period by the first rule that applies. */
function readPoint(text: Text, at: number, context: Context): Point | undefined {
  for (const [i, [, , read]] of RULES.entries()) {
    const found = matchWords(text, at, PATTERNS[i]!, context);
    const period = found && read(found.words, context, found.of);
    if (period) return { ...period, length: found.length };
  }
  return undefined;
}

/** Finds where the next period of a list begins: `march, may or june 2014`. */
function findNextOfList(text: Text, at: number): number | undefined {
  const joint = findPhrase(text, at, ['and', 'or']);
  if (joint === undefined && !isJoined(text, at, /^\s*,\s*$/)) return undefined;
  const next = skipIdle(text, at + (joint?.length ?? 0));
  return DIGITS.year!.test(wordAt(text, next)) ? undefined : next;
}

/** Returns a period without a year as one of the year that another one behind it in a list has, or as one of two months that are surely these. */
function readListed(text: Text, at: number, context: Context): Point | undefined {
  const first = readPoint(text, at, context);
  // `between march and may` is one period
  if (first === undefined || first.year !== undefined || isOfEnds(context.edge)) return first;
  const isMonth = (of: number) => text.names.month!.has(wordAt(text, of));
  const next = findNextOfList(text, at + first.length);
  const isBehind = [at - 1, at - 2].some((of) => isMonth(of) && findNextOfList(text, of + 1) === at);
  const isSure = first.isSure || (isMonth(at) && (isBehind || (next !== undefined && isMonth(next))));
  const other = next === undefined ? undefined : readListed(text, next, context);
  return { ...first, isSure, year: (!other?.isNear && other?.year) || undefined };
}

/** Reads one or two periods. The second one may give the first one its year, and the other way round. */
function readPeriods(text: Text, at: number, context: Context) {
  const first = readListed(text, at, context);
  if (first === undefined) return undefined;
  const end = at + first.length;
  const joint = findPhrase(text, end, isOfEnds(context.edge) ? ['to', 'and'] : ['to']);
  const secondAt = skipIdle(text, end + (joint?.length ?? 0));
  const isRange = joint !== undefined || isJoined(text, end, /^\s*[-–—]\s*$/);
  // after `to`, `now` is a day
  const later = { ...context, isLead: false, edge: 'to' };
  const second = isRange ? readPoint(text, secondAt, later) : undefined;
  // `may` and `march` are also other words, `spring` is in names, and so are years of one word twice: `twenty twenty`
  const isTwice = /^\D/.test(wordAt(text, at)) && wordAt(text, at) === wordAt(text, at + 1);
  const isDoubtful = (first.year === undefined || isTwice) && !first.isSure && !context.isLead;
  if (second === undefined && isDoubtful) return undefined;
  const { isRelative = false, isClosed = false, isNear = false, isPart = false, isEvent } = first;
  const isNone = first.isNone || second?.isNone;
  const isYearly = first.year === undefined && second?.year === undefined;
  const how = { isRelative: isRelative || isNear, isYearly, isEvent, isNone, isNear, isPart };
  const settle = ({ year, span }: Period, other?: number): Days =>
    span(year ?? other ?? findLatest(span, false, context.lastDay));
  if (second === undefined) return { ...how, days: settle(first), length: first.length, isClosed };
  const late = settle(second, first.year);
  const lastYear = Number(late.filed_to.slice(0, 4));
  const same = settle(first, lastYear);
  const isOfBefore = first.year === undefined && same.filed_from > late.filed_to;
  const early = isOfBefore ? first.span(lastYear - 1) : same;
  const [from, to] = early.filed_from <= late.filed_to ? [early, late] : [late, early];
  const days: Days = { filed_from: from.filed_from, filed_to: to.filed_to };
  return { ...how, days, length: secondAt + second.length - at, isClosed: true };
}

function readFrom(text: Text, start: number, isLed: boolean): Dated | undefined {
  const edge = findPhrase(text, start, EDGE_KINDS);
  const { kind, length: edgeLength = 0 } = edge ?? {};
  if (kind === 'onward' || kind === 'backward') return undefined;
  // `before and after covid`: the days are behind the second edge
  const joint = edge && findPhrase(text, start + edgeLength, ['and', 'or']);
  const other = joint && findPhrase(text, start + edgeLength + joint.length, EDGE_KINDS);
  const at = edge ? skipIdle(text, start + edgeLength + (other ? joint.length + other.length : 0)) : start;
  const context: Context = { ...text, isLead: isLed || edge !== undefined, edge: kind };
  const found = readPeriods(text, at, context);
  // `over 2015` is no age
  const isOfAge = isAge(kind);
  if (found === undefined || (isOfAge && (!found.isRelative || found.isNear))) return undefined;
  const after = findPhrase(text, at + found.length, isOfAge ? ['age', 'ago'] : ['onward', 'backward']);
  // `2017 or after 2019` has two periods
  const isNext =
    after && !isOfAge && readPoint(text, at + found.length + after.length, context) !== undefined;
  const suffix = isNext ? undefined : after;
  // `from 2010 on`, and not `in 2010 on Pine Street`
  const isOn = kind === 'from' && wordAt(text, at + found.length) === 'on';
  const length = other ? edgeLength : at - start + found.length + (suffix?.length ?? Number(isOn));
  const { days, isRelative, isYearly, isEvent, isNone, isClosed, isNear, isPart } = found;
  const isSpan = isOfAge && findPhrase(text, at, ['last']) !== undefined; // `over the last five years`
  // `bars from 2010` are those of that year, and `starting from 2010` or `from 2010 on` are not
  const isOfYear = start > 0 && !isOn && isWholeYears(days) && isOneYear(days);
  const isClose = isNear || isPart || (isOfYear && findPhrase(text, start - 1, EDGE_KINDS) === undefined);
  const isOpened = isClose ? !/^(?:from|de)$/.test(wordAt(text, start)) : !isRelative;
  const isOpen = kind === 'from' && isOpened && !isClosed;
  const isCounted = isRelative === true && !isNear;
  const ends = isSpan ? 'during' : pickEdge(kind, suffix?.kind, { isCounted, isOpen });
  if (isNone) return { length, meaning: { role: 'unread' } };
  return { length, meaning: { role: 'days', days: EDGES[ends]!(days), isRelative, isYearly, isEvent } };
}

function always(days: Days): Period {
  return { year: 0, span: () => days };
}

function readYears(first: string | undefined, count: number): Period {
  return { year: Number(first), span: (year) => takeMonths(year, 1, 12 * count) };
}

function readMonth(year: string | undefined, month: string | undefined): Period | undefined {
  const n = Number(month);
  return n >= 1 && n <= 12 ? { year: Number(year), span: (of) => takeMonths(of, n, 1) } : undefined;
}

/** Reads a day. A leap day of no year is none, and no year has a June 31. */
function readDate(
  year: string | undefined,
  month: string | undefined,
  date: string | undefined,
): Period | undefined {
  const [n, day] = [Number(month), Number.parseInt(date ?? '', 10)];
  const isNone = makeDay(Number(year ?? 2001), n, day) === undefined;
  if (isNone && !(n <= 12 && day <= 31)) return undefined;
  const span = (of: number): Days => {
    const made = makeDay(of, n, day);
    return made === undefined ? takeMonths(of, n, 1) : spanDaysTo(made, 1);
  };
  return { year: year === undefined ? undefined : Number(year), span, isNone, isSure: true };
}

/** Reads days that no calendar tells, so that their words are not looked for. */
function readNone(_: Words, { lastDay }: Context): Period {
  return { ...always(spanDaysTo(lastDay, 1)), isNone: true, isSure: true };
}

function readBack({ number, unit = '' }: Words, { dataEnd }: Context): Period {
  const isHours = unit === 'hour';
  const n = isHours ? Math.ceil(Number(number) / 24) : Number(number);
  const before = moveBy(dataEnd, isHours ? 'day' : unit, -n);
  return { ...always({ filed_from: addDays(before, 1), filed_to: dataEnd }), isRelative: true };
}

function readAgo({ number = '1', unit = '' }: Words, context: Context): Period | undefined {
  const found = isAge(context.edge) ? undefined : countBack(unit, Number(number), context);
  return found && { ...always(found), isRelative: true, isNear: true };
}

/** Reads a part of a period, as in `the second half of last year`. */
function readSlice({ slice, part }: Words, _: Context, of: Point | undefined): Period | undefined {
  const argument = slice ?? part!;
  return of && { ...of, span: (year) => sliceOf(of.span(year), argument), isPart: argument.endsWith('/3') };
}

/** Reads a unit that begins with a period, or is that period: `month of june`. */
function readUnit({ unit = '' }: Words, _: Context, of: Point | undefined): Period | undefined {
  const span = (year: number): Days => {
    const days = of!.span(year);
    if (days.filed_from === '') return days;
    const last = addDays(moveBy(days.filed_from, unit, 1), -1);
    return { ...days, filed_to: pickLater(last, days.filed_to) };
  };
  return of && { ...of, span, isSure: unit !== 'day' || of.isSure === true };
}

/** Reads some days, weeks or months at an end of a period, or the second or third one of it. */
function readEnd({ date = '-1', number, unit = '' }: Words, _: Context, of: Point | undefined) {
  const [nth, n] = [Number.parseInt(date, 10), Number(number ?? 1)];
  if (of === undefined || (nth > 1 && number !== undefined)) return undefined;
  return { ...of, span: (year: number) => endOf(of.span(year), unit, n, nth), isPart: true, isSure: true };
}

/** Reads a month, season, half or quarter, with or without its year. */
function readPart(words: Words, { lastDay }: Context): Period {
  const { last, this: now, season, part, month, year } = words;
  const span = (of: number): Days => {
    if (part !== undefined) return sliceOf(spanYear(of), part);
    return takeMonths(of, Number(season ?? month), season === undefined ? 1 : 3);
  };
  const isNear = year === undefined && (last ?? now) !== undefined;
  const latest = isNear ? findLatest(span, last !== undefined, lastDay) : undefined;
  const known = year === undefined ? latest : Number(year);
  return { year: known, span, isNear };
}

/** Reads a day or a part of a year that is counted back: `june 5 last year`. */
function readOfYear({ date, ...words }: Words, context: Context, of: Point | undefined): Period | undefined {
  const days = of?.isNear && of.span(0);
  if (!days || !isWholeYears(days) || !isOneYear(days)) return undefined;
  const year = days.filed_from.slice(0, 4);
  return date ? readDate(year, words.month, date) : readPart({ ...words, year }, context);
}

/** Reads the latest of a weekday: `since friday`. */
function readWeekday({ last, this: now, weekday }: Words, { edge, lastDay }: Context): Period | undefined {
  if ((last ?? now ?? edge) === undefined) return undefined;
  const day = addDays(lastDay, -((weekdayOf(lastDay) - Number(weekday) + 7) % 7));
  return { ...always(spanDaysTo(day, 1)), isNear: true };
}

function readRelative({ relative }: Words, { isLead }: Context): Period | undefined {
  return isLead ? { ...always(parseDays(relative)), isNear: true } : undefined;
}

/** Reads `now`, which says nothing but after an edge. */
function readNow(_: Words, { edge, lastDay }: Context): Period | undefined {
  return edge === undefined ? undefined : { ...always(spanDaysTo(lastDay, 1)), isClosed: true };
}

function readEvent({ event, began, ended }: Words, { edge, lastDay }: Context): Period | undefined {
  const { filed_from, filed_to } = parseDays(event);
  if (edge === undefined || filed_to === '') return undefined;
  if (began !== undefined) return always(spanDaysTo(filed_from, 1));
  if (ended !== undefined) return always(spanDaysTo(filed_to, 1));
  // what has not ended is after its beginning
  const end = edge === 'after' && filed_to > lastDay ? addDays(filed_from, -1) : filed_to;
  return { ...always({ filed_from, filed_to: end }), isEvent: true };
}

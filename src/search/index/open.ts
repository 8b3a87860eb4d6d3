/**
 * Opens built buffers for queries without copying them. All results are read directly from the columns, without a
 * cache. Handles one query at a time: results share scratch memory until the page is rendered.
 */

import { addDays, type Day, type Instant } from '../../listings/day.ts';
import { isUnknown, UNCATEGORIZED } from '../../listings/listing.ts';
import type { Counts, Facets, ListingIndex, SearchAnswer, SearchWarning, Stats } from '../listing-index.ts';
import {
  EVERYTHING,
  type NarrowingName,
  perFilter,
  type Question,
  VALUE_FILTERS,
  type ValueFilter,
} from '../parameters.ts';
import { interpret } from '../words/interpret.ts';
import { type Lookup, openLookup } from '../words/lookup.ts';
import { maskLetters, openSpelling } from '../words/spelling.ts';
import { countFew, openSuggestions } from '../words/suggest.ts';
import { openUnderstanding } from '../words/understand.ts';
import { countBytes, firstSetOf, type IndexBuffers } from './index-buffers.ts';
import { countDays, openPageWriter, readDayAt } from './listing-json.ts';
import { eachRow, openSets, type RowSet, type RowSets, takeRows } from './sets.ts';
import { type Calendar, listCounts, listMonths, openCalendar, tallyRows } from './stats.ts';
import { findFirst } from './texts.ts';
import { type Choice, type Filters, openFilters } from './value-filters.ts';

export type IndexOptions = {
  /** Returns the category that a word means, such as `Cafes & Bakeries` for `coffee`, or `Uncategorized`. */
  kindOfWord?: (word: string) => string | undefined;
  /** Names of the city. A search ignores them. */
  placeNames?: readonly string[];
  /** The language of the city (BCP 47). */
  language?: string;
};

const STALE_DAYS = 14;

export function openIndex(
  parts: IndexBuffers,
  { kindOfWord, placeNames = [], language = 'en' }: IndexOptions = {},
): ListingIndex {
  const sets = openSets(parts.sets, parts.size);
  const latestFiling = parts.size === 0 ? null : readDayAt(parts.days, 0);
  const opened = {
    parts,
    sets,
    filters: openFilters(parts),
    lookup: openLookup(parts, sets),
    firstSets: perFilter((filter) => firstSetOf(parts, filter)),
    latestFiling,
  };
  const page = openPageWriter(parts);

  function search(question: Question): SearchAnswer {
    const warnings: SearchWarning[] = [];
    const { offset, limit } = question;
    const { total, rows } = findPage(opened, resolve(opened, question, warnings), offset, limit);
    return { total, count: rows.length, page: page(rows), warnings };
  }

  const calendar = lazy(() => {
    const days = Array.from({ length: countDays(parts.days) }, (_, code) => readDayAt(parts.days, code));
    return openCalendar(days, parts.day);
  });

  const countAll = lazy(() => countListings(opened, calendar(), EVERYTHING, sets.range(0, parts.size)));

  const countMatches = (question: Question) => search({ ...question, limit: 0, offset: 0 }).total;
  const understand = lazy(() =>
    openUnderstanding({
      values: listValues(parts),
      placeNames,
      lastDay: findLastDay(parts.day, latestFiling),
      language,
    }),
  );

  const suggest = lazy(() => {
    const { valueWords, wordRows } = opened.lookup;
    const countWord = (word: string, isLast: boolean): number => {
      opened.sets.begin();
      return wordRows(word, isLast).count;
    };
    return openSuggestions({
      spelling: openSpelling(parts),
      few: countFew(parts.size),
      valueWords: valueWords.map((word) => ({ word, letters: maskLetters(Buffer.from(word)) })),
      countWord,
      countMatches,
      findKind(word) {
        const kind = kindOfWord?.(word) ?? UNCATEGORIZED;
        return !isUnknown(kind) && parts.values.category.includes(kind) ? kind : undefined;
      },
      understand: understand(),
    });
  });

  return {
    version: parts.version,
    day: parts.day,
    size: parts.size,
    latestFiling,
    bytes: countBytes(parts),
    search,
    ...openEditions(parts, opened.filters, page),
    suggest: (question, total) => suggest()(question, total),
    interpret: (question, total) => interpret({ understand: understand(), countMatches }, question, total),
    facets: (question) => facets(opened, question),
    stats(question) {
      const warnings: SearchWarning[] = [];
      const matching = matchRows(opened, resolve(opened, question, warnings));
      return {
        ...(matching === undefined ? countAll() : countListings(opened, calendar(), question, matching)),
        warnings,
      };
    },
    countSeenSince: (since) => countSeenAfter(parts, since),
    countFiledSince: (day) => countRows(parts, (filedOn) => filedOn >= day),
  };
}

/** Returns the last day of "this week": today, or the newest filing if the data is more than two weeks old. */
function findLastDay(day: Day, newest: Day | null): Day {
  return newest !== null && newest < addDays(day, -STALE_DAYS) ? newest : day;
}

/** Returns the values of each filter. Omits statuses that no listing has. */
function listValues({ values, combos }: IndexBuffers): IndexBuffers['values'] {
  return { ...values, status: values.status.filter((_, i) => combos.status.includes(i)) };
}

function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Restriction = (opened: Opened, question: Question, warnings: SearchWarning[]) => RowSet | undefined;

/** Functions that find the rows that a parameter selects, or return `undefined` if the parameter is not given. */
const RESTRICTIONS: Record<Exclude<NarrowingName, ValueFilter>, Restriction> = {
  q: ({ lookup }, { q }, warnings) => lookup.rows(q, warnings),
  filed_from({ parts, sets, latestFiling }, { filed_from, filed_to }, warnings) {
    if (filed_from === '') return undefined;
    if (filed_to !== '' && filed_from > filed_to)
      warnings.push({
        parameter: 'filed_from',
        cause: 'dates',
        detail: `No day is from ${filed_from} to ${filed_to}.`,
      });
    else if (latestFiling !== null && filed_from > latestFiling)
      warnings.push({
        parameter: 'filed_from',
        cause: 'newest',
        word: latestFiling,
        detail: `The data ends on ${latestFiling}, the date of the most recent filing. It cannot say what was filed from ${filed_from} on.`,
      });
    return sets.range(
      0,
      countRows(parts, (day) => day >= filed_from),
    );
  },
  filed_to: ({ parts, sets }, { filed_to }) =>
    filed_to === ''
      ? undefined
      : sets.range(
          countRows(parts, (day) => day > filed_to),
          parts.size,
        ),
};
const restrictions = Object.values(RESTRICTIONS);

type Opened = {
  parts: IndexBuffers;
  sets: RowSets;
  filters: Filters;
  lookup: Lookup;
  /** For each filter, the index of the set of its first value. */
  firstSets: Record<ValueFilter, number>;
  latestFiling: Day | null;
};

/**
 * A resolved query: the chosen values, and the rows that the other parameters select (`undefined` if none is given).
 */
type Resolved = { choice: Choice; rows: RowSet | undefined };

/** Finds the values and the rows that a query selects. The result is valid until the next query is resolved. */
function resolve(opened: Opened, question: Question, warnings: SearchWarning[]): Resolved {
  opened.sets.begin();
  const choice = opened.filters.choose(question, warnings);
  const found: RowSet[] = [];
  for (const restrict of restrictions) {
    const rows = restrict(opened, question, warnings);
    if (rows !== undefined) found.push(rows);
  }
  return { choice, rows: found.length === 0 ? undefined : opened.sets.intersection(found) };
}

/** Finds a page and its total. The combinations of a category are few: counting them is faster than counting bits. */
function findPage(opened: Opened, resolved: Resolved, skip: number, take: number) {
  const { parts, filters, sets } = opened;
  const all = listSets(opened, resolved);
  if (all.length === 0) return { total: parts.size, rows: listRows(skip, take, parts.size) };
  const isCounted = resolved.rows === undefined && resolved.choice.category !== undefined;
  if (isCounted && all.length > 1 && all.every(({ bits }) => bits !== undefined))
    return { total: filters.count(resolved.choice), rows: takeRows(all, skip, take) };
  const matching = sets.intersection(all);
  return { total: matching.count, rows: takeRows([matching], skip, take) };
}

/** Finds all matching rows. Returns `undefined` if the query has no restriction. */
function matchRows(opened: Opened, resolved: Resolved): RowSet | undefined {
  const all = listSets(opened, resolved);
  return all.length === 0 ? undefined : opened.sets.intersection(all);
}

/** Lists the sets that a listing must be in: the rows, then those of each filter. */
function listSets({ sets, firstSets }: Opened, { choice, rows }: Resolved): RowSet[] {
  const all = rows === undefined ? [] : [rows];
  for (const filter of VALUE_FILTERS) {
    const chosen = choice[filter];
    if (chosen === undefined) continue;
    const first = firstSets[filter];
    all.push(sets.union(chosen.map((value) => ({ from: first + value, to: first + value + 1 }))));
  }
  return all;
}

function listRows(skip: number, take: number, size: number): Uint32Array {
  return new Uint32Array(Math.max(0, Math.min(take, size - skip))).map((_, i) => skip + i);
}

/** Counts the matching listings. All parameters restrict every count. */
function countListings(
  { parts, latestFiling }: Opened,
  calendar: Calendar,
  question: Question,
  matching: RowSet,
): Stats {
  const { perCombo, perMonth } = tallyRows(parts, calendar, matching);
  const [first] = takeRows([matching], 0, 1); // rows are sorted by most recent filing
  const newest = [latestFiling ?? '', parts.day].toSorted().at(-1)!;
  return {
    total: matching.count,
    latestFiling: first === undefined ? null : readDayAt(parts.days, parts.filedOn[first]!),
    byMonth: listMonths(calendar, perMonth, { ...question, newest }),
    byCategory: listCounts(parts, 'category', perCombo),
    byNeighborhood: listCounts(parts, 'neighborhood', perCombo),
  };
}

function facets(opened: Opened, question: Question): Facets {
  const { parts, filters } = opened;
  const { choice, rows } = resolve(opened, question, []);
  const perCombo = rows === undefined ? parts.combos.count : combosOf(parts, rows);
  const countOthers = (filter: ValueFilter): Counts => {
    const marks = filters.markCombos({ ...choice, [filter]: undefined });
    return listCounts(
      parts,
      filter,
      perCombo.map((count, i) => marks[i]! * count),
    );
  };
  const chosen = perFilter((filter) => (choice[filter] ?? []).map((value) => parts.values[filter][value]!));
  return { ...perFilter(countOthers), chosen };
}

function combosOf({ combo, combos }: IndexBuffers, found: RowSet): Uint32Array {
  const perCombo = new Uint32Array(combos.count.length);
  eachRow(found, (row) => perCombo[combo[row]!]!++);
  return perCombo;
}

/** Counts listings that are news and were first seen after `since`. */
function countSeenAfter({ seen, firstSeen }: IndexBuffers, since: Instant): number {
  const isLater = seen.map(({ at, isNews }) => isNews && at > since);
  let count = 0;
  if (isLater.includes(true)) for (const code of firstSeen) if (isLater[code]) count++;
  return count;
}

/** Counts the rows whose filing date matches `isLate`. All later dates must match, too. */
function countRows({ days, filedOn, size }: IndexBuffers, isLate: (day: Day) => boolean): number {
  return findFirst(size, (row) => (isLate(readDayAt(days, filedOn[row]!)) ? -1 : 0));
}

type RowsByEdition = ReadonlyMap<Day, readonly number[]>;
type Editions = Pick<ListingIndex, 'listEditions' | 'readEdition'>;

export function openEditions(
  parts: IndexBuffers,
  filters: Filters,
  renderPage: (rows: Uint32Array) => Buffer,
): Editions {
  let known: RowsByEdition | undefined;
  const rowsOf = (edition: Day): readonly number[] => {
    known ??= groupRows(parts);
    return known.get(edition) ?? [];
  };
  const makeRowTest = (question: Question) => {
    const marks = filters.markCombos({ ...filters.choose(question, []), status: undefined });
    return (row: number) => marks[parts.combo[row]!] === 1;
  };
  return {
    listEditions(question) {
      const isWanted = makeRowTest(question);
      return parts.editions.map((edition) => ({ edition, total: rowsOf(edition).filter(isWanted).length }));
    },
    readEdition(edition, question) {
      if (!parts.editions.includes(edition)) return undefined;
      const found = rowsOf(edition).filter(makeRowTest(question));
      const rows = Uint32Array.from(found.slice(question.offset, question.offset + question.limit));
      const times = parts.seen.flatMap(({ at, edition: one }) => (one === edition ? at : [])).sort();
      const [from, to] = [times[0], times.at(-1)];
      const firstSeen = from && to ? { from, to } : undefined;
      return { total: found.length, count: rows.length, page: renderPage(rows), firstSeen };
    },
  };
}

function groupRows({ seen, firstSeen }: IndexBuffers): RowsByEdition {
  const rows = new Map<Day, number[]>();
  const lists = seen.map(({ edition }) =>
    edition === '' ? undefined : rows.getOrInsertComputed(edition, () => []),
  );
  for (const [row, code] of firstSeen.entries()) lists[code]?.push(row);
  return rows;
}

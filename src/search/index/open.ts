/**
 * Opens built buffers for queries without copying them. All results are read directly from the columns, without a
 * cache. Handles one query at a time: results share scratch memory until the page is rendered.
 */

import { addDays, type Day } from '../../listings/day.ts';
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
import {
  countBytes,
  countDays,
  findFirst,
  firstSetOf,
  type IndexBuffers,
  openPageWriter,
  readDayAt,
} from './index-buffers.ts';
import { eachRow, openSets, type RowSet, type RowSets, takeRows } from './sets.ts';
import { type Calendar, listCounts, listMonths, openCalendar, tallyRows } from './stats.ts';
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
    const { total, rows } = findPage(opened, question, warnings);
    return { total, count: rows.length, page: page(rows), warnings };
  }

  const calendar = lazy(() => {
    const days = Array.from({ length: countDays(parts.days) }, (_, code) => readDayAt(parts.days, code));
    return openCalendar(days, parts.day);
  });

  const countAll = lazy(() => countListings(opened, calendar(), EVERYTHING, sets.range(0, parts.size)));

  const countMatches = (question: Question) => search({ ...question, limit: 0, offset: 0 }).total;
  const understand = lazy(() => {
    const { day, values, combos } = parts;
    const isStale = latestFiling !== null && latestFiling < addDays(day, -STALE_DAYS);
    return openUnderstanding({
      values: { ...values, status: values.status.filter((_, i) => combos.status.includes(i)) }, // that listings have
      lastDay: isStale ? latestFiling : day, // of "this week"
      placeNames,
      language,
    });
  });

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
      const { choice, rows } = resolve(opened, question, warnings);
      const all = [...rows, ...listSets(opened, choice)];
      const stats =
        all.length === 0 ? countAll() : countListings(opened, calendar(), question, sets.intersection(all));
      return { ...stats, warnings };
    },
  };
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

/** Finds the values and the sets of rows that a query selects. They are valid until the next query is resolved. */
function resolve(
  opened: Opened,
  question: Question,
  warnings: SearchWarning[],
): { choice: Choice; rows: RowSet[] } {
  opened.sets.begin();
  const choice = opened.filters.choose(question, warnings);
  const rows: RowSet[] = [];
  for (const restrict of restrictions) {
    const found = restrict(opened, question, warnings);
    if (found !== undefined) rows.push(found);
  }
  return { choice, rows };
}

/** Lists the sets of the chosen values: a listing must be in one for each filter. */
function listSets({ sets, firstSets }: Opened, choice: Choice): RowSet[] {
  const found: RowSet[] = [];
  for (const filter of VALUE_FILTERS) {
    const first = firstSets[filter];
    const ranges = choice[filter]?.map((value) => ({ from: first + value, to: first + value + 1 }));
    if (ranges !== undefined) found.push(sets.union(ranges));
  }
  return found;
}

/** Finds a page and its total. The combinations of a category are few: counting them is faster than counting bits. */
function findPage(
  opened: Opened,
  question: Question,
  warnings: SearchWarning[],
): { total: number; rows: Uint32Array } {
  const { parts, filters, sets } = opened;
  const { offset, limit } = question;
  const { choice, rows } = resolve(opened, question, warnings);
  const all = [...rows, ...listSets(opened, choice)];
  if (all.length === 0) {
    const length = Math.max(0, Math.min(limit, parts.size - offset));
    return { total: parts.size, rows: new Uint32Array(length).map((_, i) => offset + i) };
  }
  const isCounted = rows.length === 0 && choice.category !== undefined && all.length > 1;
  if (isCounted && all.every(({ bits }) => bits !== undefined))
    return { total: filters.count(choice), rows: takeRows(all, offset, limit) };
  const matching = sets.intersection(all);
  return { total: matching.count, rows: takeRows([matching], offset, limit) };
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
  const { parts, filters, sets } = opened;
  const { choice, rows } = resolve(opened, question, []);
  const perCombo = rows.length === 0 ? parts.combos.count : countCombos(parts, sets.intersection(rows));
  const countOthers = (filter: ValueFilter): Counts => {
    const marks = filters.markCombos({ ...choice, [filter]: undefined });
    const counts = perCombo.map((count, i) => marks[i]! * count);
    return listCounts(parts, filter, counts);
  };
  const chosen = perFilter((filter) => (choice[filter] ?? []).map((value) => parts.values[filter][value]!));
  return { ...perFilter(countOthers), chosen };
}

function countCombos({ combo, combos }: IndexBuffers, found: RowSet): Uint32Array {
  const perCombo = new Uint32Array(combos.count.length);
  eachRow(found, (row) => perCombo[combo[row]!]!++);
  return perCombo;
}

/** Counts the rows whose filing date matches `isLate`. All later dates must match, too. */
function countRows({ days, filedOn, size }: IndexBuffers, isLate: (day: Day) => boolean): number {
  return findFirst(size, (row) => (isLate(readDayAt(days, filedOn[row]!)) ? -1 : 0));
}

function openEditions(parts: IndexBuffers, filters: Filters, renderPage: (rows: Uint32Array) => Buffer) {
  const known = lazy(() => groupRows(parts));
  function openRows(question: Question): (edition: Day) => number[] {
    const marks = filters.markCombos({ ...filters.choose(question, []), status: undefined });
    return (edition) => (known().get(edition) ?? []).filter((row) => marks[parts.combo[row]!] === 1);
  }
  return {
    listEditions(question: Question) {
      const rowsOf = openRows(question);
      return parts.editions.map((edition) => ({ edition, total: rowsOf(edition).length }));
    },
    readEdition(edition: Day, question: Question) {
      if (!parts.editions.includes(edition)) return undefined;
      const found = openRows(question)(edition);
      const rows = Uint32Array.from(found.slice(question.offset, question.offset + question.limit));
      const times = parts.seen.flatMap(({ at, edition: one }) => (one === edition ? at : [])).sort();
      const [from, to] = [times[0], times.at(-1)];
      const firstSeen = from && to ? { from, to } : undefined;
      return { total: found.length, count: rows.length, page: renderPage(rows), firstSeen };
    },
  };
}

function groupRows({ seen, firstSeen }: IndexBuffers): ReadonlyMap<Day, readonly number[]> {
  const rows = new Map<Day, number[]>();
  const lists = seen.map(({ edition }) =>
    edition === '' ? undefined : rows.getOrInsertComputed(edition, () => []),
  );
  for (const [row, code] of firstSeen.entries()) lists[code]?.push(row);
  return rows;
}

/**
 * Opens index buffers for queries without copying them. Reads all results directly from the columns; only counts are kept.
 * Answers one query at a time: the next query overwrites the memory of the last result.
 */

import { setImmediate } from 'node:timers/promises';
import type { Dimension, Facets, FoundPage, Stats } from '../../../shared/answers.ts';
import { addDays, addMs, type Day, startOf } from '../../../shared/day.ts';
import { ALL_TIME, type Days } from '../../../shared/periods.ts';
import {
  EVERYTHING,
  formatQuestion,
  includeValue,
  isExcluded,
  type NarrowingName,
  perFilter,
  type Question,
  VALUE_FILTERS,
  type ValueFilter,
  type Warning,
} from '../../../shared/question.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { findFirst } from '../../../shared/sorted.ts';
import { firstSetOf, type IndexBuffers, readIdentities, readListings } from '../index-buffers.ts';
import { countRowsIn, listNumbers, openSets, type RowSet, takeRows } from '../sets.ts';
import { openLookup } from '../words/lookup.ts';
import { openArrivals } from './arrivals.ts';
import { findDataEnd } from './data-end.ts';
import { openEditions } from './editions.ts';
import { type Choice, openFilters } from './filters.ts';
import { FIRST_ASKED, MOST_COUNTS, openReader, type ReaderOptions } from './reader.ts';
import {
  countByCombo,
  countByMonth,
  countRowsByMonth,
  listFacets,
  listPairs,
  openCalendar,
  type Pairs,
} from './tally.ts';

export type IndexOptions = ReaderOptions & {
  /** The time zone of the city, for the days of arrivals. Default: UTC. */
  timeZone?: string;
};

type Opened = ReturnType<typeof openParts>;

function openParts(parts: IndexBuffers, timeZone = 'UTC') {
  const sets = openSets(parts.sets, parts.size);
  return {
    parts,
    sets,
    filters: openFilters(parts),
    lookup: openLookup(parts, sets),
    /** The position of each filter's first set. */
    firstSets: perFilter((filter) => firstSetOf(parts, filter)),
    latestFiling: parts.size > 0 ? parts.days[parts.filedOn[0]!]! : null,
    dataEnd: findDataEnd(parts),
    timeZone,
    calendar: lazy(() => openCalendar(parts)),
  };
}

export function openIndex(parts: IndexBuffers, options: IndexOptions = {}) {
  const opened = openParts(parts, options.timeZone);
  const { filters, latestFiling, dataEnd } = opened;
  function search(question: Question): FoundPage & { warnings: readonly Warning[] } {
    const warnings: Warning[] = [];
    const { offset, limit } = question;
    const matching = findMatching(opened, question, warnings);
    const rows =
      matching === undefined
        ? listNumbers(offset, Math.max(0, Math.min(limit, parts.size - offset)))
        : takeRows(matching, offset, limit).slice();
    const total = matching?.count ?? parts.size;
    return { total, rows, identities: readIdentities(parts, rows), warnings };
  }

  const countAll = lazy(() => countMatching(opened, EVERYTHING, resolve(opened, EVERYTHING, [])));
  const listAll = lazy(() => countFacets(opened, resolve(opened, EVERYTHING, [])));

  // a question counts some searches up to nine times, and its page counts them again
  const countOnce = rememberTexts(
    (_text, question: Question) => findMatching(opened, question, [])?.count ?? parts.size,
    MOST_COUNTS,
  );
  const countMatches = (question: Question) => countOnce(formatQuestion(question), question);
  function countStats(question: Question) {
    const warnings: Warning[] = [];
    const selected = resolve(opened, question, warnings);
    const stats = isAll(selected) ? countAll() : countMatching(opened, question, selected);
    return { ...stats, warnings };
  }
  function countByMonths(question: Question): Omit<Stats, 'by'> {
    const selected = resolve(opened, question, []);
    return isAll(selected) ? countAll() : countMonths(opened, question, intersect(opened, selected));
  }
  const match = (question: Question) => findMatching(opened, question, []);
  const reader = lazy(() => openReader({ ...opened, match, countMatches, countByMonths }, options));

  return {
    /** Identifies the data of the index. The same version on the same day gives the same answers. */
    version: parts.version,
    /** The city's local date, which determines expiry. */
    day: parts.day,
    size: parts.size,
    latestFiling,
    /** The day up to which filings are as usual: `findDataEnd`. */
    dataEnd,
    /** The register's types that words find, in the words of the register. */
    types: parts.types,
    search,
    /** Counts the listings that match, without finding a page of them. */
    count: countMatches,
    /** Counts the listings that match in each of several periods instead of the question's own. Finds the others only once. */
    countDays(question: Question, periods: readonly Days[]): number[] {
      const matching = findMatching(opened, { ...question, ...ALL_TIME }, []);
      return periods.map((days) => countRowsIn(matching, ...findRowRange(parts, days)));
    },
    /** Counts the matching listings by month, which takes half as long as `stats`. */
    months: countByMonths,
    readListings: (rows: Uint32Array) => readListings(parts, rows),
    /** Reads a page of the arrivals that match, from the newest or from a position on. Ignores `offset`. */
    readArrivals: openArrivals({ ...opened, match }),
    ...openEditions(parts, (question) =>
      filters.markMisses({ ...filters.choose(question, []), status: undefined }),
    ),
    /** Reads the words of a question: what is looked for, and what became of each word. */
    read: (question: Question) => reader().read(question),
    /** Makes in small pieces what the first questions need, so that none waits for it. */
    async prepare(): Promise<void> {
      for (const make of [countAll, listAll, reader]) {
        await setImmediate();
        make();
      }
      for (const language of reader().languages) {
        await setImmediate();
        reader().readIn(language)(FIRST_ASKED);
      }
    },
    /** Counts listings by value. Each filter's counts ignore that filter, so that people can choose more values. */
    facets(question: Question): Facets {
      const selected = resolve(opened, question, []);
      return isAll(selected) ? listAll() : countFacets(opened, selected);
    },
    /** Corrects the case and accents of a query's values. Values without listings stay as given. */
    spellQuestion: (question: Question) => spellQuestion(opened, question),
    /** Counts the matching listings, or all if the query is unrestricted. */
    stats: countStats,
    /** Counts the matching listings by two dimensions: months newest first, other values most frequent first. */
    countPairs(question: Question, outer: Dimension, inner: Dimension): Pairs {
      const matching = intersect(opened, resolve(opened, question, []));
      return listPairs(parts, opened.calendar(), takeRows(matching, 0, matching.count), [outer, inner]);
    },
  };
}

export type ListingIndex = ReturnType<typeof openIndex>;

type Restriction = (opened: Opened, question: Question, warnings: Warning[]) => RowSet | undefined;

/** Functions that find the rows that a parameter selects. They return `undefined` if the parameter is not given. */
const RESTRICTIONS: Record<Exclude<NarrowingName, ValueFilter>, Restriction> = {
  q: ({ lookup }, { q }, warnings) => lookup.rows(q, warnings),
  filed_from({ parts, sets, latestFiling }, { filed_from, filed_to }, warnings) {
    if (filed_from === '') return undefined;
    if (filed_to !== '' && filed_from > filed_to)
      warnings.push({
        parameter: 'filed_from',
        code: 'reversed-dates',
        detail: `No day is from ${filed_from} to ${filed_to}.`,
      });
    else if (latestFiling !== null && filed_from > latestFiling)
      warnings.push({
        parameter: 'filed_from',
        code: 'after-latest-filing',
        word: latestFiling,
        detail: `The data ends on ${latestFiling}, the date of the most recent filing. It cannot say what was filed from ${filed_from} on.`,
      });
    return sets.range(...findRowRange(parts, { filed_from, filed_to: '' }));
  },
  filed_to: ({ parts, sets }, { filed_to }) =>
    filed_to === '' ? undefined : sets.range(...findRowRange(parts, { filed_from: '', filed_to })),
  added_from({ parts, sets, timeZone }, { added_from }, warnings) {
    if (added_from === '') return undefined;
    const asked = startOf(added_from, timeZone);
    if (asked >= startOf(addDays(parts.day, 1), timeZone)) {
      const detail = `${added_from} is in the future.`;
      warnings.push({ parameter: 'added_from', code: 'in-the-future', word: added_from, detail });
    }
    const since = addMs(asked, -ANSWER_AGE_MS);
    const earlier = parts.arrivals.findIndex(({ at }) => at < since);
    return earlier === -1 ? undefined : sets.below(parts.arrived, earlier);
  },
};
/**
 * How much earlier than asked an arrival counts. An answer is a little older than its `Date`, by the time that the commit
 * of a run and the build of an index take, so a client that asks with that `Date` would miss what arrived in between.
 */
const ANSWER_AGE_MS = 60_000;

const restrictions = Object.values(RESTRICTIONS);

/** The values and the sets of rows that a query selects. */
type Selected = { choice: Choice; rows: RowSet[] };

/** Finds what a query selects. The result is valid until the next call. */
function resolve(opened: Opened, question: Question, warnings: Warning[]): Selected {
  opened.sets.begin();
  const choice = opened.filters.choose(question, warnings);
  const rows: RowSet[] = [];
  for (const restrict of restrictions) {
    const found = restrict(opened, question, warnings);
    if (found !== undefined) rows.push(found);
  }
  return { choice, rows };
}

/** Returns a set for each filter in use: the listings with any of its chosen values. */
function listSets({ sets, firstSets }: Opened, choice: Choice): RowSet[] {
  const found: RowSet[] = [];
  for (const filter of VALUE_FILTERS) {
    const first = firstSets[filter];
    const ranges = choice[filter]?.map((value) => ({ from: first + value, to: first + value + 1 }));
    if (ranges !== undefined) found.push(sets.union(ranges));
  }
  return found;
}

function isAll({ choice, rows }: Selected): boolean {
  return rows.length === 0 && VALUE_FILTERS.every((filter) => choice[filter] === undefined);
}

function intersect(opened: Opened, selected: Selected): RowSet {
  const { sets, parts } = opened;
  if (isAll(selected)) return sets.range(0, parts.size);
  return sets.intersection([...selected.rows, ...listSets(opened, selected.choice)]);
}

/** Finds the rows that match, or returns `undefined` if all do. */
function findMatching(opened: Opened, question: Question, warnings: Warning[]): RowSet | undefined {
  const selected = resolve(opened, question, warnings);
  return isAll(selected) ? undefined : intersect(opened, selected);
}

/** Counts the matching listings in total and by each dimension. Without words or days, whole combinations match. */
function countMatching(opened: Opened, question: Question, selected: Selected): Stats {
  const { parts, filters } = opened;
  const matching = intersect(opened, selected);
  const isWhole = selected.rows.length === 0;
  const perCombo = isWhole ? parts.combos.count.slice() : countByCombo(parts, matching);
  const misses = isWhole ? filters.markMisses(selected.choice) : [];
  for (let i = 0; i < misses.length; i++) if (misses[i]! > 0) perCombo[i] = 0;
  return { ...countMonths(opened, question, matching), by: listFacets(parts, perCombo) };
}

/** Counts rows in total and by month. */
function countMonths(
  { parts, latestFiling, calendar: openedCalendar }: Opened,
  question: Question,
  matching: RowSet,
): Omit<Stats, 'by'> {
  const [first] = takeRows(matching, 0, 1); // rows are sorted by most recent filing
  const newest = [latestFiling ?? '', parts.day].toSorted().at(-1)!;
  const calendar = openedCalendar();
  return {
    total: matching.count,
    latestFiling: first === undefined ? null : parts.days[parts.filedOn[first]!]!,
    byMonth: countByMonth(calendar, countRowsByMonth(calendar, matching), { ...question, newest }),
  };
}

function countFacets({ parts, filters, sets }: Opened, { choice, rows }: Selected): Facets {
  const perCombo = rows.length === 0 ? parts.combos.count : countByCombo(parts, sets.intersection(rows));
  return listFacets(parts, perCombo, filters.markMisses(choice));
}

function spellQuestion({ parts, filters }: Opened, question: Question): Question {
  const spell = (filter: ValueFilter) =>
    [false, true].flatMap((isOut) => {
      const given = question[filter].filter((value) => isExcluded(value) === isOut);
      if (given.length === 0) return [];
      const plain = given.map((value) => (isOut ? includeValue(value) : value));
      const unknown: Warning[] = [];
      const chosen = filters.choose({ ...question, [filter]: plain }, unknown)[filter] ?? [];
      const missing = unknown.flatMap(({ parameter, word = '' }) => (parameter === filter ? word : []));
      const values = [...chosen.map((value) => parts.values[filter][value]!), ...missing];
      return isOut ? values.map((value) => `-${value}`) : values;
    });
  return { ...question, ...perFilter(spell) };
}

/** Returns the first and the last position (exclusive) of the rows of these days. */
function findRowRange(parts: IndexBuffers, { filed_from, filed_to }: Days): [from: number, to: number] {
  return [
    filed_to === '' ? 0 : countRowsWhile(parts, (day) => day > filed_to),
    filed_from === '' ? parts.size : countRowsWhile(parts, (day) => day >= filed_from),
  ];
}

/** Counts the rows whose filing date matches `isLate`. If a date matches, all later dates must match. */
function countRowsWhile({ days, filedOn, size }: IndexBuffers, isLate: (day: Day) => boolean): number {
  const late = findFirst(days.length, (i) => (isLate(days[i]!) ? -1 : 0));
  return findFirst(size, (row) => filedOn[row]! - late);
}

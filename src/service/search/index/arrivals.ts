/** Reads listings in the order in which they arrived, for feeds. */

import type { FoundPage } from '../../../shared/answers.ts';
import { type Day, type Instant, toLocalDay } from '../../../shared/day.ts';
import { FURTHEST, type Question } from '../../../shared/question.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { findFirst } from '../../../shared/sorted.ts';
import { type IndexBuffers, readIdentities, readText } from '../index-buffers.ts';
import { type RowSet, type RowSets, takeRows } from '../sets.ts';

/** A position in the order of arrivals: that of the listing with this place among those that arrived at this time. */
export type Position = { at: Instant; place: number };

/**
 * A page of the listings that were news, newest arrival first. Without news, the newest filings of the baselines.
 * Pages end after the newest 1,000, as those of a search do. `total` counts all listings that match.
 */
export type ArrivalPage = FoundPage & {
  /**
   * When each listing of the page arrived, its position, and how many listings with the same name and filing date came
   * before it.
   */
  items: readonly (Position & { namesakes: number })[];
  /** The position of the last item, if more follow. */
  next: Position | undefined;
  /**
   * On the first page, and on the last one of more than 1,000: the rest of the day of the last item, if that day has more
   * listings than a page. `at` is the newest arrival on that day.
   */
  rest: { day: Day; at: Instant; count: number } | undefined;
  /** When the newest listing of all pages arrived or, without one, the newest listing of the city. */
  newest: Instant | undefined;
};

type Tools = {
  parts: IndexBuffers;
  sets: RowSets;
  /** Finds the rows that match, or returns `undefined` if all do. */
  match(question: Question): RowSet | undefined;
  timeZone: string;
};

export function openArrivals({ parts, sets, match, timeZone }: Tools) {
  const { arrivals, arrived, filedOn, names, places, news, size } = parts;
  const timeOf = (row: number): Instant => arrivals[arrived[row]!]!.at;
  const toDay = rememberTexts((at) => toLocalDay(timeZone, at));
  const dayOf = (row: number): Day => toDay(timeOf(row));
  const toPosition = (row: number): Position => ({ at: timeOf(row), place: places[row]! });

  function describeRows(rows: Uint32Array): Pick<ArrivalPage, 'rows' | 'identities' | 'items'> {
    const items = Array.from(rows, (row) => ({ ...toPosition(row), namesakes: countNamesakes(row) }));
    return { rows, identities: readIdentities(parts, rows), items };
  }

  /** Counts the listings with the same name and filing date that came before a row. In result order they are side by side. */
  function countNamesakes(row: number): number {
    const name = readText(names, row);
    const isNamesake = (other: number) => filedOn[other] === filedOn[row] && readText(names, other) === name;
    let first = row;
    while (first > 0 && isNamesake(first - 1)) first--;
    let count = 0;
    for (let other = first; other < size && isNamesake(other); other++)
      if (timeOf(other) === timeOf(row) ? isPlacedBefore(other, row) : timeOf(other) < timeOf(row)) count++;
    return count;
  }

  function isPlacedBefore(other: number, row: number): boolean {
    return places[other] === places[row] ? other < row : places[other]! < places[row]!;
  }

  /** Reads the newest filings of the baselines. Old filings that arrived later would look like news. */
  function readBaselines(matching: RowSet, limit: number): ArrivalPage {
    const isBaseline = (row: number) => arrivals[arrived[row]!]!.kind === 'baseline';
    let take = limit;
    let rows = takeRows(matching, 0, take).filter(isBaseline);
    while (rows.length < limit && take < matching.count) {
      take *= 4;
      rows = takeRows(matching, 0, take).filter(isBaseline).subarray(0, limit);
    }
    const newest = rows[0] === undefined ? arrivals[0]?.at : timeOf(rows[0]);
    return { total: matching.count, ...describeRows(rows), newest, next: undefined, rest: undefined };
  }

  return (question: Question, before?: Position): ArrivalPage => {
    const { limit } = question;
    const matching = match(question) ?? sets.range(0, parts.size);
    const isFound = sets.openTest(matching);
    const first = news.find(isFound);
    if (first === undefined && before === undefined) return readBaselines(matching, limit);
    const isPast = (row: number) =>
      before === undefined ||
      timeOf(row) < before.at ||
      (timeOf(row) === before.at && places[row]! > before.place);
    let i = findFirst(news.length, (at) => (isPast(news[at]!) ? 0 : -1));
    let left = FURTHEST;
    for (const row of news.subarray(0, i)) if (isFound(row)) left--;
    const rows: number[] = [];
    for (; i < news.length && rows.length < Math.min(limit, left); i++)
      if (isFound(news[i]!)) rows.push(news[i]!);
    const rest = news.subarray(i);
    const last = rows.at(-1);
    const hasMore = last !== undefined && rest.some(isFound);
    const isLast = rows.length >= left;
    return {
      total: matching.count,
      ...describeRows(Uint32Array.from(rows)),
      newest: first === undefined ? arrivals[0]?.at : timeOf(first),
      next: hasMore && !isLast ? toPosition(last) : undefined,
      rest: hasMore && (before === undefined || isLast) ? countRest(last) : undefined,
    };

    /** Counts the rest of the last day, if more arrived on that day than a page shows. */
    function countRest(last: number): ArrivalPage['rest'] {
      const day = dayOf(last);
      const shown = rows.filter((row) => dayOf(row) === day);
      let count = 0;
      for (let at = 0; at < rest.length && dayOf(rest[at]!) >= day; at++) if (isFound(rest[at]!)) count++;
      const isLarge = shown.length + count > limit;
      return isLarge && count > 0 ? { day, at: timeOf(shown[0]!), count } : undefined;
    }
  };
}

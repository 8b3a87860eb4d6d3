/** What the city's page shows of a search: everything that comes from the index. */

import type { City } from '../city/define.ts';
import { isArchive } from '../listings/archive.ts';
import { addDays, monthOf } from '../listings/day.ts';
import type { ListingIndex, SearchWarning } from '../search/listing-index.ts';
import {
  asksAnything,
  EVERYTHING,
  formatQuestion,
  type Question,
  type ReadQuestion,
} from '../search/parameters.ts';
import { countWithoutFilters, parseListings, searchListings, spellValues } from '../search/search.ts';
import { ALL_TIME, findDataEnd, findSameDays, type MonthCounts } from './pages/chart/chart-months.ts';
import type { CityPageView, Doubt } from './pages/city-page-view.ts';

const FIRST_NEWS = 5;
/** A filing that is published later than this is not news, though nobody has seen it before. */
const NEW_FOR_DAYS = 31;

/** What the page has besides, from the city and the service. */
type Surroundings = 'layout' | 'asOf' | 'outline' | 'signup' | 'leftOut';

/** What the page shows of a search. */
export function viewSearch(
  city: City,
  index: ListingIndex,
  asked: ReadQuestion,
): Omit<CityPageView, Surroundings> {
  const { question } = asked;
  const facets = index.facets(question);
  const result = searchListings(index, asked);
  if ('tooFar' in result) throw new Error('a page reaches no further than the first 1,000');
  const stats = index.stats(EVERYTHING);
  const hasEnded = isArchive(city, stats.latestFiling, index.day);
  return {
    question: spellValues(question, facets.chosen, result.doubts),
    total: result.total,
    listings: parseListings(result),
    doubts: [
      ...listDoubts(index, question, result.doubts),
      ...asked.warnings.map(() => ({ cause: 'long' }) as const),
    ],
    facets,
    stats,
    months: countMonths(index, question, {
      lastMonth: monthOf((hasEnded && stats.latestFiling) || index.day),
      dataEnd: findDataEnd(stats.latestFiling, index.day),
    }),
    isArchive: hasEnded,
    week: weekOf(index, city.asOf !== undefined, asksAnything(question) ? 0 : FIRST_NEWS),
    today: index.day,
    without: result.total > 0 ? {} : countWithoutFilters(index, question),
  };
}

function countMonths(
  index: ListingIndex,
  question: Question,
  known: Pick<MonthCounts, 'lastMonth' | 'dataEnd'>,
): MonthCounts {
  const asked = index.stats(question).byMonth;
  const anyTime = { ...question, ...ALL_TIME };
  const { from: filed_from, to: filed_to } = findSameDays(known.dataEnd);
  return {
    asked,
    anyTime: formatQuestion(anyTime) === formatQuestion(question) ? asked : index.stats(anyTime).byMonth,
    sameDaysBefore: index.search({ ...question, filed_from, filed_to, limit: 0 }).total,
    ...known,
  };
}

/** Each with the number of listings that the suggestion finds. */
function listDoubts(index: ListingIndex, question: Question, doubts: readonly SearchWarning[]): Doubt[] {
  return doubts.map(({ cause, word, parameter, didYouMean, meant }) => {
    if (didYouMean === undefined) return { cause, word };
    const other = meant ?? { ...question, offset: 0, [parameter]: [didYouMean] };
    const count = index.search({ ...other, limit: 0 }).total;
    return { cause, word, meant: { value: didYouMean, question: other, count } };
  });
}

/**
 * The listings first seen in the last seven days, as in the weekly email, without old filings that were published late. An archive is
 * imported all at once, so it uses the filing dates. Its first listings are in the results anyway.
 */
function weekOf(index: ListingIndex, isReadAtOnce: boolean, first: number): CityPageView['week'] {
  if (isReadAtOnce) return { total: index.filedSince(addDays(index.day, -6)).total, listings: [] };
  const news = index.seenSince(`${addDays(index.day, -7)}T00:00:00.000Z`, addDays(index.day, -NEW_FOR_DAYS));
  return { total: news.total, listings: first === 0 ? [] : news.listings(0, first) };
}

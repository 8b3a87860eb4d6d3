/** A search in words: what it is about, and when. */

import type { Day } from '../../listings/day.ts';
import type { Counts } from '../../search/listing-index.ts';
import { EVERYTHING } from '../../search/parameters.ts';
import { ALL_TIME, findDays } from './chart/chart-months.ts';
import type { Searched } from './city-page-view.ts';
import { listChips } from './filters.ts';

/** Everything that was asked for except the time: `“coffee”, Restaurants, Downtown`. */
export function describeSubject({ layout, question }: Searched): string {
  const labels = listChips({ layout, question: { ...question, ...ALL_TIME } }).map(({ label }) => label);
  return labels.length > 0 ? labels.join(', ') : layout.localization.say('chart.all');
}

/**
 * The search as a title: `Restaurants in Old Town`, `“coffee”, Restaurants in Old Town, closed`, `New businesses in Long Beach`.
 */
export function describeSearch({ layout, question }: Searched): string {
  const { say, list } = layout.localization;
  const { category, neighborhood } = question;
  const title = say('search.title', {
    what: category.length > 0 ? list(category) : say('chart.all'),
    place: neighborhood.length > 0 ? list(neighborhood) : layout.city.name,
  });
  const chips = listChips({ layout, question: { ...question, category: [], neighborhood: [] } });
  const labels = chips.map(({ label }) => label);
  return (question.q === '' ? [title, ...labels] : [labels[0], title, ...labels.slice(1)]).join(', ');
}

/**
 * The time that the counts are about (`2015`, `July 1986 – September 2016`, `January 1 – October 6, 2016` where the data ends on that
 * day); of an open search that finds nothing, all time.
 */
export function describePeriod(
  { layout, question }: Searched,
  { asked, dataEnd }: { asked: Counts; dataEnd: Day },
): string {
  const days = findDays(question, asked, dataEnd);
  return days === undefined
    ? layout.localization.say('span.all')
    : layout.localization.period(days.from, days.to);
}

/** What identifies the picture and the numbers of a search: everything but the page. */
export function withoutPage(question: Searched['question']): Searched['question'] {
  return { ...question, limit: EVERYTHING.limit, offset: EVERYTHING.offset };
}

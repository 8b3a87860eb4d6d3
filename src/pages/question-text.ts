/** A search in words: what it is about, and when. */

import type { Counts } from '../search/listing-index.ts';
import { EVERYTHING } from '../search/parameters.ts';
import { ALL_TIME, findDays } from './chart-months.ts';
import type { Searched } from './city-page-view.ts';
import { listChips } from './filters.ts';

/** Everything that was asked for except the time: `“coffee”, Restaurants, Downtown`. */
export function describeSubject({ layout, question }: Searched): string {
  const labels = listChips({ layout, question: { ...question, ...ALL_TIME } }).map(({ label }) => label);
  return labels.length > 0 ? labels.join(', ') : layout.localization.say('chart.all');
}

/** The time that the counts are about (`2015`, `July 1986 – October 2016`); of an open search that finds nothing, all time. */
export function describePeriod({ layout, question }: Searched, asked: Counts): string {
  const days = findDays(question, asked);
  return days === undefined
    ? layout.localization.say('span.all')
    : layout.localization.period(days.from, days.to);
}

/** What identifies the picture and the numbers of a search: everything but the page. */
export function withoutPage(question: Searched['question']): Searched['question'] {
  return { ...question, limit: EVERYTHING.limit, offset: EVERYTHING.offset };
}

/** Describes a search in words: its subject and its period. */

import { countDistinctWords } from '../../listings/words.ts';
import { EVERYTHING } from '../../search/parameters.ts';
import { ALL_TIME } from './changes/periods.ts';
import { listChips } from './filters.ts';
import type { Searched } from './search-view.ts';

/** Describes the search without its period: `“coffee”, Restaurants, Downtown`. */
export function describeSubject({ layout, question }: Searched): string {
  const labels = listChips({ layout, question: { ...question, ...ALL_TIME } }).map(({ label }) => label);
  return labels.length > 0 ? labels.join(', ') : layout.localization.say('chart.all');
}

/**
 * Returns the search as a title: `“coffee” in Old Town`, `“coffee”, Restaurants in Old Town, closed` or `New businesses
 * in Long Beach`.
 */
export function describeSearch({ layout, question }: Searched): string {
  const { say, list } = layout.localization;
  const { category, neighborhood, q } = question;
  const words = q === '' ? [] : [say('chip.q', { q })];
  const title = say('search.title', {
    what: category.length > 0 ? list(category) : (words.pop() ?? say('chart.all')),
    place: neighborhood.length > 0 ? list(neighborhood) : layout.city.name,
  });
  const others = listFoundLabels({
    layout,
    question: { ...question, q: '', category: [], neighborhood: [] },
  });
  return [...words, title, ...others].join(', ');
}

/** Describes the results: `271 businesses for “coffee” in Downtown, 2016`, `Restaurants: 64 businesses, closed`. */
export function describeFound({ layout, question }: Searched, total: number): string {
  const { say, count, list } = layout.localization;
  const { q, category, neighborhood } = question;
  const number = total === 0 ? say('results.none') : count('results.count', total);
  const found = countDistinctWords(q) === 0 ? number : say('results.for', { what: number, q });
  const addPlace = (what: string) =>
    neighborhood.length === 0 ? what : say('search.title', { what, place: list(neighborhood) });
  const kinds = list(category);
  const detail = (what: string, details: string) => say('results.detail', { what, details });
  const whole =
    kinds === ''
      ? addPlace(found)
      : total === 0
        ? detail(addPlace(found), kinds)
        : detail(addPlace(kinds), found);
  const rest = { ...question, q: '', category: [], neighborhood: [] };
  return [whole, ...listFoundLabels({ layout, question: rest })].join(', ');
}

/** Lists the labels of all parts of the search, with two dates as one period. */
export function listFoundLabels({ layout, question }: Searched): string[] {
  const { filed_from, filed_to } = question;
  const isPeriod = filed_from !== '' && filed_to !== '' && filed_from <= filed_to;
  const labels = listChips({ layout, question: isPeriod ? { ...question, ...ALL_TIME } : question });
  return [
    ...labels.map(({ label }) => label),
    ...(isPeriod ? [layout.localization.period(filed_from, filed_to)] : []),
  ];
}

/** Removes the page from a search, to identify its picture and its numbers. */
export function withoutPage(question: Searched['question']): Searched['question'] {
  return { ...question, limit: EVERYTHING.limit, offset: EVERYTHING.offset };
}

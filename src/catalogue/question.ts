/** Questions as addresses spell them: one spelling for each, so that equal questions have equal addresses. */

import { FILTERS, type Question } from './catalogue.ts';

/** Listings of one answer, at most. */
export const PAGE_LIMIT = 25;
/** Characters of `q`, at most. */
export const LONGEST_Q = 200;
/** Listings of one query that are paged to. */
export const FURTHEST = 1000;

/** As much of a text as `q` takes. Counted in characters: half of one cannot be percent-encoded. */
export function asWords(text: string): string {
  return [...text].slice(0, LONGEST_Q).join('').toWellFormed();
}

/** The words and filters of a question as a query string, in one spelling for each question. */
export function canonicalFilters(question: Question): string {
  let text = question.q === '' ? '' : `&q=${encodeURIComponent(question.q)}`;
  for (const name of FILTERS) {
    for (const value of question[name]) text += `&${name}=${encodeURIComponent(value)}`;
  }
  return text.slice(1);
}

/** The query string for one page of a question; what goes without saying is left out. */
export function pageQuery(filters: string, limit: number, offset: number): string {
  const page = `${limit === PAGE_LIMIT ? '' : `&limit=${limit}`}${offset === 0 ? '' : `&offset=${offset}`}`;
  return filters === '' ? page.slice(1) : filters + page;
}

/** Answers what the register says about a business, or how many of many businesses have each status. */

import type { Listing } from '../../shared/listing.ts';
import { foldWords } from '../../shared/words.ts';
import { formatStatus } from '../filters.ts';
import { renderParagraphs } from '../markup.ts';
import { describeFound } from '../question-text.ts';
import { formatPageAddress } from '../search-view.ts';
import type { Numeral } from './numerals.ts';
import type { SearchPageView } from './search-page-view.ts';

/** Maximum businesses to answer for in sentences. For more, the list shows the statuses. */
const MOST_ANSWERED = 3;

/** Writes what the register says about a business: the first sentence is the headline. For many, counts each status. */
export function answerStatus(view: SearchPageView) {
  const answers = describeStatuses(view);
  // the days of two businesses are one answer
  const said = view.reading?.isAge ? answers && [answers.join(' ')] : answers;
  const [first = describeOpen(view), ...others] = said ?? [];
  return {
    sentence: first,
    numerals: answers === undefined ? countStatuses(view) : [],
    more: others.length > 0 ? renderParagraphs(others) : undefined,
    caveat: [view.layout.recordsClosings() && view.layout.localization.say('note.status')],
  };
}

/** Says how many of many businesses have no closing on record. */
function describeOpen(view: SearchPageView): string {
  const { layout, facets, total } = view;
  const n = facets.status.find(({ value }) => value === 'open')?.count ?? 0;
  const what = describeFound(view, total);
  return layout.recordsClosings() && n > 0 ? layout.localization.say('answer.open.some', { n, what }) : what;
}

/** Counts the businesses with each status. The numbers lead to them. */
function countStatuses({ question, facets, dataEnd, layout }: SearchPageView): Numeral[] {
  const { say, monthDay } = layout.localization;
  return facets.status.map(({ value, count: n }) => {
    const isOpen = value === 'open' && layout.recordsClosings();
    const label = isOpen
      ? say('answer.counted.open', { day: monthDay(dataEnd, 'short') })
      : formatStatus(layout, value);
    return { n, label, href: formatPageAddress({ ...question, status: [value], offset: 0 }) };
  });
}

/** Describes what the register knows about each business with this name. Returns `undefined` if these are many. */
function describeStatuses(view: SearchPageView): string[] | undefined {
  const { question, listings, total, dataEnd, layout } = view;
  const { say, day } = layout.localization;
  const words = foldName(question.q);
  const same = listings.filter(({ name }) => foldName(name) === words);
  const answered = same.length > 0 && total > MOST_ANSWERED ? same : listings;
  const isAll = same.length > 0 ? total <= listings.length : total === listings.length;
  const until = { day: day(dataEnd) };
  if (!isAll || answered.length > MOST_ANSWERED) return undefined;
  const sayOne = ({ name, filing_date, status }: Listing) => {
    const business = say('answer.which', { name, day: day(filing_date) });
    if (status === 'open')
      return layout.recordsClosings()
        ? say('answer.open', { name: business, ...until })
        : `${business}. ${say('nothing.closings')}`;
    if (status === 'unknown') return say('answer.unknown', { name: business });
    return say('answer.filed', { name: business, status: formatStatus(layout, status) });
  };
  return [...new Set(answered.map(sayOne))]; // a business can be registered twice on one day
}

/** Folds a name for comparison with the name in a question, which may lack its article. */
function foldName(name: string): string {
  return foldWords(name).replace(/^the /, '');
}

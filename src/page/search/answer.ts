/** Renders the answer to a question about one business, businesses run from home or about change, above the results. */

import type { Listing } from '../../shared/listing.ts';
import { foldWords } from '../../shared/words.ts';
import { formatStatus } from '../filters.ts';
import { type Markup, markup } from '../markup.ts';
import { formatPageAddress, formatViewAddress, USUAL_SORT } from '../search-view.ts';
import type { SearchPageView } from './search-page-view.ts';

/** Maximum businesses to answer for in sentences. For more, the list shows the statuses. */
const MOST_ANSWERED = 3;

export function renderAnswer(view: SearchPageView): Markup | undefined {
  const { asked, question, layout } = view;
  const { say } = layout.localization;
  if (asked === undefined) return undefined;
  if (asked === 'status')
    return markup`<div class="doubt">${answerStatus(view).map((one) => markup`<p>${one}</p>`)}</div>`;
  if (asked === 'home') return markup`<p class="doubt">${say('answer.home')}</p>`;
  const by = question.neighborhood.length === 1 ? 'category' : asked;
  const address = formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question);
  return markup`<p class="doubt"><a href="${address}" rel="nofollow">${say(`answer.${by}`)}</a></p>`;
}

/**
 * Describes what the register knows about each business with this name or, for many, how many have each status, as links
 * to these.
 */
function answerStatus({
  question,
  listings,
  total,
  facets,
  dataEnd,
  layout,
}: SearchPageView): (Markup | string)[] {
  const { say, day, monthDay } = layout.localization;
  const words = foldName(question.q);
  const same = listings.filter(({ name }) => foldName(name) === words);
  const answered = same.length > 0 && total > MOST_ANSWERED ? same : listings;
  const isAll = same.length > 0 ? total <= listings.length : total === listings.length;
  const until = { day: day(dataEnd) };
  if (!isAll || answered.length > MOST_ANSWERED) {
    const asOf = { day: monthDay(dataEnd, 'short') };
    return facets.status.map(({ value, count: n }) => {
      const text =
        value === 'open' && layout.recordsClosings()
          ? say('answer.counted.open', { n, ...asOf })
          : say('answer.counted', { n, status: formatStatus(layout, value) });
      return markup`<a href="${formatPageAddress({ ...question, status: [value], offset: 0 })}" rel="nofollow">${text}</a>`;
    });
  }
  const sayOne = ({ name, filing_date, status }: Listing) => {
    const business = answered.length === 1 ? name : say('answer.which', { name, day: day(filing_date) });
    if (status === 'open' && layout.recordsClosings())
      return say('answer.open', { name: business, ...until });
    if (status === 'unknown') return say('answer.unknown', { name: business });
    const filed = say('answer.filed', { name: business, status: formatStatus(layout, status) });
    return status === 'open' ? `${filed} ${say('nothing.closings')}` : filed;
  };
  return answered.map(sayOne);
}

/** Folds a name for comparison with the name in a question, which may lack its article. */
function foldName(name: string): string {
  return foldWords(name).replace(/^the /, '');
}

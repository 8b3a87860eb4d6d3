/** Renders the answer to a question above the results: the status of a business, a comparison or a ranking. */

import type { Listing } from '../../shared/listing.ts';
import { EVERYTHING, type Question } from '../../shared/question.ts';
import type { RankRow } from '../../shared/reading.ts';
import { foldWords } from '../../shared/words.ts';
import { formatStatus, nameValue } from '../filters.ts';
import { type Markup, markup } from '../markup.ts';
import { describeFound } from '../question-text.ts';
import { formatPageAddress, formatViewAddress, USUAL_SORT } from '../search-view.ts';
import type { SearchPageView } from './search-page-view.ts';

/** Maximum businesses to answer for in sentences. For more, the list shows the statuses. */
const MOST_ANSWERED = 3;

export function renderAnswer(view: SearchPageView): Markup | undefined {
  if (view.reading?.answer === 'status')
    return markup`<div class="doubt">${answerStatus(view).map((one) => markup`<p>${one}</p>`)}</div>`;
  return renderComparison(view) ?? renderRanking(view);
}

/** Renders both numbers of a comparison as links, and whether their difference says anything. */
function renderComparison({ layout, comparison, reading, dataEnd }: SearchPageView): Markup | undefined {
  if (comparison === undefined || reading?.against === undefined) return undefined;
  const { say, count, day } = layout.localization;
  const { search, against } = reading;
  const difference = comparison.count - comparison.against;
  const sides = [
    [search, comparison.count],
    [against, comparison.against],
  ] as const;
  const items = sides.map(
    ([question, n]) =>
      markup`<li><a href="${formatPageAddress(question)}" rel="nofollow">${describeFound({ layout, question }, n)}</a></li>`,
  );
  const said =
    difference === 0
      ? say('compare.same')
      : count(difference > 0 ? 'compare.more' : 'compare.fewer', Math.abs(difference));
  const isPart = sides.some(([{ filed_to }]) => filed_to > dataEnd);
  return markup`<div class="doubt" id="answer"><ul>${items}</ul><p><strong>${said}</strong> ${difference !== 0 && comparison.isChance && say('compare.chance')} ${isPart && say('compare.part', { day: day(dataEnd) })}</p></div>`;
}

/** Renders a ranking as a table, each row with a link to its listings. */
function renderRanking(view: SearchPageView): Markup | undefined {
  const { layout, ranking, reading, question } = view;
  if (ranking === undefined || reading?.rank === undefined) return undefined;
  const { say, number, change, period } = layout.localization;
  const { by, rows, days, before } = ranking;
  const hasChange = before !== undefined && days !== undefined;
  const cell = ({ count, before: then = 0, isChance }: RankRow) =>
    hasChange
      ? markup`<td>${number(count)}</td><td>${number(then)}</td><td>${change(count - then)}${isChance && markup` <span class="note">${say('rank.chance')}</span>`}</td>`
      : markup`<td>${number(count)}</td>`;
  const lines = rows.map((row) => {
    const address = formatPageAddress(narrow({ ...question, ...days }, by, row.value));
    return markup`<tr><th scope="row"><a href="${address}" rel="nofollow">${nameValue(layout, row.value)}</a></th>${cell(row)}</tr>`;
  });
  const heads = hasChange
    ? [period(days.filed_from, days.filed_to), period(before.filed_from, before.filed_to), say('rank.change')]
    : [say('rank.count')];
  const caption = say(`rank.${reading.rank.order}`, {
    what: describeFound({ layout, question }, view.total),
    rows: say(`rank.by.${by}`).toLocaleLowerCase(layout.city.language),
  });
  const more =
    hasChange &&
    by !== 'year' &&
    markup`<p><a href="${formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question)}" rel="nofollow">${say(`answer.${by}`)}</a></p>`;
  return markup`<div id="answer"><table class="rank"><caption>${caption}</caption><thead><tr><th scope="col">${say(`rank.by.${by}`)}</th>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${lines}</tbody></table>${hasChange && markup`<p class="note">${say('rank.doubt')}</p>`}${more}</div>`;
}

function narrow(question: Question, by: 'neighborhood' | 'category' | 'year', value: string): Question {
  const first = { ...question, offset: EVERYTHING.offset };
  return by === 'year'
    ? { ...first, filed_from: `${value}-01-01`, filed_to: `${value}-12-31` }
    : { ...first, [by]: [value] };
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

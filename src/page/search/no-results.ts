/** Renders a search without results: why there are none, and the most similar searches that have some. */

import { isUnknown } from '../../shared/city/value-names.ts';
import type { NamedFilter } from '../../shared/listing.ts';
import { findOldest } from '../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../shared/question.ts';
import type { Why } from '../../shared/reading.ts';
import { type CountedLink, renderCounted } from '../facets.ts';
import { sayMeaning } from '../filters.ts';
import { nounFor } from '../kinds/kinds.ts';
import { describeAskedReason, describeLeftOut } from '../left-out.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { renderNotes } from '../notes.ts';
import { describeFound, listFoundLabels } from '../question-text.ts';
import { renderActions } from '../search-head.ts';
import { type Doubt, formatPageAddress } from '../search-view.ts';
import { findWhether } from './answer-parts.ts';
import { describeComparison } from './comparison.ts';
import type { SearchPageView } from './search-page-view.ts';

const OFFERED = 6;
const MOST_PLACES = 24;

export function renderNoResults(view: SearchPageView): Markup {
  const { layout, similar, question, stats } = view;
  const { say } = layout.localization;
  const reason =
    question.q === '' || view.leftOut === undefined
      ? ''
      : describeAskedReason(layout, view.leftOut, question.q);
  const isAddress = hasWhy(view, 'address') || hasWhy(view, 'zip');
  const kinds = isAddress || hasWhy(view, 'place') ? [] : listOffers(view, 'category');
  const places = listOffers(view, 'neighborhood');
  const all = { question: EVERYTHING, count: stats.total };
  const offered = similar.length > 0 || places.length > 0 ? similar : [all];
  const long = view.doubts.filter(({ code }) => code === 'long').map((one) => renderDoubt(view, one));
  const links = offered.map(({ question: other, count }) => {
    const link = linkTo(formatPageAddress(other), describeFound({ layout, question: other }, count));
    return markup`<li>${link}${renderMeaning(view, other)}</li>`;
  });
  const whether = findWhether(view);
  const found =
    view.reading?.answer === 'status'
      ? say('nothing.business', { q: question.q })
      : whether === undefined
        ? describeFound(view, 0)
        : say('answer.no', { what: say('nothing.any', { q: whether }) });
  // a number of none would be read as an answer
  const isUntold = view.unrecorded.includes('closed');
  const heading = describeComparison(view) ?? (isUntold ? say('nothing.closings') : found);
  return markup`<section class="results" id="results" aria-labelledby="found">
<div class="lede"><h1 id="found" tabindex="-1">${heading}</h1>
${renderNotes(view, [...long, reason === '' ? explain(view) : markup`${reason}`])}${
  question.q !== '' &&
  view.anyTime.total === 0 &&
  markup`<p class="doubt">${view.leftOut && reason === '' && describeLeftOut(layout, view.leftOut)} <a
 href="/about#omitted">${say('nothing.missing')}</a></p>`
}${renderActions(view)}</div>
<div class="grid">${renderList(say('nearest.title'), links)}${renderOffers(view, say('help.kinds'), kinds)}${renderOffers(view, say('help.places'), places)}</div>
</section>`;
}

function renderList(title: string, items: readonly Markup[]): Markup | false {
  return items.length > 0 && markup`<div><h2>${title}</h2><ul class="nearest">${items}</ul></div>`;
}

/** Explains the status of an offered search, if the register lacks the one that was asked for. */
function renderMeaning({ layout, unrecorded }: SearchPageView, { status }: Question): Markup | false {
  const meaning = unrecorded.length > 0 ? sayMeaning(layout.localization, status) : '';
  return meaning !== '' && markup` <span class="note">${meaning}</span>`;
}

function renderOffers(view: SearchPageView, title: string, offers: readonly CountedLink[]): Markup | false {
  return offers.length > 0 && markup`<div><h2>${title}</h2>${renderCounted(view, offers)}</div>`;
}

/** Returns whether words were not used for this reason. */
function hasWhy({ reading }: SearchPageView, why: Why): boolean {
  return reading?.words.some((word) => word.why === why) === true;
}

/** Lists the most frequent values of a similar search, for words that find nothing. */
function listOffers(view: SearchPageView, filter: NamedFilter): CountedLink[] {
  const { question } = view.widened;
  return view.widened[filter]
    .filter(({ value, count }) => !isUnknown(value) && count > 0)
    .slice(0, hasWhy(view, 'place') ? MOST_PLACES : OFFERED)
    .map(({ value, count }) => ({
      href: formatPageAddress({ ...question, [filter]: [value] }),
      text: value,
      count,
    }));
}

/** Explains why there are no results: a probable mistake, the period, the words, or the combination. */
function explain(view: SearchPageView): Markup {
  const { doubts, anyTime, question, similar, layout, stats } = view;
  const { say, day, month } = layout.localization;
  const doubt = doubts.find(({ meant }) => meant !== undefined) ?? doubts.find(({ code }) => code !== 'long');
  const means = view.reading?.answer === 'status' && say('nothing.business.means');
  if (doubt !== undefined) return markup`${means} ${renderDoubt(view, doubt)}`;
  if (means) return markup`${means}`;
  const { filed_from, filed_to } = question;
  const isDated = filed_from !== '' || filed_to !== '';
  const oldest = findOldest(anyTime.byMonth);
  if (view.unrecorded.includes('closed')) return markup`${describeFound(view, 0)}.`;
  // the days of `closed in 2015` are those of registrations
  if (isDated && view.closings !== undefined) return markup`${say('note.status')}`;
  if (isDated && anyTime.latestFiling !== null && oldest !== undefined)
    return filed_to !== '' && filed_to < oldest
      ? markup`${say('nearest.oldest', { month: month(oldest, 'long') })}`
      : markup`${say('nearest.newest', { day: day(anyTime.latestFiling) })}`;
  if (similar.some((one) => one.question.q !== '' || question.q === ''))
    return markup`${say('nothing.together')}`;
  const [kind, other] = stats.by.category.filter(({ value }) => !isUnknown(value));
  const noun = other === undefined && kind && nounFor(layout.city, [kind.value], 2);
  return markup`${say('nothing.words')} ${noun ? say('nothing.only', { noun }) : say('nothing.business.means')}`;
}

/** Renders why a search may be wrong, and a suggestion. */
export function renderDoubt(
  { layout, total }: Pick<SearchPageView, 'layout' | 'total'>,
  { code, word = '', meant }: Doubt,
): Markup {
  const { say, day } = layout.localization;
  const isNone = code === 'misspelled' && total === 0; // the heading says it
  const detail =
    !isNone && say(`warning.${code}`, { word: code === 'after-latest-filing' ? day(word) : word });
  if (meant === undefined) return markup`${detail}`;
  const { question, count } = meant;
  const labels = listFoundLabels({ layout, question });
  const value =
    meant.isWhole && (labels.length > 1 || question.q === '')
      ? labels.join(', ') || say('chart.all')
      : meant.value;
  return markup`${detail} ${linkTo(formatPageAddress(question), say('suggestion.link', { value }))} <span
 class="count">${layout.localization.count('suggestion.count', count)}</span>`;
}

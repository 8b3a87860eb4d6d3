/** The part of the page for a search without results: why, and the most similar searches that have some. */

import type { PageWord } from '../../city/words.ts';
import { isUnknown } from '../../listings/listing.ts';
import type { CityPageView, NearSearch } from './city-page-view.ts';
import { renderCounted } from './facets.ts';
import { type Markup, markup } from './markup.ts';
import { listFoundLabels } from './question-text.ts';
import { type Doubt, formatPageAddress, type SearchView } from './search-view.ts';

const OFFERED_PLACES = 8;

export function renderNoResults(view: CityPageView): Markup {
  const { say } = view.layout.localization;
  const all = { href: '/', text: say('nearest.all'), count: view.stats.total };
  const near = view.nearest.map((one) => ({
    href: formatPageAddress(one.question),
    text: describeNear(view, one),
    count: one.count,
  }));
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${describeNothing(view)}</h2>
${explain(view)}
${view.doubts.some(({ cause }) => cause === 'address') && renderNearbyPlaces(view)}
<h3>${say('nearest.title')}</h3>${renderCounted(view, [...near, all])}
</section>`;
}

function describeNothing({ layout, question }: CityPageView): string {
  const { say } = layout.localization;
  const { q } = question;
  const place = listFoundLabels({ layout, question: { ...question, q: '' } }).join(', ');
  if (place === '') return q === '' ? say('results.none') : say('results.none.q', { q });
  return q === '' ? say('results.none.in', { place }) : say('results.none.both', { place, q });
}

/** Renders one sentence about the probable meaning of the search, or about its mistake. */
function explain(view: CityPageView): Markup | undefined {
  const { doubts, anyTime, question, layout } = view;
  const { say, day } = layout.localization;
  const [first] = doubts.toSorted((a, b) => Number(b.meant !== undefined) - Number(a.meant !== undefined));
  const isDated = question.filed_from !== '' || question.filed_to !== '';
  if (
    first?.meant === undefined &&
    isDated &&
    anyTime.latestFiling !== null &&
    !doubts.some(({ cause }) => cause === 'dates' || cause === 'newest')
  )
    return markup`<p class="doubt">${say('nearest.newest', { day: day(anyTime.latestFiling) })}</p>`;
  return first && renderDoubt(view, first);
}

/** Describes a similar search: the removed filter, then the remaining ones. */
function describeNear({ layout, question }: CityPageView, near: NearSearch): string {
  const { say } = layout.localization;
  const kept = listFoundLabels({ layout, question: { ...near.question, q: '' } });
  if (near.way === 'kind') return kept.join(', ');
  return [say(`nearest.${near.way}`, { q: question.q }), ...kept].join(', ');
}

const DOUBT_WORDS: Record<Doubt['cause'], PageWord> = {
  value: 'warning.value',
  words: 'warning.words',
  dates: 'warning.dates',
  newest: 'warning.newest',
  few: 'warning.few',
  kind: 'warning.kind',
  meant: 'warning.meant',
  unknown: 'warning.unknown',
  address: 'warning.address',
  long: 'warning.long',
};

export function renderDoubt(
  { layout }: Pick<SearchView, 'layout'>,
  { cause, word = '', meant }: Doubt,
): Markup {
  const { say, day } = layout.localization;
  const detail = say(DOUBT_WORDS[cause], { word: cause === 'newest' ? day(word) : word });
  if (meant === undefined) return markup`<p class="doubt">${detail}</p>`;
  const { question, count } = meant;
  const labels = listFoundLabels({ layout, question });
  const value = meant.isWhole && labels.length > 1 ? labels.join(', ') : meant.value;
  return markup`<p class="doubt">${detail} <a href="${formatPageAddress(question)}" rel="nofollow">${say('suggestion.link', { value })}</a> <span class="count">${layout.localization.count('suggestion.count', count)}</span></p>`;
}

/** Renders the largest neighborhoods, with the other filters, for people who searched for an address. */
function renderNearbyPlaces(view: CityPageView): Markup | false {
  const places = view.nearPlaces
    .filter(({ value, count }) => !isUnknown(value) && count > 0)
    .slice(0, OFFERED_PLACES)
    .map(({ value, count }) => ({
      href: formatPageAddress({ ...view.question, q: '', offset: 0, neighborhood: [value] }),
      text: value,
      count,
    }));
  return (
    places.length > 0 &&
    markup`<p>${view.layout.localization.say('help.places')}</p>${renderCounted(view, places)}`
  );
}

/** The part of the page for a search without results: why, and the most similar searches that have some. */

import type { PageWord } from '../../city/words.ts';
import { isUnknown } from '../../listings/listing.ts';
import { normalizeText } from '../../listings/words.ts';
import type { CityPageView, NearSearch } from './city-page-view.ts';
import { type CountedLink, renderCounted } from './facets.ts';
import { type Markup, markup } from './markup.ts';
import { describeFound, listFoundLabels } from './question-text.ts';
import { type Doubt, formatPageAddress, type SearchView } from './search-view.ts';

const OFFERED = 8;

export function renderNoResults(view: CityPageView): Markup {
  const { say } = view.layout.localization;
  const near = view.nearest.map((one) => ({
    href: formatPageAddress(one.question),
    text: describeNear(view, one),
    count: one.count,
  }));
  const isAddress = view.doubts.some(({ cause }) => cause === 'address');
  const kinds = isAddress ? [] : listOffers(view, 'category');
  const places = listOffers(view, 'neighborhood');
  const all = { href: '/', text: say('nearest.all'), count: view.stats.total };
  const hasOffers = [near, kinds, places].some(({ length }) => length > 0);
  return markup`<section class="results" id="results" aria-labelledby="found">
<h2 id="found" tabindex="-1">${describeFound(view, 0)}</h2>
${explain(view)}
${renderOffers(view, say('nearest.title'), hasOffers ? near : [all])}
${renderOffers(view, say('help.kinds'), kinds)}${renderOffers(view, say('help.places'), places)}
</section>`;
}

function renderOffers(view: CityPageView, title: string, offers: readonly CountedLink[]): Markup | false {
  return offers.length > 0 && markup`<h3>${title}</h3>${renderCounted(view, offers)}`;
}

/** Lists the largest values with the other filters of the search, for people whose words find nothing. */
function listOffers(view: CityPageView, filter: 'category' | 'neighborhood'): CountedLink[] {
  return view.near[filter]
    .filter(({ value, count }) => !isUnknown(value) && count > 0)
    .slice(0, OFFERED)
    .map(({ value, count }) => ({
      href: formatPageAddress({ ...view.question, q: '', offset: 0, [filter]: [value] }),
      text: value,
      count,
    }));
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
  const isSaid =
    first?.cause === 'unknown' && first.meant === undefined && first.word === normalizeText(question.q);
  return first && !isSaid ? renderDoubt(view, first) : undefined; // the heading has the word
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
  const value = meant.isWhole && (labels.length > 1 || question.q === '') ? labels.join(', ') : meant.value;
  return markup`<p class="doubt">${detail} <a href="${formatPageAddress(question)}" rel="nofollow">${say('suggestion.link', { value })}</a> <span class="count">${layout.localization.count('suggestion.count', count)}</span></p>`;
}

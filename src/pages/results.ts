/** The results: up to 25 openings by filing date, links to further pages, and help if there are none. */

import type { Listing } from '../listings/listing.ts';
import {
  asksAnything,
  EVERYTHING,
  FURTHEST,
  NARROWING,
  PAGE_LIMIT,
  type ParameterFault,
} from '../search/parameters.ts';
import { type CityPageView, changePageAddress, formatPageAddress } from './city-page-view.ts';
import { formatStatus, listChips, renderChips } from './filters.ts';
import type { Localization } from './localization.ts';
import { type Markup, markup } from './markup.ts';

export function renderResults(view: CityPageView): Markup {
  const { listings, total } = view;
  return markup`<section class="results" id="results" data-live aria-labelledby="found">
<div class="found"><h2 id="found">${heading(view)}</h2>${total > 0 && listings.length > 0 && range(view)}</div>
${renderChips(view)}
${view.warnings.map((one) => warning(view, one))}
${listings.length === 0 ? help(view) : ledger(view.layout.localization, listings)}
${renderPagination(view)}
</section>`;
}

function heading(view: CityPageView): string {
  const { layout, question, total } = view;
  const { say } = layout.localization;
  if (total === 0) return nothing(view);
  if (!asksAnything(question)) return say('results.newest');
  return total === 1 ? say('results.one') : say('results.many', { n: total });
}

function nothing(view: CityPageView): string {
  const { say } = view.layout.localization;
  const { q } = view.question;
  const place = listChips({ ...view, question: { ...view.question, q: '' } })
    .map(({ label }) => label)
    .join(', ');
  if (place === '') return q === '' ? say('results.none') : say('results.none.q', { q });
  return q === '' ? say('results.none.in', { place }) : say('results.none.both', { place, q });
}

function range({ layout, question, total, listings }: CityPageView): Markup {
  const from = question.offset + 1;
  const values = { from, to: question.offset + listings.length, n: total };
  return markup`<p class="note">${layout.localization.say('results.range', values)}</p>`;
}

/** The dates are headings, as in a register. */
function ledger(localization: Localization, listings: readonly Listing[]): Markup {
  const days = [...new Set(listings.map(({ filing_date }) => filing_date))];
  return markup`<div class="ledger">${days.map(
    (day) => markup`<h3><time datetime="${day}">${localization.date(day)}</time></h3>
<ul>${listings.filter(({ filing_date }) => filing_date === day).map((listing) => entry(localization, listing))}</ul>`,
  )}</div>`;
}

function entry({ say }: Localization, { name, category, neighborhood, status }: Listing): Markup {
  return markup`<li><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span><span class="badge is-${status}">${formatStatus(say, status)}</span></li>`;
}

function warning(
  { layout, question }: CityPageView,
  { parameter, detail: said, did_you_mean }: ParameterFault,
): Markup {
  const detail = said;
  if (did_you_mean === undefined) return markup`<p class="doubt">${detail}</p>`;
  const href = changePageAddress(
    question,
    parameter === 'q' ? { q: did_you_mean } : { [parameter]: [did_you_mean] },
  );
  const meant = layout.localization.say('help.meant', { value: did_you_mean });
  return markup`<p class="doubt">${detail} <a href="${href}" rel="nofollow">${meant}</a></p>`;
}

/** If one neighborhood has no results, others may have some. */
function help({ layout, question, total, without }: CityPageView): Markup {
  const { say } = layout.localization;
  if (total > 0)
    return markup`<p>${say('results.past')} <a href="${changePageAddress(question, {})}" rel="nofollow">${say('results.first')}</a></p>`;
  const ways = NARROWING.flatMap((name) => {
    const n = without[name] ?? 0;
    if (n === 0) return [];
    const href = changePageAddress(question, { [name]: EVERYTHING[name] });
    return [
      markup`<li><a href="${href}" rel="nofollow">${say(`help.${name}`, { n, q: question.q })}</a></li>`,
    ];
  });
  return markup`<ul class="help">${ways}<li><a href="/">${say('filter.clear')}</a></li></ul>`;
}

function renderPagination({ layout, question, total, listings }: CityPageView): Markup {
  const { say } = layout.localization;
  const after = question.offset + listings.length;
  const isCapped = after < total && after >= FURTHEST;
  const next =
    listings.length > 0 && after < total && !isCapped
      ? formatPageAddress({ ...question, offset: after })
      : undefined;
  const previous =
    question.offset > 0
      ? changePageAddress(question, { offset: Math.max(0, question.offset - PAGE_LIMIT) })
      : undefined;
  if (next === undefined && previous === undefined) return markup``;
  const link = (href: string | undefined, rel: string, text: string) =>
    href === undefined
      ? undefined
      : markup`<a class="button quiet" rel="${rel} nofollow" href="${href}">${text}</a>`;
  return markup`<nav class="pages" aria-label="${say('results.many', { n: total })}">${link(previous, 'prev', say('results.previous'))}${link(next, 'next', say('results.next'))}</nav>${isCapped && markup`<p class="note">${say('results.capped', { n: FURTHEST })}</p>`}`;
}

/** Charts: bars that are links, and months as columns. Drawn as SVG without inline style. */

import type { Counts } from '../search/listing-index.ts';
import type { ValueFilter } from '../search/parameters.ts';
import { addChosen, type CityPageView, toggleFilterAddress } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

const SHOWN_BARS = 8;
const SHOWN_MONTHS = 24;

/** The largest few values, and the others in a `details` element; nothing if there is nothing to choose. */
export function renderBars(view: CityPageView, filter: ValueFilter, title: string): Markup | undefined {
  const counts = addChosen(view.facets[filter], view.question[filter]);
  if (counts.length === 0) return undefined;
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const items = counts.map((one) => bar(view, filter, { ...one, share: one.count / most }));
  const rest = items.slice(SHOWN_BARS);
  const { say } = view.layout.localization;
  const id = `bars-${filter}`;
  return markup`<section class="panel" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="bars">${items.slice(0, SHOWN_BARS)}</ul>${
    rest.length > 0 &&
    markup`<details class="rest" id="rest-${filter}"><summary>${say('bars.more', { n: counts.length })}</summary><ul class="bars">${rest}</ul></details>`
  }</section>`;
}

function bar(
  { layout, question }: CityPageView,
  filter: ValueFilter,
  { value, count, share }: { value: string; count: number; share: number },
): Markup {
  const chosen = question[filter].includes(value) && { html: ' aria-current="true"' };
  return markup`<li><a href="${toggleFilterAddress(question, filter, value)}" rel="nofollow"${chosen}><span>${value}</span><span class="count">${layout.localization.number(count)}</span>${renderBar(share, 'across')}</a></li>`;
}

function renderBar(share: number, way: 'across' | 'up'): Markup {
  const length = Math.max(share === 0 ? 0 : 1, Math.round(share * 100));
  return way === 'across'
    ? markup`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${length}" height="1"/></svg>`
    : markup`<svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true"><rect y="${100 - length}" width="1" height="${length}"/></svg>`;
}

/** The last two years, oldest first, with the figures in a table that can be unfolded. */
export function renderMonths({ layout, stats }: CityPageView): Markup {
  const { say } = layout.localization;
  const last = stats.byMonth.slice(0, SHOWN_MONTHS);
  const most = Math.max(1, ...last.map(({ count }) => count));
  const columns = last
    .toReversed()
    .map((one, i) => monthColumn(layout.localization, { ...one, share: one.count / most }, i === 0));
  return markup`<section class="months" id="months" aria-labelledby="months-title"><div class="wide"><h2 id="months-title">${say('months.title')}</h2>
<p class="note">${say('months.help')}</p>
<div class="columns" aria-hidden="true">${columns}</div>
<details><summary>${say('months.table')}</summary>${renderCountTable(layout.localization, last)}</details></div></section>`;
}

function monthColumn(
  localization: CityPageView['layout']['localization'],
  { value, count, share }: { value: string; count: number; share: number },
  isFirst: boolean,
): Markup {
  const year = (isFirst || value.endsWith('-01')) && markup` <b>${value.slice(0, 4)}</b>`;
  return markup`<div title="${localization.month(value, 'long')}: ${localization.number(count)}"><span class="count">${localization.number(count)}</span>${renderBar(share, 'up')}<span class="month">${localization.month(value, 'short')}${year}</span></div>`;
}

function renderCountTable(
  { say, number, month }: CityPageView['layout']['localization'],
  counts: Counts,
): Markup {
  const rows = counts.map(
    ({ value, count }) =>
      markup`<tr><th scope="row">${month(value, 'long')}</th><td>${number(count)}</td></tr>`,
  );
  return markup`<table><thead><tr><th scope="col">${say('months.month')}</th><th scope="col">${say('months.count')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

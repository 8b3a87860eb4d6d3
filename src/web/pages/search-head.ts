/**
 * Renders the head of both views of a search: the box, periods and filters as chips, the folded filters, and the tabs.
 * It is a plain form; the script only makes it faster.
 */

import { LONGEST_Q } from '../../search/parameters.ts';
import type { PeriodChip } from './changes/period-chips.ts';
import { ALL_TIME, isOneYear } from './changes/periods.ts';
import { type Chip, listChips, renderControls } from './filters.ts';
import { type Markup, markup } from './markup.ts';
import {
  changeAddress,
  findFormQuestion,
  findUsualRows,
  formatChangesAddress,
  formatPageAddress,
  type SearchView,
  USUAL_SORT,
} from './search-view.ts';

/** `total` is the number of results. The view of the listings offers less if there are none. */
type HeadView = SearchView & { periods: readonly PeriodChip[]; total?: number };

export function renderSearchHead(view: HeadView): Markup {
  const { layout, shown, isArchive, stats } = view;
  const { say, day } = layout.localization;
  const chosen = listChosen(view);
  const ended =
    isArchive && stats.latestFiling !== null && say('note.ended', { day: day(stats.latestFiling) });
  return markup`<div class="head"><form class="wide" role="search" method="get" action="${shown.path}#found" id="search" data-show="${say('results.show')}">
${ended && markup`<p class="archive"><strong>${ended}</strong></p>`}
<label for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${findFormQuestion(view).q}" maxlength="${LONGEST_Q}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div id="narrowing" data-live data-path="${shown.path}">${keepShown(view)}
${view.periods.length > 0 && markup`<ul class="chips periods" aria-label="${say('chip.periods')}">${view.periods.map((chip) => renderPeriod(view, chip))}</ul>`}
${renderChosen(view, chosen)}
<div class="fold"><details id="filters"><summary>${chosen.length > 0 ? say('filters.count', { n: chosen.length }) : say('filters.title')}</summary>
<div class="filters">${renderControls(view)}<button class="quiet apply">${say('filter.apply')}</button></div></details>${view.total !== 0 && renderHere(view)}</div>
${renderTabs(view)}</div>
</form></div>`;
}

/** Renders hidden fields that keep the rows and the order of a comparison when the form is sent. */
function keepShown({ shown, question }: SearchView): readonly Markup[] {
  if (shown.path === '/') return [];
  const { by, sort } = shown;
  return [
    ...(by === findUsualRows(question) ? [] : [markup`<input type="hidden" name="by" value="${by}">`]),
    ...(sort === USUAL_SORT ? [] : [markup`<input type="hidden" name="sort" value="${sort}">`]),
  ];
}

/** Lists the chosen filters. Omits the words, and a period that has its own chip. */
function listChosen(view: HeadView): readonly Chip[] {
  const dates = view.periods.some(({ isCurrent }) => isCurrent) ? ALL_TIME : {};
  return listChips({ ...view, question: { ...view.question, q: '', ...dates } });
}

function renderPeriod(view: HeadView, { label, days, isCurrent }: PeriodChip): Markup {
  return markup`<li><a href="${changeAddress(view, days)}" rel="nofollow" data-key="period:${label}"${isCurrent && { html: ' aria-current="true"' }}>${label}</a></li>`;
}

/** Renders the chosen filters as links that remove them. */
function renderChosen(view: HeadView, chosen: readonly Chip[]): Markup | undefined {
  const { layout, question, shown, typed } = view;
  const { say } = layout.localization;
  if (chosen.length === 0 && typed === undefined) return undefined;
  const all = chosen.map(
    ({ label, without }) =>
      markup`<li><a href="${changeAddress({ shown, question }, without)}" rel="nofollow" aria-label="${say('filter.remove', { value: label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  );
  const said = sayMeant(view);
  const isBeside = chosen.length > 0 && said === '';
  const words =
    typed &&
    markup`<a class="plain" href="${formatPageAddress(typed)}&amp;as=typed" rel="nofollow">${say(isBeside ? 'meant.beside' : 'meant.words')}</a>`;
  const clear =
    chosen.length > 1 &&
    markup`<a class="plain" href="${shown.path}" rel="nofollow">${say('filter.clear')}</a>`;
  const last = isBeside ? (words ?? clear) : clear;
  return markup`<ul class="chips" id="chosen" aria-label="${say('filters.title')}">${all}${last && markup`<li>${last}</li>`}</ul>${words && !isBeside && markup`<p class="note">${said}${words}</p>`}`;
}

/** Describes which of the typed words were not applied, or that another spelling was used because nothing matches. */
function sayMeant({ layout: { localization }, typed, notes, asked }: HeadView): string {
  const { say } = localization;
  if (typed === undefined || asked !== undefined) return '';
  if (notes === undefined) return `${say('warning.unknown', { word: typed.q })} `;
  const said = (['newest', 'dates', 'unused'] as const).map((kind) => {
    const word = notes[kind];
    return word && `${say(`meant.${kind}`, { word })} `;
  });
  return said.join('');
}

/** Renders the button that finds the user on the map. The script makes it visible and does all the work. */
function renderHere({ layout, outline }: SearchView): Markup {
  const { say } = layout.localization;
  const button =
    outline?.box &&
    markup`<button class="quiet here" type="button" id="here" data-outside="${say('map.outside')}" data-denied="${say('map.denied')}" data-failed="${say('map.failed')}">${say('map.here')}</button>`;
  return markup`<a class="button quiet places-link" href="#map">${say('map.title')}</a>${button}<p class="note" id="here-said" role="status"></p>`;
}

function renderTabs({ layout, question, shown, period, total }: HeadView): Markup | undefined {
  if (shown.path === '/' && (period.caveat === 'status' || total === 0)) return undefined;
  const { say } = layout.localization;
  const compare =
    period.caveat === 'status'
      ? say('chart.title')
      : isOneYear(period.now)
        ? say('view.compare', { year: period.before.filed_from.slice(0, 4) })
        : say('view.compare.before');
  const tabs = [
    ['/', formatPageAddress({ ...question, offset: 0 }), say('view.listings')],
    ['/changes', formatChangesAddress(question), compare],
  ] as const;
  const links = tabs.map(
    ([path, href, label]) =>
      markup`<a href="${href}" rel="nofollow" data-key="tab:${path}"${path === shown.path && { html: ' aria-current="page"' }}>${label}</a>`,
  );
  return markup`<nav class="tabs" aria-label="${say('view.title')}">${links}</nav>`;
}

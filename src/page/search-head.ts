/**
 * Renders the top of both views of a search: the form with the box, the periods and the folded filters, and under the
 * heading a line of actions. The form works without the script, which only makes it faster.
 */

import { STALE_DAYS } from '../shared/city/register-end.ts';
import { countDays } from '../shared/day.ts';
import { ALL_TIME, isOneYear, yearOf } from '../shared/periods.ts';
import { asksAnything, LONGEST_ASKED, type Question } from '../shared/question.ts';
import type { PeriodChip } from './changes/period-chips.ts';
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

/** `total`: the number of results, only in the view of listings. Without results, the view offers less. */
type HeadView = SearchView & { periods: readonly PeriodChip[]; total?: number };

export function renderSearchHead(view: HeadView): Markup {
  const { layout, question, shown } = view;
  const { say } = layout.localization;
  return markup`<div class="head"><form class="wide" role="search" method="get" action="${shown.path}#found" id="search" data-show="${say('results.show')}">
<p id="lead" data-live>${!asksAnything(question) && say('search.lead')} ${describeEnd(view)}</p>
<label class="unseen" for="q">${say('search.label')}</label>
<div class="row"><input id="q" type="search" name="q" value="${findFormQuestion(view).q}" placeholder="${say('search.label')}" maxlength="${LONGEST_ASKED}" autocomplete="off" autocapitalize="none" spellcheck="false"><button>${say('search.button')}</button></div>
<div class="fold" id="narrowing" data-live data-path="${shown.path}">${keepShown(view)}
${view.periods.length > 0 && markup`<ul class="chips periods" aria-label="${say('chip.periods')}">${view.periods.map((chip) => renderPeriod(view, chip))}</ul>`}
<details id="filters"><summary>${say('filters.title')}</summary>
<div class="filters">${renderControls(view)}<button class="quiet apply">${say('filter.apply')}</button></div></details></div>
</form></div>`;
}

/** Describes how new the data is, because a register can be late or have ended. */
function describeEnd({ layout, isArchive, stats, dataEnd, today }: HeadView): Markup | false {
  const { say, monthDay } = layout.localization;
  if (stats.latestFiling === null) return false;
  const days = countDays(dataEnd, today);
  const current = days > STALE_DAYS ? 'note.late' : 'embed.asof';
  const values = { day: monthDay(dataEnd, 'short'), n: days };
  return markup`<strong>${say(isArchive ? 'note.ended' : current, values)}</strong>`;
}

/**
 * Renders two lines under the heading of a view: first the chosen filters, then the user's neighborhood, the other view
 * and `share`.
 */
export function renderActions(view: HeadView, share?: Markup): Markup {
  return markup`${renderMeant(view)}<div class="fold actions">${renderChosen(view)}${view.total !== 0 && view.question.neighborhood.length === 0 && renderHere(view)}${renderSwitch(view)}${share}</div>${renderTyped(view)}`;
}

/** Renders hidden fields that keep the rows and the order of a comparison when the form is sent. */
function keepShown({ shown, question }: SearchView): readonly Markup[] {
  if (shown.path !== '/changes') return [];
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
function renderChosen(view: HeadView): Markup | undefined {
  const { layout, question, shown } = view;
  const { say } = layout.localization;
  const chosen = listChosen(view);
  if (chosen.length === 0) return undefined;
  const all = chosen.map(
    ({ label, without }) =>
      markup`<li><a href="${changeAddress({ shown, question }, without)}" rel="nofollow" aria-label="${say('filter.remove', { value: label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  );
  const clear =
    chosen.length > 1 &&
    markup`<li><a class="plain" href="${shown.path}" rel="nofollow">${say('filter.clear')}</a></li>`;
  return markup`<ul class="chips" id="chosen" aria-label="${say('filters.title')}">${all}${clear}</ul>`;
}

/** Says what became of words that are not used, mean a period or are counted back from the newest filing. */
function renderMeant({ layout, question, typed, reading }: HeadView): Markup | undefined {
  const { say, day } = layout.localization;
  if (reading === undefined) return undefined;
  const { words, countedFrom } = reading;
  const said = words.flatMap(({ text, why }) =>
    why === undefined || why === 'near'
      ? []
      : say(`meant.unused.${why}`, { word: text, city: layout.city.name }),
  );
  const isOpen = (one: Question | undefined) => one?.status.includes('open') === true;
  if (typed !== undefined && isOpen(question) && !isOpen(typed)) said.unshift(say('meant.open'));
  const days = words.flatMap(({ text, fate }) => (fate === 'days' ? text : [])).join(' ');
  if (countedFrom !== undefined) said.push(say('meant.counted', { word: days, day: day(countedFrom) }));
  const synonyms = words.flatMap(({ text, fate }) => (fate === 'synonym' ? text : []));
  if (synonyms.length > 0) said.push(say('meant.synonym', { word: synonyms.join(' ') }));
  return said.length === 0 ? undefined : markup`<p class="doubt">${said.join(' ')}</p>`;
}

/** Renders a note if the results are not for the words as typed, with a link to results for those words, if any. */
function renderTyped({ layout, typed, typedTotal = 0, total, reading }: HeadView): Markup | undefined {
  const { say, number } = layout.localization;
  if (typed === undefined) return undefined;
  const newest = reading?.words.find(({ fate }) => fate === 'newest')?.text;
  const isOffered = typedTotal > 0 && typedTotal !== total;
  if (!isOffered && newest === undefined) return undefined;
  const words = say('meant.words', { word: typed.q, n: number(typedTotal) });
  const link = markup`<a class="plain" href="${formatPageAddress(typed)}&amp;as=typed" rel="nofollow">${words}</a>`;
  return markup`<p class="note">${newest && say('meant.newest', { word: newest })} ${isOffered && link}</p>`;
}

/** Says that the results are for another spelling, because nothing or almost nothing has the one that was typed. */
export function renderCorrected({ layout, reading }: SearchView): Markup | undefined {
  const { say, list } = layout.localization;
  const corrected = reading?.words.filter(({ fate }) => fate === 'corrected') ?? [];
  if (corrected.length === 0) return undefined;
  const [before = '', after = ''] = say('meant.spelled').split('{what}');
  const what = list(corrected.map(({ to = '' }) => say('chip.q', { q: to })));
  const word = corrected.map(({ text }) => text).join(' ');
  return markup`<p class="doubt">${before}<strong>${what}</strong>${after} ${say('warning.misspelled', { word })}</p>`;
}

/**
 * Renders the button that finds the user on the map. The script makes it visible and does all the work. Its message
 * replaces the answer to words such as `near me`.
 */
export function renderHere({ layout, outline, question, reading }: SearchView): Markup {
  const { say } = layout.localization;
  const isNear = reading?.words.some(({ why }) => why === 'near') === true;
  const near = isNear && asksAnything({ ...question, offset: 0 }) ? say('meant.near') : '';
  const button =
    outline?.box &&
    markup`<button class="quiet here" type="button" id="here" data-outside="${say('map.outside')}" data-denied="${say('map.denied')}" data-failed="${say('map.failed')}">${say(isNear ? 'map.use' : 'map.here')}</button>`;
  return markup`${button}<a class="button quiet places-link" href="#map">${say('map.title')}</a><p class="${near ? 'doubt' : 'note'}" id="here-said" role="status">${near}</p>`;
}

/** Renders the link to the other view of this search. */
function renderSwitch({ layout, question, shown, period, closings, total }: HeadView): Markup | undefined {
  const { say } = layout.localization;
  if (shown.path === '/changes')
    return renderLink(formatPageAddress({ ...question, offset: 0 }), say('view.listings'));
  if (closings !== undefined || total === 0) return undefined;
  const compare = isOneYear(period.now)
    ? say('view.compare', { year: yearOf(period.before.filed_from) })
    : say('view.compare.before');
  return renderLink(formatChangesAddress(question), compare);
}

function renderLink(href: string, label: string): Markup {
  return markup`<a class="switch" href="${href}" rel="nofollow" data-key="switch">${label}</a>`;
}

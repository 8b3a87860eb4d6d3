/**
 * Renders the top of both views of a search: the form with the box, what is chosen and the folded filters, and under the
 * heading a line of actions. The form works without the script, which only makes it faster.
 */

import { STALE_DAYS } from '../shared/city/register-end.ts';
import { addDays, countDays } from '../shared/day.ts';
import { hasLaterFilings } from '../shared/periods.ts';
import { asksAnything, EVERYTHING } from '../shared/question.ts';
import type { PeriodChip } from './changes/changes-view.ts';
import { keepValues, listChips, renderControls } from './filters.ts';
import { linkTo, type Markup, markup } from './markup.ts';
import { renderAsk } from './page-layout.ts';
import {
  changeAddress,
  findUsualRows,
  formatChangesAddress,
  formatPageAddress,
  formatViewAddress,
  type SearchView,
  USUAL_SORT,
} from './search-view.ts';

type HeadView = SearchView & {
  /** The periods to choose from, only of a comparison. */
  periods?: readonly PeriodChip[];
  /** Questions to try, only without a search. */
  examples?: readonly string[];
  /** The number of results, only in the view of listings. Without results, the view offers less. */
  total?: number;
};

export function renderSearchHead(view: HeadView): Markup {
  const { layout, shown } = view;
  const { say } = layout.localization;
  return markup`<div class="head"><form class="wide" role="search" method="get" action="${shown.path}#found" id="search">
${renderAsk(layout, (view.typed ?? view.question).q)}
<div class="fold">${keepShown(view)}
<details id="filters"><summary>${say('filters.title')}</summary>
<div class="filters">${renderControls(view)}<button class="quiet apply">${say('filter.apply')}</button></div></details>
${renderPeriods(view)}${renderExamples(view)}${renderChosen(view)}${describeLate(view)}</div>
</form></div>`;
}

function renderPeriods(view: HeadView): Markup | undefined {
  const links = view.periods?.map(
    ({ label, days, isCurrent }) =>
      markup`<li>${linkTo(changeAddress(view, days), label, { isCurrent })}</li>`,
  );
  return (
    links &&
    markup`<ul class="chips periods" aria-label="${view.layout.localization.say('chip.periods')}">${links}</ul>`
  );
}

/** Renders the examples beside the form. */
function renderExamples({ layout, examples = [] }: HeadView): Markup | undefined {
  if (examples.length === 0) return undefined;
  const links = examples.map((q) => markup` ${linkTo(formatPageAddress({ ...EVERYTHING, q }), q)}`);
  return markup`<p class="examples"><span>${layout.localization.say('example.title')}</span>${links}</p>`;
}

/** Says how new the data is, if the register is late or has ended, or that the businesses are invented. */
function describeLate(view: HeadView): Markup | undefined {
  const { layout, stats, anyTime, dataEnd, today, shown, question } = view;
  const { say, monthDay } = layout.localization;
  const isArchive = !layout.hasNews();
  const n = countDays(dataEnd, today);
  const isLate = stats.latestFiling !== null && (isArchive || n > STALE_DAYS);
  const isFirst = formatViewAddress(shown, question) === '/'; // its heading says it, as the periods do
  const isSaid = (isFirst && layout.city.invented) || (isArchive && view.periods !== undefined);
  const late = isLate
    ? say(isArchive ? 'note.ended' : 'note.late', { day: monthDay(dataEnd, 'long'), n })
    : layout.city.invented && say('footer.invented');
  const { category, neighborhood } = question;
  const after = { ...EVERYTHING, category, neighborhood, filed_from: addDays(dataEnd, 1) };
  const isAhead = hasLaterFilings(anyTime.latestFiling, dataEnd);
  const ahead = isAhead && linkTo(formatPageAddress(after), say('note.later'), { look: 'plain' });
  const said = !isSaid && late;
  return said || ahead ? markup`<p class="late">${said}${said && ahead && ' '}${ahead}</p>` : undefined;
}

/** Returns whether a search is that of one listing, by its name and its day, which is a page about it. */
export function isOwnPage({
  total,
  question: { q, filed_from, filed_to },
}: Pick<HeadView, 'total' | 'question'>): boolean {
  return total === 1 && q !== '' && filed_from !== '' && filed_from === filed_to;
}

/** Renders a line of actions under a heading. */
export function renderActions(view: HeadView, share?: Markup): Markup | undefined {
  const all = listActions(view, share);
  return all.length > 0 ? markup`<div class="fold actions">${all}</div>` : undefined;
}

/** Lists what can be done with a page: the user's neighborhood, the other view and `share`. `table`: the other view of an answer. */
export function listActions(view: HeadView, share?: Markup, table?: string): Markup[] {
  const isList = view.reading === undefined || view.reading.answer === 'list';
  const isFree = isList && view.total !== 0 && view.question.neighborhood.length === 0 && !isOwnPage(view);
  const here = isFree ? renderHere(view) : undefined;
  return [here, renderSwitch(view, table), share].filter((one) => one !== undefined);
}

/** Renders hidden fields that keep the rows and the order of a comparison when the form is sent. */
function keepShown({ shown, question }: SearchView): readonly Markup[] {
  if (shown.path !== '/changes') return [];
  const { by, sort } = shown;
  return [
    ...keepValues('by', by === findUsualRows(question) ? [] : [by]),
    ...keepValues('sort', sort === USUAL_SORT ? [] : [sort]),
  ];
}

/** Renders the chosen filters as links that remove them. Omits the words, and both sides of a comparison, which its sentence names. */
function renderChosen(view: HeadView): Markup | undefined {
  const { layout, question: listed, shown, reading } = view;
  const { say } = layout.localization;
  if (isOwnPage(view) || reading?.against !== undefined) return undefined;
  const question = reading?.rank ? reading.search : listed; // what grew most is listed, and nobody chose it
  const chosen = listChips({ layout, question: { ...question, q: '' } });
  if (chosen.length === 0) return undefined;
  const all = chosen.map(
    ({ label, without }) =>
      markup`<li><a href="${changeAddress({ shown, question }, without)}" rel="nofollow"
 aria-label="${say('filter.remove', { value: label })}">${label} <span aria-hidden="true">×</span></a></li>`,
  );
  const clear =
    chosen.length > 1 && markup`<li>${linkTo(shown.path, say('filter.clear'), { look: 'plain' })}</li>`;
  return markup`<ul class="chips" id="chosen" aria-label="${say('filters.title')}">${all}${clear}</ul>`;
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
    markup`<button class="quiet here" type="button" id="here"
 data-outside="${say('map.outside')}" data-denied="${say('map.denied')}"
 data-failed="${say('map.failed')}">${say(isNear ? 'map.use' : 'map.here')}</button>`;
  return markup`<a class="switch corner-link" id="my-corner" href="#map" hidden></a>${button}
<a class="button quiet places-link" href="#map">${say('map.title')}</a><p class="${near ? 'doubt' : 'note'}" id="here-said"
 role="status">${near}</p>`;
}

const SWITCH = { look: 'switch' };

/** Renders the link to the other view of this search. */
function renderSwitch(view: HeadView, table: string | undefined): Markup | undefined {
  const { layout, question, shown, period, closings, total, reading } = view;
  const { say } = layout.localization;
  if (table !== undefined) return linkTo(table, say('view.table'), SWITCH);
  if (reading?.against !== undefined) return undefined; // it compares already
  if (shown.path === '/changes')
    return linkTo(formatPageAddress({ ...question, offset: 0 }), say('view.listings'), SWITCH);
  const isPlain = formatPageAddress({ ...question, offset: 0 }) === '/';
  const isAlone = period.caveat === 'begins' || (total !== undefined && total < 2);
  if (closings !== undefined || isAlone || isPlain) return undefined;
  return linkTo(formatChangesAddress(question), say('ended.compare'), SWITCH);
}

/** Renders the answer to a question above the results: one sentence, its numbers, the years, and what could make it wrong. */

import type { Localization } from '../../shared/city/localization.ts';
import { firstDayOf } from '../../shared/day.ts';
import {
  ALL_TIME,
  type Days,
  FEWEST_RANKED,
  findDaysBefore,
  findOldest,
  findYearTo,
  isOneYear,
  isPartly,
  isSameDays,
  isWholeMonths,
  isWholeYears,
  isYearApart,
  moveByMonths,
  parsePeriod,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import { EVERYTHING, type Question } from '../../shared/question.ts';
import type { RankBy, Ranking, RankRow } from '../../shared/reading.ts';
import { renderAnswerCard, renderCardLink } from '../answer-card.ts';
import { listYears } from '../chart/chart-months.ts';
import { listPublishers } from '../chart/chart-picture.ts';
import { type Bar, describeEarlier, renderBars } from '../chart/years.ts';
import { nameValue } from '../filters.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { describeFound, describeRegistered, describeSubject, listFoundLabels } from '../question-text.ts';
import {
  formatChangesAddress,
  formatPageAddress,
  formatSearchAddress,
  formatViewAddress,
  type RowFilter,
  USUAL_SORT,
} from '../search-view.ts';
import { COMPARED } from '../share/share-panel.ts';
import { type Numeral, renderNumerals } from './numerals.ts';
import type { SearchPageView } from './search-page-view.ts';
import { answerStatus } from './status.ts';

/** Rows of a ranking that are not folded. */
const MOST_RANKED = 3;
const FEWEST_SHARED = 100; // below, a percentage says less than the numbers

/** `notes`: what became of the words of the question. */
export function renderAnswer(view: SearchPageView, notes: Markup | undefined): Markup | undefined {
  const { reading, question } = view;
  if (reading === undefined || question.offset > 0) return undefined;
  const answer =
    reading.answer === 'status'
      ? answerStatus(view)
      : (compareSides(view) ?? rankRows(view) ?? countAll(view));
  return answer && renderCard(view, answer, notes);
}

type Answer = {
  about?: string;
  sentence: string;
  /** The number that begins the sentence, to be set large. */
  figure?: string;
  numerals?: readonly Numeral[];
  bars?: Markup | undefined;
  caveat?: readonly (string | false | undefined)[];
  more?: Markup | undefined;
  /** The numbers of bars, which are copied before the source. */
  data?: string | undefined;
  /** The page that shows these numbers again. Default: the search. */
  address?: string;
  /** Their picture and their table, if they are not those of the search by month. */
  chart?: string | undefined;
  numbers?: string | undefined;
};

/** Renders an answer: what is copied is its sentence, its caveat, its numbers and its source. */
function renderCard(view: SearchPageView, answer: Answer, notes: Markup | undefined): Markup {
  const { layout, question, dataEnd } = view;
  const { say, day } = layout.localization;
  const { about, sentence, figure, numerals = [], bars, caveat = [], more, data } = answer;
  const anyTime = { ...question, ...ALL_TIME, offset: 0 };
  const hasYears = view.reading?.answer !== 'status';
  const chart = 'chart' in answer ? answer.chart : formatSearchAddress('/chart.png', anyTime);
  const numbers =
    'numbers' in answer ? answer.numbers : formatSearchAddress('/api/stats.csv', anyTime, 'by=month');
  const address = `${layout.publicUrl}${answer.address ?? formatPageAddress(question)}`;
  const source = say('answer.source', { source: listPublishers(layout.city), address, day: day(dataEnd) });
  const figures =
    (numerals.length > 0 || bars) &&
    markup`<div class="figures">${numerals.length > 0 && renderNumerals(layout.localization, numerals)}${bars}</div>`;
  return renderAnswerCard(layout.localization, {
    ...(about !== undefined && { about }),
    sentence,
    figure,
    body: figures || more ? markup`${figures}${more}` : undefined,
    notes,
    caveat: caveat.filter((one) => one !== false && one !== undefined).join(' '),
    source: data === undefined ? source : `${data}. ${source}`,
    links: [
      hasYears &&
        view.closings === undefined &&
        chart !== undefined &&
        renderCardLink(chart, say('answer.chart')),
      hasYears && numbers !== undefined && renderCardLink(numbers, say('answer.numbers')),
    ],
  });
}

/** Writes both numbers of a comparison, and whether their difference says anything. */
function compareSides(view: SearchPageView): Answer | undefined {
  const { layout, comparison, reading, dataEnd } = view;
  const sentence = describeComparison(view);
  if (comparison === undefined || reading?.against === undefined || sentence === undefined) return undefined;
  const { say, day, daysOfYear } = layout.localization;
  const { search, against } = reading;
  const { count, against: other, isChance } = comparison;
  const { filed_from, filed_to } = search;
  const isPartly = isYearApart(search, against) && !isWholeYears(search);
  const isPart = [search, against].some(({ filed_to }) => filed_to > dataEnd);
  const labels = nameSides(layout, search, against);
  return {
    ...(isPartly && { about: say('compare.days', { days: daysOfYear(filed_from, filed_to) }) }),
    sentence,
    numerals: [
      { n: count, label: labels[0], href: formatPageAddress(search), look: 'now' },
      { n: other, label: labels[1], href: formatPageAddress(against), look: 'was' },
    ],
    bars: renderYears(view, search, against),
    ...linkComparison(view, search, against),
    caveat: [
      reading.isUnion && say('compare.union.list', { one: describeSpan(layout, search) }),
      !reading.isUnion && count !== other && isChance && say('compare.chance'),
      isPart && say('compare.part', { day: day(dataEnd) }),
      isSameDays(search, ALL_TIME) && describeAllTime(view),
      !isSameDays(search, against) && describeBeginning(view, search, against),
    ],
  };
}

/** Says which side of a comparison has more. */
export function describeComparison(view: SearchPageView): string | undefined {
  const { layout, comparison, reading } = view;
  if (comparison === undefined || reading?.against === undefined) return undefined;
  const { say } = layout.localization;
  const { search, against } = reading;
  const { count, against: other } = comparison;
  const [one, another] = nameSides(layout, search, against);
  // the same days of two years stand above the sentence
  const isNamed = isYearApart(search, against) && !isWholeMonths(search);
  const asYear = (side: Question) => (isNamed ? { ...side, ...spanYear(yearOf(side.filed_from)) } : side);
  if (reading.isUnion)
    return sayParts(view, [
      [count, search],
      [other, against],
    ]);
  if (count === 0 && other === 0) return say('compare.neither', { one, other: another });
  const values = {
    what: describeRegistered({ layout, question: asYear(search) }, count),
    other: sayVersus(view, asYear(against), asYear(search)),
    undecided: describeUndecided(view),
    difference: sayDifference(view, count, other),
  };
  if (other >= FEWEST_RANKED && count >= 2 * other)
    return say('compare.times', { ...values, times: round(count / other), n: other });
  return say(count === other ? 'compare.same' : count > other ? 'compare.more' : 'compare.fewer', values);
}

/** Writes a sum and its parts: `30 restaurants: 19 in 2004 and 11 in 2016`. */
function sayParts({ layout, question }: SearchPageView, parts: readonly (readonly [number, Days])[]): string {
  const { say, list, number } = layout.localization;
  const total = parts.reduce((sum, [n]) => sum + n, 0);
  const what = describeFound({ layout, question: { ...question, ...ALL_TIME } }, total);
  const said = parts.map(([n, days]) => `${number(n)} ${describeSpan(layout, days)}`);
  return say('compare.union', { what, parts: list(said) });
}

/** Warns of the first year of a register that begins late, in which older businesses were filed as well. */
function describeBeginning({ layout, stats }: SearchPageView, ...periods: readonly Days[]): string | false {
  const oldest = findOldest(stats.byMonth);
  if (oldest === undefined) return false;
  const end = moveByMonths(firstDayOf(oldest), 12);
  const isEarly = ({ filed_from }: Days) => filed_from !== '' && filed_from < end;
  return (
    periods.some(isEarly) &&
    layout.localization.say('compare.begins', { month: layout.localization.month(oldest, 'long') })
  );
}

/** Links to the numbers of both sides: of two years to their comparison, of two places or kinds to a table of both. */
function linkComparison(
  { typed, question }: SearchPageView,
  search: Question,
  against: Question,
): Pick<Answer, 'address' | 'chart' | 'numbers'> {
  if (isSameDays(against, findDaysBefore(search)) && search.filed_from !== '')
    return {
      address: formatChangesAddress(search),
      chart: formatSearchAddress('/chart.png', search, COMPARED),
      numbers: formatSearchAddress('/api/stats.csv', search, 'by=month'),
    };
  const by = String(search.category) === String(against.category) ? 'neighborhood' : 'category';
  const both = { ...search, [by]: [...new Set([...search[by], ...against[by]])] };
  const isSame = isSameDays(search, against);
  const isTable = search.q === against.q && search[by].length > 0 && against[by].length > 0;
  const numbers = isTable ? formatSearchAddress('/api/stats.csv', both, `by=${by}`) : undefined;
  return {
    address: formatPageAddress(typed ?? question), // only the question itself has both
    ...(isSame && { chart: undefined, numbers }),
  };
}

/** Says which days the numbers are of, if a question names none. */
function describeAllTime({ layout, stats, dataEnd }: SearchPageView): string {
  const { say, day, month } = layout.localization;
  const oldest = findOldest(stats.byMonth) ?? dataEnd;
  return say('compare.all', { month: month(oldest, 'long'), day: day(dataEnd) });
}

/** Says how large a difference is: `3`, or `28 (2%)` if both numbers are large. */
function sayDifference({ layout: { localization } }: SearchPageView, count: number, other: number): string {
  const difference = localization.number(Math.abs(count - other));
  if (Math.min(count, other) < FEWEST_SHARED) return difference;
  const share = localization.share((count - other) / other).replace(/^[+\u2212]/, '');
  return /^0\s?%$/.test(share) ? difference : `${difference}\u00a0(${share})`;
}

/** Says what a search is compared with, by what differs: `in 2014`, `in Old Town` or `Bars & Nightlife`. */
function sayVersus({ layout }: SearchPageView, other: Question, search: Question): string {
  const { say, list } = layout.localization;
  if (!isSameDays(other, search)) return describeSpan(layout, other);
  if (String(other.neighborhood) !== String(search.neighborhood) && other.neighborhood.length > 0)
    return say('search.title', { what: '', place: list(other.neighborhood) }).trim();
  return describeSubject({ layout, question: { ...other, ...ALL_TIME } });
}

function describeSpan(layout: SearchPageView['layout'], { filed_from, filed_to }: Days): string {
  const period = listFoundLabels({ layout, question: { ...EVERYTHING, filed_from, filed_to } }).join(' ');
  return /^\d{4}$|^\D+\s\d{4}$/.test(period)
    ? layout.localization.say('search.period', { what: '', period }).trim()
    : period;
}

/** Names both sides by what differs. */
export function nameSides(
  layout: SearchPageView['layout'],
  search: Question,
  against: Question,
): [string, string] {
  const [one, other] = [search, against].map((side) => formatPageAddress({ ...side, ...ALL_TIME }));
  const isYear = one === other && isYearApart(search, against);
  const name = (one: Question, other: Question) => {
    const differs = {
      ...EVERYTHING,
      ...(isSameDays(one, other) ? {} : { filed_from: one.filed_from, filed_to: one.filed_to }),
      category: String(one.category) === String(other.category) ? [] : one.category,
      neighborhood: String(one.neighborhood) === String(other.neighborhood) ? [] : one.neighborhood,
      q: one.q === other.q ? '' : one.q,
      status: String(one.status) === String(other.status) ? [] : one.status,
    };
    return isYear && isOneYear(one)
      ? yearOf(one.filed_from)
      : describeSubject({ layout, question: differs }, true);
  };
  return [name(search, against), name(against, search)];
}

/** Renders the years with the asked ones in color and, of two places or kinds, a pair of bars for each year. */
function renderYears(view: SearchPageView, asked: Days, against?: Days): Markup | undefined {
  const lookOf = (days: Days): Bar => {
    if (isSameDays(asked, ALL_TIME)) return 'now';
    const isIn = ({ filed_from, filed_to }: Days) =>
      filed_from <= days.filed_to && (filed_to === '' || days.filed_from <= filed_to);
    if (isIn(asked)) return 'now';
    return against !== undefined && isIn(against) ? 'was' : 'other';
  };
  const { rival, layout, reading, comparison } = view;
  const names = rival && reading?.against && nameSides(layout, reading.search, reading.against);
  const both = rival && names && { byMonth: rival, names };
  const isParts = against !== undefined && isYearApart(asked, against) && !isWholeYears(asked);
  const counted =
    isParts && comparison
      ? new Map([
          [yearOf(asked.filed_from), comparison.count],
          [yearOf(against.filed_from), comparison.against],
        ])
      : undefined;
  return renderBars(view, lookOf, { rival: both, counted });
}

/** Writes how many there are. */
function countAll(view: SearchPageView): Answer | undefined {
  const { layout, reading, question, total, dataEnd } = view;
  if (reading?.answer !== 'count') return undefined;
  return {
    sentence: describeRegistered({ layout, question }, total, dataEnd),
    figure: layout.localization.number(total),
    bars: renderYears(view, question),
  };
}

/** Writes a ranking: a sentence about its first row, and a table whose rows lead to their listings. */
function rankRows(view: SearchPageView): Answer | undefined {
  const { layout, ranking, reading, dataEnd, total } = view;
  const { nth: asked = 1, order, values: named, isNumber } = reading?.rank ?? { order: 'most' };
  const nth = ranking?.rows[asked - 1] ? asked : 1;
  const first = ranking?.rows[nth - 1];
  if (ranking === undefined || reading?.rank === undefined || first === undefined) return undefined;
  const { say, number } = layout.localization;
  const { by, rows, tied, days, before } = ranking;
  const question = { ...reading.search, ...days, offset: 0 };
  const change = before && days && describeDays(layout.localization, days, before);
  const lines = renderRows(view, ranking, question);
  const wholes = { layout, question: isTime(by) ? { ...question, ...ALL_TIME } : question };
  const values = {
    name: nameRow(layout, by, first.value),
    what:
      order === 'trend'
        ? describeFound({ layout, question: reading.search }, total)
        : describeRegistered(wholes, first.count, dataEnd),
    n: first.count,
    before: first.before ?? 0,
    average: number(round(total / Math.max(1, ranking.total))),
    undecided: describeUndecided(view),
  };
  const isSteady = change !== undefined && !hasMoved(order, first);
  const isNone = order !== 'grew' && order !== 'fell' && first.count === 0;
  const kind = isSteady ? '.none' : order === 'trend' && by === 'month' ? '.month' : '';
  const ordered =
    nth > 1
      ? say(order === 'fewest' ? 'rank.nth.fewest' : 'rank.nth', { ...values, nth })
      : say(isNone ? 'rank.none' : (`rank.${order}${kind}` as 'rank.most'), values);
  const sentence = isSteady
    ? ordered
    : isNumber
      ? say(`rank.number.${by}`, { n: ranking.total, first: ordered })
      : named && order === 'trend'
        ? sayParts(view, rows.map(({ value, count }) => [count, spanYear(value)] as const).reverse())
        : ordered;
  const years = order === 'trend' && by === 'year' && !named ? renderYears(view, question) : undefined;
  if (years !== undefined)
    return listAllYears(view, { sentence, years, table: renderTable(view, ranking, lines) });
  const left = order === 'most' ? ranking.total - rows.length : 0;
  const hasNumbers = by !== 'year' && by !== 'month';
  const shown = lines.length > MOST_RANKED + 1 ? MOST_RANKED : lines.length;
  const all = change !== undefined && hasNumbers && renderAll(view, by, reading.search);
  const doubt = rows.some(({ isChance }) => isChance) && markup`<p class="note">${say('rank.doubt')}</p>`;
  const others =
    shown < lines.length &&
    markup`<details id="ranked"><summary>${say('changes.rest', { n: lines.length - shown })}</summary>
${renderTable(view, ranking, lines.slice(shown))}${all}</details>`;
  return {
    ...(change !== undefined && { about: change }),
    sentence,
    more: markup`${renderTable(view, ranking, lines.slice(0, shown))}${others || all}${doubt}`,
    ...(hasNumbers && {
      chart: undefined,
      numbers: formatSearchAddress('/api/stats.csv', question, `by=${by}`),
    }),
    ...(change !== undefined &&
      hasNumbers && { address: formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question) }),
    caveat: [
      before && describeBeginning(view, before),
      order !== 'trend' && tied > 0 && say('rank.tied', { n: tied }),
      left > 0 && nth === 1 && say('rank.others', { n: left }),
      ranking.isPart && say('rank.part'),
    ],
  };
}

/** Returns whether a row has risen or fallen as the question asks. */
function hasMoved(order: string, row: RankRow): boolean {
  return order === 'grew' ? sizeOf(row) > 0 : sizeOf(row) < 0;
}

function nameRow(layout: SearchPageView['layout'], by: RankBy, value: string): string {
  return by === 'month' ? layout.localization.month(value, 'long') : nameValue(layout, value);
}

/** Renders the rows of a ranking, each with a bar. The longest is that of the largest number or change. */
function renderRows({ layout }: SearchPageView, { by, rows }: Ranking, question: Question): Markup[] {
  const { number, change } = layout.localization;
  const most = Math.max(1, ...rows.map((row) => Math.abs(sizeOf(row))));
  return rows.map((row) => {
    const { value, count, before, isChance } = row;
    const size = sizeOf(row);
    const width = Math.round((Math.abs(size) / most) * 100);
    const bar = markup`<svg${size < 0 && { html: ' class="less"' }} viewBox="0 0 100 1" preserveAspectRatio="none"
 aria-hidden="true"><rect width="${width}" height="1"/></svg>`;
    const few = isChance && { html: ' class="few"' };
    const numbers =
      before === undefined
        ? markup`<td>${number(count)}</td>`
        : markup`<td>${number(before)} → ${number(count)}</td><td${few}>${change(size)}${isChance && '*'}</td>`;
    const link = linkTo(formatPageAddress(narrow(question, by, value)), nameRow(layout, by, value));
    return markup`<tr><th scope="row">${link}${bar}</th>${numbers}</tr>`;
  });
}

function renderTable({ layout }: SearchPageView, { by, before }: Ranking, lines: readonly Markup[]): Markup {
  const { say } = layout.localization;
  const heads = [
    say(`rank.by.${by}`),
    ...(before ? [say('rank.counts'), say('rank.change')] : [say('rank.count')]),
  ];
  return markup`<table class="rank"><thead class="unseen"><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table>`;
}

/** Writes all years: as bars, how many businesses are from before, and the newest years as a folded table. */
function listAllYears(
  { layout: { localization }, anyTime, question, dataEnd }: SearchPageView,
  { sentence, years: bars, table }: { sentence: string; years: Markup; table: Markup },
): Answer {
  const { say, monthDay } = localization;
  const { years, earlier } = listYears(anyTime.byMonth);
  const points = years.map(({ year, count }) => say('chart.point', { period: year, n: count }));
  const year = yearOf(dataEnd);
  const isPart =
    isPartly(spanYear(year), dataEnd) && (question.filed_to === '' || question.filed_to > dataEnd);
  return {
    sentence,
    more: markup`<div class="figures">${bars}</div>
<details id="ranked"><summary>${say('chart.years')}</summary>${table}</details>`,
    data: points.reverse().join('; '),
    caveat: [
      earlier && `${describeEarlier(localization, earlier)}.`,
      isPart && say('count.part', { year, day: monthDay(dataEnd, 'long', year) }),
    ],
  };
}

function renderAll({ layout }: SearchPageView, by: RowFilter, question: Question): Markup {
  const href = formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question);
  return markup`<p>${linkTo(href, layout.localization.say(`answer.${by}`))}</p>`;
}

/** Names the days of two years: `January 1 – October 6, 2015 and 2016`. */
function describeDays({ say, day, period, daysOfYear }: Localization, now: Days, before: Days): string {
  if (isSameDays(now, findYearTo(now.filed_to)) && isSameDays(before, findDaysBefore(now)))
    return say('rank.days.twelve', { day: day(now.filed_to) });
  if (!isOneYear(now))
    return say('rank.days', {
      now: period(now.filed_from, now.filed_to),
      before: period(before.filed_from, before.filed_to),
    });
  const days = daysOfYear(now.filed_from, now.filed_to);
  return say('rank.days.year', { days, now: yearOf(now.filed_from), before: yearOf(before.filed_from) });
}

function isTime(by: RankBy): boolean {
  return by === 'year' || by === 'month';
}

function sizeOf({ count, before = 0 }: RankRow): number {
  return count - before;
}

/** Rounds to one decimal. */
function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Writes the clause for rows that a status leaves out, or `''`. */
function describeUndecided({ layout: { localization }, undecided }: SearchPageView): string {
  return undecided === undefined ? '' : localization.say('compare.undecided', undecided);
}

function narrow(question: Question, by: RankBy, value: string): Question {
  return { ...question, ...(isTime(by) ? parsePeriod(value) : { [by]: [value] }) };
}

/** Renders the answer to a question above the results: one sentence, its numbers, the years, and what could make it wrong. */

import type { Localization } from '../../shared/city/localization.ts';
import { firstDayOf } from '../../shared/day.ts';
import {
  ALL_TIME,
  type Days,
  findDaysBefore,
  isOneYear,
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
import type { RankBy, RankRow } from '../../shared/reading.ts';
import { renderAnswerCard, renderCardLink } from '../answer-card.ts';
import { describeEarlier } from '../chart/chart.ts';
import { listYears } from '../chart/chart-months.ts';
import { listPublishers } from '../chart/chart-picture.ts';
import { type Bar, renderBars } from '../chart/years.ts';
import { nameValue } from '../filters.ts';
import { type Markup, markup } from '../markup.ts';
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
  numerals?: readonly Numeral[];
  bars?: Markup | undefined;
  caveat?: readonly (string | false | undefined)[];
  more?: Markup;
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
  const { about, sentence, numerals = [], bars, caveat = [], more, data } = answer;
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
    body: markup`${figures}${more}`,
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
      reading.isUnion && say('compare.union.list', { n: count, one: describeSpan(layout, search) }),
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
  const oldest = stats.byMonth.at(-1)?.value;
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
  const oldest = stats.byMonth.at(-1)?.value ?? dataEnd;
  return say('compare.all', { month: month(oldest, 'long'), day: day(dataEnd) });
}

/** Says how large a difference is: `3`, or `28 (2%)` if both numbers are large. */
function sayDifference({ layout: { localization } }: SearchPageView, count: number, other: number): string {
  const difference = localization.number(Math.abs(count - other));
  if (Math.min(count, other) < FEWEST_SHARED || count >= 2 * other) return difference;
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
  const { rival, layout, reading } = view;
  const names = rival && reading?.against && nameSides(layout, reading.search, reading.against);
  const both = rival && names && { byMonth: rival, names };
  return renderBars(view, lookOf, { rival: both, yearly: view.yearly });
}

/** Writes how many there are. */
function countAll(view: SearchPageView): Answer | undefined {
  const { layout, reading, question, total, dataEnd } = view;
  if (reading?.answer !== 'count') return undefined;
  const { day, say } = layout.localization;
  const isPart = question.filed_to > dataEnd;
  return {
    sentence: describeRegistered({ layout, question }, total),
    numerals: [{ n: total, label: describeCounted(view) }],
    bars: renderYears(view, question),
    caveat: [isPart && say('count.part', { day: day(dataEnd) })],
  };
}

function describeCounted({ layout, question }: SearchPageView): string {
  const { filed_from, filed_to } = question;
  const period = listFoundLabels({ layout, question: { ...EVERYTHING, filed_from, filed_to } }).join(' ');
  return period === '' ? layout.localization.say('span.all') : period;
}

/** Writes a ranking: a sentence about its first row, and a table whose rows lead to their listings. */
function rankRows(view: SearchPageView): Answer | undefined {
  const { layout, ranking, reading, question, dataEnd } = view;
  const { nth = 1, order, values: named, isNumber } = reading?.rank ?? { order: 'most' };
  const first = ranking?.rows[nth - 1];
  if (ranking === undefined || reading?.rank === undefined || first === undefined) return undefined;
  const { say, number, change, month, day } = layout.localization;
  const { by, rows, tied, days, before } = ranking;
  const name = (value: string) => (by === 'month' ? month(value, 'long') : nameValue(layout, value));
  const hasChange = before !== undefined && days !== undefined;
  const most = Math.max(1, ...rows.map((row) => Math.abs(sizeOf(row, hasChange))));
  const lines = rows.map((row) => {
    const address = formatPageAddress(narrow({ ...question, ...days }, by, row.value));
    const { count, before: then = 0, isChance } = row;
    const size = sizeOf(row, hasChange);
    const width = Math.round((Math.abs(size) / most) * 100);
    const few = isChance && { html: ' class="few"' };
    const bar = markup`<svg${size < 0 && { html: ' class="less"' }} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
<rect width="${width}" height="1"/></svg>`;
    const numbers = hasChange
      ? markup`<td>${number(then)} → ${number(count)}</td><td${few}>${change(count - then)}${isChance && '*'}</td>`
      : markup`<td>${number(count)}</td>`;
    return markup`<tr><th scope="row"><a href="${address}" rel="nofollow">${name(row.value)}</a>${bar}</th>${numbers}</tr>`;
  });
  const heads = hasChange
    ? markup`<th scope="col">${say('rank.counts')}</th><th scope="col">${say('rank.change')}</th>`
    : markup`<th scope="col">${say('rank.count')}</th>`;
  const table = (some: readonly Markup[]) =>
    markup`<table class="rank"><thead class="unseen"><tr><th scope="col">${say(`rank.by.${by}`)}</th>${heads}</tr></thead>
<tbody>${some}</tbody></table>`;
  const all = hasChange && by !== 'year' && by !== 'month' && renderAll(view, by);
  const shown = lines.length > MOST_RANKED + 1 ? MOST_RANKED : lines.length;
  const others =
    shown < lines.length &&
    markup`<details id="ranked"><summary>${say('changes.rest', { n: lines.length - shown })}</summary>
${table(lines.slice(shown))}${all}</details>`;
  const values = {
    name: name(first.value),
    what:
      order === 'trend'
        ? describeFound({ layout, question }, view.total)
        : describeRegistered(
            { layout, question: isTime(by) ? { ...question, ...ALL_TIME } : question },
            first.count,
          ),
    n: first.count,
    before: first.before ?? 0,
    average: number(Math.round((10 * view.total) / Math.max(1, ranking.total)) / 10),
    undecided: describeUndecided(view),
  };
  const isWrong = hasChange && (order === 'grew' ? sizeOf(first, true) <= 0 : sizeOf(first, true) >= 0);
  const ordered =
    nth > 1
      ? say(order === 'fewest' ? 'rank.nth.fewest' : 'rank.nth', { ...values, nth })
      : say(
          first.count === 0
            ? 'rank.none'
            : order === 'trend' && by === 'month'
              ? 'rank.trend.month'
              : `rank.${order}`,
          values,
        );
  const sentence = isWrong
    ? say(`rank.${order === 'grew' ? 'grew' : 'fell'}.none`)
    : isNumber
      ? say(`rank.number.${by}`, { n: ranking.total, first: ordered })
      : named && order === 'trend'
        ? sayParts(view, rows.map(({ value, count }) => [count, spanYear(value)] as const).reverse())
        : ordered;
  const years = order === 'trend' && by === 'year' && !named ? renderYears(view, question) : undefined;
  if (years !== undefined)
    return {
      sentence,
      more: renderAllYears(view, years, table(lines)),
      data: describeYears(view).join('; '),
      caveat: [
        dataEnd < spanYear(yearOf(dataEnd)).filed_to &&
          (question.filed_to === '' || question.filed_to > dataEnd) &&
          say('count.part', { day: day(dataEnd) }),
      ],
    };
  const left = order === 'most' ? ranking.total - rows.length : 0;
  const hasTable = by !== 'year' && by !== 'month';
  const asked = { ...question, ...days, offset: 0 };
  return {
    ...(hasChange && { about: describeDays(layout.localization, days, before) }),
    sentence,
    more: markup`${table(lines.slice(0, shown))}${others || all}${hasChange && markup`<p class="note">${say('rank.doubt')}</p>`}`,
    ...(hasTable && { chart: undefined, numbers: formatSearchAddress('/api/stats.csv', asked, `by=${by}`) }),
    ...(hasChange &&
      hasTable && { address: formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, asked) }),
    caveat: [
      hasChange && describeBeginning(view, before),
      order !== 'trend' && tied > 0 && say('rank.tied', { n: tied }),
      left > 0 && nth === 1 && say('rank.others', { n: left }),
      order === 'fewest' && isTime(by) && !named && say('rank.part'),
      !hasChange && question.filed_to > dataEnd && say('count.part', { day: day(dataEnd) }),
    ],
  };
}

/** Lists the numbers of the bars, newest first. */
function describeYears({ layout: { localization }, anyTime }: SearchPageView): string[] {
  const { years, earlier } = listYears(anyTime.byMonth);
  const points = years.map(({ year, count }) => localization.say('chart.point', { period: year, n: count }));
  return [...points.reverse(), ...(earlier ? [describeEarlier(localization, earlier)] : [])];
}

/** Renders all years as bars, how many businesses are from before, and the newest years as a folded table. */
function renderAllYears({ layout, anyTime }: SearchPageView, bars: Markup, table: Markup): Markup {
  const { earlier } = listYears(anyTime.byMonth);
  const note = earlier && markup`<p class="note">${describeEarlier(layout.localization, earlier)}</p>`;
  return markup`<div class="figures">${bars}</div>${note}
<details id="ranked"><summary>${layout.localization.say('chart.years')}</summary>${table}</details>`;
}

function renderAll({ layout, question }: SearchPageView, by: RowFilter): Markup {
  const href = formatViewAddress({ path: '/changes', by, sort: USUAL_SORT }, question);
  return markup`<p><a href="${href}" rel="nofollow">${layout.localization.say(`answer.${by}`)}</a></p>`;
}

/** Names the days of two years: `January 1 – October 6, 2015 and 2016`. */
function describeDays({ say, period, daysOfYear }: Localization, now: Days, before: Days): string {
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

function sizeOf({ count, before = 0 }: RankRow, hasChange: boolean): number {
  return hasChange ? count - before : count;
}

/** Writes the clause for rows that a status leaves out, or `''`. */
function describeUndecided({ layout: { localization }, undecided }: SearchPageView): string {
  return undecided === undefined ? '' : localization.say('compare.undecided', undecided);
}

function narrow(question: Question, by: RankBy, value: string): Question {
  const first = { ...question, offset: EVERYTHING.offset };
  return isTime(by) ? { ...first, ...parsePeriod(value) } : { ...first, [by]: [value] };
}

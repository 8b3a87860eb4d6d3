/** Writes the answer to a question that ranks neighborhoods, kinds, years or months. */

import type { Localization } from '../../shared/city/localization.ts';
import { firstDayOf, monthOf, toDayNumber } from '../../shared/day.ts';
import {
  ALL_TIME,
  clipDays,
  type Days,
  findDataStart,
  findDaysBefore,
  findYearTo,
  isBeforeData,
  isOneYear,
  isPartly,
  isSameDays,
  parsePeriod,
  spanYear,
  yearOf,
} from '../../shared/periods.ts';
import { asksAnything, EVERYTHING, type Question } from '../../shared/question.ts';
import { hasMoved, isTime, type RankBy, type Ranking, type RankRow } from '../../shared/reading.ts';
import { listYears } from '../chart/chart-months.ts';
import { round } from '../chart/picture/drawing.ts';
import { describeEarlier } from '../chart/years.ts';
import { nameValue, sayWords } from '../filters.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { describeFound, describeRegistered, describeSearch, describeUndecided } from '../question-text.ts';
import {
  formatChangesAddress,
  formatPageAddress,
  formatSearchAddress,
  type Searched,
} from '../search-view.ts';
import {
  type Answer,
  describeAllTime,
  describeBeginning,
  describeNoneBefore,
  describeUnlike,
  nameSides,
  renderAskedYears,
  renderSides,
  sayParts,
} from './answer-parts.ts';
import type { SearchPageView } from './search-page-view.ts';

/** The share of businesses without a row from which a ranking says so. */
const LEAST_UNKNOWN = 0.01;
/** Smaller averages have a decimal. */
const LEAST_WHOLE = 10;
const DAYS_OF_YEAR = 365.25;
/** Rows of a ranking that are not folded. */
const MOST_RANKED = 5;

/** Writes a ranking: a sentence about its first row, and a table whose rows lead to their listings. */
export function answerRanking(view: SearchPageView): Answer | undefined {
  const { layout, ranking, reading } = view;
  const { nth: asked = 1, order, than, values: named } = reading?.rank ?? { order: 'most' };
  const nth = ranking?.rows[asked - 1] ? asked : 1;
  const first = ranking?.rows[nth - 1];
  if (ranking === undefined || reading?.rank === undefined || first === undefined) return undefined;
  const { by, rows, tied, days, before, years } = ranking;
  if (before && isBeforeData(before, view.stats.byMonth)) return { sentence: describeNoneBefore(view) };
  const { say, period } = layout.localization;
  const question = { ...reading.search, ...days, offset: 0 };
  const change = before && days && describeTwoYears(layout.localization, days, before);
  const isEver = !isTime(by) && isSameDays(question, ALL_TIME);
  const lines = renderRows(view, ranking, question);
  const average = findAverage(view, ranking);
  const hasNumbers = by === 'neighborhood' || by === 'category';
  const { n = 0, total: all = 0 } = ranking.unknown ?? {};
  const unknown = n >= LEAST_UNKNOWN * all && ranking.unknown;
  const wholes = { layout, question: { ...question, ...(isTime(by) ? ALL_TIME : { [by]: EVERYTHING[by] }) } };
  const isTied = tied > 0 && nth === 1 && (order === 'most' || order === 'fewest');
  const sentence = sayRow(view, { ranking, wholes, nth, average });
  const isOfYears = order === 'trend' && by === 'year' && !named;
  const bars = isOfYears ? (renderSides(view) ?? renderAskedYears(view, question)) : undefined;
  if (bars !== undefined) return listAllYears(view, { sentence, bars });
  const shown = lines.length > MOST_RANKED + 1 ? MOST_RANKED : lines.length;
  const others =
    shown < lines.length &&
    markup`<details id="ranked"><summary>${say('changes.rest', { n: lines.length - shown })}</summary>
${renderTable(view, ranking, lines.slice(shown))}</details>`;
  return {
    ...(change !== undefined && { about: [...nameRanked(wholes), change].join('. ') }),
    ...(isEver && { about: describeAllTime(view) }),
    sentence,
    ...(by === 'neighborhood' && { place: first.value }),
    more: markup`${renderTable(view, ranking, lines.slice(0, shown))}${others}`,
    ...(hasNumbers && {
      chart: false as const,
      numbers: !than && formatSearchAddress('/api/stats.csv', question, `by=${by}`),
    }),
    ...(change !== undefined && hasNumbers && { table: formatChangesAddress(question, by) }),
    caveat: [
      describeUnlike(view),
      before
        ? describeBeginning(view, before)
        : isTime(by) &&
          by !== 'calendar' &&
          describeBeginning(view, (order === 'trend' && average.years) || parsePeriod(first.value)!),
      rows.some(({ isChance }) => isChance) && say('rank.doubt'),
      order !== 'trend' && tied > 0 && !isTied && say('rank.tied', { n: tied }),
      unknown && hasNumbers && say(`rank.unknown.${by}`, { n, what: describeFound(wholes, all) }),
      ranking.isPart && say('rank.part'),
      years && say('rank.calendar', { years: period(years.filed_from, years.filed_to) }),
    ],
  };
}

type Ranked = { ranking: Ranking; wholes: Searched; nth: number; average: ReturnType<typeof findAverage> };

/** Says which row is first, or at the place that was asked for, and by how much. `wholes`: the search of which rows are parts. */
function sayRow(view: SearchPageView, { ranking, wholes, nth, average: { average, years } }: Ranked) {
  const { layout, reading, dataEnd, total } = view;
  const { say, number, period } = layout.localization;
  const { by, rows, before, tied, beyond } = ranking;
  const { search, rank } = reading!;
  const { order, than, values: named, isNumber } = rank!;
  const first = rows[nth - 1]!;
  const sides = nameBoth(view);
  const isNone = order !== 'trend' && first.before === undefined && first.count === 0;
  const values = {
    name: nameRow(layout, by, first.value),
    what:
      order === 'trend'
        ? describeFound({ layout, question: search }, total)
        : describeRegistered(wholes, isNone ? total : first.count, dataEnd),
    n: than ? ranking.total : first.count,
    count: first.count,
    before: first.before ?? 0,
    one: sides?.[0] ?? '',
    other: sides?.[1] ?? '',
    rows: by === 'neighborhood' || by === 'category' ? say(`changes.rows.${by}`) : '',
    average: number(average < LEAST_WHOLE ? round(average) : Math.round(average)),
    base: years ? say('rank.trend.base', { years: period(years.filed_from, years.filed_to) }) : '',
    undecided: isTime(by)
      ? describeUndecided(view, 'rank')
      : before === undefined
        ? ''
        : describeUndecided(view, 'compare'),
  };
  const isSteady = first.before !== undefined && !hasMoved(order, first);
  const isDoubted = (order === 'grew' || order === 'fell') && rows.every(({ isChance }) => isChance);
  const usual = order === 'trend' && by === 'month' ? '.month' : isDoubted ? '.chance' : '';
  const kind = isSteady ? '.none' : usual;
  const ordered =
    beyond && beyond.rows.length > 0
      ? say(
          `rank.${order === 'fewest' ? 'below' : 'above'}${beyond.rows.length > 1 ? '.several' : ''}` as 'rank.above',
          {
            ...values,
            name: nameRow(layout, by, beyond.row.value),
            names: nameSome(
              layout,
              by,
              beyond.rows.map(({ value }) => value),
              beyond.rows.length,
            ),
            what: describeRegistered(wholes, beyond.row.count, dataEnd),
          },
        )
      : nth > 1
        ? say(order === 'fewest' ? 'rank.nth.fewest' : 'rank.nth', { ...values, nth })
        : tied > 0 && (order === 'most' || order === 'fewest')
          ? say(`rank.${isNone ? 'none' : order}.tied`, {
              ...values,
              name: nameSome(
                layout,
                by,
                rows
                  .slice(0, tied + 1)
                  .map(({ value }) => value)
                  .toSorted(),
                tied + 1,
              ),
            })
          : say(isNone ? 'rank.none' : (`rank.${order}${kind}` as 'rank.most'), values);
  return !isSteady && isNumber && by !== 'q' && by !== 'calendar'
    ? say(`rank.number.${by}`, { n: ranking.total, first: ordered })
    : !isSteady && named && order === 'trend'
      ? `${sayParts(view, rows.map(({ value, count }) => [count, spanYear(value)] as const).reverse())}${values.undecided}`
      : ordered;
}

/** Names what is ranked, which a sentence about a change does not say, unless it is all. */
function nameRanked({ layout, question }: Searched): string[] {
  const search = { ...question, ...ALL_TIME, offset: 0 };
  return asksAnything(search) ? [describeSearch({ layout, question: search })] : [];
}

/** Names rows or, of many, the first of them. */
function nameSome(
  layout: SearchPageView['layout'],
  by: RankBy,
  values: readonly string[],
  total: number,
): string {
  const { say, list } = layout.localization;
  const names = values.map((value) => nameRow(layout, by, value));
  return list(
    total <= MOST_RANKED + 1
      ? names
      : [...names.slice(0, MOST_RANKED), say('rank.tied.others', { n: total - MOST_RANKED })],
  );
}

/** Averages the whole years that bars show, or their months, or divides by the length of chosen days: a century of few filings says little. */
function findAverage(
  { anyTime, stats, dataEnd, total, reading }: SearchPageView,
  { by, total: periods }: Ranking,
): { average: number; years?: Days } {
  const isShown = isTime(by) && reading !== undefined && isSameDays(reading.search, ALL_TIME);
  const shown = isShown ? listYears(anyTime.byMonth, findDataStart(stats.byMonth)).years : [];
  const start = firstDayOf(findDataStart(stats.byMonth) ?? monthOf(dataEnd));
  const whole = shown.filter(({ year }) => {
    const days = spanYear(year);
    return days.filed_from >= start && !isPartly(days, dataEnd);
  });
  if (whole.length === 0) {
    const { filed_from, filed_to } = clipDays(
      isShown ? { filed_from: start, filed_to: dataEnd } : reading!.search,
      dataEnd,
    );
    const years =
      filed_from === '' ? 0 : (toDayNumber(filed_to) - toDayNumber(filed_from) + 1) / DAYS_OF_YEAR;
    return { average: total / (years < 1 ? Math.max(1, periods) : by === 'month' ? years * 12 : years) };
  }
  const sum = whole.reduce((all, { count }) => all + count, 0);
  const [first, last] = [whole[0]!, whole.at(-1)!].map(({ year }) => year).sort() as [string, string];
  const years = { filed_from: spanYear(first).filed_from, filed_to: spanYear(last).filed_to };
  return { average: sum / whole.length / (by === 'month' ? 12 : 1), years };
}

function nameRow(layout: SearchPageView['layout'], by: RankBy, value: string): string {
  if (by === 'q') return sayWords(layout.localization, value.replaceAll('-', ' '));
  if (!isTime(by)) return nameValue(layout, by, value);
  if (by === 'calendar') return layout.localization.month(`2000-${value}`, 'name');
  return by === 'month' ? layout.localization.month(value, 'long') : value;
}

/** Renders the rows of a ranking, each with a bar. The longest is that of the largest number or change. */
function renderRows({ layout }: SearchPageView, { by, rows, days }: Ranking, question: Question): Markup[] {
  const { number, change, list } = layout.localization;
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
        : markup`<td>${days ? `${number(before)} → ${number(count)}` : list([number(count), number(before)])}</td><td${few}>${change(size)}${isChance && '*'}</td>`;
    const name = nameRow(layout, by, value);
    // no search is of a month of all years
    const link = by === 'calendar' ? name : linkTo(formatPageAddress(narrow(question, by, value)), name);
    return markup`<tr><th scope="row">${link}${bar}</th>${numbers}</tr>`;
  });
}

/** Names what is compared in each row. */
function nameBoth({ layout, reading }: SearchPageView): [string, string] | undefined {
  return reading?.rank?.than && nameSides(layout, reading.search, reading.rank.than);
}

function renderTable(view: SearchPageView, { by, before }: Ranking, lines: readonly Markup[]): Markup {
  const { say, list } = view.layout.localization;
  const sides = nameBoth(view);
  const counts = sides ? list(sides) : say('rank.counts');
  const heads = [
    say(`rank.by.${by === 'calendar' ? 'month' : by}`),
    ...(before || sides ? [counts, say('rank.change')] : [say('rank.count')]),
  ];
  return markup`<table class="rank"><thead class="unseen"><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table>`;
}

/** Writes all years: as bars, and how many businesses are from before. */
function listAllYears(
  { layout: { localization }, anyTime, stats, question, dataEnd }: SearchPageView,
  { sentence, bars }: { sentence: string; bars: Markup },
): Answer {
  const { say, monthDay } = localization;
  const { years, earlier } = listYears(anyTime.byMonth, findDataStart(stats.byMonth));
  const points = years.map(({ year, count }) => say('chart.point', { period: year, n: count }));
  const year = yearOf(dataEnd);
  const isPart =
    isPartly(spanYear(year), dataEnd) && (question.filed_to === '' || question.filed_to > dataEnd);
  return {
    sentence,
    bars,
    data: points.reverse().join('; '),
    caveat: [
      earlier && `${describeEarlier(localization, earlier)}.`,
      isPart && say('count.part', { year, day: monthDay(dataEnd, 'long', year) }),
    ],
  };
}

/** Names the days of two years: `January 1 – October 6, 2015 and 2016`. */
function describeTwoYears({ say, day, period, daysOfYear }: Localization, now: Days, before: Days): string {
  if (isSameDays(now, findYearTo(now.filed_to)) && isSameDays(before, findDaysBefore(now)))
    return say('rank.days.twelve', { day: day(now.filed_to) });
  if (!isOneYear(now))
    return say(isSameDays(before, findDaysBefore(now)) ? 'rank.days' : 'rank.days.ends', {
      now: period(now.filed_from, now.filed_to),
      before: period(before.filed_from, before.filed_to),
    });
  const days = daysOfYear(now.filed_from, now.filed_to);
  return say('rank.days.year', { days, now: yearOf(now.filed_from), before: yearOf(before.filed_from) });
}

function sizeOf({ count, before = 0 }: RankRow): number {
  return count - before;
}

function narrow(question: Question, by: RankBy, value: string): Question {
  return { ...question, ...(isTime(by) ? parsePeriod(value) : { [by]: by === 'q' ? value : [value] }) };
}

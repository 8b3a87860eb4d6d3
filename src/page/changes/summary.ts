/** Writes the summary of a comparison: a few sentences that people can cite, with the source. */

import { listPublishers } from '../../shared/city/city-facts.ts';
import {
  ALL_TIME,
  changeOf,
  findYearToDate,
  isByChance,
  isOneYear,
  isSameDays,
  isSmall,
  type Row,
  shareOf,
  spanYear,
  sumCounts,
  sumRows,
  yearOf,
} from '../../shared/periods.ts';
import { asksAnything } from '../../shared/question.ts';
import { renderAnswerCard } from '../answer-card.ts';
import { listChartMonths, type MonthCounts } from '../chart/chart-months.ts';
import type { ChartComparison } from '../chart/picture/chart-picture.ts';
import { nameValue } from '../filters.ts';
import { nounFor } from '../kinds/kinds.ts';
import type { Markup } from '../markup.ts';
import { describeSearch, describeSubject, describeUndecided } from '../question-text.ts';
import { renderAskedYears, sayDifference, saySame } from '../search/answer-parts.ts';
import { listActions } from '../search-head.ts';
import { formatPageAddress, formatSearchAddress, formatViewAddress } from '../search-view.ts';
import { COMPARED } from '../share/share-panel.ts';
import type { ChangesView } from './changes-view.ts';

/** Renders the totals, with a button that copies them and their source. */
export function renderSummary(view: ChangesView, share: Markup | undefined): Markup {
  const { layout, question, period, shown } = view;
  const { say, day } = layout.localization;
  const days = { ...question, ...period.now };
  const row = findSubjectRow(view);
  const { about, sentence } = describeRow(view, row);
  const numerals = (['now', 'before'] as const).map((side) => ({
    n: row[side],
    label: nameSide(view, side),
    href: formatPageAddress({ ...question, ...period[side], offset: 0 }),
    look: side === 'now' ? 'now' : 'was',
  }));
  const counts = [row.now, row.before] as const;
  const bars = renderAskedYears(view, period.now, { days: period.before, counts });
  const isChance = changeOf(row) !== 0 && isByChance(row.now, row.before);
  const caveat = [isChance && say('compare.chance'), view.isLate && say('changes.late')];
  return renderAnswerCard(layout.localization, {
    ...{ about, sentence, numerals, bars, caveat },
    actions: listActions(view, share),
    source: say('changes.source', {
      source: listPublishers(layout.city),
      title: say('title'),
      address: `${layout.publicUrl}${formatViewAddress(shown, days)}`,
      day: day(view.dataEnd),
    }),
    chart: period.caveat === undefined && formatSearchAddress('/chart.png', days, COMPARED),
    numbers: formatTableAddress(view),
  });
}

/** Returns the address of the table as CSV, with all rows and both years. */
function formatTableAddress({ question, period, shown }: ChangesView): string {
  const all = { ...question, ...period.now, [shown.by]: [] };
  return formatSearchAddress('/api/stats.csv', all, `by=${shown.by}`);
}

/** Describes the row of the only chosen value, or the sum of all rows. */
export function describeSums(view: ChangesView): string {
  return writeSentence(describeRow(view, findSubjectRow(view)));
}

function writeSentence({ about, sentence }: ReturnType<typeof describeRow>): string {
  return `${about}: ${sentence}.`;
}

type Comparison = Pick<ChangesView, 'layout' | 'question' | 'period' | 'dataEnd' | 'undecided'>;

/** Returns what a picture of a comparison shows. */
export function describeComparison(view: Comparison, counts: MonthCounts['asked']): ChartComparison {
  const [now, before] = [sumCounts(counts.now), sumCounts(counts.before)];
  const all = { asked: counts, anyTime: { now: [], before: [] } };
  const months = listChartMonths(view.period, all, view.dataEnd);
  const name = (side: 'now' | 'before', n: number) =>
    view.layout.localization.say('chart.point', { period: nameSide(view, side), n });
  return {
    title: describeTitle(view),
    sentence: writeSentence(describeRow(view, { value: '', now, before })),
    months: months.filter(({ isAsked }) => isAsked),
    legend: [name('now', now), name('before', before)],
  };
}

/** Returns a title such as `Restaurants: 2016 compared with 2015`. Periods other than whole years are shown as dates. */
export function describeTitle({ layout, question, period, dataEnd }: Comparison): string {
  const { say, period: formatPeriod } = layout.localization;
  const { filed_from: from, filed_to: to } = period.now;
  const years = [spanYear(yearOf(from)), findYearToDate(dataEnd)];
  const isYear = years.some((days) => isSameDays(days, period.now));
  const chosen = { ...question, ...ALL_TIME, offset: 0 };
  const what = asksAnything(chosen) ? describeSubject({ layout, question: chosen }) : say('changes.what');
  if (!isYear) return say('changes.title.period', { what, period: formatPeriod(from, to) });
  return say('changes.title', { what, now: yearOf(from), before: yearOf(period.before.filed_from) });
}

/** Names one side of a comparison: its year, if it is within one. */
export function nameSide(view: Pick<Comparison, 'layout' | 'period'>, side: 'now' | 'before'): string {
  const { layout, period } = view;
  return isOneYear(period.now) ? yearOf(period[side].filed_from) : layout.localization.say(`changes.${side}`);
}

function describeRow(view: Comparison, row: Row): Record<'about' | 'sentence', string> {
  const { layout, question, period } = view;
  const { say, count, period: formatPeriod } = layout.localization;
  const about = `${nameSubject(view)}, ${formatPeriod(period.now.filed_from, period.now.filed_to)}`;
  const noun = nounFor(layout.city, question.category, row.now);
  const values = {
    what: noun ? say('results.nouns', { n: row.now, noun }) : count('archive.edition', row.now),
    before: row.before,
    same: saySame(layout, period.before),
    difference: sayDifference(layout, row.now, row.before),
    undecided: describeUndecided(view, 'changes'),
  };
  const kind = isSmall(row) || changeOf(row) === 0 ? 'summary' : changeOf(row) > 0 ? 'more' : 'fewer';
  return { about, sentence: say(`changes.${kind}`, values) };
}

function findSubjectRow({ question, shown, rows, small, sums }: ChangesView): Row {
  if (question[shown.by].length === 0) return sums;
  return sumRows([...rows, ...small].filter(({ value }) => question[shown.by].includes(value)));
}

function nameSubject({ layout, question }: Comparison): string {
  const open = { ...question, ...ALL_TIME, offset: 0 };
  if (asksAnything({ ...open, neighborhood: [] })) return describeSearch({ layout, question: open });
  const places = question.neighborhood.map((place) => nameValue(layout, 'neighborhood', place));
  return layout.localization.list(places) || layout.city.name;
}

/** Formats a change: `+5`, `−18` or `0`. */
export function formatChange({ layout }: ChangesView, row: Row): string {
  return layout.localization.change(changeOf(row));
}

/** Formats a change as a share, such as `+45%`. New values have no share. Without filings, there is no change. */
export function formatChangeShare({ layout }: ChangesView, row: Row): string {
  const { say, share } = layout.localization;
  if (row.before === 0) return row.now === 0 ? '' : say('changes.new');
  return share(shareOf(row));
}

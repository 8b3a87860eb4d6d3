/** Draws filings by month as bars, which reveal a season of renewals. Over ten years, also draws them by year. */

import type { PreviewCounts } from '../../import/preview.ts';
import { addMonths } from '../../listings/day.ts';
import { type Markup, markup } from '../../web/pages/markup.ts';
import { formatNumber } from '../terminal.ts';

const WIDTH = 360;
const HEIGHT = 150;
const TOP = 16;
const BOTTOM = 18;
const MOST_MONTHS = 120;
const LABEL_WIDTH = 30;

type Bar = { label: string; count: number; isMarked: boolean; mark: string };

export function drawFilings(months: PreviewCounts): Markup {
  const all = fillMonths(months);
  if (all.length === 0) return markup`<p>No filings.</p>`;
  const shown = all.slice(-MOST_MONTHS);
  const byMonth = shown.map(([month, count]) => ({
    label: month,
    count,
    isMarked: month.endsWith('-01'),
    mark: month.slice(0, 4),
  }));
  const title = all.length > MOST_MONTHS ? 'Filings per month, the last ten years' : 'Filings per month';
  const pictures = [drawBars(title, byMonth)];
  if (all.length > MOST_MONTHS) pictures.push(drawBars('Filings per year', sumYears(all)));
  return markup`${pictures}`;
}

function fillMonths(months: PreviewCounts): [string, number][] {
  const counts = new Map(months);
  const filled: [string, number][] = [];
  const [last = ''] = months.at(-1) ?? [];
  for (let [month = ''] = months[0] ?? []; month !== '' && month <= last; month = addMonths(month, 1))
    filled.push([month, counts.get(month) ?? 0]);
  return filled;
}

function sumYears(months: readonly [string, number][]): Bar[] {
  return [...Map.groupBy(months, ([month]) => month.slice(0, 4))].map(([year, all]) => ({
    label: year,
    count: all.reduce((sum, [, count]) => sum + count, 0),
    isMarked: year.endsWith('0') || year.endsWith('5'),
    mark: year,
  }));
}

function drawBars(title: string, bars: readonly Bar[]): Markup {
  const most = Math.max(...bars.map(({ count }) => count));
  const step = WIDTH / bars.length;
  const height = HEIGHT - TOP - BOTTOM;
  const shapes = bars.map(({ label, count }, i) => {
    const tall = count === 0 ? 0 : Math.max(0.5, (count / most) * height);
    const [x, y] = [round(i * step), round(TOP + height - tall)];
    return markup`<rect class="bar" x="${x}" y="${y}" width="${round(Math.max(0.5, step * 0.85))}" height="${round(tall)}"><title>${label}: ${formatNumber(count)}</title></rect>`;
  });
  const peak = bars.find(({ count }) => count === most)!;
  const summary = `${bars[0]!.label} to ${bars.at(-1)!.label}. Most: ${formatNumber(most)} in ${peak.label}.`;
  return markup`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}. ${summary}">
<line class="mark" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/><text x="0" y="${TOP - 5}">${formatNumber(most)}</text>
${drawMarks(bars, step)}${shapes}</svg><figcaption>${title}: ${summary}</figcaption></figure>
`;
}

function drawMarks(bars: readonly Bar[], step: number): Markup[] {
  const marked = bars.flatMap(({ isMarked, mark }, i) => (isMarked ? [{ x: round(i * step), mark }] : []));
  let free = 0;
  return marked.map(({ x, mark }) => {
    const isNamed = x >= free && x + LABEL_WIDTH <= WIDTH + 8;
    if (isNamed) free = x + LABEL_WIDTH;
    const name = isNamed && markup`<text x="${x + 2}" y="${HEIGHT - 5}">${mark}</text>`;
    return markup`<line class="mark" x1="${x}" x2="${x}" y1="${TOP}" y2="${HEIGHT - BOTTOM + 4}"/>${name}`;
  });
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}

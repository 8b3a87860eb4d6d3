/** Draws filings of the last ten years by month as bars, which reveal a season of renewals. */

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

export function drawFilings(counts: PreviewCounts): Markup {
  const all = fillMonths(counts);
  const months = all.slice(-MOST_MONTHS);
  if (months.length === 0) return markup`<p>No filings.</p>`;
  const most = Math.max(...months.map(([, count]) => count));
  const step = WIDTH / months.length;
  const shapes = months.map(([month, count], i) => {
    const height = count === 0 ? 0 : Math.max(0.5, (count / most) * (HEIGHT - TOP - BOTTOM));
    const [x, y] = [round(i * step), round(HEIGHT - BOTTOM - height)];
    return markup`${month.endsWith('-01') && drawYear(x, month.slice(0, 4))}<rect class="bar" x="${x}" y="${y}" width="${round(Math.max(0.5, step * 0.85))}" height="${round(height)}"><title>${month}: ${formatNumber(count)}</title></rect>`;
  });
  const [peak] = months.find(([, count]) => count === most)!;
  const [[first], [last]] = [months[0]!, months.at(-1)!];
  const title = all.length > MOST_MONTHS ? 'Filings per month, the last ten years' : 'Filings per month';
  const summary = `${first} to ${last}. Most: ${formatNumber(most)} in ${peak}.`;
  return markup`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}. ${summary}">
<line class="mark" x1="0" x2="${WIDTH}" y1="${TOP}" y2="${TOP}"/><text x="0" y="${TOP - 5}">${formatNumber(most)}</text>
${shapes}</svg><figcaption>${title}: ${summary}</figcaption></figure>
`;
}

function fillMonths(months: PreviewCounts): [string, number][] {
  const counts = new Map(months);
  const filled: [string, number][] = [];
  const [last = ''] = months.at(-1) ?? [];
  for (let [month = ''] = months[0] ?? []; month !== '' && month <= last; month = addMonths(month, 1))
    filled.push([month, counts.get(month) ?? 0]);
  return filled;
}

/** Draws the line at the beginning of a year, and its name where there is room. */
function drawYear(x: number, year: string): Markup {
  const name = x + LABEL_WIDTH <= WIDTH + 8 && markup`<text x="${x + 2}" y="${HEIGHT - 5}">${year}</text>`;
  return markup`<line class="mark" x1="${x}" x2="${x}" y1="${TOP}" y2="${HEIGHT - BOTTOM + 4}"/>${name}`;
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}

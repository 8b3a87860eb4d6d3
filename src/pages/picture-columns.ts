/** The columns of the chart as a picture, with their grid and the labels of the months. */

import type { Localization } from '../city/localization.ts';
import type { Counts } from '../search/listing-index.ts';
import { DEFAULT_ACCENT, deriveAccents } from './colour.ts';
import { type Markup, markup } from './markup.ts';
import type { PageLayout } from './page-layout.ts';
import { measureTextWidth } from './text-width.ts';

export const MUTED = '#566070';
const LINE = '#d9dee5';
/** The space on each side of the picture. */
export const EDGE = 16;
const LABEL = 15; // the height of a line of labels
const MOST_LINES = 4; // of the grid
const LABEL_WIDTH = 44;

type Frame = { left: number; right: number; top: number; bottom: number };

/** The height below the columns that their labels need. */
export const LABELS_HEIGHT = 2 * LABEL + 10;

type Plot = { layout: PageLayout; byMonth: Counts; width: number; top: number; bottom: number };

/** The grid, the columns and their labels. */
export function renderColumns({ layout, byMonth, width, top, bottom }: Plot): Markup {
  const { localization } = layout;
  const columns = byMonth.toReversed();
  const lines = listGridLines(Math.max(1, ...columns.map(({ count }) => count)));
  const highest = lines.at(-1)!;
  const left = round(EDGE + measureTextWidth(localization.number(highest)) * 12 + 10);
  const frame = { left, right: width - EDGE, top, bottom };
  const grid = lines.map((line) => renderGridLine(localization, frame, { line, share: line / highest }));
  const fill = deriveAccents(layout.city.accent ?? DEFAULT_ACCENT).light;
  return markup`${grid}<path fill="${fill}" d="${drawColumns(columns, highest, frame)}"/>
${renderMonthLabels(localization, columns, frame)}`;
}

/** From 0 to the first round number that is not below the longest column. */
function listGridLines(most: number): number[] {
  const step = [1, 2, 5]
    .flatMap((n) => Array.from({ length: 9 }, (_, power) => n * 10 ** power))
    .toSorted((a, b) => a - b)
    .find((one) => one * MOST_LINES >= most)!;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

function renderGridLine(
  { number }: Localization,
  { left, right, top, bottom }: Frame,
  { line, share }: { line: number; share: number },
): Markup {
  const y = round(bottom - share * (bottom - top));
  return markup`<path stroke="${LINE}" d="M${left} ${y}H${right}"/><text x="${round(left - 6)}" y="${round(y + 4)}" font-size="12" text-anchor="end" fill="${MUTED}">${number(line)}</text>
`;
}

/** All columns as one path: a picture can have hundreds of them. */
function drawColumns(columns: Counts, top: number, frame: Frame): string {
  const each = (frame.right - frame.left) / Math.max(1, columns.length);
  const width = round(each * (each < 4 ? 1 : 0.8));
  return columns
    .map(({ count }, i) => {
      const height = round((count / top) * (frame.bottom - frame.top));
      return count === 0
        ? ''
        : `M${round(frame.left + (i + 0.5) * each - width / 2)} ${frame.bottom}v${-height}h${width}v${height}z`;
    })
    .join('');
}

/** Under each column its month and under each January the year, where there is space; else the years alone. */
function renderMonthLabels(
  { month: format }: Localization,
  columns: Counts,
  { left, right, bottom }: Frame,
): readonly Markup[] {
  const each = (right - left) / Math.max(1, columns.length);
  const hasMonths = each >= 30;
  let end = Number.NEGATIVE_INFINITY;
  return columns.flatMap(({ value }, i) => {
    const x = round(left + (i + 0.5) * each);
    const isYear = value.endsWith('-01') || (hasMonths && i === 0);
    const month = hasMonths && renderLabel(x, bottom + LABEL, format(value, 'short'));
    const year =
      isYear &&
      x - end >= LABEL_WIDTH &&
      renderLabel(x, bottom + (hasMonths ? 2 * LABEL : LABEL), value.slice(0, 4));
    if (year) end = x;
    return [month, year].filter((one) => one !== false);
  });
}

function renderLabel(x: number, y: number, text: string): Markup {
  return markup`<text x="${x}" y="${y}" font-size="12" text-anchor="middle" fill="${MUTED}">${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Draws the columns of the chart as a picture, with a grid and the labels of the months or years. */

import type { Localization } from '../../../city/localization.ts';
import { DEFAULT_ACCENT, deriveAccents } from '../color.ts';
import { type Markup, markup } from '../markup.ts';
import type { PageLayout } from '../page-layout.ts';
import { measureTextWidth } from './text-width.ts';

export const MUTED = '#566070';
export const LINE = '#d9dee5';
/** The space on each side of the picture. */
export const EDGE = 16;
const LABEL = 15; // the height of a line of labels
const MOST_LINES = 4; // maximum number of grid lines above 0
const LABEL_WIDTH = 44;

/** Minimum width of a column with its spacing. If months are narrower, the chart shows years. */
export const NARROWEST = 4;

/** A month (`YYYY-MM`) or a year. `isPart`: the data ends within it, so its column is hatched. */
export type PictureColumn = { value: string; count: number; isPart: boolean };

type Frame = { left: number; right: number; top: number; bottom: number };

/** The height of the labels below the columns. */
export const LABELS_HEIGHT = 2 * LABEL + 10;

type Plot = {
  layout: PageLayout;
  /** Oldest first. */
  columns: readonly PictureColumn[];
  width: number;
  top: number;
  bottom: number;
};

export function renderColumns({ layout, columns, width, top, bottom }: Plot): Markup {
  const { localization } = layout;
  const lines = listGridLines(Math.max(1, ...columns.map(({ count }) => count)));
  const highest = lines.at(-1)!;
  const left = round(EDGE + measureTextWidth(localization.number(highest)) * 12 + 10);
  const frame = { left, right: width - EDGE, top, bottom };
  const grid = lines.map((line) => renderGridLine(localization, frame, { line, share: line / highest }));
  const fill = deriveAccents(layout.city.accent ?? DEFAULT_ACCENT).light;
  const draw = (isPart: boolean) =>
    drawColumns(
      columns.map((column) => (column.isPart === isPart ? column.count : 0)),
      highest,
      frame,
    );
  const [whole, part] = [draw(false), draw(true)];
  return markup`${grid}<path fill="${fill}" d="${whole}"/>${part !== '' && hatch(part, fill)}
${renderLabels(localization, columns, frame)}`;
}

function hatch(path: string, fill: string): Markup {
  return markup`<pattern id="part" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path stroke="${fill}" stroke-width="5" d="M0 0V5"/></pattern><path fill="url(#part)" stroke="${fill}" d="${path}"/>`;
}

/** Lists round numbers from 0 to the first one that is at least the highest count. */
export function listGridLines(most: number): number[] {
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

/** Draws all columns as one path, because a picture can have hundreds of columns. */
function drawColumns(counts: readonly number[], top: number, frame: Frame): string {
  const each = (frame.right - frame.left) / Math.max(1, counts.length);
  const width = round(each * (each < 4 ? 1 : 0.8));
  return counts
    .map((count, i) => {
      const height = round((count / top) * (frame.bottom - frame.top));
      return count === 0
        ? ''
        : `M${round(frame.left + (i + 0.5) * each - width / 2)} ${frame.bottom}v${-height}h${width}v${height}z`;
    })
    .join('');
}

/** Labels columns with months, and each January with its year, from the end. If space is short, labels only years. */
function renderLabels(
  { month: format }: Localization,
  columns: readonly PictureColumn[],
  { left, right, bottom }: Frame,
): readonly Markup[] {
  const each = (right - left) / Math.max(1, columns.length);
  const isYears = columns.some(({ value }) => !value.includes('-'));
  const hasMonths = !isYears && each >= 30;
  let next = Number.POSITIVE_INFINITY;
  return columns.toReversed().flatMap(({ value }, i) => {
    const x = round(right - (i + 0.5) * each);
    const isYear = isYears || value.endsWith('-01') || (hasMonths && i === columns.length - 1);
    const month = hasMonths && renderLabel(x, bottom + LABEL, format(value, 'short'));
    const year =
      isYear &&
      next - x >= LABEL_WIDTH &&
      renderLabel(x, bottom + (hasMonths ? 2 * LABEL : LABEL), value.slice(0, 4));
    if (year) next = x;
    return [month, year].filter((one) => one !== false);
  });
}

function renderLabel(x: number, y: number, text: string): Markup {
  return markup`<text x="${x}" y="${y}" font-size="12" text-anchor="middle" fill="${MUTED}">${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Draws the columns of a picture, with a grid and the labels of the months or years, and measures texts for it. */

import type { Localization } from '../../../shared/city/localization.ts';
import { yearOf } from '../../../shared/periods.ts';
import { DEFAULT_ACCENT, deriveAccents, mixWithPaper } from '../../color.ts';
import { ROUND_STEPS } from '../../legend.ts';
import type { PageLayout } from '../../page-layout.ts';
import { round, type Text } from './drawing.ts';

export const MUTED = '#525d57';
const BEFORE = 0.45; // the share of the color of the city, as `--before` of the page
const LINE = '#e2e4dc';
/** The space on each side of the picture. */
export const EDGE = 16;
const LABEL = 15; // the height of a line of labels
const LABEL_SIZE = 12;
const COUNT_SIZE = 11;
const MOST_LINES = 4; // maximum number of grid lines above 0
const LABEL_WIDTH = 44;

/**
 * A month (`YYYY-MM`) or a year. `isPart`: the data ends within it, so its column is hatched. `before`: the count of the
 * year before, in a comparison.
 */
export type PictureColumn = { value: string; count: number; before?: number; isPart: boolean };

const MONTH_WIDTH = 33; // minimum width of a column whose month is named

/** Returns the height of the labels below the columns: years, or months above years, or only months in a comparison. */
export function measureLabels(columns: readonly PictureColumn[], width: number): number {
  return (hasMonths(columns, width) && !isCompared(columns) ? 2 : 1) * LABEL + 10;
}

function hasMonths(columns: readonly PictureColumn[], width: number): boolean {
  return !isByYear(columns) && width >= columns.length * MONTH_WIDTH;
}

/** A column of a comparison is of two years, which the legend names. */
function isCompared(columns: readonly PictureColumn[]): boolean {
  return columns.some(({ before }) => before !== undefined);
}

export function isByYear(columns: readonly PictureColumn[]): boolean {
  return columns.some(({ value }) => !value.includes('-'));
}

type Plot = {
  layout: PageLayout;
  /** Oldest first. */
  columns: readonly PictureColumn[];
  width: number;
  top: number;
  bottom: number;
};

/** Returns the colors of a count and of the year before. */
export function listColors({ city }: PageLayout): [now: string, before: string] {
  const now = deriveAccents(city.accent ?? DEFAULT_ACCENT).light;
  return [now, mixWithPaper(now, BEFORE)];
}

/** Draws the columns. Their labels are texts too. */
export function drawColumns({ layout, columns, width, top, bottom }: Plot) {
  const { localization } = layout;
  const grid = listGridLines(Math.max(1, ...columns.flatMap(({ count, before = 0 }) => [count, before])));
  const highest = grid.at(-1)!;
  const left = round(EDGE + measureTextWidth(localization.number(highest)) * LABEL_SIZE + 10);
  const right = width - EDGE;
  const heightOf = (count: number) => (count / highest) * (bottom - top);
  const lines = grid.map((line) => ({ color: LINE, left, right, y: round(bottom - heightOf(line)) }));
  const numbers = lines.map(({ y }, i) =>
    drawLabel({ text: localization.number(grid[i]!), x: round(left - 6), y: round(y + 4), anchor: 'end' }),
  );
  const colors = listColors(layout);
  const each = (right - left) / Math.max(1, columns.length);
  const columnWidth = round(each * (each < 4 ? 1 : 0.8));
  const drawn = columns.flatMap(({ count, before, isPart }, i) => {
    const x = left + (i + 0.5) * each - columnWidth / 2;
    const bars = before === undefined ? [count] : [before, count];
    const barWidth = round(columnWidth / bars.length);
    return bars.map((count, at) => {
      const height = round(heightOf(count));
      const place = { x: round(x + at * barWidth), y: round(bottom - height), width: barWidth, height };
      return { ...place, color: colors[bars.length - 1 - at]!, isPart, count };
    });
  });
  const counts = listCounts(localization, drawn, isCompared(columns) ? columnWidth / 2 : each);
  const labels = listLabels(localization, columns, { left, right, bottom });
  const visible = drawn.filter(({ height }) => height > 0);
  return { lines, columns: visible, texts: [...numbers, ...counts, ...labels] };
}

/** Lists the numbers above columns: all of them if each has room or, without, that of the highest. */
function listCounts(
  { number }: Localization,
  columns: readonly { x: number; y: number; width: number; count: number }[],
  room: number,
): Text[] {
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const isWide = measureTextWidth(number(most)) * COUNT_SIZE > room;
  const shown = isWide ? columns.filter(({ count }) => count === most).slice(-1) : columns;
  return shown
    .filter(({ count }) => count > 0)
    .map(({ x, y, width, count }) => {
      const place = { x: round(x + width / 2), y: round(y - 4), anchor: 'middle' } as const;
      return { ...drawLabel({ text: number(count), ...place }), size: COUNT_SIZE };
    });
}

/** Lists round numbers from 0 to the first one that is at least the highest count. */
export function listGridLines(most: number): number[] {
  const step = ROUND_STEPS.find((one) => one * MOST_LINES >= most)!;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

/** Labels columns with months, and each January with its year, from the end. If space is short, labels only years. */
function listLabels(
  { month: format }: Localization,
  columns: readonly PictureColumn[],
  { left, right, bottom }: Record<'left' | 'right' | 'bottom', number>,
): Text[] {
  const each = (right - left) / Math.max(1, columns.length);
  const isYears = isByYear(columns);
  const isMonths = hasMonths(columns, right + EDGE);
  const hasNoYears = isMonths && isCompared(columns);
  let next = Number.POSITIVE_INFINITY;
  return columns.toReversed().flatMap(({ value }, i) => {
    const x = round(right - (i + 0.5) * each);
    const isYear = isYears || value.endsWith('-01') || (isMonths && i === columns.length - 1);
    const hasYear = isYear && !hasNoYears && next - x >= LABEL_WIDTH;
    if (hasYear) next = x;
    const texts = [...(isMonths ? [format(value, 'short')] : []), ...(hasYear ? [yearOf(value)] : [])];
    const place = (line: number) => ({ x, y: bottom + (line + 1) * LABEL, anchor: 'middle' }) as const;
    return texts.map((text, line) => drawLabel({ text, ...place(line) }));
  });
}

function drawLabel(label: Pick<Text, 'text' | 'x' | 'y' | 'anchor'>): Text {
  return { ...label, size: LABEL_SIZE, color: MUTED };
}

/** Returns the width in font sizes. Letters of East Asian scripts are as wide as they are high. */
export function measureTextWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + measureLetter(letter), 0);
}

/** Breaks a text into lines at most `widest` font sizes wide. A wider word gets its own line. */
export function wrapWords(text: string, widest: number, measure = measureTextWidth): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (measure(longer) > widest) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Cuts off the end of a text that is wider than `widest` font sizes. */
export function cutText(text: string, widest: number, measure: (text: string) => number): string {
  if (measure(text) <= widest) return text;
  let [shown, width] = ['', measure('…')];
  for (const letter of text) {
    width += measure(letter);
    if (width > widest) break;
    shown += letter;
  }
  return `${shown.trimEnd()}…`;
}

function measureLetter(letter: string): number {
  if (letter > '\u1100') return 1;
  if (/[ fijlrt.,:;'’()-]/.test(letter)) return 0.38;
  if (/[mwMW]/.test(letter)) return 0.95;
  return /\p{Lu}/u.test(letter) ? 0.72 : 0.63;
}

/** What a picture is made of. It is written as SVG here, and as pixels in `bitmap`. */

import { PAPER } from '../color.ts';
import { type Markup, markup } from '../markup.ts';

export type Drawing = {
  width: number;
  height: number;
  lines: readonly Line[];
  columns: readonly Column[];
  texts: readonly Text[];
};

type Line = { color: string; left: number; right: number; y: number };

/** `isPart`: the data ends within the period of the column, so it is hatched. */
export type Column = { color: string; x: number; y: number; width: number; height: number; isPart: boolean };

/** `x` is the middle of the text, or where it starts or ends. `y` is the line that its letters stand on. */
export type Text = {
  color: string;
  text: string;
  x: number;
  y: number;
  size: number;
  anchor: 'start' | 'middle' | 'end';
  isBold?: boolean;
  isRtl?: boolean;
};

export function renderDrawing({ width, height, lines, columns, texts }: Drawing): Markup {
  const byColor = Array.from(Map.groupBy(columns, ({ color }) => color).values());
  return markup`<rect width="${width}" height="${height}" fill="${PAPER}"/>
${lines.map(({ color, left, right, y }) => markup`<path stroke="${color}" d="M${left} ${y}H${right}"/>`)}
${byColor.map((some, i) => renderColumns(some, `part${i || ''}`))}
${texts.map(renderText)}`;
}

/** Renders the columns of one color. `id` is that of their hatching. */
function renderColumns(columns: readonly Column[], id: string): Markup {
  const { color } = columns[0]!;
  const whole = columns.filter(({ isPart }) => !isPart);
  const parts = columns.filter(({ isPart }) => isPart);
  const plain = whole.length > 0 && markup`<path fill="${color}" d="${formatPath(whole)}"/>`;
  return markup`${plain}${parts.length > 0 && hatch(formatPath(parts), color, id)}`;
}

/** Formats all columns as one path, because a picture can have hundreds of columns. */
function formatPath(columns: readonly Column[]): string {
  return columns
    .map(({ x, y, width, height }) => `M${x} ${round(y + height)}v${-height}h${width}v${height}z`)
    .join('');
}

function hatch(path: string, color: string, id: string): Markup {
  return markup`<pattern id="${id}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path stroke="${color}"
 stroke-width="5" d="M0 0V5"/></pattern><path fill="url(#${id})" stroke="${color}" d="${path}"/>`;
}

function renderText({ color, text, x, y, size, anchor, isBold = false, isRtl = false }: Text): Markup {
  const aligned = isRtl ? ' direction="rtl"' : anchor !== 'start' && ` text-anchor="${anchor}"`;
  return markup`<text x="${x}" y="${y}" font-size="${size}"
 fill="${color}"${isBold && { html: ' font-family="Georgia, serif" font-weight="700"' }}${aligned && { html: aligned }}>${text}</text>
`;
}

/** Rounds to one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

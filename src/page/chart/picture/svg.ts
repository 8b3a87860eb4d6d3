/** Writes a picture of a chart as SVG. */

import { PAPER } from '../../color.ts';
import { type Markup, markup } from '../../markup.ts';
import { type Column, type Drawing, round, type Text } from './drawing.ts';

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

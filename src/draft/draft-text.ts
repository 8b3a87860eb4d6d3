/** How a draft writes columns, texts, lists and remarks as TypeScript. */

import { hasShortYear } from '../city/days.ts';
import type { Column } from './columns.ts';
import type { DayColumn } from './dates.ts';

export function formatText(text: string): string {
  return `'${text
    .replace(/\\/g, '\\\\')
    .replace(/'/g, "\\'")
    .replace(/[\n\r\u2028\u2029]/g, ' ')}'`;
}

/** A column of the row. */
export function formatColumn({ name }: Pick<Column, 'name'>): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `row.${name}` : `row[${formatText(name)}]`;
}

/** Evidence stands in comments: it must not end them. */
export function formatRemark(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replace(/\*\//g, '* /')
    .slice(0, 200);
}

/** A list that a person may change, a line for each word where there are several. */
export function formatList(name: string, remark: string, words: readonly string[]): string {
  const inside =
    words.length > 3
      ? `\n${words.map((word) => `  ${formatText(word)},\n`).join('')}`
      : words.map(formatText).join(', ');
  return `/** ${formatRemark(remark)} */\nconst ${name}: string[] = [${inside}];\n`;
}

/** A table that a person may change. A `Map`, because `TABLE[cell]` is a function where the cell says `constructor`. */
export function formatTable(
  head: { name: string; type: string; remark: string },
  lines: readonly (readonly [text: string, rows: number, value: string])[],
): string {
  const rows = lines.map(
    ([text, count, value]) =>
      `    ${formatText(text)}: ${formatText(value)}, // ${count} ${count === 1 ? 'row' : 'rows'}\n`,
  );
  return `/** ${formatRemark(head.remark)} */\nconst ${head.name} = new Map(\n  Object.entries<${head.type}>({\n${rows.join('')}  }),\n);\n`;
}

/** Reads a day out of the row. */
export function formatDay({ column, reading }: DayColumn): string {
  if (reading.isMoment) return `dayAt(${formatColumn(column)}, TIME_ZONE)`;
  return reading.formats
    .map((format) => {
      const pivot = hasShortYear(format) ? `, { pivot: ${reading.pivot} }` : '';
      return `parseDay(${formatColumn(column)}, ${formatText(format)}${pivot})`;
    })
    .join(' ?? ');
}

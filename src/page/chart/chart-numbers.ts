/** Renders the numbers of the chart, which people can copy. Works without scripts. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { isPartly, spanMonths } from '../../shared/periods.ts';
import { type Markup, markup } from '../markup.ts';
import { formatSearchAddress } from '../search-view.ts';
import type { ChartMonth, ComparedView } from './chart-months.ts';

/** Number of visible lines of the field with the numbers. */
const SHOWN_LINES = 6;

export function renderChartNumbers(view: ComparedView, shown: readonly ChartMonth[]): Markup {
  const { say } = view.layout.localization;
  const compared = { ...view.question, ...view.period.now };
  const heads = [say('numbers.month'), say('numbers.count'), say('numbers.before')];
  const numbers = [heads.join('\t'), ...listRows(view, shown)].join('\n');
  return markup`<details class="numbers" id="numbers"><summary>${say('numbers.title')}</summary>
${renderField(view, { id: 'numbers-text', label: say('numbers.text'), text: numbers, lines: SHOWN_LINES })}
<p><a href="${formatSearchAddress('/api/stats', compared)}" rel="nofollow">${say('numbers.json')}</a></p>
${renderTable(view, shown)}</details>`;
}

/** `copy`: the text of the button. */
type Field = { id: string; label: string; text: string; lines: number; copy?: PageWord };

/** Renders a field with a button to copy it. A style hides the button until the script runs. */
export function renderField(
  { layout }: Pick<ComparedView, 'layout'>,
  { id, label, text, lines, copy = 'numbers.copy' }: Field,
): Markup {
  const { say } = layout.localization;
  return markup`<label for="${id}">${label}</label><textarea id="${id}" rows="${lines}" readonly>
${text}</textarea><button class="quiet copy" type="button" data-copy="${id}" data-said="${say('numbers.copied')}">${say(copy)}</button>`;
}

/** Lists the compared months, newest first. Marks a month in which the data ends in a fourth column. */
function listRows({ layout, dataEnd }: ComparedView, shown: readonly ChartMonth[]): string[] {
  const { say, day } = layout.localization;
  const part = `\t${say('chip.filed_to', { day: day(dataEnd) })}`;
  return shown
    .filter(({ isAsked }) => isAsked)
    .map(({ month, count, before }) => {
      const end = isPartly(spanMonths(month), dataEnd) ? part : '';
      return `${month}\t${count}\t${before}${end}`;
    })
    .reverse();
}

/** Renders the months of the chart beside those of the year before, if they can be compared. */
function renderTable({ layout }: ComparedView, shown: readonly ChartMonth[]): Markup {
  const { say, number, period } = layout.localization;
  const rows = shown.map(
    ({ days, count, before }) =>
      markup`<tr><th scope="row">${period(days.filed_from, days.filed_to)}</th><td>${number(count)}</td><td>${number(before)}</td></tr>`,
  );
  return markup`<table aria-labelledby="chart-title"><thead><tr><th scope="col">${say('numbers.month')}</th><th scope="col">${say('numbers.count')}</th><th scope="col">${say('numbers.before')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

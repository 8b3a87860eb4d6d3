/** Renders the numbers of the chart as a table, with a link to them for spreadsheets. Works without scripts. */

import { type Markup, markup } from '../markup.ts';
import { formatSearchAddress } from '../search-view.ts';
import type { ChartMonth, ComparedView } from './chart-months.ts';

/** Renders the months of the chart beside those of the year before, if they can be compared. */
export function renderChartNumbers(view: ComparedView, shown: readonly ChartMonth[]): Markup {
  const { say, number, period } = view.layout.localization;
  const compared = { ...view.question, ...view.period.now };
  const rows = shown.map(
    ({ days, count, before }) =>
      markup`<tr><th scope="row">${period(days.filed_from, days.filed_to)}</th><td>${number(count)}</td><td>${number(before)}</td></tr>`,
  );
  const heads = [say('numbers.month'), say('numbers.count'), say('numbers.before')];
  return markup`<details class="numbers" id="numbers"><summary>${say('numbers.title')}</summary>
<p><a href="${formatSearchAddress('/api/stats.csv', compared, 'by=month')}" rel="nofollow" download>${say('changes.csv')}</a></p>
<table aria-labelledby="chart-title"><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></details>`;
}

/** Renders the legend of a map or a chart, and has the steps of their scales. */

import { type Markup, markup } from './markup.ts';

/** 1, 2, 5, 10, 20 and so on. */
export const ROUND_STEPS = Array.from({ length: 9 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat();

export type Look = { look: string; text: string };

export function renderLegend(items: readonly Look[]): Markup {
  return markup`<ul class="legend">${items.map(
    ({ look, text }) =>
      markup`<li><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${look}" width="1"
 height="1"/></svg>${text}</li>`,
  )}</ul>`;
}

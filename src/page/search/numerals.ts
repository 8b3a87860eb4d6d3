/** Renders one to three large numbers with their labels. */

import type { Localization } from '../../shared/city/localization.ts';
import { type Markup, markup } from '../markup.ts';

/** `href`: where the number leads. `look`: the class of its bars. */
export type Numeral = { n: number; label: string; href?: string; look?: string };

export function renderNumerals(
  { number }: Localization,
  numerals: readonly Numeral[],
  last?: Markup,
): Markup {
  const all = numerals.map(({ n, label, href, look }) => {
    const text = number(n);
    const shown = href === undefined ? markup`${text}` : markup`<a href="${href}" rel="nofollow">${text}</a>`;
    return markup`<div><dt${look && markup` class="${look}"`}>${label}</dt><dd>${shown}</dd></div>`;
  });
  return markup`<dl class="numerals">${all}${last}</dl>`;
}

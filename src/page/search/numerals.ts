/** Renders one to three large numbers with their labels. */

import type { Localization } from '../../shared/city/localization.ts';
import { linkTo, type Markup, markup } from '../markup.ts';

/** `href`: where the number leads. `look`: the class of its bars. */
export type Numeral = { n: number; label: string; href?: string; look?: string };

export function renderNumerals({ number }: Localization, numerals: readonly Numeral[]): Markup {
  const all = numerals.map(({ n, label, href, look }) => {
    const text = number(n);
    const shown = href === undefined ? markup`${text}` : linkTo(href, text);
    return markup`<div><dt${look && markup` class="${look}"`}>${label}</dt><dd>${shown}</dd></div>`;
  });
  return markup`<dl class="numerals">${all}</dl>`;
}

/** Renders an edition among the weeks before it as bars. */

import type { Localization } from '../../shared/city/localization.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import { renderBar } from '../chart/years.ts';
import { type Markup, markup } from '../markup.ts';

/** Renders the weeks as links to their editions or, for a small picture, as bars alone. */
export function renderWeeks(
  localization: Localization,
  { weeks }: WeekInContext,
  isPicture = false,
): Markup | undefined {
  if (weeks.length < 3) return undefined;
  const { count, monthDay, number, say } = localization;
  const most = Math.max(1, ...weeks.map(({ total }) => total));
  const bars = weeks.map(({ edition, total }, i) => {
    const height = total === 0 ? 0 : Math.max(2, Math.round((total / most) * 100));
    const isLast = i === weeks.length - 1;
    const look = isLast ? 'now' : 'other';
    const bar = renderBar([height], { numbers: isLast ? [number(total)] : [] });
    if (isPicture) return markup`<span class="${look}">${bar}</span>`;
    const day = monthDay(edition, 'short', weeks.at(-1)!.edition.slice(0, 4));
    const label = `${day}: ${count('archive.edition', total)}`;
    const isNamed = i === 0 || isLast;
    return markup`<li class="${look}"><a href="/weekly/${edition}"
 data-tell="${day}: ${number(total)}">${bar}${isNamed && markup`<span aria-hidden="true">${day}</span>`}<span class="unseen">${label}</span></a></li>`;
  });
  return isPicture
    ? markup`<span class="bars" aria-hidden="true">${bars}</span>`
    : markup`<ul class="bars" data-arrows aria-label="${say('weeks.title')}">${bars}</ul>`;
}

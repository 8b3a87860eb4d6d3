/** Renders the last edition as a small picture of itself. */

import { compareWeek } from '../../shared/edition/week.ts';
import { yearOf } from '../../shared/periods.ts';
import { type Markup, markup } from '../markup.ts';
import type { PageLayout } from '../page-layout.ts';
import { renderWeeks } from './weeks.ts';

/** Renders the last edition as a small picture of itself, which leads to it. */
export function renderTinyEdition(layout: PageLayout): Markup | undefined {
  const [last, ...earlier] = layout.editions();
  if (last === undefined) return undefined;
  const { say, count, monthDay } = layout.localization;
  const context = compareWeek(last, earlier);
  const short = monthDay(last.edition, 'short', yearOf(last.edition));
  return markup`<a class="tiny" href="/weekly/${last.edition}"><small>${say('title')} <span>${short}</span></small>
<b>${count('archive.edition', last.total)}</b>${renderWeeks(layout.localization, context, true)}
<span>${context.usual !== undefined && count('home.usual', context.usual)}</span>
<u>${say('email.last', { day: monthDay(last.edition, 'long') })}</u></a>`;
}

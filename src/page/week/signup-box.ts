/** Renders the weekly email on the pages of a search: one field, one button, the consent, and the last edition. */

import { EVERYTHING } from '../../shared/question.ts';
import { describeSignup } from '../../shared/signup/consent.ts';
import { keepValues } from '../filters.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { formatSignupAddress } from '../page-layout.ts';
import { describeSearch } from '../question-text.ts';
import type { SearchView } from '../search-view.ts';
import { renderTrap } from '../subscription-pages.ts';

export function renderSignupBox(
  { layout, question }: Pick<SearchView, 'layout' | 'question'>,
  { hasPicture = true, hasTitle = true } = {},
): Markup | undefined {
  if (!layout.hasNews()) return undefined;
  const { say } = layout.localization;
  const { consent, title } = describeSignup('weekly', layout.city);
  const { category, neighborhood } = question;
  const only = describeSearch({ layout, question: { ...EVERYTHING, category, neighborhood } });
  const hasOnly = category.length + neighborhood.length > 0;
  return markup`<section class="panel letter" id="email" aria-labelledby="${hasTitle ? 'email-title' : 'title'}">${
    hasTitle &&
    markup`<h2
 id="email-title">${title}</h2>`
  }
<div><form class="signup" method="post" action="/signup" novalidate><input type="hidden" name="type"
 value="weekly">${keepValues('categories', category)}${keepValues('neighborhoods', neighborhood)}
${renderTrap(layout.localization)}<label for="address">${say('signup.address')}</label>
<div class="row"><input id="address" type="email" name="email" autocomplete="email" required maxlength="254"
 placeholder="${say('signup.example')}"><button>${say('signup.button')}</button></div>
${hasOnly && markup`<p class="note">${say('signup.only', { what: only })}</p>`}${layout.writesFiles && markup`<p><strong>${say('signup.off')}</strong></p>`}<p class="note">${consent} ${say('signup.promise')} <a href="/about#email">${say('notice.link')}</a></p>
<p class="note also">${linkTo(formatSignupAddress(question), say('signup.more'))}
<a href="/signup#waitlist">${say('waitlist.title')}</a></p></form>
${hasPicture && layout.newestEdition()}</div></section>`;
}

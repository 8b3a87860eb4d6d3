/** Renders what people can take from a search: its address, picture, news, counts, and HTML for a website. */

import { EVERYTHING } from '../../../search/parameters.ts';
import { linkPublishers } from '../about-page.ts';
import { formatPicture, renderField } from '../chart/chart-numbers.ts';
import { type Markup, markup } from '../markup.ts';
import { formatSignupAddress } from '../page-layout.ts';
import { describeSearch } from '../question-text.ts';
import type { SearchPageView } from '../search/search-page-view.ts';
import { formatSearchAddress } from '../search-view.ts';
import { formatFrame } from './embed-page.ts';

export function renderShare(view: SearchPageView): Markup {
  const { layout, question, isArchive } = view;
  const { say } = layout.localization;
  const link = (path: string, label: string, by = '') =>
    markup`<a href="${formatSearchAddress(path, question, by)}" rel="nofollow">${label}</a>`;
  const address = `${layout.publicUrl}${formatSearchAddress('/', question)}`;
  const counts = [
    link('/api/stats.csv', say('take.months'), 'by=month'),
    link('/api/stats.csv', say('changes.rows.neighborhood'), 'by=neighborhood'),
    link('/api/stats.csv', say('changes.rows.category'), 'by=category'),
  ];
  const follow =
    !isArchive &&
    markup`${layout.hasEmail() && renderEmail(view)}<li>${link('/feeds', say('follow.atom'))}</li>`;
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li>${renderField(view, { id: 'take-link', label: say('take.link'), text: address, lines: 1 })} <button class="quiet copy" type="button" data-print>${say('take.print')}</button></li>
${isCharted(view) && markup`<li>${link('/chart.svg', say('take.picture'))}</li>`}${follow}<li>${say('take.counts')} ${counts.map((one, i) => markup`${i > 0 && ', '}${one}`)}</li>
<li>${link('/api/search', say('take.programs'))}</li>
<li>${say('take.register')} ${linkPublishers(layout.city)}</li>${renderWebsite(view, address)}</ul></details>`;
}

/** A status has no chart, because newer filings had less time to close or expire. */
function isCharted({ closings }: SearchPageView): boolean {
  return closings === undefined;
}

/** Names what the email would be about, because it cannot be about words, statuses or dates. */
function renderEmail({ layout, question }: SearchPageView): Markup {
  const { category, neighborhood } = question;
  const search = describeSearch({ layout, question: { ...EVERYTHING, category, neighborhood } });
  return markup`<li><a href="${formatSignupAddress(question)}" rel="nofollow">${layout.localization.say('take.email', { search })}</a></li>`;
}

function renderWebsite(view: SearchPageView, address: string): Markup | undefined {
  const { layout, question } = view;
  const { say } = layout.localization;
  const picture =
    isCharted(view) &&
    renderField(view, {
      ...{ id: 'take-picture', label: say('take.chart'), lines: 3 },
      text: formatPicture(view, address, formatSearchAddress('/chart.svg', question)),
    });
  const frame =
    layout.mayEmbed &&
    markup`${renderField(view, { id: 'take-frame', label: say('take.frame'), text: formatFrame(view), lines: 3 })} <a href="${formatSearchAddress('/embed', question)}" rel="nofollow">${say('take.preview')}</a>`;
  if (!picture && !frame) return undefined;
  return markup`<li><details id="take-website"><summary>${say('take.website')}</summary>${picture}${frame}</details></li>`;
}

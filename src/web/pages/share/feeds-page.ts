/** Renders the page at `/feeds`, which explains the feed of a search and shows its addresses. */

import type { Day } from '../../../listings/day.ts';
import { asksAnything } from '../../../search/parameters.ts';
import { renderField } from '../chart/chart-numbers.ts';
import { type Markup, markup } from '../markup.ts';
import { renderDocument } from '../page-layout.ts';
import { describeSearch } from '../question-text.ts';
import { formatPageAddress, type Searched } from '../search-view.ts';

/** Renders the page. `ended` is the last day of a register that has ended. Its feeds no longer change. */
export function renderFeedsPage(searched: Searched, ended: Day | undefined): string {
  const { layout, question } = searched;
  const { say, day } = layout.localization;
  const title = say('feeds.title', { search: describeSearch(searched) });
  const field = (path: '/feed.xml' | '/feed.json') =>
    markup`<div class="address">${renderField(searched, {
      ...{ id: path.slice(1).replace('.', '-'), label: say('feeds.address'), lines: 1 },
      text: `${layout.publicUrl}${addressOf(path, searched)}`,
    })}</div>`;
  const end =
    ended !== undefined && markup`<p><strong>${say('feeds.ended', { day: day(ended) })}</strong></p>`;
  const email =
    layout.hasEmail() && markup`<p>${say('feeds.email')} <a href="/signup">${say('weekly.title')}</a></p>`;
  const back = asksAnything(question) ? say('feeds.back') : say('back.home');
  const main = markup`<div class="narrow"><h1>${title}</h1>${end}<p>${say('feeds.what')}</p>
${field('/feed.xml')}<p>${say('feeds.how')}</p>
<details><summary>${say('feeds.json')}</summary>${field('/feed.json')}</details>
${email}<p><a href="${formatPageAddress(question)}">${back}</a></p></div>`;
  return renderDocument(layout, { title, main, head: renderFeedLinks(searched), hasScript: true });
}

/** Renders links to both formats of the feed, so that feed readers find them. */
export function renderFeedLinks(searched: Searched): Markup {
  const title = describeSearch(searched);
  return markup`<link rel="alternate" type="application/feed+json" href="${addressOf('/feed.json', searched)}" title="${title}">
<link rel="alternate" type="application/atom+xml" href="${addressOf('/feed.xml', searched)}" title="${title} (Atom)">
`;
}

function addressOf(path: string, { question }: Searched): string {
  return formatPageAddress({ ...question, offset: 0 }).replace('/', path);
}

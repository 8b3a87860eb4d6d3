/** Renders the page at `/feeds`, which explains the feed of a search and shows its addresses. */

import type { Day } from '../../shared/day.ts';
import { asksAnything } from '../../shared/question.ts';
import { type Markup, markup } from '../markup.ts';
import { formatSignupAddress } from '../page-layout.ts';
import { describeSearch } from '../question-text.ts';
import { formatPageAddress, formatSearchAddress, type Searched } from '../search-view.ts';
import { renderBesideSheet, renderEndedPage } from '../subscription-pages.ts';
import { renderField } from './share-panel.ts';

/** `ended`: the last day of the register, if it has ended. Its feeds then no longer change. */
export function renderFeedsPage(searched: Searched & { ended: Day | undefined }): string {
  const { layout, question, ended } = searched;
  const { say } = layout.localization;
  const title = say('feeds.title', { search: describeSearch(searched) });
  const list =
    asksAnything(question) &&
    markup`<p><a href="${formatPageAddress(question)}">${say('feeds.back')}</a></p>`;
  if (ended !== undefined) return renderEndedPage(layout, { title, ended, more: list });
  const field = (path: '/feed.xml' | '/feed.json') =>
    markup`<div class="address">${renderField(searched, {
      ...{ id: path.slice(1).replace('.', '-'), label: say('feeds.address'), lines: 1 },
      text: `${layout.publicUrl}${formatSearchAddress(path, question)}`,
    })}</div>`;
  const content = markup`<h1>${title}</h1><p>${say('feeds.what')}
${say('feeds.email')} <a href="${formatSignupAddress(question)}">${say('weekly.title')}</a></p>
<div class="panel">${field('/feed.xml')}<p>${say('feeds.how')}</p><details><summary>${say('feeds.json')}</summary>${field('/feed.json')}</details></div>${list}`;
  const head = renderFeedLinks(searched);
  return renderBesideSheet(layout, title, content, { description: say('feeds.what'), head, hasScript: true });
}

/** Renders links to both formats of the feed, so that feed readers find them, unless the register has ended. */
export function renderFeedLinks(searched: Searched): Markup | undefined {
  if (!searched.layout.hasNews()) return undefined;
  const { question } = searched;
  const title = describeSearch(searched);
  return markup`<link rel="alternate" type="application/feed+json" href="${formatSearchAddress('/feed.json', question)}" title="${title}">
<link rel="alternate" type="application/atom+xml" href="${formatSearchAddress('/feed.xml', question)}" title="${title} (Atom)">
`;
}

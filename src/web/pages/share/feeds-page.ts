/** Renders the page at `/feeds`, which explains the feed of a search and shows its addresses. */

import type { Day } from '../../../listings/day.ts';
import { asksAnything } from '../../../search/parameters.ts';
import { renderField } from '../chart/chart-numbers.ts';
import { type Markup, markup } from '../markup.ts';
import { renderDocument } from '../page-layout.ts';
import { describeSearch } from '../question-text.ts';
import { formatPageAddress, formatSearchAddress, type Searched } from '../search-view.ts';
import { renderEnd } from '../subscription-pages.ts';

/** `ended`: the last day of the register, if it has ended. Its feeds then no longer change. */
type FeedsView = Searched & { ended: Day | undefined };

export function renderFeedsPage({ ended, ...searched }: FeedsView): string {
  const { layout, question } = searched;
  const { say } = layout.localization;
  const title = say('feeds.title', { search: describeSearch(searched) });
  const field = (path: '/feed.xml' | '/feed.json') =>
    markup`<div class="address">${renderField(searched, {
      ...{ id: path.slice(1).replace('.', '-'), label: say('feeds.address'), lines: 1 },
      text: `${layout.publicUrl}${formatSearchAddress(path, question)}`,
    })}</div>`;
  const back = asksAnything(question) ? say('feeds.back') : say('back.home');
  const json = markup`<details><summary>${say('feeds.json')}</summary>${field('/feed.json')}</details>`;
  const list = markup`<p><a href="${formatPageAddress(question)}">${back}</a></p>`;
  const email =
    layout.hasEmail() && markup`<p>${say('feeds.email')} <a href="/signup">${say('weekly.title')}</a></p>`;
  const [what, address] = [markup`<p>${say('feeds.what')}</p>`, field('/feed.xml')];
  const feed =
    ended === undefined
      ? markup`${what}${address}<p>${say('feeds.how')}</p>${renderChange(searched)}${json}${email}`
      : markup`${renderEnd(layout, ended)}${asksAnything(question) && list}
<details><summary>${say('feeds.address')}</summary>${what}${address}${json}</details>`;
  const main = markup`<div class="narrow"><h1>${title}</h1>${feed}</div>`;
  const description = say('feeds.what');
  return renderDocument(layout, {
    title,
    description,
    main,
    head: renderFeedLinks(searched),
    hasScript: true,
  });
}

/** Renders a link to the listings, where people can change the search and come back from. */
function renderChange({ layout, question }: Searched): Markup {
  const { say } = layout.localization;
  const label = say(asksAnything(question) ? 'feeds.change' : 'feeds.narrow');
  const values = { share: say('take.title'), follow: say('follow.atom') };
  return markup`<p><a class="button quiet" href="${formatPageAddress(question)}">${label}</a></p><p class="note">${say('feeds.again', values)}</p>`;
}

/** Renders links to both formats of the feed, so that feed readers find them. */
export function renderFeedLinks(searched: Searched): Markup {
  const { question } = searched;
  const title = describeSearch(searched);
  return markup`<link rel="alternate" type="application/feed+json" href="${formatSearchAddress('/feed.json', question)}" title="${title}">
<link rel="alternate" type="application/atom+xml" href="${formatSearchAddress('/feed.xml', question)}" title="${title} (Atom)">
`;
}

/** Renders the page at `/feeds`, which explains the feed of a search and shows its addresses. */

import type { Day } from '../../../listings/day.ts';
import { normalizeText } from '../../../listings/words.ts';
import { asksAnything, formatQuestion } from '../../../search/parameters.ts';
import { renderField } from '../chart/chart-numbers.ts';
import { type Markup, markup } from '../markup.ts';
import { renderDocument } from '../page-layout.ts';
import { describeSearch, withoutPage } from '../question-text.ts';
import { formatPageAddress, type RowFilter, type Searched } from '../search-view.ts';
import { renderEnd } from '../subscription-pages.ts';

/** `ended`: the last day of the register, if it has ended. Its feeds then no longer change. */
type FeedsView = Searched & { ended: Day | undefined; choices: FeedChoices };

/** The kinds and neighborhoods that a feed can be limited to. */
export type FeedChoices = Record<RowFilter, readonly string[]>;

export function renderFeedsPage({ ended, choices, ...searched }: FeedsView): string {
  const { layout, question } = searched;
  const { say } = layout.localization;
  const title = say('feeds.title', { search: describeSearch(searched) });
  const field = (path: '/feed.xml' | '/feed.json') =>
    markup`<div class="address">${renderField(searched, {
      ...{ id: path.slice(1).replace('.', '-'), label: say('feeds.address'), lines: 1 },
      text: `${layout.publicUrl}${addressOf(path, searched)}`,
    })}</div>`;
  const back = asksAnything(question) ? say('feeds.back') : say('back.home');
  const json = markup`<details><summary>${say('feeds.json')}</summary>${field('/feed.json')}</details>`;
  const list = markup`<p><a href="${formatPageAddress(question)}">${back}</a></p>`;
  const email =
    layout.hasEmail() && markup`<p>${say('feeds.email')} <a href="/signup">${say('weekly.title')}</a></p>`;
  const [what, address] = [markup`<p>${say('feeds.what')}</p>`, field('/feed.xml')];
  const feed =
    ended === undefined
      ? markup`${what}${renderChoices(searched, choices)}${address}<p>${say('feeds.how')}</p>${json}${email}${list}`
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

/** Renders a form that leads to the feed of one kind or neighborhood. Keeps the words, the status and the days. */
function renderChoices({ layout, question }: Searched, choices: FeedChoices): Markup | undefined {
  const { say } = layout.localization;
  if (choices.category.length === 0) return undefined;
  const select = (filter: RowFilter) => {
    const chosen = question[filter].map(normalizeText);
    const options = choices[filter].map(
      (value) =>
        markup`<option${chosen.includes(normalizeText(value)) && { html: ' selected' }}>${value}</option>`,
    );
    return markup`<label>${say(`filter.${filter}`)} <select name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>`;
  };
  const kept = new URLSearchParams(
    formatQuestion({ ...withoutPage(question), category: [], neighborhood: [] }),
  );
  const hidden = [...kept].map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  return markup`<form class="filters" action="/feeds">${hidden}${select('category')}${select('neighborhood')}<button class="quiet">${say('feeds.choose')}</button></form>`;
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

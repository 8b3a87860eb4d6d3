/** Renders the pages at `/weekly`: the list of all weekly emails, and a single one. */

import type { Day } from '../../listings/day.ts';
import type { Listing } from '../../listings/listing.ts';
import type { Counts, EditionCount } from '../../search/listing-index.ts';
import { EVERYTHING, formatQuestion, PAGE_LIMIT, type Question } from '../../search/parameters.ts';
import { renderLedger, renderPager } from './ledger.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';
import { renderEnd } from './subscription-pages.ts';

const FILTERS = ['category', 'neighborhood'] as const;

type WeeklyView = {
  layout: PageLayout;
  /** The filters and the page: only `category`, `neighborhood` and `offset` apply. */
  question: Question;
  choices: Record<(typeof FILTERS)[number], Counts>;
  hasSignup: boolean;
  /** The last day of a register that has ended. */
  ended: Day | undefined;
};

/** Renders the list of editions. With filters, omits editions without matches. */
export function renderEditionsPage(view: WeeklyView & { editions: readonly EditionCount[] }): string {
  const { layout, question, editions, ended } = view;
  const { say, count, date } = layout.localization;
  const title = say('archive.weekly.title');
  const end = ended !== undefined && renderEnd(layout, ended);
  if (editions.length === 0) {
    const none = end || markup`<p>${say('archive.weekly.none')}</p>`;
    return renderWeekly(layout, title, markup`<h1>${title}</h1>${none}${renderSignupLink(view)}`);
  }
  const left = isFiltered(question) ? editions.filter(({ total }) => total > 0) : editions;
  const lines = left
    .slice(question.offset, question.offset + PAGE_LIMIT)
    .map(
      ({ edition, total }) =>
        markup`<li><a href="${addressOf(`/weekly/${edition}`, { ...question, offset: 0 })}">${date(edition)}</a> <span class="count">${count('archive.edition', total)}</span></li>`,
    );
  const nothing = say('archive.weekly.nothing');
  const main = markup`<h1>${title}</h1>${end}<p>${say('archive.weekly.lead')}</p>
${renderSignupLink(view)}
${lines.length === 0 ? markup`<p>${nothing}</p>` : markup`<ul class="editions">${lines}</ul>`}
${renderPages(view, '/weekly', left.length)}
${(editions.length > 1 || isFiltered(question)) && renderFilters(view, '/weekly')}`;
  return renderWeekly(layout, title, main);
}

/** Renders a page of one edition. */
export function renderEditionPage(
  view: WeeklyView & {
    edition: Day;
    /** The days on which the first and the last listing of the edition were first seen, if any is left. */
    seen: { from: Day; to: Day } | undefined;
    /** The days of the first and the last filing in the edition that match. */
    filed: { from: Day; to: Day } | undefined;
    total: number;
    listings: readonly Listing[];
  },
): string {
  const { layout, question, edition, seen, filed, total, listings } = view;
  const { localization } = layout;
  const { say, count, day, period } = localization;
  const path = `/weekly/${edition}`;
  const title = say('archive.edition.title', { day: day(edition) });
  const whole = markup`<li><a href="${path}">${say('archive.edition.all')}</a></li>`;
  const what = total === 0 ? say('archive.edition.none') : count('archive.edition', total);
  const sayDays = ({ from, to }: { from: Day; to: Day }) => (from === to ? day(to) : period(from, to));
  const heading =
    filed && seen ? say('archive.edition.added', { what, filed: sayDays(filed), days: sayDays(seen) }) : what;
  const main = markup`<h1>${title}</h1>${renderSignupLink(view)}
<section class="results"><h2>${heading}</h2>
${renderFilters(view, path)}
${listings.length > 0 && renderLedger(localization, listings)}
${renderPages(view, path, total)}</section>
<ul class="ways">${isFiltered(question) && whole}<li><a href="${addressOf('/weekly', { ...question, offset: 0 })}">${say('archive.weekly.back')}</a></li></ul>`;
  return renderWeekly(layout, title, main);
}

function renderWeekly(layout: PageLayout, title: string, main: Markup): string {
  return renderDocument(layout, { title, main: markup`<div class="narrow weekly">${main}</div>` });
}

function isFiltered(question: Question): boolean {
  return FILTERS.some((filter) => question[filter].length > 0);
}

function addressOf(path: string, { category, neighborhood, offset }: Question): string {
  const query = formatQuestion({ ...EVERYTHING, category, neighborhood, offset });
  return query === '' ? path : `${path}?${query}`;
}

/** Renders the filters. If several values are chosen, the form keeps them all, as the search form does. */
function renderFilters({ layout, question, choices }: WeeklyView, path: string): Markup {
  const { say } = layout.localization;
  const controls = FILTERS.map((filter) => {
    const [first, ...others] = question[filter];
    const options = choices[filter].map(
      ({ value }) =>
        markup`<option value="${value}"${value === first && { html: ' selected' }}>${value}</option>`,
    );
    const kept = others.map(
      (value) => markup`<input type="hidden" name="${filter}" value="${value}"><span>${value}</span> `,
    );
    return markup`<label>${say(`filter.${filter}`)} <select name="${filter}"><option value="">${say('filter.any')}</option>${options}</select></label>${kept}`;
  });
  const open = isFiltered(question) && { html: ' open' };
  return markup`<details${open}><summary>${say('filters.title')}</summary><form class="filters" method="get" action="${path}">${controls}<button class="quiet">${say('filter.apply')}</button></form></details>`;
}

function renderPages({ layout, question }: WeeklyView, path: string, total: number): Markup {
  return renderPager(layout.localization, {
    question,
    total,
    next: question.offset + PAGE_LIMIT,
    addressOf: (offset) => addressOf(path, { ...question, offset }),
  });
}

function renderSignupLink({ layout, question, hasSignup }: WeeklyView): Markup | false {
  if (!hasSignup) return false;
  const href = addressOf('/signup', { ...question, offset: 0 });
  return markup`<p><a class="button quiet" href="${href}">${layout.localization.say('archive.weekly.email')}</a></p>`;
}

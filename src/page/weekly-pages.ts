/** Renders the pages at `/weekly`: the list of all weekly emails, and a single one. */

import type { EditionCount, EditionPage } from '../shared/answers.ts';
import { isUnknown } from '../shared/city/value-names.ts';
import type { Day } from '../shared/day.ts';
import { splitIntroduction } from '../shared/edition/introduction.ts';
import type { Listing } from '../shared/listing.ts';
import { yearOf } from '../shared/periods.ts';
import { renderFacet } from './facets.ts';
import { renderLedger, renderPager } from './ledger.ts';
import { type Markup, markup } from './markup.ts';
import { formatSignupAddress, renderDocument } from './page-layout.ts';
import { listFoundLabels } from './question-text.ts';
import { formatSearchAddress, type SearchView } from './search-view.ts';
import { renderEnd } from './subscription-pages.ts';

/** Only the filters `category` and `neighborhood` apply, and `offset`. */
type WeeklyView = Pick<SearchView, 'layout' | 'question' | 'shown'> & {
  hasSignup: boolean;
  /** The last day of a register that has ended. */
  ended: Day | undefined;
  /** When the next edition is planned. */
  planned: readonly string[];
};

/** Renders the list of editions, each with the first sentence of its email. */
export function renderEditionsPage(
  view: WeeklyView & { editions: readonly (EditionCount & { lead: string })[]; total: number },
): string {
  const { layout, question, editions, total, ended, planned } = view;
  const { say, count, date } = layout.localization;
  const title = say('archive.weekly.title');
  const lines = editions.map(
    ({ edition, total, lead }) =>
      markup`<li><a href="${formatSearchAddress(`/weekly/${edition}`, question)}">${date(edition)}</a> <span class="count">${count('archive.edition', total)}</span><p>${lead}</p></li>`,
  );
  const what = listFoundLabels({ layout, question }).join(', ');
  const only =
    what !== '' &&
    markup`<p>${say('email.only', { what })} <a href="/weekly">${say('archive.weekly.all')}</a></p>`;
  const none =
    what === ''
      ? markup`<p>${say('archive.weekly.none')} ${planned.join(' ')}</p>`
      : markup`<p>${say('archive.weekly.nothing')}</p>`;
  const main = markup`<div class="narrow"><h1>${title}</h1>${ended !== undefined && renderEnd(layout, ended)}${only}
${lines.length === 0 && !(ended && what === '') && none}
${renderSignupLink(view)}
${lines.length > 0 && markup`<ul class="editions">${lines}</ul>`}
${renderPager(view, { total, shown: lines.length })}</div>`;
  return renderDocument(layout, { title, main });
}

/** `seen`: when its listings were first seen. */
export type EditionNews = Record<'title' | 'lead' | 'seen', string>;

type EditionView = WeeklyView &
  Pick<EditionPage, 'total' | 'places' | 'previous' | 'introduction'> & {
    edition: Day;
    /** The heading and the first sentences of its email, if any listing is left. */
    news: EditionNews | undefined;
    facets: Pick<SearchView['facets'], 'category' | 'neighborhood'>;
    listings: readonly Listing[];
  };

/** Renders a page of one edition as its email is: heading, first sentences and listings by neighborhood, then the filters. */
export function renderEditionPage(view: EditionView): string {
  const { layout, question, edition, news, introduction, total, previous, listings, facets } = view;
  const { say, day } = layout.localization;
  const name = say('archive.edition.title', { day: day(edition) });
  const heading = news?.title ?? say('archive.edition.none');
  const labels = listFoundLabels({ layout, question });
  const { offset } = question;
  const shown = { from: offset + 1, to: offset + listings.length, n: total };
  const range = listings.length > 0 && listings.length < total && say('results.range', shown);
  const whole =
    labels.length > 0 && markup` · <a href="${view.shown.path}">${say('archive.edition.all')}</a>`;
  const main = markup`<div class="wide" id="view"><p class="note">${name}${whole}</p><h1 id="found">${heading}</h1>
${introduction !== null && offset === 0 && renderIntroduction(introduction)}
${news && offset === 0 && markup`<p>${news.lead}</p><p class="note">${news.seen}</p>`}
<p class="note">${range} <a href="/about#facts">${say('note.registered')}</a></p>
${offset === 0 && markup`<div class="fold actions">${renderSignupLink(view)}</div>`}
${facets.neighborhood.length > 1 && markup`<nav class="where" aria-label="${say('map.title')}">${renderFacet(view, 'neighborhood', 'row')}</nav>`}
<div class="cols"><section class="results">
${renderLedger(layout.localization, listings, { question, year: yearOf(edition) }, formatPlaces(view))}
${renderPager(view, { total, shown: listings.length, before: previous })}
<p class="onscreen"><a href="${formatSearchAddress('/weekly', question)}">${say('archive.weekly.back')}</a></p></section>
<div class="onscreen"><h2 id="kinds">${say('kinds.title')}</h2>${renderFacet(view, 'category')}</div></div></div>`;
  return renderDocument(layout, { title: [heading, range, name].filter(Boolean).join(' · '), main });
}

function renderIntroduction(text: string): Markup {
  const paragraphs = splitIntroduction(text).map((pieces) => {
    const inner = pieces.map(({ text: words, href }) =>
      href === undefined ? markup`${words}` : markup`<a href="${href}" rel="noreferrer">${words}</a>`,
    );
    return markup`<p class="introduction">${inner}</p>`;
  });
  return markup`${paragraphs}`;
}

/** Formats the headings of the neighborhoods on a page, with what it shows of those that other pages continue. */
function formatPlaces(view: EditionView): ReadonlyMap<string, string> {
  const { layout, question, places, listings } = view;
  const { say, nameValue } = layout.localization;
  const headings = new Map<string, string>();
  let before = question.offset;
  for (const { value, count: n } of places) {
    const [from, to] = [Math.max(0, before) + 1, Math.min(n, before + listings.length)];
    before -= n;
    const isAnywhere = isUnknown(value) && places.length === 1 && question.neighborhood.length === 0;
    const place = isAnywhere ? layout.city.name : nameValue('neighborhood', value);
    const isWhole = from === 1 && to === n;
    const which = from === to ? from : `${from}–${to}`;
    headings.set(value, say(isWhole ? 'edition.group' : 'archive.edition.group', { place, which, n }));
  }
  return headings;
}

function renderSignupLink({ layout, question, hasSignup }: WeeklyView): Markup | false {
  if (!hasSignup) return false;
  const label = layout.localization.say('archive.weekly.email');
  return markup`<a class="button quiet" href="${formatSignupAddress(question)}">${label}</a>`;
}

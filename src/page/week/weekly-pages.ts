/** Renders the pages at `/weekly`: the list of all weekly emails, and a single one. */

import type { EditionCount, EditionPage } from '../../shared/answers.ts';
import { isUnknown } from '../../shared/city/value-names.ts';
import type { Day } from '../../shared/day.ts';
import { findJoined } from '../../shared/edition/edition.ts';
import { splitIntroduction } from '../../shared/edition/introduction.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import { type Days, yearOf } from '../../shared/periods.ts';
import { EVERYTHING } from '../../shared/question.ts';
import { enlarge } from '../answer-card.ts';
import { describeKindless, type Group, listGroup } from '../kinds/kinds.ts';
import { OTHERS, renderLedger, renderPager } from '../ledger.ts';
import { type Markup, markup } from '../markup.ts';
import { formatSignupAddress, renderDocument } from '../page-layout.ts';
import { listFoundLabels } from '../question-text.ts';
import { formatPageAddress, formatSearchAddress, type SearchView } from '../search-view.ts';
import { renderBesideSheet, sayEnded } from '../subscription-pages.ts';
import { renderTiles, renderWeeks } from './edition-picture.ts';
import { renderSignupBox } from './signup-box.ts';

/** Only the filters `category` and `neighborhood` apply, and `offset`. */
type WeeklyView = Pick<SearchView, 'layout' | 'question' | 'shown'>;

/** The last week of a register that has ended, and its newest listings. */
type EndedWeek = { news: EditionNews; days: Days; total: number; listings: readonly Listing[] };

type EditionsView = WeeklyView & {
  editions: readonly (EditionCount & { lead: string })[];
  total: number;
  ended: EndedWeek | undefined;
  /** When the next edition is planned. */
  planned: readonly string[];
};

/** Renders the list of editions, each with the first sentence of its email. A register that has ended shows its last week instead of a signup. */
export function renderEditionsPage(view: EditionsView): string {
  const { layout, question, editions, total, ended, planned } = view;
  const { say, count, date } = layout.localization;
  const title = say('weekly.title');
  const what = listFoundLabels({ layout, question }).join(', ');
  const lines = editions.map(
    ({ edition, total, lead }) =>
      markup`<li><a href="${formatSearchAddress(`/weekly/${edition}`, question)}"><b>${count('archive.edition', total)}</b>
<span class="count">${date(edition)}</span></a><p>${lead}</p></li>`,
  );
  const only =
    what !== '' &&
    markup`<p>${say('email.only', { what })} <a href="/weekly">${say('archive.weekly.all')}</a></p>`;
  const past =
    lines.length > 0 || question.offset > 0
      ? markup`<h2>${say('archive.weekly.title')}</h2><ul class="editions">${lines}</ul>
${renderPager(view, { total, shown: editions.length })}`
      : what !== '' && markup`<p>${say('archive.weekly.nothing')}</p>`;
  if (ended !== undefined) return renderEndedWeek(view, ended, markup`${only}${past}`);
  const none = total === 0 && what === '' && say('archive.weekly.none');
  return renderBesideSheet(
    layout,
    title,
    markup`<h1 id="title">${title}</h1><p>${none} ${planned.join(' ')}</p>${only}
${renderSignupBox(view, { hasTitle: false, hasPicture: false })}`,
    { description: say('weekly.about'), below: past },
  );
}

/** Renders the last week as an edition is, and says why no other one comes. */
function renderEndedWeek(view: WeeklyView, { news, days, total, listings }: EndedWeek, past: Markup): string {
  const { layout, question } = view;
  const { say, period } = layout.localization;
  const all = formatPageAddress({ ...question, ...days, offset: 0 });
  const rest =
    total > listings.length &&
    markup`<p><a class="button quiet" href="${all}">${say('ended.all', { n: total })}</a></p>`;
  const main = markup`<div class="wide week results" id="view">
${renderLede(view, { issue: markup`<span>${period(days.filed_from, days.filed_to)}</span>`, news, total, said: sayEnded(layout, days.filed_to) })}
${renderLedger(layout, listings, { question, when: 'day' })}${rest}
<p class="note"><a href="/about#facts">${say('note.registered')}</a></p>${past}</div>`;
  return renderDocument(layout, { title: news.title, description: news.lead, main });
}

/** `filed`: when its listings registered. */
export type EditionNews = Record<'title' | 'lead' | 'filed', string> & {
  /** The weeks to the edition, oldest first, and where each leads. */
  weeks: readonly EditionCount[];
  hrefOf(week: Day): string;
  byCategory: Counts;
};

type EditionView = WeeklyView &
  Pick<EditionPage, 'total' | 'places' | 'previous' | 'introduction'> & {
    edition: Day;
    /** The heading and the first sentences of its email, if any listing is left. */
    news: EditionNews | undefined;
    listings: readonly Listing[];
  };

/** Renders a page of one edition as its email is: heading, first sentences and listings by neighborhood, then the filters. */
export function renderEditionPage(view: EditionView): string {
  const { layout, question, edition, news, introduction, total, previous, listings } = view;
  const { say, day } = layout.localization;
  const name = say('archive.edition.title', { day: day(edition) });
  const labels = listFoundLabels({ layout, question });
  const { offset } = question;
  const shown = { from: offset + 1, to: offset + listings.length, n: total };
  const range = listings.length > 0 && listings.length < total && say('results.range', shown);
  const whole =
    labels.length > 0 && markup` · <a href="${view.shown.path}">${say('archive.edition.all')}</a>`;
  const isFirst = offset === 0;
  const offer =
    layout.hasNews() && markup`<a href="${formatSignupAddress(question)}">${say('archive.weekly.email')}</a>`;
  const issue = markup`<span>${day(edition)}${whole}</span>${offer}`;
  const said = introduction !== null && isFirst && renderIntroduction(introduction);
  const main = markup`<div class="wide week results" id="view">
${renderLede(view, { issue, news, total, said, isFirst })}
${renderLedger(layout, listings, { question, year: yearOf(edition) }, formatPlaces(view))}
${renderPager(view, { total, shown: listings.length, before: previous })}
<p class="note">${range} <a href="/about#facts">${say('note.registered')}</a></p>
<p class="onscreen"><a href="${formatSearchAddress('/weekly', question)}">${say('archive.weekly.back')}</a></p>
<div class="onscreen">${renderSignupBox(view, { hasPicture: false })}</div></div>`;
  const title = `${news?.title ?? say('archive.edition.none')} – ${name}`;
  return renderDocument(layout, { title, ...(news && { description: news.lead }), main });
}

type Lede = {
  issue: Markup;
  news: EditionNews | undefined;
  total: number;
  /** What stands between the heading and the first sentences. */
  said: Markup | false;
  isFirst?: boolean;
};

/** Renders the head of an edition: its day, the heading and, on its first page, the weeks before it and the kinds. */
function renderLede(
  { layout, shown }: WeeklyView,
  { issue, news, total, said, isFirst = true }: Lede,
): Markup {
  const { say, number } = layout.localization;
  const linkGroup = (group: Group) =>
    formatSearchAddress(shown.path, { ...EVERYTHING, category: listGroup(layout.city, group) });
  const unknown = news && describeKindless(layout.localization, news.byCategory);
  const facts =
    isFirst &&
    news &&
    markup`<p class="lead">${news.filed} ${news.lead}</p>${renderWeeks(layout.localization, news.weeks, news.hrefOf)}
${renderTiles(layout.localization, news.byCategory, linkGroup)}${unknown && markup`<p class="note">${unknown}</p>`}`;
  return markup`<div class="lede"><p class="issue">${issue}</p>
<h1 id="found">${enlarge(news?.title ?? say('archive.edition.none'), number(total))}</h1>${said}${facts}</div>`;
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

/** Formats the headings of the neighborhoods on a page. */
function formatPlaces(view: EditionView): ReadonlyMap<string, Markup> {
  const { layout, question, places } = view;
  const { say, nameValue, number } = layout.localization;
  const headings = new Map<string, Markup>();
  const joined = findJoined(places);
  if (joined.size > 0)
    headings.set(OTHERS, markup`${say('edition.singles')} <span>${number(joined.size)}</span>`);
  for (const { value, count } of places) {
    if (joined.has(value)) continue;
    const isAnywhere = isUnknown(value) && places.length === 1 && question.neighborhood.length === 0;
    const place = isAnywhere ? layout.city.name : nameValue('neighborhood', value);
    headings.set(value, markup`${place} <span>${number(count)}</span>`);
  }
  return headings;
}

/**
 * Renders the page at `/about`: where the listings are from, what is left out, how to correct a listing, and the terms.
 * Renders the page at `/correct`, about one listing.
 */

import type { Stats } from '../shared/answers.ts';
import { type CityFacts, formatContactLink } from '../shared/city/city-facts.ts';
import type { Localization } from '../shared/city/localization.ts';
import { isPlaceholder } from '../shared/city/placeholders.ts';
import { isUnknown } from '../shared/city/value-names.ts';
import type { Day, Instant } from '../shared/day.ts';
import { type Counts, type Listing, STATUSES } from '../shared/listing.ts';
import { hasLaterFilings } from '../shared/periods.ts';
import { EVERYTHING, type Question } from '../shared/question.ts';
import type { LeftOut } from '../shared/report.ts';
import { formatNotice } from '../shared/signup/consent.ts';
import { explainStatus, formatStatus } from './filters.ts';
import { renderLedger } from './ledger.ts';
import { describeLeftOut, sayReason, sumLeftOut } from './left-out.ts';
import { fillMarkup, linkTo, type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';
import { formatPageAddress, type Searched } from './search-view.ts';
import { foldNotice } from './subscription-pages.ts';

type AboutView = {
  layout: PageLayout;
  dataAsOf: Instant | null;
  leftOut: LeftOut | undefined;
  /** The counts of the whole index, or `undefined` before the first run. */
  stats: Stats | undefined;
  /** Where the data ends: a few filings may be later. */
  dataEnd: Day | undefined;
  /** The number of businesses with each status. */
  statuses: Counts;
};

type CorrectionView = {
  layout: PageLayout;
  /** The search for the business that a correction is about, if any: its name and its date. */
  question: Question;
  /** The listings that this search finds. */
  found: readonly Listing[];
};

/** Renders where the listings come from, how much is left out, and a link to the page about it. */
export function renderRegister(view: Pick<AboutView, 'layout' | 'dataAsOf' | 'leftOut'>): Markup {
  const { layout, dataAsOf, leftOut } = view;
  const { say } = layout.localization;
  const packs = layout.city.sources.map((source) => describePack(layout.localization, source));
  return markup`<p>${describeRead(layout, dataAsOf)} ${leftOut && describeLeftOut(layout, leftOut)} ${packs.join(' ')}
<a href="/about">${say('about.link')}</a></p>`;
}

function describeRead({ city, localization }: PageLayout, dataAsOf: Instant | null): Markup {
  const { say, dayOf } = localization;
  const text = dataAsOf === null ? say('about.from') : say('about.read', { day: dayOf(dataAsOf) });
  return fillSource(city, text);
}

/** Fills `{source}` with links to the pages of the publishers, which have the whole register. */
function fillSource({ sources }: CityFacts, text: string): Markup {
  const homepages = new Map(sources.map(({ publisher, homepage }) => [publisher, homepage]));
  const links = Array.from(
    homepages,
    ([publisher, homepage], i) => markup`${i > 0 && ', '}${linkTo(homepage, publisher)}`,
  );
  return fillMarkup(text, { source: links });
}

type Section = [id: string, title: string, content: Markup];

export function renderAboutPage(view: AboutView): string {
  const { layout } = view;
  const { say } = layout.localization;
  const correction = describeCorrection({ layout, question: EVERYTHING, found: [] });
  const all: Section[] = [
    ['source', say('source.title'), renderData(view)],
    ['facts', say('facts.title'), renderFacts(view)],
    ['omitted', say('omitted.title'), renderOmitted(view)],
    ['correct', say('correct.title'), markup`${correction}`],
    ['email', say('about.email'), renderPrivacy(layout)],
    ['terms', say('terms.title'), renderPoints(layout, 'terms.text')],
  ];
  const contents = all.map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`);
  const sections = all.map(
    ([id, title, content]) => markup`<section id="${id}"><h2>${title}</h2>${content}</section>
`,
  );
  const main = markup`<div class="wide about"><div class="lede"><h1>${say('about.heading')}</h1><p class="lead">${describeData(view)}</p></div>
<nav class="contents" aria-label="${say('about.contents')}"><ul>${contents}</ul></nav>
<div class="sections">${sections}</div></div>`;
  const title = say('about.heading');
  return renderDocument(layout, { title, description: say('about.description'), main, hasScript: true });
}

/** Renders what is stored about people who sign up. */
function renderPrivacy({ city, localization, hasNews }: PageLayout): Markup {
  const { say } = localization;
  const first = hasNews() ? markup`<a href="/signup">${say('signup.title')}</a>` : say('about.email.ended');
  return markup`<p>${first}</p>${foldNotice(localization, formatNotice(city))}`;
}

/** Renders what the data covers, its sources, and how often they are read. */
function renderData(view: AboutView): Markup {
  const { layout, dataAsOf } = view;
  const { city, localization } = layout;
  const { say, count, day, moment } = localization;
  const hours = Math.min(...city.sources.map(({ everyHours = 24 }) => everyHours));
  const days = Math.max(1, Math.round(hours / 24));
  const current = [
    dataAsOf !== null && say('source.fresh', { moment: moment(dataAsOf) }),
    layout.hasNews() && city.asOf === undefined && count('source.often', days),
    city.asOf !== undefined && say('source.archive', { day: day(city.asOf) }),
  ].filter((sentence) => sentence !== false);
  return markup`${renderSources(layout)}<p>${current.join(' ')}</p>`;
}

/** Describes how many businesses there are, up to which day and with which later ones, and whether newer ones will follow. */
function describeData({ layout, stats, dataEnd }: AboutView): string {
  const { say, count, day } = layout.localization;
  if (stats === undefined || stats.latestFiling === null) return say('lead.none');
  const { total, latestFiling } = stats;
  if (layout.hasNews()) return count('about.data', total, { day: day(latestFiling) });
  const end = dataEnd ?? latestFiling;
  const later = hasLaterFilings(latestFiling, end) ? say('note.later') : '';
  return `${count('about.ended', total, { day: day(end) })} ${later}`.trim();
}

/** Says that nobody has checked the listings of a pack against its register, or returns `''`. */
function describePack(
  { say }: Localization,
  { pack, checked }: Pick<CityFacts['sources'][number], 'pack' | 'checked'>,
): string {
  return pack !== undefined && checked === 'documentation' ? say('source.pack', { pack }) : '';
}

/** Renders the sources with their notices, word for word as the publishers require. */
function renderSources({ city, localization }: PageLayout): Markup {
  const { say } = localization;
  const all = city.sources.map(({ publisher, homepage, license, terms, notice, pack, checked }) => {
    const certainty = describePack(localization, { pack, checked });
    const links = {
      source: linkTo(homepage, publisher),
      license: terms === undefined ? license : linkTo(terms, license),
    };
    const quoted = notice !== undefined && markup`<br><q>${notice}</q>`;
    return markup`<li>${fillMarkup(say('source.license'), links)} ${certainty}${quoted}</li>`;
  });
  return markup`<ul class="sources">${all}</ul>`;
}

/** Renders each line of a text as a point of a list. */
function renderPoints(
  { city, localization }: PageLayout,
  word: 'facts.text' | 'terms.text' | 'correct.points',
): Markup {
  const lines = localization.say(word).split('\n');
  return markup`<ul class="points">${lines.map((line) => markup`<li>${fillSource(city, line)}</li>`)}</ul>`;
}

/** Renders explanations of filings and of each status in use. A filing does not say that a business is open. */
function renderFacts({ layout, statuses }: AboutView): Markup {
  const { say, number } = layout.localization;
  const rows = STATUSES.flatMap((status) => {
    const n = statuses.find(({ value }) => value === status)?.count ?? 0;
    const name = say('filter.value', { value: formatStatus(layout, status), n: number(n) });
    return n === 0
      ? []
      : markup`<tr><th scope="row">${name}</th><td>${explainStatus(layout, status)}</td></tr>`;
  });
  const heads = markup`<th scope="col">${say('filter.status')}</th><th scope="col">${say('facts.meaning')}</th>`;
  return markup`<p>${say('facts.filing')}</p>${renderPoints(layout, 'facts.text')}${
    rows.length > 0 &&
    markup`<table aria-label="${say('facts.title')}"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`
  }`;
}

/** Explains why a business can be missing, and lists how many rows are left out for each reason. */
function renderOmitted({ layout: { localization }, leftOut, stats }: AboutView): Markup {
  const { say, count } = localization;
  const unplaced = stats?.by.neighborhood.find(({ value }) => isUnknown(value))?.count ?? 0;
  const counted = leftOut && renderLeftOut(localization, leftOut, stats?.total ?? 0);
  const places = unplaced > 0 && markup`<p>${count('facet.unknown.neighborhood', unplaced)}</p>`;
  return markup`${counted}<p>${say('omitted.missing')}</p>${places}`;
}

/** Renders a subtraction: the rows of the register, minus rows left out, minus repeated rows of the same business. */
function renderLeftOut(localization: Localization, leftOut: LeftOut, businesses: number): Markup | undefined {
  const { say, count, number, change } = localization;
  const { total, reasons } = sumLeftOut(leftOut);
  if (total === 0) return undefined;
  const kept = leftOut.read - total;
  const named = reasons.reduce((sum, [, rows]) => sum + rows, leftOut.rejected);
  const row = (name: string, text: string, look = '') =>
    markup`<tr class="${look}"><th scope="row">${name}</th><td>${text}</td></tr>`;
  const sum = (name: string, n: number) => row(name, number(n), 'whole');
  const less = (name: string, n: number) => n > 0 && row(name, change(-n));
  const shown =
    kept >= businesses &&
    markup`${less(say('omitted.further'), kept - businesses)}${sum(say('omitted.shown'), businesses)}`;
  return markup`<p>${count('facts.left', total, { read: leftOut.read })} ${say('omitted.why')}</p>
<table class="changes" aria-label="${say('omitted.title')}"><tbody>${sum(say('omitted.rows'), leftOut.read)}
${reasons.map(([reason, n]) => row(sayReason(localization, reason), change(-n)))}
${less(say('facts.left.damaged'), leftOut.rejected)}${less(say('facts.left.others'), total - named)}
${sum(say('omitted.kept'), kept)}${shown}</tbody></table>`;
}

/** Renders how to have one listing corrected or removed: what is shown of it, and whom to write to. */
export function renderCorrectionPage(view: CorrectionView): string {
  const { say } = view.layout.localization;
  const title = say(view.found.length > 0 ? 'correct.link' : 'correct.title');
  const [what, points] = describeCorrection(view);
  const main = markup`<div class="narrow"><div class="beside-sheet"><div><h1>${title}</h1>${what}</div>
<div class="panel"><h2>${say('correct.next')}</h2>${points}<p><a href="/about">${say('about.heading')}</a></p></div></div></div>`;
  return renderDocument(view.layout, { title, main });
}

/** Renders the correction link, and what becomes of a correction. If the contact is an email address, the link opens a prepared message. */
function describeCorrection({ layout, question, found }: CorrectionView): Markup[] {
  const { city, localization } = layout;
  const { say } = localization;
  const { contact } = city.operator;
  if (isPlaceholder(contact)) return [markup`<p>${fillSource(city, say('correct.none'))}</p>`];
  const href = formatContactLink(contact);
  const link = href === undefined ? contact : markup`<a href="${href}">${contact}</a>`;
  const { q: name, filed_from: filing_date, filed_to } = question;
  const one =
    name !== '' && filing_date !== '' && filing_date === filed_to ? { name, filing_date } : undefined;
  const served = found.filter((listing) => listing.name === name && listing.filing_date === filing_date);
  const about =
    one &&
    (served.length > 0
      ? markup`<p>${say('correct.shown')}</p>${renderLedger(layout, served, { isPlain: true })}`
      : markup`<p><strong>${say('answer.which', { name, day: localization.day(filing_date) })}</strong></p>`);
  const answers = city.operator.answers && say('correct.answers', { answers: city.operator.answers });
  const mail = formatCorrection({ layout, question }, one);
  const text = say(one && mail !== undefined ? 'correct.prepared' : 'correct.text');
  const message =
    mail !== undefined && markup`<p><a class="button" href="${mail}">${say('correct.button')}</a></p>`;
  return [
    markup`${about}<p>${fillMarkup(text, { contact: link })} ${answers}</p>${message || undefined}`,
    renderPoints(layout, 'correct.points'),
  ];
}

/** Formats the address of a prepared message about a business or a search, if the contact is an email address. */
function formatCorrection(
  { layout: { city, localization, publicUrl }, question }: Searched,
  { name = '', filing_date }: Partial<Listing> = {},
): string | undefined {
  const { say, day } = localization;
  const href = formatContactLink(city.operator.contact);
  if (isPlaceholder(city.operator.contact) || !href?.startsWith('mailto:')) return undefined;
  const address = `${publicUrl}${formatPageAddress(question)}`;
  const body = say('correct.body', { name, day: filing_date === undefined ? '' : day(filing_date), address });
  return `${href}?subject=${encodeURIComponent(say('correct.subject'))}&body=${encodeURIComponent(body.toWellFormed())}`;
}

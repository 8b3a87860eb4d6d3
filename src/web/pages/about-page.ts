/** The page at `/about`, "About this data": where the listings are from, what is left out, how to correct one, and the terms. */

import type { City } from '../../city/define.ts';
import type { Localization } from '../../city/localization.ts';
import { isPlaceholder } from '../../city/placeholders.ts';
import { isKnownWord } from '../../city/words.ts';
import { type Instant, toLocalDay } from '../../listings/day.ts';
import { isUnknown } from '../../listings/listing.ts';
import type { Stats } from '../../search/listing-index.ts';
import type { LeftOut } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';

export type AboutView = {
  layout: PageLayout;
  asOf: Instant | null;
  leftOut: LeftOut | undefined;
  /** The figures of the index; `undefined` before the first run. */
  stats: Stats | undefined;
  /** What is stored about a person who signs up; `undefined` if nobody can. */
  notice: string | undefined;
  /** Whether the register has ended, so that it is not read again. */
  isArchive: boolean;
};

/** Minimum number of rows for a reason to be named. With fewer, it could identify one of them. */
const FEWEST_ROWS = 10;

/** Renders two sentences about the service and a link to the page. */
export function renderAboutBox({
  layout,
  asOf,
  leftOut,
}: Pick<AboutView, 'layout' | 'asOf' | 'leftOut'>): Markup {
  const { say } = layout.localization;
  const packs = layout.city.sources
    .filter(isUnchecked)
    .map(({ pack }) => say('source.pack', { pack: pack! }));
  return markup`<section class="panel" id="about" aria-labelledby="about-title"><h2 id="about-title">${say('about.heading')}</h2>
<p>${describeRead(layout, asOf)} ${leftOut && describeMost(layout, leftOut)} ${packs.join(' ')}</p>
<p><a href="/about">${say('about.link')}</a></p></section>`;
}

function describeRead({ city, localization }: PageLayout, asOf: Instant | null): Markup {
  const { say, day } = localization;
  const text =
    asOf === null ? say('about.from') : say('about.read', { day: day(toLocalDay(city.timeZone, asOf)) });
  const [before = '', after = ''] = text.split('{source}');
  const homepages = new Map(city.sources.map(({ publisher, homepage }) => [publisher, homepage]));
  const links = [...homepages].map(
    ([publisher, homepage], i) =>
      markup`${i > 0 && ', '}<a href="${homepage}" rel="nofollow">${publisher}</a>`,
  );
  return markup`${before}${links}${after}`;
}

function describeMost({ localization }: PageLayout, leftOut: LeftOut): string {
  const { total, reasons } = sumLeftOut(leftOut);
  const [most] = reasons;
  if (total === 0) return '';
  const values = { read: leftOut.read, reason: sayReason(localization, most?.[0] ?? '') };
  return most === undefined
    ? localization.count('facts.left', total, values)
    : localization.count('facts.left.most', total, values);
}

/** Returns the reasons with enough rows to be named, most frequent first. */
function sumLeftOut({ skipped, rejected }: LeftOut): { total: number; reasons: [string, number][] } {
  const reasons = [...skipped].toSorted(([, a], [, b]) => b - a);
  const total = reasons.reduce((sum, [, rows]) => sum + rows, rejected);
  return { total, reasons: reasons.filter(([, rows]) => rows >= FEWEST_ROWS) };
}

/** Says the reasons of every mapping in the city's language. All others are the profile's own words. */
function sayReason({ say, day }: Localization, reason: string): string {
  const [, before] = /^filed before (\d{4}-\d\d-\d\d)$/.exec(reason) ?? [];
  if (before !== undefined) return say('reason.filed before', { day: day(before) });
  const word = `reason.${reason}`;
  return isKnownWord(word) ? say(word) : reason;
}

export function renderAboutPage(view: AboutView): string {
  const { layout, notice } = view;
  const { say } = layout.localization;
  const all: [id: string, title: string, content: Markup][] = [
    ['source', say('source.title'), renderData(view)],
    ['facts', say('facts.title'), renderFacts(layout.localization)],
    ['omitted', say('omitted.title'), renderOmitted(view)],
    ['correct', say('correct.title'), renderCorrection(layout)],
    [
      'cite',
      say('cite.title'),
      markup`<p>${say('cite.text')} <a href="/changes">${say('cite.link')}</a></p>`,
    ],
    ...(notice === undefined ? [] : [renderPrivacy(view, notice)]),
    ['terms', say('terms.title'), markup`<p>${say('terms.text')}</p>`],
  ];
  const contents = all.map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`);
  const sections = all.map(
    ([id, title, content]) => markup`<section id="${id}"><h2>${title}</h2>${content}</section>
`,
  );
  const main = markup`<div class="narrow"><h1>${say('about.heading')}</h1>
<nav class="contents" aria-label="${say('about.contents')}"><ul>${contents}</ul></nav>
${sections}</div>`;
  return renderDocument(layout, { title: say('about.heading'), description: say('about.description'), main });
}

function renderPrivacy({ layout, isArchive }: AboutView, notice: string): [string, string, Markup] {
  const { say } = layout.localization;
  const label = say(isArchive ? 'waitlist.label' : 'signup.title');
  return ['email', say('about.email'), markup`<p>${notice}</p><p><a href="/signup">${label}</a></p>`];
}

/** Renders the sources, how current they are and how often they are read. */
function renderData(view: AboutView): Markup {
  const { layout, asOf, isArchive } = view;
  const { city, localization } = layout;
  const { say, count, day, moment } = localization;
  const days = Math.max(
    1,
    Math.round(Math.min(...city.sources.map(({ everyHours = 24 }) => everyHours)) / 24),
  );
  const current = [
    asOf !== null && say('source.fresh', { moment: moment(asOf) }),
    !isArchive && city.asOf === undefined && count('source.often', days),
    city.asOf !== undefined && say('source.archive', { day: day(city.asOf) }),
  ].filter((sentence) => sentence !== false);
  return markup`${renderSources(layout)}<p>${current.join(' ')}</p>
<p>${describeData(view)}</p>`;
}

function renderFacts(localization: Localization): Markup {
  return markup`<p>${localization.say('facts.text')}</p>${renderStatuses(localization)}`;
}

function describeData({ layout, stats }: AboutView): string {
  const { say, count, day } = layout.localization;
  if (stats === undefined || stats.latestFiling === null) return say('lead.none');
  return count('about.data', stats.total, { day: day(stats.latestFiling) });
}

/** Returns whether the listings of a pack were never compared with its register. */
function isUnchecked({ pack, checked }: Pick<City['sources'][number], 'pack' | 'checked'>): boolean {
  return pack !== undefined && checked === 'documentation';
}

/** Renders the notices word for word, as the publisher requires. */
function renderSources({ city, localization }: PageLayout): Markup {
  const { say } = localization;
  const all = city.sources.map(({ publisher, homepage, licence, notice, pack, checked }) => {
    const certainty = isUnchecked({ pack, checked }) && ` ${say('source.pack', { pack: pack! })}`;
    return markup`<li><a href="${homepage}" rel="nofollow">${publisher}</a>. ${say('source.licence', { licence })}${certainty}${notice !== undefined && markup`<br><q>${notice}</q>`}</li>`;
  });
  return markup`<ul class="sources">${all}</ul>`;
}

const STATUS_TEXTS = ['closed', 'expired', 'abandoned', 'open'] as const;

function renderStatuses({ say }: Localization): Markup {
  return markup`<dl>${STATUS_TEXTS.map((status) => markup`<dt>${say(`status.${status}`)}</dt><dd>${say(`status.${status}.text`)}</dd>`)}</dl>`;
}

/** Says why a business can be missing, and lists how many rows are left out by reason. */
function renderOmitted({ layout: { localization }, leftOut, stats }: AboutView): Markup {
  const { say, count } = localization;
  const unplaced = stats?.byNeighborhood.find(({ value }) => isUnknown(value))?.count ?? 0;
  return markup`<p>${say('omitted.missing')}</p>
${leftOut === undefined ? markup`<p>${say('omitted.unknown')}</p>` : renderLeftOut(localization, leftOut, stats?.total ?? 0)}${unplaced > 0 && markup`<p>${count('map.unplaced', unplaced)}</p>`}`;
}

/** Lists what is left out, and says why the other rows are fewer businesses. */
function renderLeftOut(localization: Localization, leftOut: LeftOut, businesses: number): Markup | false {
  const { say, count, number } = localization;
  const { total, reasons } = sumLeftOut(leftOut);
  if (total === 0) return false;
  const others = leftOut.read - total;
  const named = reasons.reduce((sum, [, rows]) => sum + rows, leftOut.rejected);
  const rows: [string, number][] = [
    ...reasons,
    ...(leftOut.rejected > 0 ? [[say('facts.left.damaged'), leftOut.rejected] as [string, number]] : []),
    ...(total > named ? [[say('facts.left.others'), total - named] as [string, number]] : []),
  ];
  const items = rows.map(
    ([reason, n]) =>
      markup`<li><span>${sayReason(localization, reason)}</span> <span class="count">${number(n)}</span></li>`,
  );
  return markup`<p>${count('facts.left', total, { read: leftOut.read })}</p><p class="note">${say('omitted.reasons')}</p><ul class="counted">${items}</ul>${others > businesses && markup`<p>${count('omitted.merged', businesses, { rows: others })}</p>`}`;
}

/** Renders the correction link. If the contact is an email address, the link contains a prepared message. */
function renderCorrection({ city, localization: { say } }: PageLayout): Markup {
  const { contact } = city.operator;
  if (isPlaceholder(contact)) return markup`<p>${say('correct.none')}</p>`;
  const [before = '', after = ''] = say('correct.text').split('{contact}');
  const href = formatContactLink(contact);
  const link = href === undefined ? contact : markup`<a href="${href}">${contact}</a>`;
  const body = encodeURIComponent(say('correct.body'));
  const message =
    href?.startsWith('mailto:') &&
    markup`<p><a class="button quiet" href="${href}?subject=${encodeURIComponent(say('correct.subject'))}&amp;body=${body}">${say('correct.button')}</a></p>`;
  return markup`<p>${before}${link}${after}</p>${message || undefined}`;
}

/** Returns the link to a contact, or `undefined` if the contact is a sentence. */
export function formatContactLink(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return `mailto:${contact}`;
  return URL.canParse(contact) ? contact : undefined;
}

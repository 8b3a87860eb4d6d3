/** The weekly email, as HTML and as plain text. A pure function of the edition's content. */

import type { City } from '../city/define.ts';
import { escapeMarkup } from '../listings/escape.ts';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { formatSender } from './confirmation-email.ts';
import type { Count, EditionContent } from './edition.ts';
import {
  type EmailBody,
  renderFrame,
  renderHeading,
  renderLink,
  renderParagraph,
  renderSmallPrint,
  STYLE,
  wrapText,
} from './email-layout.ts';

const GLANCED = 5;
const COUNTED = 10; // lines in a table of counts; all others are summed up in one line

export type EditionFacts = {
  city: City;
  content: EditionContent;
  links: { unsubscribe: string; manage: string; home: string };
  postalAddress: string | undefined;
  /** Shown at the top of a preview without news. */
  isExample?: boolean;
};

type Shown = EditionContent['listings'][number];

export function renderEditionEmail(facts: EditionFacts): EmailBody {
  const { city, content } = facts;
  const subject = `${headline(content)} in ${city.name}`;
  const html = renderFrame({
    city,
    title: subject,
    preheader: glance(content),
    body: [...renderOpening(facts), ...sections(content), rest(facts), ...renderTables(content)].join('\n'),
    footer: footer(facts),
  });
  return { subject, html, text: renderText(facts, subject) };
}

function headline({ total }: EditionContent): string {
  return `${total.toLocaleString('en')} new ${total === 1 ? 'business' : 'businesses'}`;
}

/** The neighborhoods with the most new listings, in one line. */
function glance({ byNeighborhood }: EditionContent): string {
  const named = byNeighborhood.filter(({ value }) => value !== UNKNOWN_NEIGHBORHOOD);
  const first = named.slice(0, GLANCED).map(({ value, count }) => `${value} ${count}`);
  const more = named.length - first.length;
  return `${first.join(', ')}${more > 0 ? `, and ${more} more ${more === 1 ? 'neighborhood' : 'neighborhoods'}` : ''}`;
}

function span({ from, to, before }: EditionContent): string {
  const since =
    from === to
      ? `First seen in filings of ${formatDate(to)}.`
      : `First seen in filings from ${formatDate(from)} to ${formatDate(to)}.`;
  return before === null
    ? since
    : `${since} The edition of ${formatDate(before.edition)} had ${before.total.toLocaleString('en')}.`;
}

function renderOpening({ city, content, isExample }: EditionFacts): string[] {
  const note = isExample
    ? renderSmallPrint(
        '<strong>Example:</strong> there are no new businesses, so these are the latest listings.',
      )
    : '';
  return [
    renderHeading(`${headline(content)} in ${city.name}`),
    renderParagraph(escapeMarkup(glance(content))),
    renderSmallPrint(escapeMarkup(span(content))),
    note,
  ];
}

type Group = { neighborhood: string; of: number; listings: readonly Shown[] };

/** One section for each neighborhood, in order of the number of new listings. */
function groupListings({ listings, byNeighborhood }: EditionContent): Group[] {
  return byNeighborhood
    .map(({ value, count }) => ({
      neighborhood: value,
      of: count,
      listings: listings.filter(({ neighborhood }) => neighborhood === value),
    }))
    .filter((group) => group.listings.length > 0);
}

function place(neighborhood: string): string {
  return neighborhood === UNKNOWN_NEIGHBORHOOD ? 'Neighborhood unknown' : neighborhood;
}

function groupTitle({ neighborhood, of, listings }: Group): string {
  return `${place(neighborhood)} (${of > listings.length ? `${listings.length} of ${of}` : of})`;
}

function sections(content: EditionContent): string[] {
  return groupListings(content).map(
    (group) => `<h2 class="ink" style="${STYLE.h2}">${escapeMarkup(groupTitle(group))}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${group.listings.map(listingRow).join('\n')}
</table>`,
  );
}

function listingRow(listing: Shown): string {
  return `<tr><td class="ink line" style="${STYLE.row}"><strong>${escapeMarkup(listing.name)}</strong><br><span class="muted" style="${STYLE.muted}">${escapeMarkup(detail(listing))}</span></td></tr>`;
}

function detail({ category, filing_date, status }: Shown): string {
  const kind = category === UNCATEGORIZED ? 'category unknown' : category;
  return `${kind}, filed ${formatDate(filing_date)}${status === 'open' ? '' : `, ${status}`}`;
}

function rest({ content, links }: EditionFacts): string {
  const more = content.total - content.listings.length;
  const label =
    more > 0
      ? `See the other ${more.toLocaleString('en')} and all earlier listings`
      : 'See all earlier listings';
  return renderParagraph(renderLink(links.home, label));
}

/** Each breakdown under its title: the first lines, and one for all others. */
function breakdowns(content: EditionContent): { title: string; counts: Count[] }[] {
  const places = content.byNeighborhood.map((one) => ({ ...one, value: place(one.value) }));
  return [
    { title: 'By neighborhood', counts: lines(places, content) },
    { title: 'By kind of business', counts: lines(content.byCategory, content) },
  ];
}

/** The sum is the edition's total. */
function lines(counts: readonly Count[], { total, before }: EditionContent): Count[] {
  if (counts.length <= COUNTED + 1) return [...counts];
  const first = counts.slice(0, COUNTED);
  const sum = (of: 'count' | 'before') => first.reduce((all, one) => all + one[of], 0);
  const others = { count: total - sum('count'), before: Math.max(0, (before?.total ?? 0) - sum('before')) };
  return [...first, { value: 'All others', ...others }];
}

function countColumns({ edition, before }: EditionContent): [string, string | undefined] {
  const isLastWeek = before !== null && Date.parse(edition) - Date.parse(before.edition) === 7 * 86_400_000;
  return ['this week', before === null ? undefined : isLastWeek ? 'last week' : formatDate(before.edition)];
}

function renderTables(content: EditionContent): string[] {
  const [now, then] = countColumns(content);
  const head = (label: string) =>
    `<th scope="col" class="muted" style="${STYLE.head}">${escapeMarkup(label)}</th>`;
  const number = (n: number, isMuted: boolean) =>
    `<td class="${isMuted ? 'muted' : 'ink'} line" style="${STYLE.number}">${n.toLocaleString('en')}</td>`;
  const row = ({ value, count, before }: Count) =>
    `<tr><th scope="row" class="ink line" style="${STYLE.row};font-size:15px">${escapeMarkup(value)}</th>${number(count, false)}${then === undefined ? '' : number(before, true)}</tr>`;
  return breakdowns(content).map(
    ({ title, counts }) => `<h2 class="ink" style="${STYLE.h2}">${escapeMarkup(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td></td>${head(now)}${then === undefined ? '' : head(then)}</tr>
${counts.map(row).join('\n')}
</table>`,
  );
}

function why({ name }: City): string {
  return `You get this email because you signed up for the weekly email about new businesses in ${name}.`;
}

function sourceLines({ sources }: City): string[] {
  return sources.map(
    ({ publisher, licence, notice }) =>
      `From filings published by ${publisher} (${licence}).${notice === undefined ? '' : ` ${notice}`}`,
  );
}

function footer({ city, links, postalAddress }: EditionFacts): string {
  return [
    renderSmallPrint(escapeMarkup(why(city))),
    renderSmallPrint(
      `${renderLink(links.unsubscribe, 'Unsubscribe')} &middot; ${renderLink(links.manage, 'See or erase your data')}`,
    ),
    ...sourceLines(city).map((line) => renderSmallPrint(escapeMarkup(line))),
    renderSmallPrint(escapeMarkup(formatSender(city, postalAddress))),
  ].join('\n');
}

function renderText(facts: EditionFacts, subject: string): string {
  const { city, content, links, postalAddress, isExample } = facts;
  const [now, then] = countColumns(content);
  const row = ({ value, count, before }: Count) =>
    `${value}: ${count}${then === undefined ? '' : `, ${before}`}`;
  const more = content.total - content.listings.length;
  return `${[
    subject.toUpperCase(),
    wrapText(glance(content)),
    wrapText(span(content)),
    ...(isExample ? ['Example: there are no new businesses, so these are the latest listings.'] : []),
    ...groupListings(content).map((group) =>
      [
        groupTitle(group).toUpperCase(),
        ...group.listings.map((one) => `* ${one.name}\n  ${detail(one)}`),
      ].join('\n'),
    ),
    `${more > 0 ? `The other ${more.toLocaleString('en')} and all earlier listings` : 'All earlier listings'}:\n${links.home}`,
    ...breakdowns(content).map(({ title, counts }) =>
      [`${title.toUpperCase()} (${now}${then === undefined ? '' : `, ${then}`})`, ...counts.map(row)].join(
        '\n',
      ),
    ),
    '--',
    wrapText(why(city)),
    `Unsubscribe:\n${links.unsubscribe}`,
    `See or erase your data:\n${links.manage}`,
    ...sourceLines(city).map(wrapText),
    wrapText(formatSender(city, postalAddress)),
  ].join('\n\n')}\n`;
}

/** `October 6, 2016` */
function formatDate(day: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

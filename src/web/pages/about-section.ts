/** The section about sources, the meaning of a listing, removal and terms. */

import type { CityPageView, LeftOut } from './city-page-view.ts';
import { type Markup, markup } from './markup.ts';

export function renderAboutSection({
  layout,
  asOf,
  leftOut,
}: Pick<CityPageView, 'layout' | 'asOf' | 'leftOut'>): Markup {
  const { city, localization } = layout;
  const { say } = localization;
  const fresh = asOf === null ? undefined : say('source.fresh', { moment: localization.moment(asOf) });
  const archive =
    city.asOf === undefined ? undefined : say('source.archive', { day: localization.day(city.asOf) });
  return markup`<section class="about" id="about" aria-labelledby="about-title"><div class="wide"><h2 id="about-title">${say('about.title')}</h2>
<div class="grid">
<div><h3>${say('source.title')}</h3>${sources(layout)}<p>${fresh} ${archive}</p></div>
<div><h3>${say('facts.title')}</h3><p>${say('facts.text')}</p>${leftOut && describeLeftOut(layout, leftOut)}</div>
<div id="removal"><h3>${say('removal.title')}</h3><p>${removal(layout)}</p></div>
<div id="terms"><h3>${say('terms.title')}</h3><p>${say('terms.text')}</p></div>
</div></div></section>`;
}

const SHOWN_REASONS = 4;
/** A reason with fewer rows could identify one of them. */
const FEWEST_ROWS = 10;

/** How many rows are left out, by the most frequent reasons. */
function describeLeftOut(
  { localization }: CityPageView['layout'],
  { read, skipped, rejected }: LeftOut,
): Markup | undefined {
  const { say, count } = localization;
  const reasons = [...skipped].toSorted(([, a], [, b]) => b - a);
  const n = reasons.reduce((sum, [, rows]) => sum + rows, rejected);
  if (n === 0) return undefined;
  const shown = reasons.slice(0, SHOWN_REASONS).filter(([, rows]) => rows >= FEWEST_ROWS);
  const others = shown.reduce((left, [, rows]) => left - rows, n - rejected);
  const named = [
    ...shown.map(([reason, rows]) => say('facts.left.reason', { reason, n: rows })),
    ...(rejected > 0 ? [say('facts.left.damaged', { n: rejected })] : []),
    ...(others > 0 ? [say('facts.left.others', { n: others })] : []),
  ];
  return markup`<p>${count('facts.left', n, { read, reasons: named.join(', ') })}</p>`;
}

/** Notices are shown word for word, as the publisher requires. */
function sources({ city, localization }: CityPageView['layout']): Markup {
  const { say } = localization;
  const all = city.sources.map(({ publisher, homepage, licence, notice, pack, checked }) => {
    const isUnchecked = pack !== undefined && checked === 'documentation';
    const certainty = isUnchecked && ` ${say('source.pack', { pack })}`;
    return markup`<li><a href="${homepage}" rel="nofollow">${publisher}</a>. ${say('source.licence', { licence })}${certainty}${notice !== undefined && markup`<br><q>${notice}</q>`}</li>`;
  });
  return markup`<ul class="sources">${all}</ul>`;
}

/** The removal text, with the contact as a link if it is an address. */
function removal({ city, localization }: CityPageView['layout']): Markup {
  const { contact } = city.operator;
  const [before = '', after = ''] = localization.say('removal.text').split('{contact}');
  const href = formatContactLink(contact);
  return markup`${before}${href === undefined ? contact : markup`<a href="${href}">${contact}</a>`}${after}`;
}

/** The link to a contact; `undefined` if the contact is a sentence. */
export function formatContactLink(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return `mailto:${contact}`;
  return URL.canParse(contact) ? contact : undefined;
}

/** The page at `/`: new businesses and everything around them. A pure function of its view. */

import { isException } from '../../listings/listing.ts';
import { asksAnything } from '../../search/parameters.ts';
import { renderAboutSection } from './about-section.ts';
import { renderBars } from './chart/bars.ts';
import { renderChart } from './chart/chart.ts';
import { type CityPageView, formatPageAddress } from './city-page-view.ts';
import { listChips, renderSearchForm } from './filters.ts';
import { renderMap } from './map.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';
import { renderDataset, renderPreview } from './page-metadata.ts';
import { describeSearch } from './question-text.ts';
import { renderResults } from './results.ts';

/** The whole page as HTML. */
export function renderCityPage(view: CityPageView): string {
  const { layout, question } = view;
  const { say } = layout.localization;
  const asked = asksAnything(question);
  const results = renderResults(view);
  const main = markup`<section class="hero"><div class="wide">
<h1>${say('title')}</h1>
<p class="lead">${lead(view)}</p>
${renderSearchForm(view)}
</div></section>
<div class="wide cols">
${asked && results}
${renderMap(view)}
${!asked && results}
<div class="side" id="side" data-live>
${view.isArchive ? archive(view) : week(view)}
${renderBars(view, 'category', say('kinds.title'))}
${view.outline === undefined && renderBars(view, 'neighborhood', say('map.title'))}
</div>
</div>
${renderChart(view)}
${view.signup && email(layout, view.signup, view.isArchive)}
${renderAboutSection(view)}`;
  const [title, description] = [titleOf(view), lead(view)];
  const preview = { title, description, path: formatPageAddress(question) };
  const register = { description, asOf: view.asOf, latestFiling: view.stats.latestFiling };
  const head = markup`${renderPreview(layout, preview)}${!asked && renderDataset(layout, register)}
<link rel="canonical" href="${layout.publicUrl}/">
${renderFeedLinks(view)}
${
  asked &&
  markup`<meta name="robots" content="noindex">
`
}`;
  const sections = (['map', 'chart', 'email', 'about'] as const).filter(
    (id) => (id !== 'map' || view.outline !== undefined) && (id !== 'email' || view.signup !== undefined),
  );
  return renderDocument(layout, { title, main, head, isLive: true, sections });
}

/** Before the first filings are read, or while the operator must look at them: `held` says why, to the operator and in English. */
export function renderWaitingPage(
  layout: PageLayout,
  signup: Markup | undefined,
  held: readonly string[] = [],
): string {
  const { say } = layout.localization;
  const lead =
    held.length === 0
      ? markup`<p class="lead">${say('waiting')}</p><p><a class="button" href="/">${say('waiting.again')}</a></p>`
      : markup`<p class="lead">${say('waiting.held')}</p><p>${say('waiting.operator')}</p>${held.map((sentence) => markup`<p lang="en">${capitalize(sentence)}.</p>`)}`;
  const main = markup`<section class="hero"><div class="wide"><h1>${say('title')}</h1>${lead}</div></section>
${signup && email(layout, signup)}
${renderAboutSection({ layout, asOf: null, leftOut: undefined })}`;
  const head = markup`<meta name="robots" content="noindex">
`;
  return renderDocument(layout, { title: say('title'), main, head });
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Both formats of the feed of this search, for readers that look for them. */
function renderFeedLinks(view: CityPageView): Markup {
  const title = describeSearch(view);
  const address = (path: string) => formatPageAddress({ ...view.question, offset: 0 }).replace('/', path);
  return markup`<link rel="alternate" type="application/feed+json" href="${address('/feed.json')}" title="${title}">
<link rel="alternate" type="application/atom+xml" href="${address('/feed.xml')}" title="${title} (Atom)">`;
}

function titleOf(view: CityPageView): string {
  return [...listChips(view).map(({ label }) => label), view.layout.localization.say('title')].join(' · ');
}

function lead({ layout, stats: { total, latestFiling }, isArchive }: CityPageView): string {
  const { say, count, day, month } = layout.localization;
  if (latestFiling === null) return say('lead.none');
  return isArchive
    ? count('lead.archive', total, { month: month(latestFiling.slice(0, 7), 'long') })
    : count('lead', total, { day: day(latestFiling) });
}

/** Replaces the section about this week if the register has ended. */
function archive({ layout, stats: { latestFiling } }: CityPageView): Markup {
  const { say, day, month } = layout.localization;
  if (latestFiling === null) return markup``;
  return markup`<section class="panel week" aria-labelledby="week-title"><h2 id="week-title">${say('archive.title', { month: month(latestFiling.slice(0, 7), 'long') })}</h2>
<p>${say('archive.text', { day: day(latestFiling) })}</p></section>`;
}

function week({ layout, week: { total, listings }, today, signup }: CityPageView): Markup {
  const { say, count, day } = layout.localization;
  const values = { day: day(today) };
  const text = total === 0 ? say('week.none', values) : count('week.count', total, values);
  const first = listings.map(
    ({ name, category, neighborhood, status, filing_date }) =>
      markup`<li${isException(status) && { html: ' class="ended"' }}><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span><span class="facts">${day(filing_date)}</span></li>`,
  );
  return markup`<section class="panel week" aria-labelledby="week-title"><h2 id="week-title">${say('week.title')}</h2>
<p>${text}</p>${first.length > 0 && markup`<ul>${first}</ul>`}${signup && markup`<p><a href="#email">${say('week.email')}</a></p>`}</section>`;
}

function email({ localization: { say } }: PageLayout, form: Markup, isArchive = false): Markup {
  const [title, lead] = isArchive
    ? [say('email.archive.title'), say('email.archive.lead')]
    : [say('email.title'), say('email.lead')];
  return markup`<section class="email" id="email" aria-labelledby="email-title"><div class="wide"><div><h2 id="email-title">${title}</h2><p>${lead}</p></div>
${form}</div></section>`;
}

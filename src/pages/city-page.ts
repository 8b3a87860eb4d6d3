/** The page at `/`: new businesses and everything around them. A pure function of its view. */

import { asksAnything } from '../search/parameters.ts';
import { renderAboutSection } from './about-section.ts';
import { renderBars, renderMonths } from './charts.ts';
import { type CityPageView, formatPageAddress } from './city-page-view.ts';
import { listChips, renderSearchForm } from './filters.ts';
import { renderMap } from './map.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';
import { renderResults } from './results.ts';

/** The whole page as HTML. */
export function renderCityPage(view: CityPageView): string {
  const { layout, question } = view;
  const { say } = layout.localization;
  const asked = asksAnything(question);
  const main = markup`<section class="hero"><div class="wide">
<h1>${say('title')}</h1>
<p class="lead">${lead(view)}</p>
${renderSearchForm(view)}
</div></section>
<div class="wide cols">
${renderResults(view)}
<div class="side" id="side" data-live>
${view.isArchive ? archive(view) : week(view)}
${renderMap(view)}
${renderBars(view, 'category', say('kinds.title'))}
${renderBars(view, 'neighborhood', say('areas.title'))}
</div>
</div>
${renderMonths(view)}
${view.signup && email(layout, view.signup)}
${renderAboutSection(view)}`;
  const head = markup`<meta name="description" content="${lead(view)}">
<link rel="canonical" href="${layout.publicUrl}/">
<link rel="alternate" type="application/feed+json" href="${formatPageAddress({ ...question, offset: 0 }).replace('/', '/feed.json')}" title="${titleOf(view)}">
${
  asked &&
  markup`<meta name="robots" content="noindex">
`
}`;
  return renderDocument(layout, { title: titleOf(view), main, head, isLive: true });
}

/** Before the first filings are read, or while a person must look at them: `held` says why, to the operator and in English. */
export function renderWaitingPage(
  layout: PageLayout,
  signup: Markup | undefined,
  held: readonly string[] = [],
): string {
  const { say } = layout.localization;
  const lead =
    held.length === 0
      ? markup`<p class="lead">${say('waiting')}</p>`
      : markup`${held.map((sentence) => markup`<p class="lead" lang="en">${capitalize(sentence)}.</p>`)}`;
  const main = markup`<section class="hero"><div class="wide"><h1>${say('title')}</h1>${lead}</div></section>
${signup && email(layout, signup)}
${renderAboutSection({ layout, asOf: null })}`;
  const head = markup`<meta http-equiv="refresh" content="5"><meta name="robots" content="noindex">
`;
  return renderDocument(layout, { title: say('title'), main, head });
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function titleOf(view: CityPageView): string {
  return [...listChips(view).map(({ label }) => label), view.layout.localization.say('title')].join(' · ');
}

function lead({ layout, stats: { total, latestFiling }, isArchive }: CityPageView): string {
  const { say, day, month } = layout.localization;
  if (latestFiling === null) return say('results.none');
  return isArchive
    ? say('lead.archive', { n: total, month: month(latestFiling.slice(0, 7), 'long') })
    : say('lead', { n: total, day: day(latestFiling) });
}

/** In place of what is new this week. */
function archive({ layout, stats: { latestFiling } }: CityPageView): Markup {
  const { say, day, month } = layout.localization;
  if (latestFiling === null) return markup``;
  return markup`<section class="panel week" aria-labelledby="week-title"><h2 id="week-title">${say('archive.title', { month: month(latestFiling.slice(0, 7), 'long') })}</h2>
<p>${say('archive.text', { day: day(latestFiling) })}</p></section>`;
}

function week({ layout, week: { total, listings }, today, signup }: CityPageView): Markup {
  const { say, day } = layout.localization;
  const values = { n: total, day: day(today) };
  const text = total === 0 ? say('week.none', values) : say(total === 1 ? 'week.one' : 'week.many', values);
  const first = listings.map(
    ({ name, category, neighborhood }) =>
      markup`<li><span class="name">${name}</span><span class="facts">${category}, ${neighborhood}</span></li>`,
  );
  return markup`<section class="panel week" aria-labelledby="week-title"><h2 id="week-title">${say('week.title')}</h2>
<p>${text}</p>${first.length > 0 && markup`<ul>${first}</ul>`}${signup && markup`<p><a href="#email">${say('week.email')}</a></p>`}</section>`;
}

function email({ localization: { say } }: PageLayout, form: Markup): Markup {
  return markup`<section class="email" id="email" aria-labelledby="email-title"><div class="wide"><div><h2 id="email-title">${say('email.title')}</h2><p>${say('email.lead')}</p></div>
${form}</div></section>`;
}

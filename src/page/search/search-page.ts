/** Renders the page at `/`: the newest listings or those of a search, with a map of their neighborhoods. */

import { monthOf } from '../../shared/day.ts';
import type { Days } from '../../shared/periods.ts';
import { asksAnything } from '../../shared/question.ts';
import { renderRegister } from '../about-page.ts';
import { renderFacet } from '../facets.ts';
import { addYear, renderMap } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { type PageLayout, renderDocument } from '../page-layout.ts';
import { renderDataset, renderPreview } from '../page-metadata.ts';
import { describeFound, describeSearch } from '../question-text.ts';
import { renderSearchHead } from '../search-head.ts';
import { formatPageAddress, formatSearchAddress } from '../search-view.ts';
import { renderFeedLinks } from '../share/feeds-page.ts';
import { renderSignupBox } from '../week/signup-box.ts';
import { findAnswer } from './answer.ts';
import type { Answer } from './answer-parts.ts';
import { renderNoResults } from './no-results.ts';
import { isAboutNear, renderNear, renderResults, renderTimes } from './results.ts';
import type { SearchPageView } from './search-page-view.ts';

export function renderSearchPage(view: SearchPageView): string {
  const { layout, question } = view;
  const hasFound = view.total > 0;
  const answer = findAnswer(view);
  const main = markup`${renderSearchHead(view)}
<div class="wide" id="view" data-live>
${hasFound ? renderFound(view, answer) : renderNoResults(view)}
</div>`;
  const isHome = !asksAnything(question);
  const title = answer?.sentence ?? (isHome ? layout.localization.say('title') : describeSearch(view));
  const description = describeCity(view);
  const preview = {
    title,
    description: isHome ? description : describeResults(view),
    path: formatPageAddress(question),
    picture: hasFound ? formatSearchAddress('/chart.png', question) : undefined,
  };
  const register = { description, dataAsOf: view.dataAsOf, latestFiling: view.stats.latestFiling };
  const head = markup`${renderPreview(layout, preview)}${isHome && renderDataset(layout, register)}
<link rel="canonical" href="${layout.publicUrl}/">
${renderFeedLinks(view)}${
  !isHome &&
  markup`<meta name="robots" content="noindex">
`
}`;
  return renderDocument(layout, { title, description, main, head, question });
}

function renderFound(view: SearchPageView, answer: Answer | undefined): Markup {
  const { recent } = view;
  const counted = recent === undefined ? view : { ...view, facets: recent.facets };
  const isNear = isAboutNear(view);
  const { above, first, rest } = isNear
    ? { above: undefined, first: renderNear(view), rest: undefined }
    : renderResults(view, answer);
  const map = renderMap(counted, { hasList: !isNear && view.total > 1, days: recent?.days });
  const times = answer === undefined && renderTimes(view);
  return markup`${above}<div class="cols"><div class="first">${first}</div>
<div class="side">${map}<div class="last">${renderSignupBox(view)}${times}${view.total > 1 && renderKinds(counted, recent?.days)}</div></div>
<div class="rest">${rest}</div></div>`;
}

function renderKinds(view: SearchPageView, days: Days | undefined): Markup {
  return markup`<section aria-labelledby="kinds"><h2 id="kinds">${addYear(view, view.layout.localization.say('kinds.title'), days)}</h2>
${renderFacet(view, 'category')}</section>`;
}

/**
 * Renders the page shown until the first filings are imported. `held` explains to the operator why the import is held.
 */
export function renderWaitingPage(layout: PageLayout, held: readonly string[] = []): string {
  const { say } = layout.localization;
  const lead =
    held.length === 0
      ? markup`<p>${say('waiting')}</p><p><a class="button" href="/">${say('waiting.again')}</a></p>`
      : markup`<p>${say('waiting.held')}</p><p>${say('waiting.operator')}</p>${held.map(
          (sentence) => markup`<p lang="en">${capitalize(sentence)}.</p>`,
        )}`;
  const main = markup`<div class="narrow">${lead}${renderRegister({ layout, dataAsOf: null, leftOut: undefined })}</div>`;
  const head = markup`<meta name="robots" content="noindex">
`;
  return renderDocument(layout, { title: say('title'), main, head });
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function describeResults(view: SearchPageView): string {
  const { say } = view.layout.localization;
  return `${describeFound(view, view.total)} (${view.layout.city.name}). ${say('note.registered')}`;
}

function describeCity({ layout, stats: { total, latestFiling }, isArchive }: SearchPageView): string {
  const { say, count, day, month } = layout.localization;
  if (latestFiling === null) return say('lead.none');
  return isArchive
    ? count('lead.archive', total, { month: month(monthOf(latestFiling), 'long') })
    : count('lead', total, { day: day(latestFiling) });
}

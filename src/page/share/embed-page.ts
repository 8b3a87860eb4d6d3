/** Renders `/embed`: the newest listings of a search, for a frame on other sites. Links open a new tab. */

import { listPublishers } from '../../shared/city/city-facts.ts';
import { isPlaceholder } from '../../shared/city/placeholders.ts';
import type { Day } from '../../shared/day.ts';
import type { Listing } from '../../shared/listing.ts';
import { renderLedger } from '../ledger.ts';
import { type Markup, markup, renderParagraphs } from '../markup.ts';
import type { PageLayout, ShownProblem } from '../page-layout.ts';
import { describeDataEnd, describeSearch } from '../question-text.ts';
import { formatSearchAddress, type Searched } from '../search-view.ts';

/** Maximum listings of a frame. */
export const EMBEDDED = 10;

export type EmbedView = Searched & {
  total: number;
  listings: readonly Listing[];
  dataEnd: Day;
};

export function renderEmbedPage(view: EmbedView): string {
  const { layout, question, total, listings, dataEnd } = view;
  const { say, count } = layout.localization;
  const title = describeSearch(view);
  const { operator } = layout.city;
  const by = isPlaceholder(operator.name) ? '' : say('footer.by', { operator: operator.name });
  const end = describeDataEnd(layout, dataEnd);
  const source = say('embed.source', { source: listPublishers(layout.city) });
  const note = markup`<p class="note">${source} ${say('note.registered')} ${by}</p>`;
  const shown =
    total === 0
      ? markup`<p>${say('embed.none')} ${end}</p>`
      : markup`<h2 class="note">${count('results.newest', total)}. ${end}</h2>
${renderLedger(layout, listings, { question, isPlain: true })}`;
  const all = total > 0 ? count('embed.all', total) : say('title');
  const link = linkBack(layout, formatSearchAddress('/', question), all);
  return renderFrame(layout, title, markup`${shown}${link}${note}`);
}

function linkBack({ publicUrl }: PageLayout, path: string, label: string): Markup {
  return markup`<p><a href="${publicUrl}${path}" target="_blank" rel="noopener">${label}</a></p>`;
}

/** Renders a problem for a frame, which has little space. */
export function renderFramedProblem(layout: PageLayout, problem: ShownProblem): string {
  const { title, sentences, language } = problem;
  const home = linkBack(layout, '/', layout.localization.say('title'));
  return renderFrame(layout, title, markup`${renderParagraphs(sentences)}${home}`, language);
}

function renderFrame(layout: PageLayout, title: string, body: Markup, language?: 'en'): string {
  const own = language === undefined ? layout.localization : { language, direction: 'ltr' };
  return markup`<!doctype html>
<html lang="${own.language}" dir="${own.direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${layout.style}">
</head>
<body><main class="framed"><h1>${title}</h1>
${body}
</main></body>
</html>
`.html;
}

/** Pixels of a frame that fit without much blank space on a desktop. A phone scrolls within the frame. */
const HEIGHT = { frame: 270, row: 59 };

/** Returns HTML for other sites that shows the search in a frame, as high as its listings. */
export function formatFrame(view: Searched & { total: number }): string {
  const height = HEIGHT.frame + HEIGHT.row * Math.min(view.total, EMBEDDED);
  const source = `${view.layout.publicUrl}${formatSearchAddress('/embed', view.question)}`;
  return markup`<iframe src="${source}" title="${describeSearch(view)}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`
    .html;
}

/** Renders what people can take from a view of a search: its address, picture, news, counts, and HTML for a website. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { renderCopy } from '../answer-card.ts';
import { type Compared, describeChart, type Picture } from '../chart/chart-picture.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { formatSearchAddress, formatViewAddress, type SearchView } from '../search-view.ts';
import { formatFrame } from './embed-page.ts';

/** `total`: the number of results, only in the view of listings. */
type SharedView = SearchView & { total?: number };

type Taken = {
  /** The counts that the chart shows. */
  stats: Picture['stats'];
  compared?: Compared | undefined;
  /** The path of what the view shows, for programs. */
  programs: string;
};

/** The parameter for a picture of a comparison. */
export const COMPARED = 'compare=year_before';

export function renderShare(view: SharedView, taken: Taken): Markup {
  const { layout, shown, period, isArchive } = view;
  const { say } = layout.localization;
  const { stats, compared, programs } = taken;
  const compare = compared ? COMPARED : '';
  const question = shown.path === '/changes' ? { ...view.question, ...period.now } : view.question;
  const shared = { ...view, question };
  const link = (path: string, label: string, by = '') =>
    linkTo(formatSearchAddress(path, question, by), label);
  const address = `${layout.publicUrl}${formatViewAddress(shown, { ...question, offset: 0 })}`;
  const counts = [
    link('/api/stats.csv', say('take.months'), 'by=month'),
    link('/api/stats.csv', say('map.title'), 'by=neighborhood'),
    link('/api/stats.csv', say('kinds.title'), 'by=category'),
  ];
  const follow = !isArchive && [linkTo(formatSearchAddress('/feeds', view.question), say('take.feed'))];
  const api = [
    linkTo(programs, say(shown.path === '/changes' ? 'changes.csv' : 'take.json')),
    markup`<a href="/docs">${say('footer.api')}</a>`,
  ];
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li class="address">${renderField(view, { id: 'take-link', label: say('take.link'), text: address, lines: 1, copy: 'take.copy' })}
<button class="quiet send" type="button" data-send="${address}">${say('take.send')}</button></li>
<li class="line">${
    isCharted(view) &&
    markup`<a href="${formatSearchAddress('/chart.png', question, compare)}" rel="nofollow"
 download>${say('take.picture')}</a>`
  } <button class="copy" type="button" data-print>${say('take.print')}</button></li>
${follow && renderLine(say('take.follow'), follow)}
<li><details id="take-data"><summary>${say('take.data')}</summary><ul class="take">
${renderLine(say('take.counts'), counts)}${renderLine(say('take.programs'), api)}
${renderWebsite(shared, { address, stats, compared })}</ul></details></li></ul></details>`;
}

function renderLine(label: string, links: readonly Markup[]): Markup {
  return markup`<li class="line"><span>${label}</span> ${links.map((one) => markup`${one} `)}</li>`;
}

/**
 * Returns whether the search has a chart. A search by status has none: newer filings have had less time to close, so
 * its trend would mislead.
 */
function isCharted({ closings }: SharedView): boolean {
  return closings === undefined;
}

/** Renders HTML to copy into websites. */
function renderWebsite(
  view: SharedView,
  { address, stats, compared }: Omit<Taken, 'programs'> & { address: string },
): Markup {
  const { layout, question, total } = view;
  const { say } = layout.localization;
  const alt = describeChart({ ...view, stats, compared });
  const chart = `${layout.publicUrl}${formatSearchAddress('/chart.svg', question, compared ? COMPARED : '')}`;
  const picture = markup`<a href="${address}"><img src="${chart}" alt="${alt}" width="800"></a>`;
  const field = (id: string, word: PageWord, text: string) =>
    renderField(view, { id, label: say(word), text, lines: 3, copy: 'take.copy.html' });
  const preview = linkTo(formatSearchAddress('/embed', question), say('take.preview'));
  const frame =
    layout.mayEmbed &&
    total !== undefined &&
    markup`<li>${field('take-frame', 'take.frame', formatFrame({ ...view, total }))} ${preview}</li>`;
  return markup`${isCharted(view) && markup`<li>${field('take-picture', 'take.chart', picture.html)}</li>`}${frame}`;
}

/** `copy`: the text of the button. */
type Field = { id: string; label: string; text: string; lines: number; copy?: PageWord };

/** Renders a field with a button to copy it. A style hides the button until the script runs. */
export function renderField(
  { layout }: Pick<SearchView, 'layout'>,
  { id, label, text, lines, copy = 'numbers.copy' }: Field,
): Markup {
  return markup`<label for="${id}">${label}</label><textarea id="${id}" rows="${lines}" readonly>
${text}</textarea>${renderCopy(layout.localization, { ids: [id], word: copy, look: 'quiet copy' })}`;
}

/** Renders what people can take from a view of a search: its address, picture, news, counts, and HTML for a website. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { renderCopy } from '../answer-card.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { describeSearch } from '../question-text.ts';
import { formatSearchAddress, formatViewAddress, type SearchView } from '../search-view.ts';
import { formatFrame } from './embed-page.ts';

/** `total`: the number of results, only in the view of listings. */
type SharedView = SearchView & { total?: number };

/** The parameter for a picture of a comparison. */
export const COMPARED = 'compare=year_before';

/** `programs`: the path of what the view shows, for programs. */
export function renderShare(view: SharedView, programs: string): Markup {
  const { layout, shown, period } = view;
  const { say } = layout.localization;
  const isComparison = shown.path === '/changes';
  const compare = isComparison && period.caveat === undefined ? COMPARED : '';
  const question = isComparison ? { ...view.question, ...period.now } : view.question;
  const link = (path: string, label: string, by = '') =>
    linkTo(formatSearchAddress(path, question, by), label);
  const address = `${layout.publicUrl}${formatViewAddress(shown, { ...question, offset: 0 })}`;
  const counts = [
    link('/api/stats.csv', say('take.months'), 'by=month'),
    link('/api/stats.csv', say('map.title'), 'by=neighborhood'),
    link('/api/stats.csv', say('kinds.title'), 'by=category'),
  ];
  const follow = layout.hasNews() && [linkTo(formatSearchAddress('/feeds', view.question), say('take.feed'))];
  const api = [
    linkTo(programs, say(isComparison ? 'changes.csv' : 'take.json')),
    markup`<a href="/docs">${say('footer.api')}</a>`,
  ];
  // newer filings have had less time to close, so the trend of a status would mislead
  const isCharted = view.closings === undefined;
  const chart = (kind: 'png' | 'svg') => formatSearchAddress(`/chart.${kind}`, question, compare);
  const picture = markup`<a href="${address}"><img src="${layout.publicUrl}${chart('svg')}" alt="${describeSearch(view)}" width="800"></a>`;
  const embed = (id: string, word: PageWord, text: string) =>
    renderField(view, { id, label: say(word), text, lines: 3, copy: 'take.copy.html' });
  const frame =
    layout.mayEmbed &&
    view.total !== undefined &&
    markup`<li>${embed('take-frame', 'take.frame', formatFrame({ ...view, total: view.total }))} ${link('/embed', say('take.preview'))}</li>`;
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li class="address">${renderField(view, { id: 'take-link', label: say('take.link'), text: address, lines: 1, copy: 'take.copy' })}
<button class="quiet send" type="button" data-send="${address}">${say('take.send')}</button></li>
<li class="line">${isCharted && markup`<a href="${chart('png')}" rel="nofollow" download>${say('take.picture')}</a>`}
<button class="copy" type="button" data-print>${say('take.print')}</button></li>
${follow && renderLine(say('take.follow'), follow)}
<li><details id="take-data"><summary>${say('take.data')}</summary><ul class="take">
${renderLine(say('take.counts'), counts)}${renderLine(say('take.programs'), api)}
${isCharted && markup`<li>${embed('take-picture', 'take.chart', picture.html)}</li>`}${frame}</ul></details></li></ul></details>`;
}

function renderLine(label: string, links: readonly Markup[]): Markup {
  return markup`<li class="line"><span>${label}</span> ${links.map((one) => markup`${one} `)}</li>`;
}

/** `copy`: the text of the button. */
type Field = { id: string; label: string; text: string; lines: number; copy?: PageWord };

/** Renders a field with a button to copy it. A style hides the button until the script runs. */
export function renderField(
  { layout }: Pick<SearchView, 'layout'>,
  { id, label, text, lines, copy = 'numbers.copy' }: Field,
): Markup {
  return markup`<label for="${id}">${label}</label><textarea id="${id}" rows="${lines}" readonly>
${text}</textarea>${renderCopy(layout.localization, { ids: id, word: copy, look: 'quiet copy' })}`;
}

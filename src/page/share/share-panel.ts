/** Renders what people can take from a view of a search: its address, picture, news, counts, and HTML for a website. */

import type { PageWord } from '../../shared/city/page-words.ts';
import { renderCopy } from '../answer-card.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { formatSearchAddress, formatViewAddress, type SearchView } from '../search-view.ts';
import { formatFrame } from './embed-page.ts';

/** `total`: the number of results, only in the view of listings. */
type SharedView = SearchView & { total?: number };

/** The parameter for a picture of a comparison. */
export const COMPARED = 'compare=year_before';

export function renderShare(view: SharedView): Markup {
  const { layout, shown, period } = view;
  const { say } = layout.localization;
  const isComparison = shown.path === '/changes';
  const compare = isComparison && period.caveat === undefined ? COMPARED : '';
  const question = isComparison ? { ...view.question, ...period.now } : view.question;
  const link = (path: string, label: string, by = '') =>
    linkTo(formatSearchAddress(path, question, by), label);
  const address = `${layout.publicUrl}${formatViewAddress(shown, { ...question, offset: 0 })}`;
  // newer filings have had less time to close, so the trend of a status would mislead
  const isCharted = view.closings === undefined;
  const text = layout.mayEmbed && view.total !== undefined && formatFrame({ ...view, total: view.total });
  const field = { id: 'take-frame', label: say('take.frame'), lines: 3, copy: 'take.copy.html' } as const;
  const frame = text && markup`<li>${renderField(view, { ...field, text })}</li>`;
  return markup`<details id="take"><summary>${say('take.title')}</summary><ul class="take">
<li class="address">${renderField(view, { id: 'take-link', label: say('take.link'), text: address, lines: 1, copy: 'take.copy' })}
<button class="quiet send" type="button" data-send="${address}">${say('take.send')}</button></li>
<li class="line">${isCharted && markup`<a href="${formatSearchAddress('/chart.png', question, compare)}" rel="nofollow" download>${say('take.picture')}</a>`}
${layout.hasNews() && linkTo(formatSearchAddress('/feeds', view.question), say('take.feed'))}</li>
<li><details id="take-data"><summary>${say('take.data')}</summary><ul class="take">
<li class="line"><span>${say('take.counts')}</span> ${link('/api/stats.csv', say('take.months'), 'by=month')}
${link('/api/stats.csv', say('map.title'), 'by=neighborhood')} ${link('/api/stats.csv', say('kinds.title'), 'by=category')}</li>
${!isComparison && markup`<li class="line">${link('/api/search', say('take.json'))}</li>`}
${frame}</ul></details></li></ul></details>`;
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

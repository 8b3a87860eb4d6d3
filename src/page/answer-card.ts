/** Renders the card above a list or a table: a sentence as the heading, its figures, and a button that copies it with its source. */

import type { Localization } from '../shared/city/localization.ts';
import type { PageWord } from '../shared/city/page-words.ts';
import { type Markup, markup } from './markup.ts';

export type Card = {
  /** What the sentence is about, if it does not say so itself. */
  about?: string;
  sentence: string;
  /** The number that begins the sentence, to be set large. */
  figure?: string | undefined;
  body?: Markup | undefined;
  notes?: Markup | undefined;
  /** What could make the sentence wrong. */
  caveat?: string;
  source: string;
  /** Links to the same numbers. */
  links: readonly (Markup | false)[];
};

export function renderAnswerCard({ say }: Localization, card: Card): Markup {
  const { about, sentence, figure = '', body, notes, caveat = '', source, links } = card;
  const ids = [
    ...(about === undefined ? [] : ['kicker']),
    'found',
    ...(caveat === '' ? [] : ['caveat']),
    'source',
  ];
  const kicker = about !== undefined && markup`<p id="kicker">${about}</p>`;
  const shown = links.map((link) => markup`${link}`);
  const isFigure = figure !== '' && sentence.startsWith(figure);
  const heading = isFigure ? markup`<b>${figure}</b>${sentence.slice(figure.length)}` : sentence;
  return markup`<section class="answer" id="answer" aria-labelledby="found">${kicker}<h1 id="found" tabindex="-1">${heading}</h1>
${body && markup`<div class="shown">${body}</div>`}${caveat !== '' && markup`<p id="caveat">${caveat}</p>`}${notes}
<p class="unseen" id="source">${source}</p>
<p class="fold">${renderCopy({ say }, { ids, word: 'answer.copy' })}${shown}</p></section>`;
}

/** Renders the button that copies the texts of elements. The script shows it. */
export function renderCopy(
  { say }: Pick<Localization, 'say'>,
  { ids, word, look = 'copy' }: { ids: readonly string[]; word: PageWord; look?: string },
): Markup {
  return markup`<button class="${look}" type="button" data-copy="${ids.join(' ')}"
 data-said="${say('numbers.copied')}">${say(word)}</button>`;
}

export function renderCardLink(href: string, label: string): Markup {
  return markup`<a class="button quiet" href="${href}" rel="nofollow" download>${label}</a>`;
}

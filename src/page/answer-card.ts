/** Renders the card above a list or a table: a sentence as the heading, its figures, and a button that copies it with its source. */

import type { Localization } from '../shared/city/localization.ts';
import type { PageWord } from '../shared/city/page-words.ts';
import { linkTo, type Markup, markup } from './markup.ts';

/** What a card says, and what shows it. */
export type Statement = {
  /** What the sentence is about, if it does not say so itself. */
  about?: string;
  sentence: string;
  /** The number that begins the sentence, to be set large. */
  figure?: string;
  numerals?: readonly Numeral[];
  bars?: Markup | undefined;
  more?: Markup | undefined;
  /** What could make the sentence wrong. */
  caveat?: readonly (string | Markup | false | undefined)[];
};

type Card = Statement & {
  notes?: Markup | undefined;
  source: string;
  /** A picture and a table of the same numbers. */
  chart?: string | false | undefined;
  numbers?: string | false | undefined;
  /** What else can be done with the page. */
  actions: readonly Markup[];
};

export function renderAnswerCard(localization: Localization, card: Card): Markup {
  const { about, sentence, figure = '', numerals = [], bars, more, caveat = [] } = card;
  const { notes, source, chart, numbers, actions } = card;
  const { say } = localization;
  const doubts = caveat.filter((one) => one).map((one, i) => markup`${i > 0 && ' '}${one}`);
  const ids = ['found ', about === undefined ? '' : 'kicker ', doubts.length > 0 ? 'caveat ' : '', 'source'];
  const figures =
    (numerals.length > 0 || bars) &&
    markup`<div class="figures">${numerals.length > 0 && renderNumerals(localization, numerals)}${bars}</div>`;
  const link = (href: string | false | undefined, label: string) =>
    href && markup`<a class="button quiet get" href="${href}" rel="nofollow" download>${label}</a>`;
  return markup`<section class="answer" id="answer" aria-labelledby="found"><h1 id="found" tabindex="-1">${enlarge(sentence, figure)}</h1>${
    about !== undefined &&
    markup`
<p id="kicker">${about}</p>`
  }
${(figures || more) && markup`<div class="shown">${figures}${more}</div>`}${doubts.length > 0 && markup`<p id="caveat">${doubts}</p>`}${notes}
<p class="unseen" id="source">${source}</p>
<div class="fold actions">${renderCopy({ say }, { ids: ids.join(''), word: 'answer.copy' })}${link(chart, say('answer.chart'))}${link(numbers, say('answer.numbers'))}${actions}</div></section>`;
}

/** Renders a sentence. The number that begins it stands in large. */
export function enlarge(sentence: string, figure: string): Markup {
  const isFirst = figure !== '' && sentence.startsWith(figure);
  return isFirst ? markup`<b>${figure}</b>${sentence.slice(figure.length)}` : markup`${sentence}`;
}

/** Renders the button that copies the texts of elements. The script shows it. */
export function renderCopy(
  { say }: Pick<Localization, 'say'>,
  { ids, word, look = 'copy' }: { ids: string; word: PageWord; look?: string },
): Markup {
  return markup`<button class="${look}" type="button" data-copy="${ids}"
 data-said="${say('numbers.copied')}">${say(word)}</button>`;
}

/** `href`: where the number leads. `look`: the class of its bars. */
export type Numeral = { n: number; label: string; href: string; look?: string };

/** `first`: what stands before the numbers. */
export function renderNumerals(
  { number }: Localization,
  numerals: readonly Numeral[],
  first?: Markup | false,
): Markup {
  const all = numerals.map(
    ({ n, label, href, look }) =>
      markup`<div><dt${look !== undefined && markup` class="${look}"`}>${label}</dt><dd>${linkTo(href, number(n))}</dd></div>`,
  );
  return markup`<dl class="numerals">${first}${all}</dl>`;
}

/** Represents HTML as a value. Templates escape their values unless these are already HTML. */

import { escapeMarkup } from '../shared/text/escape.ts';

export type Markup = { readonly html: string };
type Part = Markup | readonly Markup[] | string | number | undefined | false;

/** Renders a template. `undefined` and `false` render as nothing; a list renders its parts in order. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let html = texts[0]!;
  for (let i = 0; i < parts.length; i++) html += serializePart(parts[i]) + texts[i + 1]!;
  return { html };
}

function serializePart(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeMarkup(part);
  if (typeof part === 'number') return String(part);
  if ('html' in part) return part.html;
  let html = '';
  for (const one of part) html += one.html; // joining would copy each text once more for each template around it
  return html;
}

/** Renders a link that crawlers do not follow, because it leads to one of countless searches. */
export function linkTo(
  href: string,
  label: Part,
  { look, isCurrent = false }: { look?: string; isCurrent?: boolean } = {},
): Markup {
  // plain texts, because a page has hundreds of links
  const current = isCurrent ? ' aria-current="true"' : '';
  const start = look === undefined ? '<a' : `<a class="${look}"`;
  return {
    html: `${start} href="${escapeMarkup(href)}" rel="nofollow"${current}>${serializePart(label)}</a>`,
  };
}

/** Fills the places of a text, such as `{source}`, with HTML. */
export function fillMarkup(text: string, values: Readonly<Record<string, Part>>): Markup {
  const pieces = text.split(/\{(\w+)\}/); // names of places are at the odd places
  return markup`${pieces.map((piece, i) => markup`${i % 2 === 1 ? values[piece] : piece}`)}`;
}

export function renderParagraphs(texts: readonly string[]): Markup {
  return markup`${texts.map((text) => markup`<p>${text}</p>`)}`;
}

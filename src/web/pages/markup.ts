/** HTML as a value: values in a template are escaped as text, unless they are HTML already. */

import { escapeMarkup } from '../../listings/escape.ts';

export type Markup = { readonly html: string };
type Part = Markup | readonly Markup[] | string | number | undefined | false;

/** A template tag. `undefined` and `false` render as nothing; a list renders as its parts in order. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let html = texts[0]!;
  for (let i = 0; i < parts.length; i++) html += serializePart(parts[i]) + texts[i + 1]!;
  return { html };
}

function serializePart(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeMarkup(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

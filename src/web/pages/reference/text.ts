/** Small pieces of the reference: paragraphs with code in them, and JSON that is easy to read. */

import { type Markup, markup } from '../markup.ts';

const LINE = 47; // what fits beside the text on a laptop

/** Paragraphs of a description, with code between backticks. */
export function renderParagraphs(text: string): Markup {
  return markup`${text.split('\n\n').map((paragraph) => markup`<p>${renderInline(paragraph)}</p>`)}`;
}

export function renderInline(text: string): Markup {
  const parts = text.split('`');
  return markup`${parts.map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`))}`;
}

/** JSON with its keys marked. Lists and objects that fit are on one line. */
export function renderJson(value: unknown): Markup {
  const parts = layOut(value, '').split(/("(?:[^"\\]|\\.)*")(?=: )/);
  return markup`${parts.map((part, i) => (i % 2 === 1 ? markup`<span class="key">${part}</span>` : markup`${part}`))}`;
}

function layOut(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const open = isList ? '[' : '{';
  const close = isList ? ']' : '}';
  const parts = (inner: string) =>
    isList
      ? value.map((one) => layOut(one, inner))
      : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${layOut(one, inner)}`);
  const space = isList ? '' : ' ';
  const flat = parts('').join(', ');
  if (flat === '') return open + close;
  if (!flat.includes('\n') && indent.length + flat.length + 4 <= LINE)
    return `${open}${space}${flat}${space}${close}`;
  const inner = `${indent}  `;
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}\n${indent}${close}`;
}

export function joinMarkup(parts: readonly Markup[], text: string): Markup {
  return markup`${parts.map((part, i) => markup`${i > 0 && text}${part}`)}`;
}

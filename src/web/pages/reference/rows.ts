/** Rows of a term and its description: parameters, fields, limits. They need no table, so they fit on any screen. */

import { type Markup, markup } from '../markup.ts';

export type TermRow = {
  term: Markup;
  /** Beside the term, such as a type. */
  note?: Markup | undefined;
  text: Markup;
  /** The term and its description on one line. */
  isBrief?: boolean;
};

export function renderRows(rows: readonly TermRow[]): Markup {
  return markup`<dl class="rows">${rows.map(
    ({ term, note, text, isBrief }) =>
      markup`<div${isBrief && markup` class="brief"`}><dt>${term}${note && markup` <span class="note">${note}</span>`}</dt><dd>${text}</dd></div>`,
  )}</dl>`;
}

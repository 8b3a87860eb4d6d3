/** The reference for developers: sections in the order in which they are needed, the contents at the side, and samples beside the text. */

import { type Markup, markup } from '../markup.ts';
import { renderDocument } from '../page-layout.ts';
import { renderSamples } from './samples.ts';
import { listSections, type ReferenceView, type Section } from './sections.ts';

export function renderReferencePage(view: ReferenceView): string {
  const sections = listSections(view);
  const main = markup`<div class="reference"><h1>API reference</h1>
<nav class="contents" aria-label="Contents"><ul>${sections.map(renderEntry)}</ul></nav>
<div class="sections">${sections.map(renderSection)}</div>
</div>`;
  const head = markup`<link rel="stylesheet" href="${view.layout.referenceStyle}">
`;
  return renderDocument(view.layout, { title: 'API reference', main, language: 'en', head });
}

function renderEntry({ id, title, operations = [] }: Section): Markup {
  const paths = operations.map(({ path }) => markup` <code>${path}</code>`);
  return markup`<li><a href="#${id}">${title}${paths}</a></li>`;
}

function renderSection({ id, title, text, samples, more }: Section): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><div class="text"><h2 id="${id}-title">${title}</h2>
${text}</div>
${samples.length > 0 && renderSamples(samples)}${more && markup`<div class="more">${more}</div>`}</section>
`;
}

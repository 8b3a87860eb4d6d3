/**
 * Renders the reference for developers: sections in order of use, with samples. A wide screen shows the contents at the
 * side and samples beside the text. On a narrow screen, all sections except the first are folded.
 */

import { type MarkdownLook, renderMarkdown } from '../shared/text/markdown.ts';
import { type Markup, markup } from './markup.ts';
import { type PageLayout, renderDocument } from './page-layout.ts';

/** A response as text, with its status and content type. Samples that only show a format have no request. */
export type ReferenceSample = {
  label: string;
  request: string | undefined;
  status: string | undefined;
  type: string | undefined;
  answer: string;
};

export type ReferenceSection = {
  id: string;
  title: string;
  /** The operations that the section describes, such as `GET /api/search`. */
  operations: readonly string[];
  /** Markdown: paragraphs and lists. */
  text: string;
  samples: readonly ReferenceSample[];
};

type ReferenceView = {
  layout: PageLayout;
  sections: readonly ReferenceSection[];
  /** The codes of problems. Each problem has a page. */
  problems: readonly string[];
};

export function renderReferencePage({ layout, sections, problems }: ReferenceView): string {
  const look = makeLook(layout.publicUrl, problems);
  const main = markup`<div class="reference"><h1>API reference</h1>
<nav class="contents" aria-label="Contents"><ul>${sections.map(renderEntry)}</ul></nav>
<div class="sections">${sections.map((section, at) => renderSection(section, look, at))}</div>
</div>`;
  const description = `Search and count the new businesses of ${layout.city.name} by program, free and without a key.`;
  const head = markup`<link rel="stylesheet" href="${layout.referenceStyle}">
`;
  return renderDocument(layout, { title: 'API reference', description, main, language: 'en', head });
}

/** Returns how the Markdown of the reference is rendered. Links within the service become relative, and problem codes become links. */
function makeLook(publicUrl: string, problems: readonly string[]): MarkdownLook {
  return {
    heading: (html) => `<h3>${html}</h3>`,
    paragraph: (html) => `<p>${html}</p>`,
    list: (kind, items) => `<${kind}>${items.map((item) => `<li>${item}</li>`).join('')}</${kind}>`,
    link(target, label) {
      const href = target.replace(`${publicUrl}/docs#`, '#').replace(publicUrl, '');
      const code = /^`(.*)`$/.exec(label)?.[1];
      return markup`<a href="${href}">${code === undefined ? label : markup`<code>${code}</code>`}</a>`.html;
    },
    code(html) {
      const code = `<code>${html}</code>`;
      return problems.includes(html) ? `<a href="/problems/${html}">${code}</a>` : code;
    },
  };
}

function renderEntry({ id, title, operations }: ReferenceSection): Markup {
  const paths = operations.map((operation) => markup` <code>${operation.split(' ')[1]}</code>`);
  return markup`<li><a href="#${id}">${title}${paths}</a></li>`;
}

/** Renders a section. Samples come before lists of fields. Browsers unfold a section when people follow a link into it. */
function renderSection(section: ReferenceSection, look: MarkdownLook, at: number): Markup {
  const { id, title, operations, text, samples } = section;
  const [intro = '', ...parts] = text.replace(/^\s*`(?:GET|POST) .*\n/, '').split(/^(?=### )/m);
  const [lead = '', ...lists] = intro.split(/^(?=<!-- )/m);
  const calls = operations.map((operation) => markup`<code>${operation}</code> `);
  const whole = markup`<section id="${id}" aria-labelledby="${id}-title"><div class="text"><h2 id="${id}-title">${title}</h2>
${calls.length > 0 && markup`<p class="calls">${calls}</p>`}${renderText(lead, look)}</div>
${samples.length > 0 && markup`<div class="samples">${samples.map(renderSample)}</div>`}
<div class="text">${renderText(lists.join(''), look)}${parts.map((part) => renderPart(part, look))}</div></section>
`;
  if (at === 0) return whole; // the first section stays unfolded, because it has the first request
  return markup`<details><summary><h2>${title}</h2> ${calls}</summary>${whole}</details>
`;
}

/** Renders a folded part, which begins with its heading. */
function renderPart(part: string, look: MarkdownLook): Markup {
  const end = part.indexOf('\n');
  const title = part.slice('### '.length, end);
  const id = title.toLowerCase().replaceAll(' ', '-');
  return markup`<details><summary><h3>${title}</h3></summary><div id="${id}">${renderText(part.slice(end), look)}</div></details>
`;
}

/** Renders paragraphs and lists. */
function renderText(text: string, look: MarkdownLook): Markup {
  const plain = text
    .replaceAll(/<!--.*-->\n/g, '')
    .replaceAll(/\[([^[\]]{1,200})\]\((?!https?:)[^()]{0,200}\)/g, '$1');
  return { html: renderMarkdown(plain, look) };
}

/** Renders a request and its response. All samples of a section except the first are folded. */
function renderSample({ label, request, status, type, answer }: ReferenceSample, at: number): Markup {
  const parts = answer.split(/("(?:[^"\\]|\\.)*")(?=: )/); // every second part is a JSON key
  const text = parts.map((part, i) => (i % 2 === 1 ? markup`<b>${part}</b>` : markup`${part}`));
  const lines = request?.split(/(?=&)/).map((part) => markup`${part}<wbr>`);
  const sample = markup`${lines && markup`<pre class="request">${lines}</pre>`}${
    status !== undefined &&
    markup`<p
 class="status">${status} ${type}</p>`
  }${answer !== '' && markup`<pre>${text}</pre>`}`;
  return at === 0
    ? markup`<figure><figcaption>${label}</figcaption>${sample}</figure>`
    : markup`<details><summary>${label}</summary>${sample}</details>`;
}

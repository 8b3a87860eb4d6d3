/** The parts of which pages for the operator are made: those of the desk, and `check.html`. */

import { type Markup, markup } from '../../page/markup.ts';
import { formatNumber } from '../../shared/text/numbers.ts';

export type Body = { title: string; main: Markup };

export type Saying = { text: string; isError: boolean };

export function renderFrame(
  city: string,
  root: string,
  { title, main, sayings }: Body & { sayings: readonly Saying[] },
): string {
  const links = [
    ['', 'Overview'],
    ['edition', 'Next edition'],
    ['listings', 'Listings'],
  ].map(([path, label]) => markup`<li><a href="${root}${path}">${label}</a></li>`);
  const said = sayings.map(
    ({ text, isError }) => markup`<p class="${isError ? 'alarm' : 'said'}" role="status">${text}</p>`,
  );
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${root}"><title>${title} · Desk of ${city}</title><link rel="stylesheet" href="${root}desk.css"></head>
<body><nav aria-label="Desk"><ul>${links}</ul></nav><main><h1>${title}</h1>${said}
${main}</main></body></html>
`.html;
}

/** Makes a sentence of what a command says. */
export function makeSentence(text: string): string {
  const end = /[.!?”"]$/.test(text) ? '' : '.';
  const isWord = /^\p{Ll}+(?=[\s,:])/u.test(text); // not a file, or a name with capitals
  return `${isWord ? text[0]!.toUpperCase() : text.slice(0, 1)}${text.slice(1)}${end}`;
}

/** The commands that have a page here, and the paths of these. */
const PAGES: readonly (readonly [command: RegExp, path: string])[] = [
  [/^npx shingle (?:runs show|ingest --accept) (\d+)$/, 'runs/$1'],
  [/^npx shingle weekly preview$/, 'edition'],
];

/** Lists steps: one whose command has a page here as a link, others with a command to copy. */
export function renderSteps(steps: readonly string[]): Markup {
  const lines = new Map<string, Markup>();
  for (const step of steps) {
    const [, before = step, command = ''] = /^(.*?)(npx shingle (?:[^.,]|[.,](?=\S))+)/.exec(step) ?? [];
    const [pattern, to] = PAGES.find(([known]) => known.test(command)) ?? [];
    const path = pattern && command.replace(pattern, to!);
    if (lines.has(path ?? step)) continue;
    const what = before.replace(/:\s*$/, '');
    const after = step.slice(before.length + command.length);
    const line =
      path === undefined
        ? markup`${before}<code>${command}</code>${after}`
        : markup`<a href="${path}">${what}</a>`;
    lines.set(path ?? step, command === '' ? markup`${step}` : line);
  }
  return markup`<ul>${[...lines.values()].map((line) => markup`<li>${line}</li>`)}</ul>`;
}

export type Cell = string | number | Markup;

/** Renders a table whose first column names its rows. Without `heads`, it has no header. */
export function renderTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  const head = heads.map((one) => markup`<th scope="col">${one}</th>`);
  const lines = rows.map(([first = '', ...cells]) => {
    const others = cells.map((cell) =>
      typeof cell === 'number'
        ? markup`<td class="number">${formatNumber(cell)}</td>`
        : markup`<td>${cell}</td>`,
    );
    return markup`<tr><th scope="row">${first}</th>${others}</tr>\n`;
  });
  return markup`<div class="scroll"><table>${heads.length > 0 && markup`<thead><tr>${head}</tr></thead>`}
<tbody>${lines}</tbody></table></div>`;
}

export type FormOptions = { fields?: Record<string, string>; isQuiet?: boolean; about?: string };

/** `about`: what the button is about, for a screen reader. */
export function renderForm(
  action: string,
  label: string,
  { fields = {}, isQuiet = false, about }: FormOptions = {},
): Markup {
  const hidden = Object.entries(fields).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  const spoken = about !== undefined && markup` aria-label="${label}: ${about}"`;
  const look = isQuiet && markup` class="quiet"`;
  return markup`<form method="post" action="${action}">${hidden}<button${look}${spoken}>${label}</button></form>`;
}

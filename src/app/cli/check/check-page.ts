/** Renders `check.html`. The page is only for the operator, because it shows names and addresses. It has no scripts. */

import { readFileSync } from 'node:fs';
import { type Markup, markup } from '../../../page/markup.ts';
import {
  type LeftOutRows,
  LONGEST_CELL,
  type PreviewCounts,
  type RawRow,
  type RegisterPreview,
} from '../../../register/rows/preview.ts';
import { formatNumber } from '../../../shared/text/numbers.ts';
import { removeInvisibles } from '../../../shared/text/visible-text.ts';
import type { DryRunReport } from '../../ingest/dry-run.ts';
import { renderTable } from '../operator-html.ts';
import type { Advise } from './advice.ts';
import { formatSource } from './dry-run-report.ts';

/** The styles to include in the page, which is a single file. */
const STYLES = ['../operator.css', './check-page.css'].map((file) => new URL(file, import.meta.url));
/** Maximum bytes of rows on the page. Everything else takes a few hundred kilobytes at most. */
const MOST_BYTES = 1_500_000;
const COUNTS_SHOWN = 200;
const LONGEST_LINE = 2_000;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export type CheckPage = {
  city: string;
  checkedAt: string;
  reports: readonly DryRunReport[];
  advise: Advise;
  /** What else to say above the rows. */
  note?: string;
  /** The page of the desk that leads here. */
  back?: Markup;
};

export function renderCheckPage(page: CheckPage): string {
  const sources = [...Map.groupBy(page.reports, ({ source }) => source).values()];
  const budget = { bytes: MOST_BYTES };
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">
<title>Check of ${show(page.city)}</title>
<style>${{
    html: STYLES.map((file) => readFileSync(file, 'utf8'))
      .join('')
      .trim(),
  }}</style>
</head>
<body><main>${page.back && markup`<p>${page.back}</p>`}
<h1>Check of ${show(page.city)}</h1>
<p class="muted">Checked ${page.checkedAt} by <code>shingle check</code>.
This file has names and addresses of the register: keep it to yourself. It is never served.</p>
${page.note !== undefined && markup`<p><b>${page.note}</b></p>`}
${sources.map((files) => renderSource(files, page, budget))}
</main></body>
</html>
`.html;
}

function renderSource(files: readonly DryRunReport[], page: CheckPage, budget: RowTable['budget']): Markup {
  const last = files.at(-1)!;
  const { source } = last;
  const preview = last.preview();
  const report = formatSource(files.slice(-COUNTS_SHOWN), page.advise).split('\n');
  const breakdowns = [
    renderCounts('Category', preview.categories),
    renderCounts('Neighborhood', preview.neighborhoods),
    renderCounts('Year of filing', preview.years),
  ].map((one) => markup`<div>${one}</div>`);
  const several = new Set(files.map(({ place }) => place)).size > 1;
  const table: RowTable = { columns: preview.columns, several, budget };
  const all: [id: string, title: string, content: Markup | undefined][] = [
    [
      'report',
      'What the command says',
      markup`<pre>${report.map((line) => markup`${show(line, LONGEST_LINE)}\n`)}</pre>`,
    ],
    ['newest', 'The newest listings, as served and in the register', renderNewest(preview, table)],
    ['counts', 'Categories, neighborhoods and years', markup`<div class="lists">${breakdowns}</div>`],
    ['types', 'Types that are not in categories.csv', renderUnlisted(preview)],
    ['left-out', 'Rows left out', renderLeftOut(preview.leftOut, table)],
    ['names', 'Names not judged', renderNotJudged(preview)],
  ];
  const sections = all.filter(([, , content]) => content !== undefined);
  const idOf = (id: string) => `${encodeURIComponent(source)}-${id}`;
  return markup`<h2>${show(source)}</h2>
<nav aria-label="${show(source)}"><ul>${sections.map(([id, title]) => markup`<li><a href="#${idOf(id)}">${title}</a></li>`)}</ul></nav>
${sections.map(([id, title, content]) => markup`<section id="${idOf(id)}"><h3>${title}</h3>\n${content}</section>\n`)}`;
}

/** `several`: whether the rows come from several files. `budget`: the bytes left for rows. */
type RowTable = { columns: readonly string[]; several: boolean; budget: { bytes: number } };

const SERVED = ['Name', 'Category', 'Neighborhood', 'Status', 'Registered'];

function renderNewest({ newest }: RegisterPreview, table: RowTable): Markup {
  if (newest.length === 0) return markup`<p>None.</p>`;
  const rows = newest.map(({ listing, row }) => {
    const { name, category, neighborhood, status, filing_date } = listing;
    const served = [category, neighborhood, status].map(
      (text) => markup`<td class="served">${show(text)}</td>`,
    );
    return markup`<tr><td class="served name">${show(name)}</td>${served}
<td class="served day">${filing_date}</td>${renderCells(row, table)}</tr>\n`;
  });
  const head = markup`<tr><th class="served" colspan="${SERVED.length}" scope="colgroup">As it would be served</th>
<th class="edge" colspan="${table.columns.length + 1}" scope="colgroup">Its row in the register</th></tr>
<tr>${SERVED.map((title) => markup`<th class="served" scope="col">${title}</th>`)}${renderHeaders(table)}</tr>`;
  return renderRows('Newest listings', head, rows, table);
}

function renderLeftOut(leftOut: readonly LeftOutRows[], table: RowTable): Markup {
  if (leftOut.length === 0) return markup`<p>None.</p>`;
  return markup`${leftOut.map(({ kind, reason, count, rows }) => {
    const isShown = rows.some(({ cells }) => cells.length > 0);
    const shown = rows.map((row) => markup`<tr>${renderCells(row, table)}</tr>\n`);
    const content = isShown
      ? renderRows(reason, markup`<tr>${renderHeaders(table)}</tr>`, shown, table)
      : markup`<p>Line ${rows.map((row) => formatLine(row, table)).join(', ')}</p>`;
    const what = kind === 'skip' ? 'Skipped' : 'Rejected';
    return markup`<h4>${what}: ${show(reason)} (${formatNumber(count)})</h4>\n${content}`;
  })}`;
}

function renderHeaders({ columns }: RowTable): Markup {
  return markup`<th class="edge number" scope="col">Line</th>${columns.map((column) => markup`<th scope="col">${show(column)}</th>`)}`;
}

function renderCells(row: RawRow | undefined, table: RowTable): Markup {
  if (row === undefined) return markup`<td class="edge" colspan="${table.columns.length + 1}">–</td>`;
  const cells = row.cells.map((cell) => markup`<td>${show(cell)}</td>`);
  return markup`<td class="edge number">${formatLine(row, table)}</td>${cells}`;
}

function formatLine({ file, line }: RawRow, { several }: RowTable): string {
  return several ? `${show(file)}:${line}` : String(line);
}

/** Renders rows of a register, as many as fit on the page. */
function renderRows(label: string, head: Markup, all: readonly Markup[], { budget }: RowTable): Markup {
  const rows = all.filter(({ html }) => {
    const bytes = Buffer.byteLength(html);
    if (bytes > budget.bytes) return false;
    budget.bytes -= bytes;
    return true;
  });
  const left = all.length - rows.length;
  const rest =
    left > 0 && markup`<p class="muted">${left} more rows are left out: the page would be too large.</p>`;
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${show(label)}"><table class="rows"><thead>${head}</thead>
<tbody>${rows}</tbody></table></div>${rest}
`;
}

function renderUnlisted({ unlisted }: RegisterPreview): Markup | undefined {
  if (unlisted.length === 0) return undefined;
  return markup`<p>Their categories are read from their words.
Add a line for each to <code>categories.csv</code>.</p>${renderCounts('Type', unlisted)}`;
}

function renderNotJudged({ notJudged: { count, names } }: RegisterPreview): Markup | undefined {
  if (count === 0) return undefined;
  return markup`<p>No word list knows the language or script of ${formatNumber(count)} names, so they are served unless a
column shows that they are people’s:</p>
<ul>${names.map((name) => markup`<li>${show(name)}</li>`)}</ul>`;
}

function renderCounts(title: string, counts: PreviewCounts): Markup {
  const rows = counts.slice(0, COUNTS_SHOWN).map(([text, count]) => [show(text), count]);
  const left = counts.length - rows.length;
  return markup`${renderTable([title, 'Rows'], rows)}${left > 0 && markup`<p class="muted">and ${formatNumber(left)} more</p>`}`;
}

function show(text: string, most = LONGEST_CELL): string {
  const letters = [...removeInvisibles(text.slice(0, 4 * most))];
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : letters.join('');
}

/** Renders a comparison as a table. People can sort it by any column. Rows with small numbers are folded, `Unknown` is last. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { changeOf, FEWEST_RANKED, isOneYear, isSmall, isWholeYears, type Row } from '../../shared/periods.ts';
import { linkTo, type Markup, markup } from '../markup.ts';
import { formatPageAddress, formatViewAddress } from '../search-view.ts';
import {
  type ChangesView,
  formatSort,
  isOrderOfChange,
  SORT_COLUMNS,
  type SortColumn,
} from './changes-view.ts';
import { formatChange, formatChangeShare, nameSide } from './summary.ts';

/** If there are more rows, a phone shows the first ones until people ask for all. */
const MOST_ROWS = 14;
const FIRST_ROWS = 10;

export function renderChangesTable(view: ChangesView): Markup {
  const { layout, shown, question, ranked } = view;
  const { say } = layout.localization;
  const isChosen = ({ value }: Row) => question[shown.by].includes(value);
  const chosen = [...view.rows, ...view.small].filter(isChosen);
  const others = view.rows.filter((row) => !isChosen(row));
  const small = view.small.filter((row) => !isChosen(row));
  const known = ranked > 0 ? others.filter(({ value }) => !isUnknown(value)) : small;
  const unknown = others.filter(({ value }) => isUnknown(value));
  const renderAll = (rows: readonly Row[]) => rows.map((row) => renderRow(view, row));
  const main = markup`<table class="changes"><caption class="note">${renderCaption(view)}</caption>${renderHead(view)}
<tbody>${chosen.map((row) => renderRow(view, row, 'chosen'))}${renderRow(view, view.sums, 'whole')}</tbody>${renderRows(view, known)}${
    unknown.length > 0 && markup`<tbody class="unknown">${renderAll(unknown)}</tbody>`
  }</table>`;
  const folded =
    ranked > 0 &&
    small.length > 0 &&
    markup`<details id="small"><summary>${say('changes.small.count', { n: small.length })}</summary><table class="changes"><caption
 class="note">${say('changes.small')}</caption>${renderHead(view)}<tbody>${renderAll(small)}</tbody></table></details>`;
  return markup`${renderSwitch(view, shown.by)}${main}${folded}`;
}

/** Renders the compared days, and that all rows are too small. */
function renderCaption(view: ChangesView): Markup {
  const { layout, period } = view;
  const { say, daysOfYear } = layout.localization;
  const { filed_from, filed_to } = period.now;
  const days =
    isOneYear(period.now) &&
    !isWholeYears(period.now) &&
    say('changes.caption', { period: daysOfYear(filed_from, filed_to) });
  const rows = say(`changes.rows.${view.shown.by}`);
  const few = view.ranked === 0 && say('changes.few', { rows, n: FEWEST_RANKED });
  return markup`${days} ${few}`;
}

/** Renders rows. If there are many, phones hide those in `#middle`. */
function renderRows(view: ChangesView, rows: readonly Row[]): Markup {
  const [first, rest] =
    rows.length > MOST_ROWS ? [rows.slice(0, FIRST_ROWS), rows.slice(FIRST_ROWS)] : [rows, []];
  const renderAll = (some: readonly Row[]) => some.map((row) => renderRow(view, row));
  const more = view.layout.localization.say('changes.rest', { n: rest.length });
  return markup`<tbody>${renderAll(first)}</tbody>${
    rest.length > 0 &&
    markup`<tbody class="more"><tr><td colspan="${listColumns(view).length}"><a
 href="#middle">${more}</a></td></tr></tbody><tbody id="middle">${renderAll(rest)}</tbody>`
  }`;
}

/** Renders the links that switch the rows between neighborhoods and categories. */
function renderSwitch({ layout, question, shown }: ChangesView, by: string): Markup {
  const { say } = layout.localization;
  const links = (['neighborhood', 'category'] as const).map((value) => {
    const label = say(value === 'category' ? 'kinds.title' : 'map.title');
    const href = `${formatViewAddress({ ...shown, by: value }, question)}#rows`;
    return markup`<li>${linkTo(href, label, { isCurrent: value === by })}</li>`;
  });
  return markup`<ul class="tabs" id="rows" aria-label="${say('changes.rows')}">${links}</ul>`;
}

/** Lists the columns: without the changes, if all rows are small. */
function listColumns({ ranked }: ChangesView): readonly SortColumn[] {
  return SORT_COLUMNS.filter((column) => ranked > 0 || !isOrderOfChange({ column }));
}

/** Renders the column heads, which sort the table. The current column's head reverses the order. */
function renderHead(view: ChangesView): Markup {
  const { sort, question, shown } = view;
  const heads = listColumns(view).map((column) => {
    const name = nameColumn(view, column);
    const isCurrent = sort.column === column;
    const next = formatSort({ column, isReverse: isCurrent && !sort.isReverse });
    const isAscending = (column === 'name') !== sort.isReverse;
    const order = isCurrent && markup` aria-sort="${isAscending ? 'ascending' : 'descending'}"`;
    return markup`<th scope="col"${order}><a href="${formatViewAddress({ ...shown, sort: next }, question)}#rows" rel="nofollow"
 aria-label="${labelColumn(view, column)}">${name}</a></th>`;
  });
  return markup`<thead><tr>${heads}</tr></thead>`;
}

/** Returns the name of a column in words, because the visible name can be a symbol. */
export function labelColumn(view: ChangesView, column: SortColumn): string {
  return column === 'share' ? view.layout.localization.say('changes.share') : nameColumn(view, column);
}

/** Returns the visible name of a column. Periods within a year are named by their year. */
export function nameColumn({ layout, period, shown }: ChangesView, column: SortColumn): string {
  const { say } = layout.localization;
  if (column === 'name') return say(`changes.name.${shown.by}`);
  if (column === 'change') return say('changes.change');
  if (column === 'share') return '%';
  return nameSide({ layout, period }, column);
}

function renderRow(view: ChangesView, row: Row, kind?: 'whole' | 'chosen'): Markup {
  const { layout } = view;
  const { number } = layout.localization;
  const change = changeOf(row);
  const isPlain = change === 0 || isSmall(row) || isUnknown(row.value);
  const look = isPlain ? undefined : change > 0 ? 'rise' : 'fall';
  const attributes =
    kind === 'whole' ? { html: ' class="whole"' } : kind === 'chosen' && { html: ' aria-current="true"' };
  const label = layout.localization.nameValue(view.shown.by, row.value);
  const isChosen = view.question[view.shown.by].length > 0; // beside what is chosen, the sum is of more
  const name =
    kind === 'whole'
      ? layout.localization.say(isChosen ? `changes.whole.${view.shown.by}` : 'changes.whole')
      : markup`<a href="${linkRow(view, row)}" rel="nofollow"><bdi>${label}</bdi></a>`;
  const share = isSmall(row) ? '–' : formatChangeShare(view, row);
  const colored = look !== undefined && markup` class="${look}"`;
  const changes = view.ranked > 0 && markup`<td${colored}>${formatChange(view, row)}</td><td>${share}</td>`;
  return markup`<tr${attributes}><th scope="row">${name}</th><td>${number(row.now)}</td><td>${number(row.before)}</td>${changes}</tr>`;
}

/** Returns the address of the listings of a row in the compared period. */
export function linkRow({ question, period, shown }: ChangesView, { value }: Pick<Row, 'value'>): string {
  const listings = { ...question, ...period.now, [shown.by]: [value], offset: 0 };
  return `${formatPageAddress(listings)}#found`;
}

/** The map of a comparison, shaded by the column that sorts its table; changes in both directions, counts in one. */

import type { Outline } from '../../../city/places/outline.ts';
import { renderDrawing, renderLegend } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { formatViewAddress } from '../search-view.ts';
import { labelColumn, linkRow, nameColumn } from './changes-table.ts';
import { type ChangesView, changeOf, type Row, type SortColumn, shareOf } from './changes-view.ts';
import { formatChange } from './summary.ts';

const MEASURES = ['change', 'share', 'now', 'before'] as const;
type Measure = (typeof MEASURES)[number];
/** Classes on each side of 0. */
const STEPS = 3;

export function renderChangesMap(view: ChangesView): Markup | undefined {
  const { outline, layout, shown } = view;
  if (outline === undefined || shown.by !== 'neighborhood') return undefined;
  const { say } = layout.localization;
  const measure = findMeasure(view.sort.column);
  const rows = new Map([...view.rows, ...view.small].map((row) => [row.value, row]));
  const shades = openShades(view, outline, { measure, rows });
  const hasSmall = outline.areas.some(({ name }) => view.small.includes(rows.get(name)!));
  const drawing = renderDrawing(view, outline, (name) => {
    const row = rows.get(name) ?? { value: name, now: 0, before: 0 };
    const { now, before } = row;
    const label = say('changes.area', { value: name, now, before, change: formatChange(view, row) });
    const isSmall = view.small.includes(row);
    return { href: linkRow(view, row), label, look: `${shades.lookOf(row)}${isSmall ? ' few' : ''}` };
  });
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${say('changes.map')}</h2>
${renderMeasures(view, measure)}${drawing}${renderLegend([...shades.legend, ...(hasSmall ? [{ look: 'shade-0 few', text: say('changes.small.legend') }] : [])])}</section>`;
}

function findMeasure(column: SortColumn): Measure {
  return column === 'name' ? 'change' : column;
}

/** What the map is shaded by: the links of the column heads. */
function renderMeasures(view: ChangesView, measure: Measure): Markup {
  const links = MEASURES.map(
    (column) =>
      markup`<li><a href="${formatViewAddress({ ...view.shown, sort: column }, view.question)}#map" rel="nofollow" data-key="shade:${column}"${labelColumn(view, column)}${column === measure && { html: ' aria-current="true"' }}>${nameColumn(view, column)}</a></li>`,
  );
  return markup`<ul class="chips" aria-label="${view.layout.localization.say('changes.shade')}">${links}</ul>`;
}

type Shades = { lookOf(row: Row): string; legend: { look: string; text: string }[] };

/** Classes at thirds of the largest value: `shade-1` and up, `loss-1` and up below 0. */
function openShades(
  { layout }: ChangesView,
  outline: Outline,
  { measure, rows }: { measure: Measure; rows: ReadonlyMap<string, Row> },
): Shades {
  const { change, share, number } = layout.localization;
  const measureRow = (row: Row): number => {
    if (measure === 'change') return changeOf(row);
    if (measure === 'share') return row.before === 0 ? Math.sign(row.now) : Math.min(shareOf(row), 1);
    return row[measure];
  };
  const drawn = outline.areas.flatMap(({ name }) => rows.get(name) ?? []);
  const values = drawn.map(measureRow);
  const largest = Math.max(0, ...values.map(Math.abs));
  const isWhole = measure !== 'share';
  const format = measure === 'share' ? share : measure === 'change' ? change : number;
  const limit = (step: number) => (isWhole ? Math.ceil((largest * step) / STEPS) : (largest * step) / STEPS);
  const stepOf = (size: number) => Math.min(STEPS, [1, 2, 3].find((step) => size <= limit(step)) ?? STEPS);
  const lookOf = (value: number) =>
    value === 0 ? 'shade-0' : `${value > 0 ? 'shade' : 'loss'}-${stepOf(Math.abs(value)) * 2 - 1}`;
  const used = new Map<string, number[]>();
  for (const value of [...values, 0]) used.set(lookOf(value), [...(used.get(lookOf(value)) ?? []), value]);
  const legend = [...used]
    .map(([look, some]) => ({ look, low: Math.min(...some), high: Math.max(...some) }))
    .sort((a, b) => a.low - b.low)
    .map(({ look, low, high }) => ({
      look,
      text:
        low === high
          ? format(low)
          : layout.localization.say('changes.range', { from: format(low), to: format(high) }),
    }));
  return { lookOf: (row) => lookOf(measureRow(row)), legend };
}

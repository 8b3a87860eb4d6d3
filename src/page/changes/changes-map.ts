/**
 * Renders the map of a comparison, shaded by the column that its table is sorted by. Changes have two colors, counts
 * have one. Changes of small numbers are not shaded, because they can be chance.
 */

import { isSmall, type Row } from '../../shared/periods.ts';
import { renderLegend } from '../legend.ts';
import { listLooks, openScale, renderDrawing } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { labelColumn, linkRow } from './changes-table.ts';
import { type ChangesView, MEASURES } from './changes-view.ts';
import { formatChange } from './summary.ts';

/** Minimum areas that differ from 0. With fewer, the map is omitted, because it would have almost no shades. */
const FEWEST_SHADED = 2;
const PERCENT = 0.01;

export function renderChangesMap(view: ChangesView): Markup | undefined {
  const { outline, layout, shown, small } = view;
  if (outline === undefined || shown.by !== 'neighborhood') return undefined;
  const { say } = layout.localization;
  const measure = view.sort.column === 'name' ? 'change' : view.sort.column;
  const all = new Map([...view.rows, ...small].map((row) => [row.value, row]));
  const rowOf = (value: string) => all.get(value) ?? { value, now: 0, before: 0 };
  const rows = outline.areas.map(({ name }) => rowOf(name));
  const isApart = (row: Row) => isSmall(row) && (measure === 'change' || measure === 'share');
  const values = rows.filter((row) => !isApart(row)).map((row) => MEASURES[measure](row));
  if (values.filter((value) => value !== 0).length < FEWEST_SHADED) return undefined;
  const scale = openScale(values, measure === 'share' ? PERCENT : 1);
  const format = chooseFormat(view, measure);
  const labels = rows
    .filter((row) => !isApart(row))
    .map((row) => [row.value, format(MEASURES[measure](row))] as const);
  const describe = (name: string) => {
    const row = rowOf(name);
    const { now, before } = row;
    const label = say('changes.area', { value: name, now, before, change: formatChange(view, row) });
    const look = isApart(row) ? 'shade-0 few' : scale.lookOf(MEASURES[measure](row));
    return { href: linkRow(view, row), label, tell: label, look };
  };
  const drawing = renderDrawing(view, outline, describe, new Map(labels));
  const legend = listLooks(view, scale, format);
  if (rows.some(isApart)) legend.push({ look: 'shade-0 few', text: say('changes.small.legend') });
  return markup`<section class="places" aria-labelledby="map"><h2 id="map" tabindex="-1">${say('changes.map')}</h2>
<p class="note">${say('changes.map.column', { column: labelColumn(view, measure) })}</p>${drawing}${renderLegend(legend)}</section>`;
}

function chooseFormat({ layout }: ChangesView, measure: keyof typeof MEASURES): (value: number) => string {
  const { change, share, number } = layout.localization;
  return measure === 'share' ? share : measure === 'change' ? change : number;
}

/** Renders the map below an answer that compares: how a number changed in each neighborhood, or the share of one side of both. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { ALL_TIME, changeOf, FEWEST_RANKED, isSameDays, type Row } from '../../shared/periods.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { renderFolded } from '../facets.ts';
import { renderLegend } from '../legend.ts';
import { PERCENT, renderMap } from '../map/map.ts';
import { type Markup, markup } from '../markup.ts';
import { describeSubject } from '../question-text.ts';
import { toggleFilterAddress } from '../search-view.ts';
import { nameSides } from './answer-parts.ts';
import type { SearchPageView } from './search-page-view.ts';

export function renderDifferenceMap(
  view: SearchPageView,
  { now, before, rows }: NonNullable<SearchPageView['difference']>,
  first: string | undefined,
): Markup {
  const { layout } = view;
  const { say, change, list, number } = layout.localization;
  const isOfDays = !isSameDays(now, before);
  const sides = nameSides(layout, now, before);
  const known = rows.filter(({ value }) => !isUnknown(value));
  const all = new Map(known.map((row) => [row.value, row]));
  const keyOf = ({ value }: Row) => ({
    href: toggleFilterAddress(view, 'neighborhood', value),
    text: value,
    key: `neighborhood:${value}`,
  });
  const rowOf = (name: string) => all.get(name) ?? { value: name, now: 0, before: 0 };
  const sizeOf = isOfDays ? changeOf : sumOf;
  const sorted = known.toSorted((a, b) => Math.abs(sizeOf(b)) - Math.abs(sizeOf(a)) || b.now - a.now);
  const areaOf = (row: Row) => {
    const counts = [row.now, row.before].map((n, i) => say('chart.point', { period: sides[i]!, n }));
    return { href: keyOf(row).href, label: `${row.value}, ${list(counts)}` };
  };
  if (isOfDays) {
    const what = describeSubject({ layout, question: { ...now, ...ALL_TIME, neighborhood: [] } });
    const links = sorted.map((row) => ({
      ...keyOf(row),
      count: changeOf(row),
      said: `${number(row.before)} → ${number(row.now)}`,
    }));
    return renderMap(view, {
      title: capitalize(say('map.change', { what })),
      format: change,
      areaOf: (name) => ({ ...areaOf(rowOf(name)), value: changeOf(rowOf(name)) }),
      first,
      list: renderFolded(view, 'neighborhood', links),
    });
  }
  const total = (side: 'now' | 'before') => known.reduce((sum, row) => sum + row[side], 0);
  const part = total('before') <= total('now') ? 'before' : 'now'; // the smaller side tells more
  const links = sorted.map((row) => ({
    ...keyOf(row),
    count: row.now,
    other: row.before,
    said: `${number(row.now)} · ${number(row.before)}`,
  }));
  const key = renderLegend([
    { look: 'now', text: sides[0] },
    { look: 'other', text: sides[1] },
  ]);
  return renderMap(view, {
    title: capitalize(say('map.share', { one: sides[part === 'now' ? 0 : 1] })),
    format: (share) => layout.localization.share(share).replace('+', ''),
    unit: PERCENT,
    few: say('map.share.few'),
    areaOf(name) {
      const row = rowOf(name);
      return { ...areaOf(row), value: sumOf(row) < FEWEST_RANKED ? undefined : row[part] / sumOf(row) };
    },
    first,
    list: markup`<div class="sides">${key}</div>${renderFolded(view, 'neighborhood', links)}`,
  });
}

function sumOf({ now, before }: Row): number {
  return now + before;
}

/** Renders the map below an answer that compares: by how much one side has more in each neighborhood. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { ALL_TIME, changeOf, isSameDays, type Row } from '../../shared/periods.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { renderFolded } from '../facets.ts';
import { renderLegend } from '../legend.ts';
import { renderMap } from '../map/map.ts';
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
  const hrefOf = (value: string) => toggleFilterAddress(view, 'neighborhood', value);
  const rowOf = (name: string) => all.get(name) ?? { value: name, now: 0, before: 0 };
  const sizeOf = isOfDays ? changeOf : sumOf;
  const sorted = known.toSorted((a, b) => Math.abs(sizeOf(b)) - Math.abs(sizeOf(a)) || b.now - a.now);
  const links = sorted.map((row) => {
    const [now, before] = [number(row.now), number(row.before)];
    const link = { href: hrefOf(row.value), text: row.value };
    return isOfDays
      ? { ...link, count: changeOf(row), said: `${before} → ${now}` }
      : { ...link, count: row.now, other: row.before, said: `${now} · ${before}` };
  });
  const what = describeSubject({ layout, question: { ...now, ...ALL_TIME, neighborhood: [] } });
  const [one, other] = sides;
  const key = renderLegend([
    { look: 'now', text: one },
    { look: 'other', text: other },
  ]);
  return renderMap(view, {
    title: capitalize(isOfDays ? say('map.change', { what }) : say('map.difference', { one, other })),
    format: change,
    areaOf(name) {
      const row = rowOf(name);
      const counts = [row.now, row.before].map((n, i) => say('chart.point', { period: sides[i]!, n }));
      return { href: hrefOf(name), label: `${name}, ${list(counts)}`, value: changeOf(row) };
    },
    first,
    list: markup`${!isOfDays && markup`<div class="sides">${key}</div>`}${renderFolded(view, 'neighborhood', links)}`,
  });
}

function sumOf({ now, before }: Row): number {
  return now + before;
}

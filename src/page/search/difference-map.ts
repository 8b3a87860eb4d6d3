/** Renders the map below an answer that compares: how both sides differ in each neighborhood. */

import { isUnknown } from '../../shared/city/value-names.ts';
import { ALL_TIME, changeOf, isSameDays, type Row } from '../../shared/periods.ts';
import { capitalize } from '../../shared/text/fill-in.ts';
import { renderFolded } from '../facets.ts';
import { renderMap } from '../map/map.ts';
import type { Markup } from '../markup.ts';
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
  const [one, other] = nameSides(layout, now, before);
  const what = describeSubject({ layout, question: { ...now, ...ALL_TIME, neighborhood: [] } });
  const known = rows.filter(({ value }) => !isUnknown(value));
  const all = new Map(known.map((row) => [row.value, row]));
  const linkRow = (value: string) => toggleFilterAddress(view, 'neighborhood', value);
  const sayBoth = (row: Row) =>
    isOfDays ? `${number(row.before)} → ${number(row.now)}` : list([number(row.now), number(row.before)]);
  const point = (period: string, n: number) => say('chart.point', { period, n });
  const links = known
    .toSorted((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || b.now - a.now)
    .map((row) => ({
      ...{ href: linkRow(row.value), text: row.value, count: changeOf(row) },
      ...{ said: sayBoth(row), key: `neighborhood:${row.value}` },
    }));
  return renderMap(view, {
    title: capitalize(isOfDays ? say('map.change', { what }) : say('map.difference', { one, other })),
    format: change,
    areaOf(name) {
      const row = all.get(name) ?? { value: name, now: 0, before: 0 };
      const label = `${name}, ${list([point(one, row.now), point(other, row.before)])}`;
      return { href: linkRow(name), label, value: changeOf(row) };
    },
    first,
    list: renderFolded(view, 'neighborhood', links),
  });
}

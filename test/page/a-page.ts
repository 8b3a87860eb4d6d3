/** A few businesses of a made-up city, its outline, and its page. */

import type { Outline } from '../../src/shared/city/outline.ts';
import { toPlainDates } from '../an-answer.ts';
import { atEnd } from '../at-end.ts';
import { aRow, catalogueOf } from '../service/search/made-up.ts';
import { aDoor } from '../service/web/a-door.ts';

export const ROWS = [
  aRow({
    key: 'A',
    name: 'Harbor Bakery',
    category: 'Cafes & Bakeries',
    neighborhood: 'Naples',
    filedOn: '2026-02-20',
  }),
  aRow({
    key: 'B',
    name: 'Crumb Bakery',
    category: 'Cafes & Bakeries',
    neighborhood: 'Wrigley',
    filedOn: '2026-02-21',
  }),
  aRow({
    key: 'C',
    name: 'Dough Bakery',
    category: 'Cafes & Bakeries',
    neighborhood: 'Wrigley',
    status: 'closed',
  }),
  aRow({ key: 'D', name: 'Naples Tailor', category: 'Laundry & Tailoring', neighborhood: 'Naples' }),
];
const CATALOGUE = catalogueOf(ROWS);
const OUTLINE: Outline = {
  width: 100,
  height: 50,
  areas: [
    { name: 'Naples', path: 'M0 0l50 0 0 50z', x: 35, y: 15 },
    { name: 'Wrigley', path: 'M50 0l50 0 0 50z', x: 85, y: 15 },
    { name: 'Empty & Co', path: 'M0 0l1 0 0 1z', x: 1, y: 0 },
  ],
};

type Given = NonNullable<Parameters<typeof aDoor>[1]>;
const doors: { given: Map<string, unknown>; door: ReturnType<typeof aDoor> }[] = [];
const MOST_DOORS = 3;

/** A door of these services. Pages share it, as it takes ten times as long as a page. */
function doorFor(given: Given): ReturnType<typeof aDoor> {
  const entries = Object.entries(given);
  const isSame = (other: Map<string, unknown>) =>
    other.size === entries.length && entries.every(([name, value]) => other.get(name) === value);
  const known = doors.find((one) => isSame(one.given));
  if (known !== undefined) return known.door;
  const door = aDoor({ after: atEnd }, { catalogue: CATALOGUE, outline: () => OUTLINE, ...given });
  doors.push({ given: new Map(entries), door });
  if (doors.length > MOST_DOORS) void doors.shift()!.door.then(({ close }) => close());
  return door;
}

/** The page at this path, as text. Attributes on lines of their own stand beside the others. */
export async function pageOf(path: string, given: Given = {}): Promise<string> {
  const { get } = await doorFor(given);
  return toPlainDates((await (await get(path)).text()).replaceAll(/\n (?=\S)/g, ' '));
}

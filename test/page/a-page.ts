/** A few businesses of a made-up city, its outline, and its page. */

import assert from 'node:assert/strict';
import type { Outline } from '../../src/shared/city/outline.ts';
import { toPlainDates } from '../an-answer.ts';
import { atEnd } from '../at-end.ts';
import { aRow, catalogueOf, type KnownRow } from '../service/search/made-up.ts';
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

type Facts = Partial<KnownRow>;
type Given = NonNullable<Parameters<typeof aDoor>[1]>;

/** So many listings of these facts. */
export const times = (count: number, facts: Facts | ((i: number) => Facts) = {}): Facts[] =>
  Array.from({ length: count }, (_, i) => (typeof facts === 'function' ? facts(i) : facts));

/** A register of listings with these facts, each with a key of its own. */
export function aRegister(facts: readonly Facts[], options?: Parameters<typeof catalogueOf>[1]) {
  const rows = facts.map((one, i) => aRow({ key: `${i}`, ...one }));
  return { catalogue: catalogueOf(rows, options) };
}

export const BAKERIES = aRegister(ROWS);
const OUTLINE: Outline = {
  width: 100,
  height: 50,
  areas: [
    { name: 'Naples', path: 'M0 0l50 0 0 50z', x: 35, y: 15 },
    { name: 'Wrigley', path: 'M50 0l50 0 0 50z', x: 85, y: 15 },
    { name: 'Empty & Co', path: 'M0 0l1 0 0 1z', x: 1, y: 0 },
  ],
};

const doors: { given: Map<string, unknown>; door: ReturnType<typeof aDoor> }[] = [];
const MOST_DOORS = 3;

/** A door of these services. Pages share it, as it takes ten times as long as a page. */
function doorFor(given: Given): ReturnType<typeof aDoor> {
  const entries = Object.entries(given);
  const isSame = (other: Map<string, unknown>) =>
    other.size === entries.length && entries.every(([name, value]) => other.get(name) === value);
  const known = doors.find((one) => isSame(one.given));
  if (known !== undefined) return known.door;
  const door = aDoor({ after: atEnd }, { ...BAKERIES, outline: () => OUTLINE, ...given });
  doors.push({ given: new Map(entries), door });
  if (doors.length > MOST_DOORS) void doors.shift()!.door.then(({ close }) => close());
  return door;
}

/** The page at this path, or for this question, as text. Attributes on lines of their own stand beside the others. */
export async function pageOf(asked: string, given: Given = BAKERIES): Promise<string> {
  const { get } = await doorFor(given);
  const path = asked.startsWith('/') ? asked : `/?q=${encodeURIComponent(asked)}`;
  return toPlainDates((await (await get(path)).text()).replaceAll(/\n (?=\S)/g, ' '));
}

/** What the page answers, and says beside it. */
export function saidOn(page: string): string {
  const said = page.matchAll(/<(?:h1|p id="caveat"|p class="doubt")[^>]*>(.*?)<\/(?:h1|p)>/gs);
  const texts = Array.from(said, ([, text]) => text!.replace(/<[^>]*>/g, '').replace(/\s+/g, ' '));
  return texts.join(' ').trim();
}

type Expected = string | RegExp | { lacks: RegExp };

/** What a page lacks. */
export const no = (lacks: RegExp): Expected => ({ lacks });

/** Asserts what the page of each path or question has and lacks, or all that it says. */
export async function assertPages(
  given: Given,
  pages: Readonly<Record<string, Expected | readonly Expected[]>>,
): Promise<void> {
  for (const [asked, expected] of Object.entries(pages)) {
    const page = await pageOf(asked, given);
    for (const one of [expected].flat() as Expected[])
      if (typeof one === 'string') assert.equal(saidOn(page), one, asked);
      else if (one instanceof RegExp) assert.match(page, one, `${asked}: ${one} is not in ${page}`);
      else assert.doesNotMatch(page, one.lacks, asked);
  }
}

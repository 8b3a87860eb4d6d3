/** The streets of an address file, each name with its variants: `N Main St`, `Main Ave`. */

import type { StreetName } from './street-name.ts';

export type StreetTable = {
  /** The number of this street, which is new if need be. */
  add(street: StreetName): number;
  /** The streets of this name and how far they are from what was asked (0: all parts are equal), nearest first. */
  find(street: StreetName): readonly { id: number; distance: number }[];
  count(): number;
};

type Variant = StreetName & { id: number };

/** A register that leaves out `N` or `St` means the street that has it, if there is one alone; another `N` or `St` is further away. */
export function openStreetTable(): StreetTable {
  const byName = new Map<string, Variant[]>();
  let count = 0;
  return {
    add(street) {
      const variants = byName.get(street.name);
      const known = variants?.find((one) => measureDistance(street, one) === 0);
      if (known !== undefined) return known.id;
      const added = { ...street, id: count++ };
      if (variants === undefined) byName.set(street.name, [added]);
      else variants.push(added);
      return added.id;
    },
    find(street) {
      const near = (byName.get(street.name) ?? []).map((one) => ({
        id: one.id,
        distance: measureDistance(street, one),
      }));
      return near.filter(({ distance }) => distance <= FARTHEST).sort((a, b) => a.distance - b.distance);
    },
    count: () => count,
  };
}

const FARTHEST = 3;

/** One for each part that only one of them has or that stands on the other side; two for another suffix; never another direction. */
function measureDistance(asked: StreetName, known: StreetName): number {
  const suffix = measurePart(asked.suffix, known.suffix, 2);
  if (asked.before === known.before && asked.after === known.after) return suffix;
  if (asked.before === known.after && asked.after === known.before) return suffix + 1;
  const far = FARTHEST + 1;
  return suffix + measurePart(asked.before, known.before, far) + measurePart(asked.after, known.after, far);
}

function measurePart(asked: string, known: string, other: number): number {
  if (asked === known) return 0;
  return asked === '' || known === '' ? 1 : other;
}

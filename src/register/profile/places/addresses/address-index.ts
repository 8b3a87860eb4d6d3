/** Finds the position of an address: its own point, between its neighbors, or within a range of house numbers. */

import type { Point } from '../points.ts';
import {
  DEGREE,
  findBetweenNeighbors,
  listPointsAt,
  openPointRows,
  type PointTable,
  pointAt,
} from './address-points.ts';
import {
  type AddressRange,
  findInRanges,
  openRangeRows,
  PARITIES,
  type RangeTable,
} from './address-ranges.ts';
import type { StreetAddress } from './read-address.ts';
import type { StreetName } from './street-name.ts';

/** Maximum addresses of a city. The largest county of the United States has three million. */
export const MOST_ADDRESSES = 5_000_000;

export type AddressPoint = {
  number: number;
  detail: string;
  street: StreetName;
  longitude: number;
  latitude: number;
  zip: string;
  town: string;
};

export type StreetRanges = {
  street: StreetName;
  line: readonly Point[];
  ranges: readonly (AddressRange & { zip: string })[];
};

export type FoundAddress = {
  how: 'exact' | 'interpolated' | 'range';
  /** Possible positions. The address gets a neighborhood only if all positions are in the same one. */
  spots: readonly Point[];
};

/** Why an address was not found. `elsewhere` means that no address in the file has its ZIP code. */
export type AddressMiss = 'street not found' | 'number not found' | 'elsewhere';

export type AddressHints = { zip: string; town: string };

export type AddressIndexBuilder = ReturnType<typeof openAddressIndexBuilder>;

export function openAddressIndexBuilder() {
  const streets = openStreetTable();
  const points = openPointRows();
  const ranges = openRangeRows();
  const lines: (readonly Point[])[] = [];
  const texts = new Map([['', 0]]);
  const numberOf = (text: string) => numberText(texts, text);
  let withoutZip = 0;
  return {
    get size() {
      return { points: points.count, ranges: ranges.count };
    },
    addPoint({ number, street, longitude, latitude, ...named }: AddressPoint): void {
      const [zip, town, detail] = [named.zip, named.town, named.detail].map(numberOf) as [
        number,
        number,
        number,
      ];
      if (zip === 0) withoutZip++;
      const at = { longitude: Math.round(longitude * DEGREE), latitude: Math.round(latitude * DEGREE) };
      points.add({ street: streets.add(street), number, ...at, zip, town, detail });
    },
    addRanges({ street, line, ranges: sides }: StreetRanges): void {
      if (sides.length === 0 || line.length < 2) return;
      const shared = { street: streets.add(street), line: lines.push(line) - 1 };
      for (const { from, to, parity, side, ...named } of sides) {
        const zip = numberOf(named.zip);
        if (zip === 0) withoutZip++;
        const kind = { parity: PARITIES.indexOf(parity), isRight: Number(side === 'right') };
        ranges.add({ ...shared, ...kind, from, to, zip });
      }
    },
    build() {
      const tables = {
        points: points.build(streets.count()),
        ranges: { lines, ...ranges.build(streets.count()) },
      };
      const namesZips = withoutZip < (points.count + ranges.count) * FEW;
      return {
        size: { points: points.count, ranges: ranges.count },
        find(
          { number, detail, streets: readings }: Pick<StreetAddress, 'number' | 'detail' | 'streets'>,
          hints: AddressHints,
        ): FoundAddress | AddressMiss {
          const zip = texts.get(hints.zip);
          if (namesZips && zip === undefined) return 'elsewhere';
          const town = texts.get(hints.town) ?? 0;
          const asked = { number, zip: zip ?? 0, town, detail: texts.get(detail) ?? 0 };
          const found = readings.flatMap((reading) => streets.find(reading));
          return findInTables(tables, found, asked) ?? `${found.length > 0 ? 'number' : 'street'} not found`;
        },
      };
    },
  };
}

/** A file in which at most this share of addresses lacks a ZIP code is assumed to have all ZIP codes of its area. */
const FEW = 0.1;

export type AddressIndex = ReturnType<AddressIndexBuilder['build']>;

/**
 * Tries the most similar streets first. Equally similar streets are equally likely. Points are more exact than ranges.
 */
function findInTables(
  { points, ranges }: { points: PointTable; ranges: RangeTable },
  streets: readonly { id: number; distance: number }[],
  asked: AskedAddress,
): FoundAddress | undefined {
  const groups = streets.reduce<number[][]>((all, { id, distance }, i) => {
    if (distance === streets[i - 1]?.distance) all.at(-1)!.push(id);
    else all.push([id]);
    return all;
  }, []);
  for (const group of groups) {
    const found = findAtPoints(points, group, asked);
    if (found !== undefined) return found;
  }
  for (const group of groups) {
    const spots = group.flatMap((id) => findInRanges(ranges, id, asked));
    if (spots.length > 0) return { how: 'range', spots };
  }
  return undefined;
}

type AskedAddress = { number: number; zip: number; town: number; detail: number };

function findAtPoints(
  points: PointTable,
  streets: readonly number[],
  asked: AskedAddress,
): FoundAddress | undefined {
  const exact = streets.flatMap((street) => listPointsAt(points, street, asked.number));
  if (exact.length > 0)
    return { how: 'exact', spots: narrowPoints(points, exact, asked).map((i) => pointAt(points, i)) };
  const near = streets.map((street) => findBetweenNeighbors(points, street, asked.number));
  const spots = near.flatMap((some) => some ?? []);
  return spots.length === 0 ? undefined : { how: 'interpolated', spots };
}

function narrowPoints(points: PointTable, found: number[], asked: AskedAddress): number[] {
  let left = found;
  for (const part of ['zip', 'town', 'detail'] as const) {
    if (left.length === 1) return left;
    const same = left.filter((i) => points[part][i] === asked[part]);
    if (same.length > 0) left = same;
  }
  return left;
}

type Variant = StreetName & { id: number };

/** Indexes streets by name. A street that only lacks `N` or `St` is the most similar to the requested street. */
function openStreetTable() {
  const byName = new Map<string, Variant[]>();
  let count = 0;
  return {
    add(street: StreetName): number {
      const variants = byName.getOrInsertComputed(street.name, (): Variant[] => []);
      const known = variants.find((one) => measureDistance(street, one) === 0);
      if (known !== undefined) return known.id;
      variants.push({ ...street, id: count });
      return count++;
    },
    /** Finds streets of this name, most similar first. At distance 0, all parts are equal. */
    find(street: StreetName): readonly { id: number; distance: number }[] {
      return (byName.get(street.name) ?? [])
        .map((one) => ({ id: one.id, distance: measureDistance(street, one) }))
        .filter(({ distance }) => distance <= FARTHEST)
        .sort((a, b) => a.distance - b.distance);
    },
    count: () => count,
  };
}

const FARTHEST = 3;

/**
 * Measures how different two streets are: 1 for a missing or moved part, 2 for another suffix, too far otherwise.
 */
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

const MOST_TEXTS = 65_535; // the maximum number in two bytes

/** Returns the number of a text that many rows share, such as a ZIP code. `''` is 0, and so is a new text if there are too many. */
export function numberText(known: Map<string, number>, text: string): number {
  return known.get(text) ?? (known.size > MOST_TEXTS ? 0 : known.getOrInsert(text, known.size));
}

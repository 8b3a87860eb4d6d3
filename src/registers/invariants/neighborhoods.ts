/** `coarse-neighborhoods` and `unplaced`: neighborhoods that are none, and openings without one. */

import type { City } from '../../city/define.ts';
import { foldTown, readTown } from '../../city/places/place-text.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { foldWords } from '../../listings/words.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  formatOpenings,
  isMoreThan,
  listNames,
  makeFinding,
  openExamples,
  type ShownFinding,
} from './finding.ts';

const COARSE_SHARE = 0.6;
const FEWEST_TO_SPREAD = 100;
const UNPLACED_SHARE = 0.1;
const MOST_NAMES = 2_000;
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,3}$/;

export function openNeighborhoodCheck({ places }: Evidence, city: City): FindingCheck {
  const { address, postalCode, point, town } = places;
  const names = new Map<string, number>();
  const columns = [...address, postalCode, point?.longitude, point?.latitude];
  const placeable = [...new Set(columns.map((one) => one?.name).filter((name) => name !== undefined))];
  const examples = openExamples();
  let [towns, unplaced] = [0, 0];
  return {
    see({ name, neighborhood }, cell, { weight }) {
      if (neighborhood === UNKNOWN_NEIGHBORHOOD) {
        if (placeable.every((column) => cell(column) === '')) return;
        unplaced += weight;
        examples.keep(name);
        return;
      }
      if (names.has(neighborhood) || names.size < MOST_NAMES)
        names.set(neighborhood, (names.get(neighborhood) ?? 0) + weight);
      if (town !== undefined && isTownName(neighborhood, cell(town.column.name))) towns += weight;
    },
    find: (openings) => [
      findCoarse(names, towns, { city, openings }),
      findUnplaced({ count: unplaced, examples: examples.list() }, { placeable, openings }),
    ],
  };
}

function isTownName(neighborhood: string, town: string): boolean {
  return town !== '' && (neighborhood === town || foldTown(neighborhood) === foldTown(readTown(town)));
}

function findCoarse(
  names: ReadonlyMap<string, number>,
  towns: number,
  { city, openings }: { city: City; openings: number },
): ShownFinding | undefined {
  const placed = [...names.values()].reduce((sum, count) => sum + count, 0);
  const most = [...names].sort((a, b) => b[1] - a[1]);
  const districts = most
    .filter(([name]) => DISTRICT.test(foldWords(name)))
    .reduce((sum, [, n]) => sum + n, 0);
  const town = most.find(([name]) => foldWords(name) === foldWords(city.name))?.[1] ?? 0;
  const causes = [
    { count: Math.max(towns, town), why: 'is the name of a town' },
    { count: districts, why: 'is the number of a district' },
    { count: openings < FEWEST_TO_SPREAD ? 0 : (most[0]?.[1] ?? 0), why: 'is always the same' },
  ];
  const [worst] = causes.toSorted((a, b) => b.count - a.count);
  const { count, why } = worst!;
  if (!isMoreThan(COARSE_SHARE, count, placed)) return undefined;
  const detail = `the neighborhood of ${formatOpenings(count, openings)} ${why}`;
  const examples = most.slice(0, 5).map(([name, n]) => `${name}: ${n}`);
  const fix =
    'take the neighborhood from another column (neighborhood), or from points or addresses with boundaries';
  return makeFinding('coarse-neighborhoods', 'stop', {
    ...{ count, of: openings, detail, examples, fix, word: 'neighborhood' as const },
  });
}

function findUnplaced(
  { count, examples }: { count: number; examples: readonly string[] },
  { placeable, openings }: { placeable: readonly string[]; openings: number },
): ShownFinding | undefined {
  if (!isMoreThan(UNPLACED_SHARE, count, openings)) return undefined;
  const detail = `${formatOpenings(count, openings)} have no neighborhood, although the file has ${listNames(placeable)}`;
  const fix =
    'add boundaries, with point or address (an address also needs addresses), or show postal-code areas (neighborhood: { postalCode })';
  return makeFinding('unplaced', 'warn', {
    ...{ count, of: openings, detail, examples, fix, word: 'neighborhood' as const },
  });
}

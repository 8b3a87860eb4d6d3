/** `coarse-neighborhoods` and `unplaced`: neighborhoods that are none, and openings without one. */

import type { City, Row } from '../../city/define.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { readCell } from '../sources/row.ts';
import {
  type FindingCheck,
  foldText,
  formatOpenings,
  isMoreThan,
  keepExample,
  makeFinding,
} from './check.ts';
import type { ColumnRoles } from './column-roles.ts';
import type { ShownFinding } from './finding.ts';
import { foldTownText } from './outside.ts';

const COARSE_SHARE = 0.6;
const FEWEST_TO_SPREAD = 100;
const UNPLACED_SHARE = 0.1;
const MOST_NAMES = 2_000;
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,3}$/;

export function openNeighborhoodCheck({ town, address, zip, point }: ColumnRoles, city: City): FindingCheck {
  const names = new Map<string, number>();
  const placeable = [...address, zip, ...point].filter((column) => column !== undefined);
  const unplaced = { count: 0, examples: [] as string[] };
  let towns = 0;
  return {
    see({ name, neighborhood }, row, weight) {
      if (neighborhood === UNKNOWN_NEIGHBORHOOD) {
        if (!isPlaceable(row, placeable)) return;
        unplaced.count += weight;
        keepExample(unplaced.examples, name);
        return;
      }
      if (names.has(neighborhood) || names.size < MOST_NAMES)
        names.set(neighborhood, (names.get(neighborhood) ?? 0) + weight);
      if (town !== undefined && isTownName(neighborhood, readCell(row, town))) towns += weight;
    },
    find: (openings) => [
      findCoarse(names, towns, { city, openings }),
      findUnplaced(unplaced, placeable, openings),
    ],
  };
}

function isPlaceable(row: Row, columns: readonly string[]): boolean {
  return columns.some((column) => readCell(row, column) !== '');
}

function isTownName(neighborhood: string, town: string): boolean {
  return town !== '' && (neighborhood === town || foldText(neighborhood) === foldTownText(town));
}

function findCoarse(
  names: ReadonlyMap<string, number>,
  towns: number,
  { city, openings }: { city: City; openings: number },
): ShownFinding | undefined {
  const placed = [...names.values()].reduce((sum, count) => sum + count, 0);
  const most = [...names].sort((a, b) => b[1] - a[1]);
  const districts = most.filter(([name]) => DISTRICT.test(foldText(name))).reduce((sum, [, n]) => sum + n, 0);
  const town = most.find(([name]) => foldText(name) === foldText(city.name))?.[1] ?? 0;
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
    'in the verdict, take neighborhood from another column, return point or address with boundaries, or use zips';
  return makeFinding('coarse-neighborhoods', 'stop', { count, of: openings, detail, examples, fix });
}

function findUnplaced(
  { count, examples }: { count: number; examples: readonly string[] },
  columns: readonly string[],
  openings: number,
): ShownFinding | undefined {
  if (!isMoreThan(UNPLACED_SHARE, count, openings)) return undefined;
  const detail = `${formatOpenings(count, openings)} have no neighborhood, although the file has ${columns.map((one) => `"${one}"`).join(', ')}`;
  const fix =
    'add boundaries, and return point or address in the verdict (address also needs addresses in the profile); or add zips, and return zip';
  return makeFinding('unplaced', 'warn', { count, of: openings, detail, examples, fix });
}

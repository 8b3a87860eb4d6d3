/** Checks for names that are not neighborhoods (`coarse-neighborhoods`) and openings without one (`unplaced`). */

import type { City } from '../../city/define.ts';
import { foldTown, readTown } from '../../city/places/place-text.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { foldWords } from '../../listings/words.ts';
import { countRows } from '../survey.ts';
import type { Evidence } from './evidence.ts';
import {
  type FindingCheck,
  isMoreThan,
  listNames,
  makeFinding,
  openCounts,
  openExamples,
  type ShownFinding,
} from './finding.ts';

const COARSE_SHARE = 0.6;
const FEWEST_TO_SPREAD = 100;
const UNPLACED_SHARE = 0.1;
const MOST_NAMES = 2_000;
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,3}$/;

export function openNeighborhoodCheck({ location }: Evidence, city: City): FindingCheck {
  const { address, postalCode, point, town } = location;
  const names = openCounts(MOST_NAMES);
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
      names.add(neighborhood, weight);
      if (town !== undefined && isTownName(neighborhood, cell(town.column.name))) towns += weight;
    },
    find: (openings) => [
      findCoarse(names.list(), towns, { city, openings }),
      isMoreThan(UNPLACED_SHARE, unplaced, openings)
        ? makeFinding('unplaced', {
            count: unplaced,
            of: openings,
            examples: examples.list(),
            values: { columns: listNames(placeable) },
          })
        : undefined,
    ],
  };
}

function isTownName(neighborhood: string, town: string): boolean {
  return town !== '' && (neighborhood === town || foldTown(neighborhood) === foldTown(readTown(town)));
}

/** Finds coarse neighborhoods. `most`: neighborhoods, most frequent first. `towns`: openings with their town's name. */
function findCoarse(
  most: readonly (readonly [name: string, count: number])[],
  towns: number,
  { city, openings }: { city: City; openings: number },
): ShownFinding | undefined {
  const districts = countRows(most.filter(([name]) => DISTRICT.test(foldWords(name))));
  const town = most.find(([name]) => foldWords(name) === foldWords(city.name))?.[1] ?? 0;
  const causes = [
    { count: Math.max(towns, town), why: 'is the name of a town' },
    { count: districts, why: 'is the number of a district' },
    { count: openings < FEWEST_TO_SPREAD ? 0 : (most[0]?.[1] ?? 0), why: 'is always the same' },
  ];
  const { count, why } = causes.reduce((worst, one) => (one.count > worst.count ? one : worst));
  if (!isMoreThan(COARSE_SHARE, count, countRows(most))) return undefined;
  const examples = most.slice(0, 5).map(([name, n]) => `${name}: ${n}`);
  return makeFinding('coarseNeighborhoods', { count, of: openings, examples, values: { why } });
}

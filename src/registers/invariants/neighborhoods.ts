/** Checks for names that are not neighborhoods (`coarse-neighborhoods`) and openings without one (`unplaced`). */

import { foldTown, readTown } from '../../city/places/place-text.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../listings/listing.ts';
import { foldWords } from '../../listings/words.ts';
import { countRows } from '../survey.ts';
import type { SampledRegister } from './evidence.ts';
import { countTexts, isMoreThan, listExamples, listNames, makeFinding, sumWeights } from './finding.ts';

const COARSE_SHARE = 0.6;
const FEWEST_TO_SPREAD = 100;
const UNPLACED_SHARE = 0.1;
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,3}$/;

export function checkNeighborhoods(register: SampledRegister) {
  return [findCoarse(register), findUnplaced(register)];
}

function findCoarse({ city, evidence, openings, total }: SampledRegister) {
  const town = evidence.roles.town?.column.name;
  const named = openings.filter(({ neighborhood }) => neighborhood !== UNKNOWN_NEIGHBORHOOD);
  const inTown = named.filter(({ neighborhood, cell }) => town && isTownName(neighborhood, cell(town)));
  const names = countTexts(named, ({ neighborhood }) => neighborhood);
  const districts = countRows(names.filter(([name]) => DISTRICT.test(foldWords(name))));
  const ofCity = names.find(([name]) => foldWords(name) === foldWords(city.name))?.[1] ?? 0;
  const causes = [
    { count: Math.max(sumWeights(inTown), ofCity), why: 'is the name of a town' },
    { count: districts, why: 'is the number of a district' },
    { count: total < FEWEST_TO_SPREAD ? 0 : (names[0]?.[1] ?? 0), why: 'is always the same' },
  ];
  const { count, why } = causes.reduce((worst, one) => (one.count > worst.count ? one : worst));
  if (!isMoreThan(COARSE_SHARE, count, countRows(names))) return undefined;
  const examples = names.slice(0, 5).map(([name, n]) => `${name}: ${n}`);
  return makeFinding('coarseNeighborhoods', { count, of: total, examples, values: { why } });
}

function isTownName(neighborhood: string, town: string): boolean {
  return town !== '' && (neighborhood === town || foldTown(neighborhood) === foldTown(readTown(town)));
}

function findUnplaced({ evidence, openings, total }: SampledRegister) {
  const { address, postalCode, point } = evidence.roles;
  const columns = [...address, postalCode, point?.longitude, point?.latitude];
  const placeable = [...new Set(columns.flatMap((column) => column?.name ?? []))];
  const unplaced = openings.filter(
    ({ neighborhood, cell }) =>
      neighborhood === UNKNOWN_NEIGHBORHOOD && placeable.some((column) => cell(column) !== ''),
  );
  const count = sumWeights(unplaced);
  if (!isMoreThan(UNPLACED_SHARE, count, total)) return undefined;
  const examples = listExamples(unplaced, ({ name }) => name);
  return makeFinding('unplaced', { count, of: total, examples, values: { columns: listNames(placeable) } });
}

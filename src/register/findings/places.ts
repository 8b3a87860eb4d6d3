/**
 * Checks the places of openings: neighborhoods, offices of agents, and names that occur at one place under several
 * keys.
 */

import type { Day } from '../../shared/day.ts';
import type { Opening } from '../../shared/filing.ts';
import { foldWords } from '../../shared/words.ts';
import { foldValue } from '../profile/mapping/cells.ts';
import { hasCompanyForm } from '../profile/people/persons.ts';
import { foldTown, readTown } from '../profile/places/place-text.ts';
import { countRows } from '../survey/survey.ts';
import { hashCell } from '../survey/table.ts';
import type { Evidence, SampledRegister } from './evidence.ts';
import { countTexts, isMoreThan, makeFinding, type ReadText, sumWeights } from './finding.ts';

const COARSE_SHARE = 0.6;
const FEWEST_TO_SPREAD = 100;
const DISTRICT =
  /^(?:(?:council|supervisor\w*|commission\w*|police|fire|city|district|ward|precinct|area|zone|no|number)\s*)*[ivx\d]{1,3}$/;

export function checkNeighborhoods(register: SampledRegister) {
  return [findCoarse(register), findUnplaced(register)];
}

function findCoarse({ city, evidence, openings, total }: SampledRegister) {
  const town = evidence.roles.town?.column.name;
  const named = openings.flatMap(({ neighborhood, ...one }) =>
    neighborhood === null ? [] : { ...one, neighborhood },
  );
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
  const examples = names.map(([name, n]) => `${name}: ${n}`);
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
    ({ neighborhood, cell }) => neighborhood === null && placeable.some((column) => cell(column) !== ''),
  );
  const count = sumWeights(unplaced);
  const examples = unplaced.map(({ name }) => name);
  return makeFinding('unplaced', { count, of: total, columns: placeable, examples });
}

/** Minimum companies at an agent's address. Malls have fewer at one address, and large buildings use suite numbers. */
const COMPANIES = 25;
/** Minimum share of names with a legal form at an agent's address. Shops at one address have trade names. */
const COMPANY_SHARE = 0.8;
const MOST_SKIPPED = 100;

/**
 * Finds the offices of agents: addresses that many businesses share. The address columns are those of the mapping or,
 * if it has none, those that the survey found.
 */
export function checkOffices({ evidence, source, openings, total: of }: SampledRegister) {
  const mapped = source.mapping?.address ?? [];
  const column = mapped.length > 0 ? [...mapped] : [...evidence.address];
  const places = Map.groupBy(openings, ({ cell }) => {
    const parts = column.map(cell).filter((text) => text !== '');
    return foldValue(parts.join(' '));
  });
  const offices = [...places]
    .filter(([address, all]) => sumWeights(all) >= COMPANIES && /\d/.test(address))
    .map(([address, all]) => {
      const companies = sumWeights(all.filter(({ name }) => hasCompanyForm(name)));
      return { address, companies, all: sumWeights(all) };
    })
    .filter(({ companies, all }) => companies >= COMPANIES && companies >= all * COMPANY_SHARE)
    .sort((a, b) => b.companies - a.companies);
  const count = offices.reduce((sum, { all }) => sum + all, 0);
  const values = {
    addresses: `${offices.length} ${offices.length === 1 ? 'address' : 'addresses'}`,
    most: offices[0]?.companies ?? 0,
  };
  const skipped = offices.slice(0, MOST_SKIPPED).map(({ address }) => address);
  return makeFinding('registeredOffices', {
    count,
    of,
    columns: column,
    values,
    examples: offices.map(({ address, companies }) => `${address}: ${companies} companies`),
    write: { skip: [{ column, values: skipped, because: 'registered office' }] },
  });
}

/** Maximum businesses in memory. If there are more, every second one is dropped and the others count twice. */
const MOST_BUSINESSES = 32_768;
const OTHERS_KEPT = 15;
const NO_OTHERS: readonly Filing[] = []; // nearly all businesses share this list, which saves memory

type Filing = { key: number; day: Day };

/** Opens a check that examines all openings, because a sample would contain few repeats. */
export function openRepeatCheck({ roles }: Pick<Evidence, 'roles'>, most = MOST_BUSINESSES) {
  const { address, point } = roles;
  const chosen = address.length > 0 ? address : point === undefined ? [] : [point.latitude, point.longitude];
  const columns = [...new Set(chosen.map(({ name }) => name))];
  /** Businesses by the hash of their name and place: the first filing, and `others` with different keys. */
  const businesses = new Map<number, Filing & { name: string; others: readonly Filing[] }>();
  let share = 1;
  const isSampled = (hash: number) => (hash & (share - 1)) === 0;
  return {
    see({ key, name, filedOn }: Pick<Opening, 'key' | 'name' | 'filedOn'>, cell: ReadText): void {
      const where = foldWords(columns.map(cell).join(' '));
      const hash = hashText(`${foldWords(name)}\n${where}`);
      if (where === '' || !isSampled(hash)) return;
      const filing = { key: hashText(key), day: filedOn };
      const known = businesses.get(hash);
      if (known === undefined) businesses.set(hash, { ...filing, name, others: NO_OTHERS });
      else if ([known, ...known.others].every((one) => one.key !== filing.key))
        known.others = [...known.others, filing].slice(0, OTHERS_KEPT);
      if (businesses.size <= most) return;
      share *= 2;
      for (const other of businesses.keys()) if (!isSampled(other)) businesses.delete(other);
    },
    find(of: number) {
      const repeated = [...businesses.values()]
        .filter(({ others }) => others.length > 0)
        .map(({ name, day, others }) => ({
          name,
          days: [...new Set([day, ...others.map((one) => one.day)])],
        }))
        .filter(({ days }) => days.length > 1);
      const count = repeated.reduce((sum, { days }) => sum + days.length - 1, 0) * share;
      const examples = repeated.map(({ name, days }) => `${name}: ${days.slice(0, 4).join(', ')}`);
      const write = { key: { nameAnd: columns } };
      return makeFinding('repeatedBusinesses', { count, of, columns, examples, write });
    },
  };
}

/** Hashes a text. Mixes the high bits into the low ones, which determine the sample. */
function hashText(text: string): number {
  const hash = hashCell(text);
  return (hash ^ (hash >>> 15)) | 0;
}

/**
 * Checks the places of openings: neighborhoods, offices of agents, and names that occur at one place under several
 * keys.
 */

import { columnsOf, foldValue } from '../profile/mapping/cells.ts';
import { hasCompanyForm } from '../profile/people/company-forms.ts';
import { foldTown } from '../profile/places/place-text.ts';
import { countRows } from '../survey/columns.ts';
import { isDistrict, MOST_IN_AREA } from '../survey/locations.ts';
import type { SampledOpening, SampledRegister } from './evidence.ts';
import {
  countTexts,
  formatRows,
  isMoreThan,
  listCounts,
  makeFinding,
  sumWeights,
  type Words,
} from './finding.ts';

const FEWEST_TO_SPREAD = 100;

export function findCoarse({ city, openings, total, evidence }: SampledRegister) {
  const names = countTexts(
    openings.filter(({ neighborhood }) => neighborhood !== null),
    ({ neighborhood }) => neighborhood!,
  );
  const districts = countRows(names.filter(([name]) => isDistrict(name)));
  const ofCity = countRows(names.filter(([name]) => foldTown(name) === foldTown(city.name)));
  const causes = [
    // the towns of a county are what people there search by
    { count: ofCity, why: 'is the name of the city' },
    { count: districts, why: 'is the number of a district' },
    { count: total < FEWEST_TO_SPREAD ? 0 : (names[0]?.[1] ?? 0), why: 'is always the same' },
  ];
  const { count, why } = causes.reduce((worst, one) => (one.count > worst.count ? one : worst));
  if (!isMoreThan(MOST_IN_AREA, count, countRows(names))) return undefined;
  const { candidates, postalCode } = evidence.roles;
  const tries: Words[] = (candidates.neighborhood ?? []).map(({ name }) => ({ neighborhood: name }));
  if (postalCode) tries.push({ neighborhood: { postalCode: postalCode.name } });
  return makeFinding('coarseNeighborhoods', {
    ...{ count, of: total, values: { why }, tries },
    examples: listCounts(names),
  });
}

export function findUnplaced({ evidence, openings, total }: SampledRegister) {
  const { address, postalCode, point } = evidence.roles;
  const columns = [...address, postalCode, point?.longitude, point?.latitude];
  const placeable = [...new Set(columns.flatMap((column) => column?.name ?? []))];
  const unplaced = openings.filter(
    ({ neighborhood, cell }) => neighborhood === null && placeable.some((column) => cell(column) !== ''),
  );
  const count = sumWeights(unplaced);
  const examples = unplaced.map(({ name }) => name);
  const tries = postalCode && [{ neighborhood: { postalCode: postalCode.name } }];
  return makeFinding('unplaced', { count, of: total, columns: placeable, examples, tries });
}

/** Minimum openings at one address on one day. In four real registers, 10 shops or carts were the most. */
const FEWEST_AT_ONCE = 20;
/** Minimum openings of a sample. Of a larger part, each counts several times. */
const FEWEST_SAMPLED = 5;
/** Minimum companies at an agent's address. Malls have fewer at one address, and large buildings use suite numbers. */
const COMPANIES = 25;
/** Minimum share of names with a legal form at an agent's address. Shops at one address have trade names. */
const COMPANY_SHARE = 0.8;
const MOST_SKIPPED = 100;

/** Checks addresses that many businesses share. Their columns are those of the mapping or, if it has none, of the survey. */
export function checkAddresses({ evidence, source, openings, total: of }: SampledRegister) {
  const { address, town, inside } = source.mapping?.register ?? {};
  const mapped = town || inside ? columnsOf(address) : [];
  const column = mapped.length > 0 ? [...mapped] : [...evidence.address];
  const places = Map.groupBy(openings, ({ cell }) => {
    const parts = column.map(cell).filter((text) => text !== '');
    return foldValue(parts.join(' '));
  });
  const shared = [...places].filter(([address]) => /\d/.test(address));
  return [findAtOnce(shared, column, of), findOffices(shared, column, of)];
}

type SharedAddress = [address: string, openings: SampledOpening[]];

/** Finds addresses with many new businesses on one day, such as the rooms of a hotel. */
function findAtOnce(places: readonly SharedAddress[], columns: readonly string[], of: number) {
  const found = places.flatMap(([address, all]) =>
    [...Map.groupBy(all, ({ filedOn }) => filedOn)]
      .filter(([, some]) => some.length >= FEWEST_SAMPLED && sumWeights(some) >= FEWEST_AT_ONCE)
      .map(([day, some]) => ({ address, day, count: sumWeights(some) })),
  );
  const all = found.toSorted((a, b) => b.count - a.count);
  return makeFinding('manyAtOnce', {
    count: all.reduce((sum, { count }) => sum + count, 0),
    of,
    columns,
    examples: all.map(({ address, day, count }) => `${address}, ${day}: ${formatRows(count)} openings`),
    values: { times: FEWEST_AT_ONCE },
  });
}

/** Finds the offices of agents. */
function findOffices(places: readonly SharedAddress[], column: string[], of: number) {
  const offices = places
    .filter(([, all]) => sumWeights(all) >= COMPANIES)
    .map(([address, all]) => {
      // a business with several licenses is one
      const businesses = [...new Map(all.map((one) => [foldValue(one.name), one])).values()];
      const companies = sumWeights(businesses.filter(({ name }) => hasCompanyForm(name)));
      return { address, companies, businesses: sumWeights(businesses), all: sumWeights(all) };
    })
    .filter(({ companies, businesses }) => companies >= COMPANIES && companies >= businesses * COMPANY_SHARE)
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
    examples: offices.map(({ address, companies }) => `${address}: ${formatRows(companies)} companies`),
    tries: [{ skip: [{ column, values: skipped, because: 'registered office' }] }],
  });
}

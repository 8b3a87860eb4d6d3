/** Finds the neighborhood of a business from its column, point, address or ZIP code. None of these is stored. */

import { cityError } from '../../shared/errors.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../../shared/listing.ts';
import { findNearest } from '../../shared/text/edits.ts';
import type { City, Whereabouts } from '../profile/define.ts';
import type { AddressIndex, AddressMiss, FoundAddress } from '../profile/places/addresses/address-index.ts';
import { type NoAddress, readAddress } from '../profile/places/addresses/read-address.ts';
import type { Boundaries } from '../profile/places/boundaries.ts';
import { foldTown, readTown } from '../profile/places/place-text.ts';

const STREETS_SHOWN = 10;
const MOST_STREETS = 20_000; // limits memory; only a file with errors has more streets

export type CityMap = {
  boundaries: Boundaries | undefined;
  addresses: AddressIndex | undefined;
};

export type PlacedBy = 'column' | 'point' | FoundAddress['how'] | 'zip';

/** Why a business has no neighborhood. `undecided`: it may be in several of them. `outside`: it is in none. */
export type PlacingMiss = NoAddress | AddressMiss | 'undecided' | 'outside';

export type Placing = {
  /** `null` if it is unknown. */
  neighborhood: string | null;
  by?: PlacedBy;
  miss?: PlacingMiss;
  street?: string;
};

export type PlaceBusiness = (where: Whereabouts) => Placing;

/** Returns a function that places a business. It throws `city` if it needs boundaries and the profile has none. */
export function openPlacer({ zips }: Pick<City, 'zips'>, map: CityMap): PlaceBusiness {
  const placeAddress = openAddressPlacer(map);
  return (where) => {
    if (where.neighborhood === UNKNOWN_NEIGHBORHOOD) return { neighborhood: null, by: 'column' };
    if (where.neighborhood) return { neighborhood: where.neighborhood, by: 'column' };
    const byPoint = where.point && requireBoundaries(map).place(where.point.longitude, where.point.latitude);
    if (byPoint !== undefined) return { neighborhood: byPoint, by: 'point' };
    const byAddress = where.address ? placeAddress(where.address, where) : undefined;
    if (byAddress?.by !== undefined) return byAddress;
    const byZip = zips?.[where.zip?.slice(0, 5) ?? ''];
    if (byZip) return { ...byAddress, neighborhood: byZip, by: 'zip' };
    return byAddress ?? { neighborhood: null };
  };
}

function requireBoundaries({ boundaries }: CityMap): Boundaries {
  if (boundaries !== undefined) return boundaries;
  const says = 'the profile assigns neighborhoods by point but has no boundaries. Use --boundaries FILE';
  throw cityError(says);
}

/** Throws `city` if `alsoCalled` names a neighborhood that the boundaries, the ZIP codes and these `found` names lack. */
export function checkAlsoCalled(
  { zips = {}, alsoCalled = {} }: Pick<City, 'zips' | 'alsoCalled'>,
  { boundaries }: CityMap,
  found: Iterable<string>,
): void {
  const known = new Set([...found, ...Object.values(zips), ...(boundaries?.names ?? [])]);
  const wrong = Object.keys(alsoCalled).find((name) => !known.has(name));
  if (wrong === undefined) return;
  const meant = findNearest(wrong, known);
  const advice =
    meant === undefined ? `Use one of ${[...known].sort().join(', ')}` : `Did you mean "${meant}"?`;
  const says = `alsoCalled in city.yaml names the neighborhood "${wrong}", which no business is in`;
  throw cityError(`${says}. ${advice}`);
}

/** Returns a function that places an address if all its possible positions are in the same neighborhood. */
function openAddressPlacer(map: CityMap) {
  const { addresses } = map;
  const unknown = (miss: PlacingMiss): Placing => ({ neighborhood: null, miss });
  return (text: string, { zip = '', town = '' }: Whereabouts): Placing | undefined => {
    if (addresses === undefined) return undefined;
    const address = readAddress(text);
    if (typeof address === 'string') return unknown(address);
    const said = /^\d{5}/.exec(zip)?.[0] ?? address.zip;
    const townText = town || address.town;
    const hints = { zip: said, town: townText === '' ? '' : foldTown(readTown(townText)) };
    const found = addresses.find(address, hints);
    if (typeof found === 'string') return { ...unknown(found), street: address.street };
    const { place } = requireBoundaries(map);
    const [first, ...others] = new Set(
      found.spots.map(([longitude, latitude]) => place(longitude, latitude)),
    );
    if (others.length > 0) return unknown('undecided');
    return first === undefined ? unknown('outside') : { neighborhood: first, by: found.how };
  };
}

export type PlacingReport = ReturnType<ReturnType<typeof openPlacingTally>['report']>;

export function openPlacingTally() {
  const placed: Partial<Record<PlacedBy, number>> = {};
  const missed: Partial<Record<PlacingMiss, number>> = {};
  const streets = new Map<string, number>();
  return {
    see({ by, miss, street }: Placing): void {
      if (by !== undefined) placed[by] = (placed[by] ?? 0) + 1;
      if (miss !== undefined) missed[miss] = (missed[miss] ?? 0) + 1;
      if (miss !== 'street not found' || street === undefined) return;
      if (streets.has(street) || streets.size < MOST_STREETS)
        streets.set(street, (streets.get(street) ?? 0) + 1);
    },
    report() {
      const most = [...streets].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, STREETS_SHOWN);
      return { placed, missed, streets: most.map(([street, count]) => ({ street, count })) };
    },
  };
}

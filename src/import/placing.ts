/**
 * Finds the neighborhood of a business: from the publisher's own column, its point, its address, its ZIP code, or `Unknown`. What
 * places it is used while its row is judged and is not passed on.
 */

import type { City, Whereabouts } from '../city/define.ts';
import type { AddressIndex, AddressMiss, FoundAddress } from '../city/places/addresses/address-index.ts';
import { type NoAddress, readAddress } from '../city/places/addresses/read-address.ts';
import type { Boundaries } from '../city/places/boundaries.ts';
import { foldTown, readTown } from '../city/places/place-text.ts';
import { ShingleError } from '../errors.ts';
import { UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';

export type CityMap = {
  boundaries: Boundaries | undefined;
  addresses: AddressIndex | undefined;
};

/** How a neighborhood was found. */
export type PlacedBy = 'column' | 'point' | FoundAddress['how'] | 'zip';

/** Why an address led to none. `undecided`: it may be in several neighborhoods; `outside`: it is in none of them. */
export type PlacingMiss = NoAddress | AddressMiss | 'undecided' | 'outside';

export type Placing = {
  neighborhood: string;
  /** Nothing where the neighborhood is not known. */
  by?: PlacedBy;
  /** Why its address did not place it, where it has one. */
  miss?: PlacingMiss;
  /** The street that was not found. */
  street?: string;
};

export type PlaceBusiness = (where: Whereabouts) => Placing;

/** Throws `city` for a point or an address that the city has no boundaries for. */
export function openPlacer({ zips }: Pick<City, 'zips'>, map: CityMap): PlaceBusiness {
  const placeAddress = openAddressPlacer(map);
  return (where) => {
    if (where.neighborhood) return { neighborhood: where.neighborhood, by: 'column' };
    const byPoint = where.point && requireBoundaries(map).place(where.point.longitude, where.point.latitude);
    if (byPoint !== undefined) return { neighborhood: byPoint, by: 'point' };
    const byAddress = where.address ? placeAddress(where.address, where) : undefined;
    if (byAddress?.by !== undefined) return byAddress;
    const byZip = zips?.[where.zip?.slice(0, 5) ?? ''];
    if (byZip) return { ...byAddress, neighborhood: byZip, by: 'zip' };
    return byAddress ?? { neighborhood: UNKNOWN_NEIGHBORHOOD };
  };
}

function requireBoundaries({ boundaries }: CityMap): Boundaries {
  if (boundaries !== undefined) return boundaries;
  throw new ShingleError(
    'city',
    'the profile assigns neighborhoods by point but has no boundaries. Use --boundaries FILE',
  );
}

/** An address is placed only if everything it may mean is in the same neighborhood. */
function openAddressPlacer(map: CityMap) {
  const { addresses } = map;
  const unknown = (miss: PlacingMiss): Placing => ({ neighborhood: UNKNOWN_NEIGHBORHOOD, miss });
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

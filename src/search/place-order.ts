/** Orders the neighborhoods of an edition, for its email and its page alike. */

import { isUnknown } from '../listings/listing.ts';

type Place = { value: string; count: number };

/** Moves neighborhoods with more than `most` listings to the end of counts that are largest first, and the unknown one. */
export function orderPlaces<P extends Place>(places: readonly P[], most: number): P[] {
  const rank = ({ value, count }: Place) => (isUnknown(value) ? 2 : Number(count > most));
  return places.toSorted((a, b) => rank(a) - rank(b));
}

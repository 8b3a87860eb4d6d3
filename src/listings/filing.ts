/** What a filing says about a business, after a city profile has judged its row. */

import type { Day } from './day.ts';
import type { Status } from './listing.ts';

/** The first filing of a business at its premises, or a further filing of the same business (they are merged). */
export type Opening = {
  kind: 'opening';
  /** Identifies the business and its premises within the source. Never served. Contains personal or address data only as a hash. */
  key: string;
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filedOn: Day;
  /** Orders the terms of one key: the latest determines status and expiry. */
  termOn: Day;
  expiresOn: Day | null;
};

/** A renewal, move or closure. It changes an existing listing, never creates one and never makes one new. */
export type Update = {
  kind: 'update';
  key: string;
  name: string | null;
  category: string | null;
  neighborhood: string | null;
  status: Status | null;
  termOn: Day;
  expiresOn: Day | null;
};

export type Filing = Opening | Update;

/** What a filing says about a business, after a city profile has judged its row. */

import type { Day } from './day.ts';
import type { Status } from './listing.ts';

/** The first filing of a business at its premises, or one more instrument of the same business (it folds in). */
export type Opening = {
  kind: 'opening';
  /** Names the business and its premises within the source. Never served. Personal or address data only as a hash. */
  key: string;
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filedOn: Day;
  /** Orders the terms of one key: the latest speaks for status and expiry. */
  termOn: Day;
  expiresOn: Day | null;
};

/** A renewal, move or closure: changes a known listing, never creates one, never makes it new. */
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

/** Defines filings: the facts about a business that the city profile reads from a row. */

import type { Day } from './day.ts';
import type { Status } from './listing.ts';

/** Maximum days that a filing may be dated in the future. */
export const DAYS_AHEAD = 90;
/** Maximum characters of a business's name. */
export const LONGEST_NAME = 300;

/** A filing for a new business at its premises. Further openings with the same key are merged into one listing. */
export type Opening = {
  kind: 'opening';
  /** Identifies the business and its premises within the source. Personal data is hashed. The key is never served. */
  key: string;
  name: string;
  category: string | null;
  /** The hash of the register's type. */
  typeHash?: string | null | undefined;
  /** The id of the type, if enough listings share it. Without one, the listing keeps its earlier type. */
  typeId?: number | null;
  neighborhood: string | null;
  status: Status;
  filedOn: Day;
  /** The date that orders filings with the same key. The latest filing determines status and expiry. */
  termOn: Day;
  expiresOn: Day | null;
};

/** A renewal, move or closure. It can change a listing, but never creates one or makes one new. */
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

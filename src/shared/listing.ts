/** Defines listings: the five fields that are served, and the fields that are only stored. */

import type { Day, Instant } from './day.ts';

export const STATUSES = ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses that pages show. The others are hidden, because a registered business may not be open. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['closed', 'expired', 'abandoned']);

export function isException(status: string): boolean {
  return EXCEPTIONS.has(status);
}

/** What profiles write for an unknown category or neighborhood. Rows have `null` instead. */
export const UNCATEGORIZED = 'Uncategorized';
export const UNKNOWN_NEIGHBORHOOD = 'Unknown';

/** Minimum listings that share a type of the register, so that it tells nothing about a single one. */
export const LEAST_SHARED = 20;

/** Numbers of listings by value. */
export type Counts = readonly { value: string; count: number }[];

/** The fields whose values have names of their own: the rows of comparisons, and the topics of emails. */
export type NamedFilter = 'neighborhood' | 'category';

/** The only fields of a business that are ever served. */
export type Listing = {
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filing_date: Day;
};

/** A stored listing. `status` comes from the filings. Expiry is computed when the listing is served. */
export type StoredListing = {
  source: string;
  key: string;
  name: string;
  /** The English name of the category. `null` if it is unknown. */
  category: string | null;
  /** The register's own type, if many listings share it. It is only searched. */
  type?: string;
  neighborhood: string | null;
  status: Status;
  filedOn: Day;
  expiresOn: Day | null;
  /** When the run that first had the listing was kept. */
  arrivedAt: Instant;
  /** Its place among the listings that arrived with it, from 1, or 0 in the baseline of its source. */
  arrival: number;
  /** Whether the listing was news when it arrived: not in the baseline of its source, and filed recently. */
  isNews: boolean;
  /** The edition of the weekly email that announced the listing. */
  edition?: Day;
  /** The listing as the register has it, if the operator has corrected it. */
  filed?: Pick<StoredListing, 'name' | 'category' | 'neighborhood' | 'status'>;
};

/**
 * Returns the status to serve. An open listing past its last day has expired, even without a filing. `day`: today, or
 * the end of the data of a register that has ended, which does not know the renewals after it.
 */
export function deriveStatus(listing: { status: Status; expiresOn: Day | null }, day: Day): Status {
  return listing.status === 'open' && listing.expiresOn !== null && listing.expiresOn < day
    ? 'expired'
    : listing.status;
}

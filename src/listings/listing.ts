/** What a listing is: the five facts that are served, and the few facts the store keeps beside them. */

import type { Day, Instant } from './day.ts';

export const STATUSES = ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/** Ordinary values for what is not known: counted and filterable, so that every breakdown adds up. */
export const UNCATEGORIZED = 'Uncategorized';
export const UNKNOWN_NEIGHBORHOOD = 'Unknown';

/** The five facts, as they go over the wire. Nothing else about a business is ever served. */
export type Listing = {
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filing_date: Day;
};

/** A listing as the store keeps it. `status` is what the filings said; expiry is computed when it is served. */
export type StoredListing = {
  source: string;
  key: string;
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filedOn: Day;
  expiresOn: Day | null;
  firstSeenAt: Instant;
  /** First seen in its source's baseline: listed, but never news. */
  baseline: boolean;
};

/** The status to serve on `today`: an open listing past its last day has expired, though nobody files that. */
export function deriveStatus(listing: { status: Status; expiresOn: Day | null }, today: Day): Status {
  return listing.status === 'open' && listing.expiresOn !== null && listing.expiresOn < today
    ? 'expired'
    : listing.status;
}

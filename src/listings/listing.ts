/** A listing: the five fields that are served, and the few that the store keeps with them. */

import type { Day, Instant } from './day.ts';

export const STATUSES = ['open', 'closed', 'expired', 'abandoned', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses that are shown with a listing. Of the others the filings say nothing that a reader could use: registered is not open. */
const EXCEPTIONS: ReadonlySet<Status> = new Set(['closed', 'expired', 'abandoned']);

export function isException(status: Status): boolean {
  return EXCEPTIONS.has(status);
}

/** Ordinary values for what is not known. They are counted and can be used as filters, so every breakdown adds up. */
export const UNCATEGORIZED = 'Uncategorized';
export const UNKNOWN_NEIGHBORHOOD = 'Unknown';

/** The five fields as they are served. Nothing else about a business is ever served. */
export type Listing = {
  name: string;
  category: string;
  neighborhood: string;
  status: Status;
  filing_date: Day;
};

/** A stored listing. `status` comes from the filings; expiry is computed when the listing is served. */
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
  /** First seen in the baseline of its source: it is served, but is not news. */
  baseline: boolean;
  /** The edition of the weekly email that announced it, if one has. */
  edition?: Day;
};

/** The status to serve on `today`: an open listing past its last day has expired, even if there is no filing about it. */
export function deriveStatus(listing: { status: Status; expiresOn: Day | null }, today: Day): Status {
  return listing.status === 'open' && listing.expiresOn !== null && listing.expiresOn < today
    ? 'expired'
    : listing.status;
}

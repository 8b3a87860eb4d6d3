/**
 * Merges the filings of one key into one listing. Pure, and independent of the order of rows. The filing date is that of the
 * earliest opening. Status and expiry are those of the latest term; what is filed on the day of that opening comes after it.
 */

import type { Filing, Opening, Update } from '../listings/filing.ts';
import { type StoredListing, UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { compareCodeUnits } from '../listings/words.ts';

/** What filings say about a listing. */
export type KnownListing = Pick<
  StoredListing,
  'name' | 'category' | 'neighborhood' | 'status' | 'filedOn' | 'expiresOn'
>;

/** The listing after the filings, or `undefined` if there are only updates of a business without an opening. */
export function mergeFilings(
  filings: readonly Filing[],
  known: KnownListing | undefined,
  anew: boolean,
): KnownListing | undefined {
  const openings = filings.filter((filing) => filing.kind === 'opening').sort(byFirst);
  const first = openings[0];
  const terms = filings.toSorted((a, b) => byTerm(a, b, first));
  const base = first === undefined ? known : mergeOpenings(openings, anew ? undefined : known);
  return base === undefined ? undefined : withTerms(base, terms);
}

/** The values of the first opening. Later openings fill in an unknown category or neighborhood. */
function mergeOpenings(openings: readonly Opening[], known: KnownListing | undefined): KnownListing {
  const first = openings[0]!;
  const filedOn = known !== undefined && known.filedOn < first.filedOn ? known.filedOn : first.filedOn;
  return {
    name: first.name,
    category: openings.find((o) => o.category !== UNCATEGORIZED)?.category ?? UNCATEGORIZED,
    neighborhood:
      openings.find((o) => o.neighborhood !== UNKNOWN_NEIGHBORHOOD)?.neighborhood ?? UNKNOWN_NEIGHBORHOOD,
    status: first.status,
    filedOn,
    expiresOn: first.expiresOn,
  };
}

/** Applies terms in order: each sets status and expiry. An update can also change the name or the place. */
function withTerms(base: KnownListing, terms: readonly Filing[]): KnownListing {
  const listing = { ...base };
  for (const term of terms) {
    if (term.status !== null) listing.status = term.status;
    if (term.expiresOn !== null) listing.expiresOn = term.expiresOn;
    if (term.kind === 'update') applyNames(listing, term);
    else if (term.expiresOn === null) listing.expiresOn = null;
  }
  return listing;
}

function applyNames(listing: KnownListing, update: Update): void {
  if (update.name !== null) listing.name = update.name;
  if (update.category !== null) listing.category = update.category;
  if (update.neighborhood !== null) listing.neighborhood = update.neighborhood;
}

/** A business that closes on its first day is closed; one that is renewed on the day of a closure is not. */
function byTerm(a: Filing, b: Filing, first: Opening | undefined): number {
  if (a.termOn !== b.termOn) return compareCodeUnits(a.termOn, b.termOn);
  const opens = (filing: Filing) => Number(filing.kind === 'opening' && filing.termOn === first?.filedOn);
  return opens(b) - opens(a) || compareCodeUnits(serializeFiling(a), serializeFiling(b));
}

function byFirst(a: Opening, b: Opening): number {
  return compareCodeUnits(a.filedOn, b.filedOn) || compareCodeUnits(serializeFiling(a), serializeFiling(b));
}

/** Breaks ties by all values of a filing, so that the order of rows never matters. */
function serializeFiling(filing: Filing): string {
  return [
    filing.expiresOn ?? '',
    filing.status ?? '',
    filing.name ?? '',
    filing.category ?? '',
    filing.neighborhood ?? '',
    filing.kind,
  ].join('\n');
}

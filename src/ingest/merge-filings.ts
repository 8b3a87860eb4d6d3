/**
 * How the filings of one key become one listing. Pure, and independent of the order of rows:
 * the first day is the earliest opening's, status and expiry are the latest term's (filings.md: "one listing per
 * business and premises at its first filing").
 */

import type { Filing, Opening, Update } from '../listings/filing.ts';
import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import { compareCodeUnits } from '../listings/words.ts';
import type { KnownListing } from './ports.ts';

/** What stands after the filings, or `undefined` where updates speak of a business nobody has seen open. */
export function mergeFilings(
  filings: readonly Filing[],
  known: KnownListing | undefined,
  anew: boolean,
): KnownListing | undefined {
  const terms = filings.toSorted(byTerm);
  const openings = terms.filter((filing) => filing.kind === 'opening').sort(byFirst);
  const first = openings[0];
  const base = first === undefined ? known : mergeOpenings(openings, anew ? undefined : known);
  return base === undefined ? undefined : withTerms(base, terms);
}

/** The facts of the first opening, completed by later ones where it knew no kind or neighborhood. */
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

/** Terms in their order: each says what it says of status and expiry; an update may also rename or move. */
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

function byTerm(a: Filing, b: Filing): number {
  return compareCodeUnits(a.termOn, b.termOn) || compareCodeUnits(serializeFiling(a), serializeFiling(b));
}

function byFirst(a: Opening, b: Opening): number {
  return compareCodeUnits(a.filedOn, b.filedOn) || compareCodeUnits(serializeFiling(a), serializeFiling(b));
}

/** Settles ties by everything a filing says, so that the order of rows never shows. */
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

/**
 * Merges the filings of a key, in any order: takes the filing date of the first opening, and the status and expiry of
 * the latest term.
 */

import { swapMonth } from './day.ts';
import type { Filing, Opening, Update } from './filing.ts';
import type { StoredListing } from './listing.ts';
import { compareCodeUnits } from './words.ts';

/** `typeId`: the id of the register's type in the list of all types. */
export type KnownListing = Pick<
  StoredListing,
  'name' | 'category' | 'neighborhood' | 'status' | 'filedOn' | 'expiresOn'
> & { typeId?: number | null };

/** Merges filings into a listing. Returns `undefined` for updates of a business that never had an opening. */
export function foldFilings(
  filings: readonly Filing[],
  known: KnownListing | undefined,
  isNewProfile: boolean,
): KnownListing | undefined {
  const openings = filings
    .filter((filing) => filing.kind === 'opening')
    .sort((a, b) => compareCodeUnits(a.filedOn, b.filedOn) || compareText(a, b));
  const first = openings[0];
  const terms = filings.toSorted((a, b) => byTerm(a, b, first));
  const base = first === undefined ? known : mergeOpenings(openings, isNewProfile ? undefined : known);
  return base === undefined ? undefined : withTerms(base, terms);
}

/** Merges openings. A later opening fills in an unknown category or neighborhood. */
function mergeOpenings(openings: readonly Opening[], known: KnownListing | undefined): KnownListing {
  const first = openings[0]!;
  // a day with day and month swapped is of a file with the other order
  const isKept =
    known !== undefined && known.filedOn < first.filedOn && swapMonth(known.filedOn) !== first.filedOn;
  const filedOn = isKept ? known.filedOn : first.filedOn;
  return {
    name: first.name,
    category: (openings.find((o) => o.category !== null) ?? first).category,
    typeId: openings.find((o) => o.typeId != null)?.typeId ?? known?.typeId ?? null,
    neighborhood: (openings.find((o) => o.neighborhood !== null) ?? first).neighborhood,
    status: first.status,
    filedOn,
    expiresOn: first.expiresOn,
  };
}

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

/** Compares by term. A business that closes on its first day is closed; one renewed on the day it closes is not. */
function byTerm(a: Filing, b: Filing, first: Opening | undefined): number {
  if (a.termOn !== b.termOn) return compareCodeUnits(a.termOn, b.termOn);
  const opens = (filing: Filing) => Number(filing.kind === 'opening' && filing.termOn === first?.filedOn);
  return opens(b) - opens(a) || compareText(a, b);
}

/** Compares filings as texts, to break ties independently of the order of rows. */
function compareText(a: Filing, b: Filing): number {
  const format = ({ expiresOn, status, name, category, neighborhood, kind }: Filing): string =>
    [expiresOn, status, name, category, neighborhood, kind].join('\n'); // null becomes an empty text
  return compareCodeUnits(format(a), format(b));
}

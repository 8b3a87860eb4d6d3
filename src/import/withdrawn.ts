/**
 * Withdraws listings. In a new snapshot judged by a changed profile, these are the listings whose key has no opening,
 * even if the snapshot has no row with the key. Nothing else removes a listing. Under an unchanged profile, a listing
 * missing from a snapshot stays and is marked absent. An absent listing is never withdrawn.
 */

import type { Transaction, Value } from '../database/engines/engine.ts';
import type { Filing } from '../listings/filing.ts';
import type { KnownListing } from './merge-filings.ts';

/** The filings of a run with one key, and the stored listing. */
export type KeyGroup = {
  key: string;
  filings: Filing[];
  known: KnownListing | undefined;
  /** Whether the last snapshot lacked the listing. */
  isAbsent: boolean;
};

/** Returns whether to withdraw a listing. Only a snapshot judged by a changed profile can do that. */
export function isWithdrawn({ filings, known, isAbsent }: KeyGroup, isNewProfile: boolean): boolean {
  const isOpening = filings.some(({ kind }) => kind === 'opening');
  return isNewProfile && known !== undefined && !isAbsent && !isOpening;
}

/** Deletes withdrawn listings. `keys` are pairs of source and key. */
export async function deleteWithdrawn(tx: Transaction, keys: readonly Value[][]): Promise<void> {
  await tx.write('delete from listing where source = ? and key = ?', keys);
}

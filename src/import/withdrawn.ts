/**
 * When a listing is withdrawn: its source has a new snapshot, the profile has changed since the last one, and no row of its key is an opening
 * any more. Nothing else removes a listing: one that is merely missing from a snapshot stays as it was, and is marked absent.
 */

import type { Transaction, Value } from '../database/engines/engine.ts';
import type { Filing } from '../listings/filing.ts';
import type { KnownListing } from './merge-filings.ts';

/** Of one key: what a run filed, and the stored listing. */
export type KeyGroup = {
  key: string;
  filings: Filing[];
  known: KnownListing | undefined;
  /** Whether the last snapshot did not have it. */
  isAbsent: boolean;
};

/** `anew`: this is a snapshot that a changed profile has judged. */
export function isWithdrawn({ filings, known, isAbsent }: KeyGroup, anew: boolean): boolean {
  const isOpening = filings.some(({ kind }) => kind === 'opening');
  return anew && known !== undefined && !isAbsent && !isOpening;
}

/** `keys`: a source and a key each. */
export async function deleteWithdrawn(tx: Transaction, keys: readonly Value[][]): Promise<void> {
  await tx.write('delete from listing where source = ? and key = ?', keys);
}

/** Builders for the conformance suite: a store to test, and runs of which a test names only what matters. */

import type { Repositories } from '../../../src/service/data/store.ts';
import type { KeepOrder } from '../../../src/service/runs/merge-run.ts';
import type { Run, RunStart } from '../../../src/service/runs/runs.ts';
import type { Filing } from '../../../src/shared/filing.ts';
import type { StoredListing } from '../../../src/shared/listing.ts';

/** `again` opens the same store once more, as another instance would. */
export type OpenStore = () => Promise<{
  store: Repositories;
  again: () => Promise<Repositories>;
  end(): Promise<void>;
}>;
export type Case = (store: Repositories, again: () => Promise<Repositories>) => Promise<void>;

/** `anew`: a changed profile judges the rows. */
export type RunFacts = Partial<RunStart> & Partial<Pick<KeepOrder, 'endedAt'>> & { anew?: boolean };

let content = 0;

/** Starts a run and puts filings aside for it. A snapshot of new bytes unless said otherwise. */
export async function staged(
  store: Repositories,
  filings: readonly Filing[],
  facts: RunFacts = {},
): Promise<KeepOrder> {
  const { anew = false, endedAt = '2026-01-05T00:01:00.000Z', ...start } = facts;
  content++;
  const { source = 'licences' } = start;
  const [last] = await store.filings.compared({ source, content: '', profileDigest: '', snapshot: true });
  const run = {
    source: 'licences',
    place: 'export.csv',
    content: `bytes ${content}`,
    profileDigest: anew ? `profile ${content}` : (last?.profileDigest ?? 'profile'),
    startedAt: '2026-01-05T00:00:00.000Z',
    command: `command ${content}`,
    snapshot: true,
    ...start,
  };
  const number = await store.filings.start(run);
  await store.filings.stage(number, filings);
  return { run: number, counts: countsOf(filings), endedAt };
}

/** A run from its start to being kept. */
export async function kept(store: Repositories, filings: readonly Filing[], facts?: RunFacts): Promise<Run> {
  return store.filings.keep(await staged(store, filings, facts));
}

export function countsOf(filings: readonly Filing[]): KeepOrder['counts'] {
  const openings = filings.filter(({ kind }) => kind === 'opening').length;
  return { read: filings.length, openings, updates: filings.length - openings, skipped: {}, rejected: [] };
}

/** All listings, by source and key. */
export async function listingsIn(store: Pick<Repositories, 'listings'>): Promise<StoredListing[]> {
  const all: StoredListing[] = [];
  for await (const batch of store.listings.listings()) all.push(...batch);
  const place = ({ source, key }: StoredListing) => `${source} ${key}`;
  return all.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

export const keysOf = (listings: readonly { key: string }[]): string =>
  listings.map(({ key }) => key).join(' ');

export async function keysIn(store: Pick<Repositories, 'listings'>): Promise<string> {
  return keysOf(await listingsIn(store));
}

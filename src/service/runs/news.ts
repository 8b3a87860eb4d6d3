/** Decides what is news: each new listing once, unless it was in the baseline of its source or filed long ago. */

import type { SourceFacts } from '../../shared/city/city-facts.ts';
import { addDays, type Day } from '../../shared/day.ts';
import type { StoredListing } from '../../shared/listing.ts';
import type { Engine, Transaction } from '../database/engines/engine.ts';
import { openCorrector } from './listing-store.ts';
import { type Run, selectRuns } from './runs.ts';

export const NEW_FOR_DAYS = 60;

/** Returns the first filing date that is news. Registers publish some filings months late, and these are not news. */
export function findNewsFrom({ newForDays = NEW_FOR_DAYS }: SourceFacts, today: Day): Day {
  return addDays(today, -newForDays);
}

/** Selects kept runs that no edition covers, except baselines. */
const NEWS_RUNS = `select run from run where state = 'kept' and baseline = 0
  and not exists (select edition from edition_run where edition_run.run = run.run)`;

/** Returns whether no earlier command kept a run of the source. Listings of such a run may be years old. */
export async function isBaseline(tx: Transaction, run: Run): Promise<boolean> {
  const condition =
    "source = ? and state = 'kept' and command <> (select command from run as this where this.run = ?)";
  return (await selectRuns(tx, condition, [run.source, run.run])).length === 0;
}

export async function findNews(engine: Engine): Promise<{ runs: number[]; listings: StoredListing[] }> {
  const rows = await engine.read<{ run: number }>(`${NEWS_RUNS} order by run`);
  const runs = rows.map(({ run }) => run);
  if (runs.length === 0) return { runs, listings: [] };
  const listings = await engine.read<Omit<StoredListing, 'isNews'> & { run: number }>(
    `select l.run, l.source, l.key, l.name, l.category, l.neighborhood, l.status, l.filed_on as "filedOn",
       l.expires_on as "expiresOn", l.arrival, r.arrived_at as "arrivedAt"
     from listing as l join run as r on r.run = l.run
     where l.run in (${NEWS_RUNS}) and l.filed_on >= r.news_from`,
  );
  const correct = await openCorrector(engine);
  return {
    runs,
    // a run that was kept meanwhile belongs to the next edition
    listings: listings.flatMap(({ run, ...one }) =>
      runs.includes(run) ? [correct({ ...one, isNews: true })] : [],
    ),
  };
}

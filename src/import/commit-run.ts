/**
 * Keeps a run: reads its staged filings and the listings they concern in order of their keys, merges each key, and writes what
 * differs. Memory does not grow with the run. Never closes a listing because it is absent.
 */

import type { Transaction, Value } from '../database/engines/engine.ts';
import { ShingleError } from '../errors.ts';
import type { Day } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import type { Status } from '../listings/listing.ts';
import { probe } from '../listings/probe.ts';
import { bumpVersion } from './listing-store.ts';
import { mergeFilings } from './merge-filings.ts';
import type { Effect, KeepOrder, KnownListing, Run } from './ports.ts';
import { emptyCounts, NO_EFFECT } from './run-counts.ts';
import { endRun, findLastCommitted, findSameCommitted, requireRun, selectRuns } from './runs.ts';

/** A staged filing, or (kind `known`) the stored listing of that key. */
type KeyRow = readonly [
  key: string,
  kind: 'opening' | 'update' | 'known',
  name: string | null,
  category: string | null,
  neighborhood: string | null,
  status: Status | null,
  filedOn: Day | null,
  termOn: Day,
  expiresOn: Day | null,
  absentSince: number | null,
];

// Writing during this read is safe: only keys that were already read are written. `order by` only groups equal keys, so
// collations do not matter.
const BY_KEY = `
  select key, kind, name, category, neighborhood, status, filed_on, term_on, expires_on,
    cast(null as integer) as absent_since
  from staged where run = ?
  union all
  select key, 'known', name, category, neighborhood, status, filed_on, '', expires_on, absent_since
  from listing where source = ?`;

const PUT = `
  insert into listing (source, key, name, category, neighborhood, status, filed_on, expires_on, run)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (source, key) do update set name = excluded.name, category = excluded.category,
    neighborhood = excluded.neighborhood, status = excluded.status, filed_on = excluded.filed_on,
    expires_on = excluded.expires_on, absent_since = null`;

type Changes = { put: Value[][]; absent: Value[][]; withdrawn: Value[][] };
type MergeState = Pick<KeepOrder, 'run' | 'anew'> & {
  source: string;
  isWhole: boolean;
  effect: Effect;
  staged: number;
  changes: Changes;
};

/** Merges the staged filings into the listings and ends the run. Throws `conflict` if it can no longer be kept. */
export async function commitRun(tx: Transaction, order: KeepOrder): Promise<Run> {
  const run = await findCommittableRun(tx, order.run);
  const isWhole = await isSnapshotRun(tx, order.run);
  const before = await findLastCommitted(tx, run.source, isWhole);
  const { endedAt, shape, findings } = order;
  const ended = { endedAt, baseline: false, detail: null, shape, findings };
  if (await isAlreadyCommitted(tx, run, isWhole ? before : undefined)) {
    await dropStaged(tx, order.run);
    const counts = { ...emptyCounts(), ...NO_EFFECT };
    const detail = 'same file and profile as before';
    return endRun(tx, order.run, { ...ended, state: 'unchanged', counts, detail });
  }
  const effect = await mergeStaged(tx, { source: run.source, isWhole, ...order });
  probe('keep:folded');
  await dropStaged(tx, order.run);
  const { added, changed, withdrawn, updated } = effect;
  if (added + changed + withdrawn + updated > 0 || before === undefined) await bumpVersion(tx);
  const counts = { ...order.counts, ...effect };
  const baseline = await isBaseline(tx, run);
  const kept = await endRun(tx, order.run, { ...ended, state: 'kept', baseline, counts });
  probe('keep:before-commit');
  return kept;
}

async function isSnapshotRun(tx: Transaction, run: number): Promise<boolean> {
  const [row] = await tx.read<{ snapshot: number }>('select snapshot from run where run = ?', [run]);
  return row?.snapshot === 1;
}

/** The staged filings are deleted when the run is kept, has failed, or found nothing new. */
export async function dropStaged(tx: Transaction, run: number): Promise<void> {
  await tx.write('delete from staged where run = ?', [[run]]);
}

async function findCommittableRun(tx: Transaction, number: number): Promise<Run> {
  const run = await requireRun(tx, number);
  if (run.state !== 'running' && run.state !== 'held')
    throw new ShingleError('conflict', `run ${number} is ${run.state}, so it cannot be accepted`);
  const [later] = await selectRuns(tx, "source = ? and state = 'kept' and run > ?", [run.source, number]);
  if (later !== undefined)
    throw new ShingleError(
      'conflict',
      `run ${number} cannot be accepted: the later run ${later.run} is already kept`,
    );
  return run;
}

/** Of snapshots only the last one counts (a register may return to an earlier state); of changes, every one. */
async function isAlreadyCommitted(
  tx: Transaction,
  run: Run,
  lastSnapshot: Run | undefined,
): Promise<boolean> {
  const same = await findSameCommitted(tx, run);
  return same !== undefined && (lastSnapshot === undefined || lastSnapshot.run === same.run);
}

/** No earlier command kept a run of this source. */
async function isBaseline(tx: Transaction, run: Run): Promise<boolean> {
  const condition =
    "source = ? and state = 'kept' and command <> (select command from run as this where this.run = ?)";
  return (await selectRuns(tx, condition, [run.source, run.run])).length === 0;
}

async function mergeStaged(
  tx: Transaction,
  { run, source, isWhole, anew, counts }: KeepOrder & Pick<MergeState, 'source' | 'isWhole'>,
): Promise<Effect> {
  const changes: Changes = { put: [], absent: [], withdrawn: [] };
  const effect = { ...NO_EFFECT };
  const folding: MergeState = { run, source, isWhole, anew: anew && isWhole, effect, staged: 0, changes };
  let rows: KeyRow[] = [];
  // only a snapshot shows absence: other runs read no more listings than they name
  const named = isWhole ? '' : ' and key in (select key from staged where run = ?)';
  const params = [run, source, ...(isWhole ? [] : [run])];
  for await (const batch of tx.stream<KeyRow>(`${BY_KEY}${named} order by key`, params)) {
    for (const row of batch) {
      if (rows.length > 0 && rows[0]![0] !== row[0]) {
        mergeKey(folding, rows);
        rows = [];
      }
      rows.push(row);
    }
    await writeChanges(tx, folding);
  }
  if (rows.length > 0) mergeKey(folding, rows);
  await writeChanges(tx, folding);
  if (folding.staged !== counts.openings + counts.updates)
    throw new ShingleError(
      'store',
      `run ${run} has ${folding.staged} staged filings, which is not the number it read`,
    );
  return effect;
}

/** The result for the rows of one key: counted in the effect, and added to the changes. */
function mergeKey(folding: MergeState, rows: readonly KeyRow[]): void {
  const { run, effect, changes, source, anew } = folding;
  const key = rows[0]![0];
  const stands = rows.find(([, kind]) => kind === 'known');
  const isAbsent = stands !== undefined && stands[9] !== null;
  const known = stands && rowFacts(stands);
  const filings = rows.filter(([, kind]) => kind !== 'known').map(toFiling);
  const openings = filings.filter(({ kind }) => kind === 'opening').length;
  folding.staged += filings.length;
  if (openings === 0 && known !== undefined && anew && !isAbsent) {
    effect.withdrawn++;
    changes.withdrawn.push([source, key]);
    return;
  }
  if (filings.length === 0) {
    if (!isAbsent) changes.absent.push([run, source, key]);
    return;
  }
  const listing = mergeFilings(filings, known, anew);
  if (listing === undefined) return;
  const isSame = known !== undefined && hasSameFacts(known, listing);
  if (openings > 0) {
    effect[known === undefined ? 'added' : isSame ? 'unchanged' : 'changed']++;
    effect.folded += openings - 1;
  } else if (!isSame) effect.updated++;
  if (!isSame || isAbsent) changes.put.push([source, key, ...listValues(listing), run]);
}

async function writeChanges(tx: Transaction, { changes }: MergeState): Promise<void> {
  await tx.write(PUT, changes.put);
  await tx.write('update listing set absent_since = ? where source = ? and key = ?', changes.absent);
  await tx.write('delete from listing where source = ? and key = ?', changes.withdrawn);
  changes.put = [];
  changes.absent = [];
  changes.withdrawn = [];
}

function rowFacts([, , name, category, neighborhood, status, filedOn, , expiresOn]: KeyRow): KnownListing {
  return {
    name: name!,
    category: category!,
    neighborhood: neighborhood!,
    status: status!,
    filedOn: filedOn!,
    expiresOn,
  };
}

function toFiling(row: KeyRow): Filing {
  const [key, kind, name, category, neighborhood, status, , termOn, expiresOn] = row;
  if (kind === 'opening') return { kind, key, termOn, ...rowFacts(row) };
  return { kind: 'update', key, name, category, neighborhood, status, termOn, expiresOn };
}

function listValues(facts: KnownListing): Value[] {
  return [facts.name, facts.category, facts.neighborhood, facts.status, facts.filedOn, facts.expiresOn];
}

function hasSameFacts(a: KnownListing, b: KnownListing): boolean {
  const others = listValues(b);
  return listValues(a).every((value, at) => value === others[at]);
}

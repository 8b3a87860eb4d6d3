/** Merges the staged filings of a run into the listings. Absence never closes a listing. Memory stays limited. */

import type { Transaction, Value } from '../database/engines/engine.ts';
import { ShingleError } from '../errors.ts';
import type { Day } from '../listings/day.ts';
import type { Filing } from '../listings/filing.ts';
import type { Status } from '../listings/listing.ts';
import { probe } from '../listings/probe.ts';
import { bumpVersion } from './listing-store.ts';
import { type KnownListing, mergeFilings } from './merge-filings.ts';
import { isBaseline } from './news.ts';
import {
  type Effect,
  emptyCounts,
  endRun,
  findLastKept,
  findSameKept,
  type JudgedCounts,
  NO_EFFECT,
  type Run,
  type RunEnd,
  requireRun,
  selectRuns,
} from './runs.ts';

/** A staged filing, or (kind `known`) the stored listing with that key. */
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

// Writing during this read is safe: only keys already read are written. `order by` only groups equal keys, so
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

export type KeepOrder = RunEnd & { run: number };

type Changes = { put: Value[][]; absent: Value[][]; withdrawn: Value[][] };
type Merging = {
  run: number;
  source: string;
  /** Whether a changed profile judged this snapshot, which may withdraw listings and change dates. */
  isNewProfile: boolean;
  effect: Effect;
  changes: Changes;
};

export async function commitRun(tx: Transaction, order: KeepOrder): Promise<Run> {
  const run = await requireKeepable(tx, order.run);
  const isWhole = run.snapshot;
  const before = await findLastKept(tx, run.source, isWhole);
  const same = await findSameKept(tx, run);
  // a snapshot must equal the last one, because a register may revert; changes may equal earlier ones
  if (same !== undefined && (!isWhole || before === undefined || same.run === before.run)) {
    await dropStaged(tx, order.run);
    const detail = 'same file and profile as before';
    return endRun(tx, order.run, 'unchanged', { ...order, counts: emptyCounts(), detail });
  }
  const isNewProfile = isWhole && before !== undefined && before.profile !== run.profile;
  const effect = await mergeStaged(tx, { run, isWhole, isNewProfile, counts: order.counts });
  probe('keep:folded');
  await dropStaged(tx, order.run);
  const { added, changed, withdrawn, updated } = effect;
  if (added + changed + withdrawn + updated > 0 || before === undefined) await bumpVersion(tx);
  const counts = { ...order.counts, ...effect };
  const kept = await endRun(tx, order.run, 'kept', { ...order, counts }, await isBaseline(tx, run));
  probe('keep:before-commit');
  return kept;
}

export async function dropStaged(tx: Transaction, run: number): Promise<void> {
  await tx.write('delete from staged where run = ?', [[run]]);
}

async function requireKeepable(tx: Transaction, number: number): Promise<Run> {
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

async function mergeStaged(
  tx: Transaction,
  {
    run: { run, source },
    isWhole,
    isNewProfile,
    counts,
  }: { run: Run; isWhole: boolean; isNewProfile: boolean; counts: JudgedCounts },
): Promise<Effect> {
  const changes: Changes = { put: [], absent: [], withdrawn: [] };
  const effect = { ...NO_EFFECT };
  const merging: Merging = { run, source, isNewProfile, effect, changes };
  let staged = 0;
  let group: KeyGroup | undefined;
  // only a snapshot shows absence; other runs read only the listings that they name
  const named = isWhole ? '' : ' and key in (select key from staged where run = ?)';
  const params = [run, source, ...(isWhole ? [] : [run])];
  for await (const batch of tx.stream<KeyRow>(`${BY_KEY}${named} order by key`, params)) {
    for (const row of batch) {
      const [key, kind] = row;
      if (group?.key !== key) {
        if (group !== undefined) mergeKey(merging, group);
        group = { key, filings: [], known: undefined, isAbsent: false };
      }
      addRow(group, row);
      if (kind !== 'known') staged++;
    }
    await writeChanges(tx, changes);
  }
  if (group !== undefined) mergeKey(merging, group);
  await writeChanges(tx, changes);
  if (staged !== counts.openings + counts.updates)
    throw new ShingleError(
      'store',
      `run ${run} has ${staged} staged filings, which is not the number it read`,
    );
  return effect;
}

function addRow(group: KeyGroup, row: KeyRow): void {
  const [key, kind, name, category, neighborhood, status, filedOn, termOn, expiresOn, absentSince] = row;
  const facts = { name, category, neighborhood, status, expiresOn };
  if (kind === 'update') group.filings.push({ kind, key, termOn, ...facts });
  else if (kind === 'opening')
    group.filings.push({ kind, key, termOn, ...({ ...facts, filedOn } as KnownListing) });
  else {
    group.known = { ...facts, filedOn } as KnownListing;
    group.isAbsent = absentSince !== null;
  }
}

function mergeKey({ run, source, isNewProfile, effect, changes }: Merging, group: KeyGroup): void {
  const { key, filings, known, isAbsent } = group;
  if (isWithdrawn(group, isNewProfile)) {
    effect.withdrawn++;
    changes.withdrawn.push([source, key]);
    return;
  }
  if (filings.length === 0) {
    if (!isAbsent) changes.absent.push([run, source, key]);
    return;
  }
  const listing = mergeFilings(filings, known, isNewProfile);
  if (listing === undefined) return;
  const openings = filings.filter(({ kind }) => kind === 'opening').length;
  const isSame = known !== undefined && hasSameFacts(known, listing);
  if (openings > 0) {
    effect[known === undefined ? 'added' : isSame ? 'unchanged' : 'changed']++;
    effect.folded += openings - 1;
  } else if (!isSame) effect.updated++;
  if (!isSame || isAbsent) changes.put.push([source, key, ...listValues(listing), run]);
}

async function writeChanges(tx: Transaction, changes: Changes): Promise<void> {
  await tx.write(PUT, changes.put);
  await tx.write('update listing set absent_since = ? where source = ? and key = ?', changes.absent);
  await deleteWithdrawn(tx, changes.withdrawn);
  for (const rows of Object.values(changes)) rows.length = 0;
}

function listValues(facts: KnownListing): Value[] {
  return [facts.name, facts.category, facts.neighborhood, facts.status, facts.filedOn, facts.expiresOn];
}

function hasSameFacts(a: KnownListing, b: KnownListing): boolean {
  const others = listValues(b);
  return listValues(a).every((value, at) => value === others[at]);
}

export type KeyGroup = {
  key: string;
  filings: Filing[];
  known: KnownListing | undefined;
  isAbsent: boolean;
};

export function isWithdrawn({ filings, known, isAbsent }: KeyGroup, isNewProfile: boolean): boolean {
  const isOpening = filings.some(({ kind }) => kind === 'opening');
  return isNewProfile && known !== undefined && !isAbsent && !isOpening;
}

export async function deleteWithdrawn(tx: Transaction, keys: readonly Value[][]): Promise<void> {
  await tx.write('delete from listing where source = ? and key = ?', keys);
}

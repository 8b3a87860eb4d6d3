/**
 * Merges the staged filings of a run into the listings: decides which are added, changed, withdrawn or absent.
 */

import { addMs, type Day, type Instant } from '../../shared/day.ts';
import { conflictError, storeError } from '../../shared/errors.ts';
import type { Filing } from '../../shared/filing.ts';
import { foldFilings, type KnownListing } from '../../shared/fold-filings.ts';
import type { Status } from '../../shared/listing.ts';
import { probe } from '../../shared/probe.ts';
import { emptyCounts, type JudgedCounts } from '../../shared/report.ts';
import type { Reader, Transaction, Value } from '../database/engines/engine.ts';
import { bumpVersion } from './listing-store.ts';
import { isBaseline } from './news.ts';
import { type GoneRow, MOST_REMEMBERED, REMEMBERED, readRunTypes } from './row-memory.ts';
import {
  type Effect,
  endRun,
  findLastKept,
  findReplacing,
  findSameKept,
  NO_EFFECT,
  type Run,
  type RunEnd,
  requireRun,
  UNCHANGED,
} from './runs.ts';

/** How many of the listings that a held run would change, or that its snapshot lacks, are named. */
const MOST_NAMED = 25;

/** A staged filing or, with kind `known`, the stored listing that has the same key. */
type KeyRow = readonly [
  key: string,
  kind: 'opening' | 'update' | 'known',
  name: string | null,
  category: string | null,
  /** The hash of a filing's type, or the id of a listing's. */
  type: string | null,
  neighborhood: string | null,
  status: Status | null,
  filedOn: Day | null,
  termOn: Day,
  expiresOn: Day | null,
  absentSince: number | null,
];

// Writing during this read is safe, because only keys that were already read are written. `order by` only groups equal
// keys, so collations do not matter.
const selectByKey = (staged: string, named: string) => `
  select key, kind, name, category, type_hash, neighborhood, status, filed_on, term_on, expires_on,
    cast(null as integer) as absent_since
  from staged where ${staged} and ${FILINGS}${named}
  union all
  select key, 'known', name, category, cast(type_id as text), neighborhood, status, filed_on, '', expires_on, absent_since
  from listing where source = ?${named} order by key`;

const FILINGS = "kind in ('opening', 'update')";
const NAMED = ' and key in (select key from staged where run = ?)';

const PUT = `
  insert into listing (source, key, name, category, type_id, neighborhood, status, filed_on, expires_on, run)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (source, key) do update set name = excluded.name, category = excluded.category, type_id = excluded.type_id,
    neighborhood = excluded.neighborhood, status = excluded.status, filed_on = excluded.filed_on,
    expires_on = excluded.expires_on, absent_since = null`;

// the order of feeds is stored, because no later change of a listing may move it from page to page
const NUMBER_ARRIVALS = `
  update listing set arrival = numbered.arrival from (
    select key, row_number() over (order by filed_on desc, key) as arrival from listing where source = ? and run = ?
  ) as numbered where listing.source = ? and listing.key = numbered.key`;

// under a changed profile a listing may have another key: with the same name and day, it arrived when the old one did.
// Of several with the same name and day, each takes the place of another one, because feeds count places
const INHERIT_ARRIVALS = `
  update listing set run = old.run, arrival = old.arrival from (
    select run, arrival, name, filed_on, row_number() over (partition by name, filed_on order by run, arrival, key) as nth
    from listing where source = ? and absent_since = ?
  ) as old join (
    select key, name, filed_on, row_number() over (partition by name, filed_on order by key) as nth
    from listing where source = ? and run = ?
  ) as fresh on fresh.name = old.name and fresh.filed_on = old.filed_on and fresh.nth = old.nth
  where listing.source = ? and listing.key = fresh.key`;

/** With `now`, the run ends when its filings are merged, so that its time is hardly before they are served. */
export type KeepOrder = RunEnd & {
  run: number;
  now?: (() => Instant) | undefined;
  /** The remembered rows that the file no longer has. Its other rows are remembered, so only what differs is merged. */
  gone?: readonly GoneRow[] | undefined;
};

type Merging = {
  run: number;
  source: string;
  /** Whether a changed profile judged this snapshot. If so, listings may be withdrawn and dates may change. */
  isNewProfile: boolean;
  /** The ids of the run's types by their hashes. */
  types: ReadonlyMap<string, number>;
  effect: Effect;
  changes: { put: Value[][]; absent: Value[][] };
  /** The listings that a snapshot lacks, and that stay as they are: how many, and the names of some. */
  missing: { count: number; names: string[] };
  /** The filed names of some listings that change. */
  changing: string[];
};

/** What accepting a held run would do. */
export type Foreseen = Pick<Merging, 'effect' | 'missing' | 'changing'>;

/** A run's filings with the same key, and the stored listing. `isAbsent`: the previous snapshot lacked the key. */
type KeyGroup = { key: string; filings: Filing[]; known: KnownListing | undefined; isAbsent: boolean };

/** Merges the staged filings of a run into the listings. Never closes a listing because a run lacks it. */
export async function commitRun(tx: Transaction, order: KeepOrder): Promise<Run> {
  const run = await requireKeepable(tx, order.run);
  const before = await findLastKept(tx, run.source, run.snapshot);
  if ((await findSameKept(tx, run)) !== undefined) {
    await dropStaged(tx, order.run);
    const { state, detail } = UNCHANGED;
    return endRun(tx, order.run, state, { ...order, counts: emptyCounts(), detail });
  }
  if (order.types !== undefined)
    await tx.write('update run set types = ? where run = ?', [[JSON.stringify(order.types), run.run]]);
  const { ids, added: types } = await readTypes(tx, run.run);
  await tx.write('insert into type (type_id, words) values (?, ?)', types);
  await forgetRows(tx, run, order.gone);
  const merge = { before, counts: order.counts, types: ids, usesMemory: order.gone !== undefined };
  const write = async (changes: Merging['changes']) => {
    await tx.write(PUT, changes.put);
    await tx.write('update listing set absent_since = ? where source = ? and key = ?', changes.absent);
  };
  const { effect } = await mergeStaged(tx, run, merge, write);
  probe('keep:folded');
  const isRemembered = order.counts.read <= MOST_REMEMBERED;
  await tx.write(`${DROP}${isRemembered ? ' and hash is null' : ''}`, [[order.run]]);
  const { added, changed, withdrawn, updated } = effect;
  if (withdrawn > 0) {
    await tx.write(INHERIT_ARRIVALS, [[run.source, run.run, run.source, run.run, run.source]]);
    // with a changed profile, a run marks only listings that are no longer openings
    await tx.write('delete from listing where source = ? and absent_since = ?', [[run.source, run.run]]);
  }
  const baseline = await isBaseline(tx, run);
  if (added > 0 && !baseline) await tx.write(NUMBER_ARRIVALS, [[run.source, run.run, run.source]]);
  if (added + changed + withdrawn + updated > 0 || before === undefined) await bumpVersion(tx);
  const endedAt = order.now?.() ?? order.endedAt;
  const arrivedAt = await findArrivalTime(tx, endedAt);
  const ended = { ...order, endedAt, arrivedAt, counts: { ...order.counts, ...effect }, baseline };
  const kept = await endRun(tx, order.run, 'kept', ended);
  probe('keep:before-commit');
  return kept;
}

/** Returns a time after the ends of all earlier runs, even if a clock was set back: a client that asks "since then" misses nothing. */
async function findArrivalTime(tx: Transaction, endedAt: Instant): Promise<Instant> {
  const [last] = await tx.read<{ at: Instant | null }>(
    'select max(coalesce(arrived_at, ended_at)) as at from run',
  );
  return last?.at == null || last.at < endedAt ? endedAt : addMs(last.at, 1);
}

const DROP = 'delete from staged where run = ?';

export async function dropStaged(tx: Transaction, run: number): Promise<void> {
  await tx.write(DROP, [[run]]);
}

/** Deletes the remembered rows that are gone, or all of them. Marks their keys, because their listings are merged again. */
async function forgetRows(tx: Transaction, { run, source }: Run, gone?: readonly GoneRow[]): Promise<void> {
  if (gone === undefined) {
    await tx.write(`delete from staged where ${REMEMBERED}`, [[source]]);
    return;
  }
  const marks = gone.map(({ nth, key }) => [-nth, run, key]);
  await tx.write("insert into staged (nth, run, key, kind, term_on) values (?, ?, ?, 'gone', '')", marks);
  const marked = 'select -nth from staged where run = ? and nth < 0';
  await tx.write(`delete from staged where nth in (${marked})`, [[run]]);
}

async function requireKeepable(tx: Transaction, number: number): Promise<Run> {
  const run = await requireRun(tx, number);
  if (run.state !== 'running' && run.state !== 'held')
    throw conflictError(`run ${number} is ${run.state}, not held. Only held runs can be accepted`);
  const later = await findReplacing(tx, run);
  if (later !== undefined)
    throw conflictError(
      `run ${number} cannot be accepted: the later run ${later.run} ${later.state === 'kept' ? 'is already kept' : 'found the register as it was before'}`,
    );
  return run;
}

/** Finds what accepting a held run would do. Changes nothing. */
export async function foreseeRun(reader: Reader, run: Run): Promise<Foreseen> {
  const before = await findLastKept(reader, run.source, run.snapshot);
  const { ids } = await readTypes(reader, run.run);
  return mergeStaged(reader, run, { before, counts: run, types: ids });
}

/** With `usesMemory`, the other filings of the run are those of earlier runs. */
type MergeOrder = Pick<Merging, 'types'> & { before?: Run; counts: JudgedCounts; usesMemory?: boolean };

/** Merges the staged filings of a run with the listings of the same keys. `write` stores the changes of each batch. */
async function mergeStaged(
  reader: Reader,
  { run, source, snapshot, profileDigest }: Run,
  { before, counts, types, usesMemory = false }: MergeOrder,
  write?: (changes: Merging['changes']) => Promise<void>,
): Promise<Foreseen> {
  const isNewProfile = snapshot && before !== undefined && before.profileDigest !== profileDigest;
  const changes: Merging['changes'] = { put: [], absent: [] };
  const merging: Merging = {
    ...{ run, source, isNewProfile, types, changes, effect: { ...NO_EFFECT } },
    ...{ missing: { count: 0, names: [] }, changing: [] },
  };
  let group: KeyGroup | undefined;
  const flush = async () => {
    await write?.(changes);
    for (const rows of Object.values(changes)) rows.length = 0;
  };
  const staged = usesMemory ? `(run = ? or ${REMEMBERED})` : 'run = ?';
  const of = usesMemory ? [run, source] : [run];
  // only a snapshot shows which listings are absent; other runs need only the listings that they name. So does a run that uses what
  // is remembered, because the others were merged before, unless enough listings share other types now
  const isPart = !snapshot || (usesMemory && (await hasTypesOf(reader, before!.run, types)));
  const [named, names] = isPart ? [NAMED, [run]] : ['', []];
  const params = [...of, ...names, source, ...names];
  for await (const batch of reader.stream<KeyRow>(selectByKey(staged, named), params)) {
    for (const row of batch) {
      const [key] = row;
      if (group?.key !== key) {
        if (group !== undefined) mergeKey(merging, group);
        group = { key, filings: [], known: undefined, isAbsent: false };
      }
      addRow(group, row, types);
    }
    await flush();
  }
  if (group !== undefined) mergeKey(merging, group);
  await flush();
  const sql = `select count(*) as filings, count(distinct case when kind = 'opening' then key end) as opened
    from staged where ${staged} and ${FILINGS}`;
  const [all] = await reader.read<{ filings: number; opened: number }>(sql, of);
  const { filings, opened } = all!;
  if (filings !== counts.openings + counts.updates)
    throw storeError(`run ${run} has ${filings} staged filings, which is not the number it read`);
  const { effect } = merging;
  effect.unchanged = opened - effect.added - effect.changed;
  effect.folded = counts.openings - opened;
  return merging;
}

/** Returns whether the types of an earlier run are the same. */
async function hasTypesOf(reader: Reader, run: number, types: Merging['types']): Promise<boolean> {
  const before = await readRunTypes(reader, run);
  return before.length === types.size && before.every(({ typeHash }) => types.has(typeHash));
}

function addRow(group: KeyGroup, row: KeyRow, types: Merging['types']): void {
  const [key, kind, name, category, type, neighborhood, status, filedOn, termOn, expiresOn, absentSince] =
    row;
  const facts = { name, category, neighborhood, status, expiresOn };
  if (kind === 'update') group.filings.push({ kind, key, termOn, ...facts });
  else if (kind === 'opening') {
    const typeId = (type !== null && types.get(type)) || null;
    group.filings.push({ kind, key, termOn, ...({ ...facts, filedOn, typeId } as KnownListing) });
  } else {
    group.known = { ...facts, filedOn, typeId: type && Number(type) } as KnownListing;
    group.isAbsent = absentSince !== null;
  }
}

/** Reads the id of each type of a run, and the types that the list of all lacks. */
async function readTypes(reader: Reader, run: number) {
  const found = await readRunTypes(reader, run);
  const sql = 'select type_id as id, words from type order by type_id';
  const all = await reader.read<{ id: number; words: string }>(sql);
  const known = new Map(all.map(({ id, words }) => [words, id]));
  const last = all.at(-1)?.id ?? 0;
  const added = found.filter(({ words }) => !known.has(words)).map(({ words }, at) => [last + 1 + at, words]);
  for (const [id, words] of added) known.set(String(words), Number(id));
  return { ids: new Map(found.map(({ typeHash, words }) => [typeHash, known.get(words)!])), added };
}

function mergeKey(merging: Merging, group: KeyGroup): void {
  const { run, source, isNewProfile, effect, changes, missing, changing } = merging;
  const { key, filings, known, isAbsent } = group;
  const openings = filings.filter(({ kind }) => kind === 'opening').length;
  // under an unchanged profile, a missing listing is only marked absent, never removed
  if (isNewProfile && known !== undefined && !isAbsent && openings === 0) {
    effect.withdrawn++;
    changes.absent.push([run, source, key]);
    return;
  }
  if (filings.length === 0) {
    if (!isAbsent) changes.absent.push([run, source, key]);
    if (missing.count++ < MOST_NAMED) missing.names.push(known!.name);
    return;
  }
  const listing = foldFilings(filings, known, isNewProfile);
  if (listing === undefined) return;
  const facts = listValues(listing);
  const isSame = known !== undefined && listValues(known).every((value, at) => value === facts[at]);
  if (openings === 0) effect.updated += Number(!isSame);
  else if (known === undefined) effect.added++;
  else if (!isSame) effect.changed++;
  if (known !== undefined && !isSame && changing.length < MOST_NAMED) changing.push(known.name);
  if (!isSame || isAbsent) changes.put.push([source, key, ...facts, run]);
}

function listValues(facts: KnownListing): Value[] {
  const { name, category, typeId = null, neighborhood, status, filedOn, expiresOn } = facts;
  return [name, category, typeId, neighborhood, status, filedOn, expiresOn];
}

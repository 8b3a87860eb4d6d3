/**
 * Remembers the verdicts on the rows of the newest kept snapshot of a source, so that only rows that have changed are judged.
 * Their filings stay staged, and a run that uses them stages only the others.
 */

import { randomBytes } from 'node:crypto';
import type { Day } from '../../shared/day.ts';
import type { Filing } from '../../shared/filing.ts';
import type { Judgement, RunType } from '../../shared/report.ts';
import type { Engine, Reader } from '../database/engines/engine.ts';
import type { Run } from './runs.ts';

/** Maximum rows to remember. A verdict takes about 300 bytes of memory while a file is read. */
export const MOST_REMEMBERED = 1_000_000;

/** The staged rows of the kept runs of a source. */
export const REMEMBERED = "run in (select run from run where source = ? and state = 'kept')";

/** A verdict as it is remembered: with what is counted, but without names and terms. */
export type KnownVerdict = Exclude<Judgement, { kind: 'reject' }> & { isKnown: true };

/** A remembered row that is not in the file, or whose verdict no longer holds: its place and its key. */
export type GoneRow = { nth: number; key: string };

export type RowMemory = {
  /** Takes the verdict on a row that was seen before. Each is taken once, because the file may repeat the row. */
  take(hash: string): KnownVerdict | undefined;
  /** Lists what was not taken. */
  gone(): GoneRow[];
  types: readonly RunType[];
};

type StagedRow = readonly [
  nth: number,
  hash: string,
  until: Day | null,
  kind: KnownVerdict['kind'],
  key: string,
  name: string,
  category: string | null,
  typeHash: string | null,
  neighborhood: string | null,
  status: string | null,
  filedOn: Day | null,
];

/** Loads the verdicts of a run that hold today. Returns `undefined` if they are not complete, or too many. */
export async function loadRowMemory(engine: Engine, last: Run, today: Day): Promise<RowMemory | undefined> {
  const { openings, updates, skipped } = last;
  const expected = Object.values(skipped).reduce((sum, rows) => sum + rows, openings + updates);
  if (expected > MOST_REMEMBERED) return undefined;
  const found = new Map<string, GoneRow & { verdict: KnownVerdict }>();
  const gone: GoneRow[] = [];
  let rows = 0;
  const sql = `select nth, hash, until, kind, key, case when kind = 'skip' then name else '' end, category, type_hash, neighborhood, status,
    filed_on from staged where ${REMEMBERED} and hash is not null`;
  for await (const batch of engine.stream<StagedRow>(sql, [last.source])) {
    rows += batch.length;
    for (const row of batch) {
      const [nth, hash, until, , key] = row;
      // of equal rows, one is remembered
      if ((until !== null && until <= today) || found.has(hash)) gone.push({ nth, key });
      else found.set(hash, { nth, key, verdict: toVerdict(row) });
    }
  }
  if (rows !== expected) return undefined;
  return {
    take(hash) {
      const known = found.get(hash)?.verdict;
      found.delete(hash);
      return known;
    },
    gone: () => [...gone, ...found.values()],
    types: await readRunTypes(engine, last.run),
  };
}

function toVerdict(row: StagedRow): KnownVerdict {
  const [, , , kind, key, reason, category, typeHash, neighborhood, status, filedOn] = row;
  if (kind === 'skip') return { kind, reason, filedOn: filedOn ?? undefined, isKnown: true };
  const seen = { kind, key, name: '', category, typeHash, neighborhood, status, filedOn };
  return { ...(seen as unknown as Filing), isKnown: true };
}

export async function readRunTypes(reader: Reader, run: number): Promise<RunType[]> {
  const sql = "select coalesce(types, '[]') as types from run where run = ?";
  const [stored] = await reader.read<{ types: string }>(sql, [run]);
  return JSON.parse(stored!.types);
}

/** Reads the secret key of the hashes of rows. The first call makes it. */
export async function readRowKey(engine: Engine): Promise<string> {
  const sql = 'update catalogue set row_key = ? where row_key is null';
  return engine.transaction(async (tx) => {
    await tx.write(sql, [[randomBytes(32).toString('base64url')]]);
    const [row] = await tx.read<{ key: string }>('select row_key as key from catalogue');
    return row!.key;
  });
}

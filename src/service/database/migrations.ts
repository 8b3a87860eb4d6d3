/** Creates the tables, and migrates tables of older versions one step at a time, only forward. */

import { readFileSync } from 'node:fs';
import { messageOf, refusedError } from '../../shared/errors.ts';
import { probe } from '../../shared/probe.ts';
import type { Engine, Reader, Transaction } from './engines/engine.ts';

/** The first step of a release. A database of an earlier step is refused. */
const FIRST_STEP = 21;

/** The statements of each step. A released step never changes. */
export const MIGRATIONS: readonly (readonly string[])[] = [readStatements('step-21.sql')];

function readStatements(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const statements = text.replace(/^--.*\n/gm, '').split(/;\n/);
  return statements.map((one) => one.trim()).filter((one) => one !== '');
}

export const lastStep = (steps = MIGRATIONS): number => FIRST_STEP + steps.length - 1;

/** Migrates in one transaction. Throws `refused` for an incompatible version. */
export async function migrate(engine: Engine, steps = MIGRATIONS): Promise<void> {
  if ((await readStep(engine)) === lastStep(steps)) return;
  await engine.transaction((tx) => migrateTransaction(tx, steps));
  probe('migrate:committed');
}

export async function migrateTransaction(tx: Transaction, steps = MIGRATIONS): Promise<void> {
  await tx.write('create table if not exists migration (number integer primary key)', [[]]);
  const done = await readStep(tx);
  const problem = findStepProblem(done, steps);
  if (problem !== undefined) throw refusedError(`the database ${problem}`);
  for (const [at, step] of steps.entries()) {
    const number = FIRST_STEP + at;
    if (number <= done) continue;
    for (const sql of step) await tx.write(sql, [[]]);
    await tx.write('insert into migration (number) values (?)', [[number]]);
    probe('migrate:step');
  }
}

export function findStepProblem(done: number, steps = MIGRATIONS): string | undefined {
  if (done > lastStep(steps))
    return `was created by a newer version of Shingle (step ${done}; this version knows ${lastStep(steps)}). Run the newer version, or restore an older backup`;
  if (done > 0 && done < FIRST_STEP)
    return `was created by a version of Shingle from before the first release (step ${done}), and cannot be upgraded. Nothing was changed. Set SHINGLE_DATA to a new folder, or DATABASE_URL to an empty database, and run "npx shingle ingest"`;
  return undefined;
}

/** Reads the newest step. Returns 0 in a database without our tables. */
export async function readStep(reader: Reader): Promise<number> {
  const [row] = await reader
    .read<{ done: number | null }>('select max(number) as done from migration')
    .catch((error: unknown) => {
      if (/no such table|42P01/.test(messageOf(error))) return [];
      throw error;
    });
  return row?.done ?? 0;
}

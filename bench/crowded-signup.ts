/** What a signup costs beside the messages that an attack has left of its mailbox: CPU in this process, and time until committed. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRepositories, type Repositories } from '../src/service/data/store.ts';
import type { Engine } from '../src/service/database/engines/engine.ts';
import { openPostgres } from '../src/service/database/engines/postgres.ts';
import { openSqlite } from '../src/service/database/engines/sqlite.ts';
import { migrate } from '../src/service/database/migrations.ts';
import { parseAddress } from '../src/service/subscribers/address.ts';
import { aCluster } from '../test/service/database/a-postgres.ts';
import { median, type Row } from './report.ts';

const OF_MAILBOX = [0, 10_000, 200_000];
const OTHERS = 9; // times as many rows in all, of other mailboxes
const SIGNUPS = 400;
const BATCH = 10_000;
const NOW = Date.parse('2026-11-16T16:00:00Z');
const LIMITS = { confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 } };

type Cost = { cpuMs: number; ms: number };

export async function measureCrowdedSignups(): Promise<{ rows: Row[]; figures: Record<string, number> }> {
  const cluster = await aCluster();
  try {
    const sqlite = await measure(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'shingle-crowd-'));
      return { engine: openSqlite(folder), remove: () => rmSync(folder, { recursive: true }) };
    });
    const postgres = await measure(async () => ({
      engine: await openPostgres(await cluster.primary.fresh()),
      remove: () => undefined,
    }));
    return {
      rows: [...rowsOf('SQLite', sqlite), ...rowsOf('PostgreSQL', postgres)],
      figures: { crowdedSqlite: ratioOf(sqlite), crowdedPostgres: ratioOf(postgres) },
    };
  } finally {
    await cluster.end();
  }
}

async function measure(open: () => Promise<{ engine: Engine; remove(): void }>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const count of OF_MAILBOX) {
    const { engine, remove } = await open();
    try {
      await migrate(engine);
      await fill(engine, count);
      const store = await openRepositories(engine);
      await signUp(store, -SIGNUPS); // warm
      costs.push(await signUp(store, 0));
    } finally {
      await engine.close();
      remove();
    }
  }
  return costs;
}

/** One mailbox's messages, half under one spelling and half each under its own, among those of others. */
async function fill(engine: Engine, count: number): Promise<void> {
  const all = count * (OTHERS + 1);
  for (let from = 0; from < all; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, all - from) }, (_, i) => from + i);
    const people = numbers.filter((i) => i === 0 || i >= count / 2);
    const at = (i: number) => new Date(NOW - 60_000 - (i % 80_000) * 1_000).toISOString();
    const nameOf = (i: number) => (i < count / 2 ? 'p0' : `p${i}`);
    await engine.transaction(async (tx) => {
      await tx.write(
        'insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)',
        people.map((i) => {
          const address =
            i === 0 ? 'victim@b.example' : i < count ? `victim+${i}@b.example` : `p${i}@b.example`;
          return [nameOf(i), address, address, at(i)];
        }),
      );
      await tx.write(
        `insert into message (message, subscriber, kind, type, state, made_at, next_at, expires_at, attempts, doubts)
         values (?, ?, 'confirmation', 'weekly', 'withdrawn', ?, ?, ?, 0, 0)`,
        numbers.map((i) => [`m${i}`, nameOf(i), at(i), at(i), at(i)]),
      );
    });
  }
}

/** In turn the address itself and a new spelling of it. */
async function signUp({ subscribers }: Repositories, from: number): Promise<Cost> {
  const consent = { version: 'v', words: 'w' };
  const times: number[] = [];
  const before = process.threadCpuUsage();
  for (let i = from; i < from + SIGNUPS; i++) {
    const address = parseAddress(i % 2 ? 'victim@b.example' : `victim+new${i}@b.example`)!;
    const at = new Date(NOW + i).toISOString();
    const start = performance.now();
    await subscribers.countAhead({ ...LIMITS, now: at, client: 7, most: 400 });
    await subscribers.requestSignup({
      ...{ ...address, type: 'weekly', source: 'api', consent, at, client: 7 },
      recipientDomain: 'b.example',
    });
    times.push(performance.now() - start);
  }
  const { user, system } = process.threadCpuUsage(before);
  return { cpuMs: (user + system) / 1_000 / SIGNUPS, ms: median(times) };
}

function rowsOf(engine: string, costs: readonly Cost[]): Row[] {
  const rows = costs.map(({ cpuMs, ms }, i) => ({
    what: `${engine}, ${OF_MAILBOX[i]!.toLocaleString('en')} messages of the mailbox, ${((OTHERS + 1) * OF_MAILBOX[i]!).toLocaleString('en')} in all`,
    value: `${cpuMs.toFixed(3)} ms of CPU, ${ms.toFixed(3)} ms until committed (median)`,
  }));
  return [...rows, { what: `${engine}, most / none`, value: ratioOf(costs).toFixed(2) }];
}

/** Of the time that the database takes: SQLite's is ours, PostgreSQL's is waited for. */
function ratioOf(costs: readonly Cost[]): number {
  return Math.max(costs.at(-1)!.ms / costs[0]!.ms, costs.at(-1)!.cpuMs / costs[0]!.cpuMs);
}

/**
 * Checks whether response times reveal who is signed up: compares known with unknown addresses, and known with known ones. And measures
 * what a signup costs when its mailbox has many messages.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreAt } from '../src/service/data/store.ts';
import { served } from './process.ts';
import { median, type Result } from './report.ts';

const EACH = 2_000;
const PORT = 38_213;
const AT = '2026-11-16T16:00:00.000Z';

export async function benchSignup(listings: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-signup-empty-'));
  const store = await openStoreAt({ dataFolder: folder, databaseUrl: undefined });
  for (let i = 0; i < 2 * EACH; i++) {
    const identity = `known${i}@b.example`;
    const consent = { version: 'v', words: 'w' };
    await store.subscribers.addConfirmed({
      address: identity,
      identity,
      mailbox: identity,
      type: 'weekly',
      consent,
      at: AT,
    });
  }
  await store.close();
  process.env.SHINGLE_LIMITS = 'off';
  const service = await served(folder, PORT);
  const bytes = new Set<string>();
  const ask = async (email: string): Promise<number> => {
    const start = performance.now();
    const answer = await fetch(`${service.url}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, type: 'weekly' }),
    });
    const text = await answer.text();
    const took = performance.now() - start;
    const headers = [...answer.headers].filter(
      ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
    );
    bytes.add(JSON.stringify([answer.status, headers, text]));
    return took;
  };
  for (let i = 0; i < 200; i++) await ask(`warm${i}@b.example`);
  const [known, unknown] = await inTurn(
    ask,
    (i) => `known${i}@b.example`,
    (i) => `other${i}@b.example`,
  );
  const [one, other] = await inTurn(
    ask,
    (i) => `known${i}@b.example`,
    (i) => `known${EACH + i}@b.example`,
  );
  service.child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
  const apart = Math.abs(median(known) - median(unknown));
  const control = Math.abs(median(one) - median(other));
  const rows = [
    { what: 'different answers, Date apart', value: String(bytes.size) },
    {
      what: 'median, known and unknown',
      value: `${median(known).toFixed(3)} and ${median(unknown).toFixed(3)} ms`,
    },
    {
      what: 'median, known and known',
      value: `${median(one).toFixed(3)} and ${median(other).toFixed(3)} ms`,
    },
    { what: 'difference, beside the control', value: `${apart.toFixed(3)} and ${control.toFixed(3)} ms` },
  ];
  return { bench: 'signup', listings, rows, figures: { apart, control, answers: bytes.size } };
}

type Ask = (email: string) => Promise<number>;

async function inTurn(
  ask: Ask,
  first: (i: number) => string,
  second: (i: number) => string,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < EACH; i++) {
    // whoever comes first in a pair changes, so that what one leaves behind weighs on both alike
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[which].push(await ask([first, second][which]!(i)));
  }
  return times;
}

/**
 * Checks whether response times reveal who is signed up: compares known with unknown addresses, and known with known ones. And measures
 * the CPU time of a signup while hardly any confirmation waits, and while many do.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreAt } from '../src/service/data/store.ts';
import { freePort } from '../test/a-port.ts';
import { cpuMsOf, type Served, served } from './process.ts';
import { median, type Result } from './report.ts';

const EACH = 2_000;
const MEASURED = 500; // signups whose CPU time is measured
const WAITING = 5_000;
const AT_ONCE = 8;
/** A mail server that nobody runs: all confirmations wait. */
const NO_MAIL_SERVER = {
  SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
  MAIL_FROM: 'Bench <bench@shingle.example>',
  MAIL_POSTAL_ADDRESS: '1 Quay Street',
  PUBLIC_URL: 'https://bench.example',
};
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
  const costs = await costsOfQueues();
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
    { what: 'CPU of a signup, hardly any waiting', value: `${costs.few.toFixed(2)} ms` },
    {
      what: `CPU of a signup, ${WAITING.toLocaleString('en')} waiting`,
      value: `${costs.many.toFixed(2)} ms`,
    },
  ];
  return { bench: 'signup', listings, rows, figures: { apart, control, answers: bytes.size, ...costs } };
}

/** CPU milliseconds of a signup in a queue that is nearly empty, and in one that is long. */
async function costsOfQueues(): Promise<{ few: number; many: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-signup-empty-'));
  await (await openStoreAt({ dataFolder: folder, databaseUrl: undefined })).close();
  const service = await served(folder, await freePort(), { env: NO_MAIL_SERVER });
  try {
    await signUp(service, 'warm', MEASURED / 2);
    const few = await signUp(service, 'few', MEASURED);
    await signUp(service, 'waiting', WAITING - 1.5 * MEASURED);
    return { few, many: await signUp(service, 'many', MEASURED) };
  } finally {
    service.child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signs up `count` people, a few at a time; the server's CPU milliseconds for each. */
async function signUp({ child, url }: Served, name: string, count: number): Promise<number> {
  const before = cpuMsOf(child.pid!);
  let asked = 0;
  const lane = async () => {
    while (asked < count) {
      const email = `${name}${asked++}@b.example`;
      const response = await fetch(`${url}/api/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, type: 'weekly' }),
      });
      if (response.status !== 202) throw new Error(`signup: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return (cpuMsOf(child.pid!) - before) / count;
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

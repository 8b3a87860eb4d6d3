/** The disk is full: reads continue, what cannot be stored is refused and never acknowledged, and space fixes it. Commands: no-room.test.ts. */

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCity, businesses, csvText, MAIL_ENV } from '../a-city.ts';
import { running } from '../a-process.ts';
import { postSignup } from '../a-signup.ts';
import { openStore } from '../a-store.ts';
import { PATIENCE_MS } from '../patience.ts';
import { until } from '../until.ts';
import { aSmallDisk, noSmallDisk } from './a-small-disk.ts';

const DISK_MIB = 16;
const LISTINGS = 2_000;
const REFUSALS = 20;
const PRESSED_MS = 2_500; // whoever looks every second has looked twice
const PACE_MS = 4; // of those who ask again and again
const city = aCity();
const template = city.config.dataFolder;

const envOf = (folder: string): Record<string, string> => ({
  ...{ ...city.env, ...MAIL_ENV, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off', MIN_FREE_BYTES: '0' },
});

before(async () => {
  const service = await city.open(new Date().toISOString());
  await service.ingest({ from: city.file('first.csv', csvText(businesses(LISTINGS))) });
  await service.ingest({ from: city.file('second.csv', csvText(businesses(LISTINGS + 20))) });
  await service.close();
});

type Disk = { path: string; fill(): void; empty(): void };

function tmpfs(): Disk {
  const disk = aSmallDisk(DISK_MIB);
  cpSync(template, join(disk.path, 'data'), { recursive: true });
  return { path: join(disk.path, 'data'), fill: () => disk.fill(), empty: () => disk.empty() };
}

/** Searches all the time, until told to stop; answers how often, and every status that was not 200. */
function reader(url: string): () => Promise<{ asked: number; wrong: number[] }> {
  const wrong: number[] = [];
  let asked = 0;
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/api/search?q=business&limit=5&offset=${asked % 900}`);
      await answer.arrayBuffer();
      asked++;
      await sleep(PACE_MS);
      if (answer.status !== 200) wrong.push(answer.status);
    }
  })();
  return async () => {
    isOver = true;
    await reading;
    return { asked, wrong };
  };
}

async function ready(url: string): Promise<void> {
  await until(
    async () => ((await fetch(`${url}/api/search?limit=0`)).status === 200 ? true : undefined),
    'the first answer',
  );
}

async function signUp(url: string, email: string): Promise<{ status: number; type: string | null }> {
  const answer = await postSignup(url, email);
  await answer.arrayBuffer();
  return { status: answer.status, type: answer.headers.get('content-type') };
}

/** Milliseconds until `works` does. */
async function healed(t: TestContext, works: () => Promise<boolean>): Promise<void> {
  const from = performance.now();
  await until(async () => ((await works()) ? true : undefined), 'it to work again');
  const took = performance.now() - from;
  t.diagnostic(`works again after ${Math.round(took)} ms; 5 s are promised`);
}

/** What was said while it lasted: the same thing, whatever its numbers, at most once a minute. */
function assertQuiet(t: TestContext, log: string, since: number): void {
  const counts = new Map<string, number>();
  for (const line of log.split('\n').filter((line) => line !== '')) {
    const cause = line.replace(/[0-9a-f-]{36}|\d+/g, '#');
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  const minutes = Math.ceil((performance.now() - since) / 60_000);
  t.diagnostic(`the log: ${JSON.stringify([...counts])}`);
  for (const [cause, times] of counts) assert.ok(times <= minutes, `${times} times: ${cause}`);
}

function assertSound(folder: string): void {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  assert.equal(db.prepare('pragma quick_check').get()?.quick_check, 'ok');
  db.close();
}

async function addressesIn(folder: string): Promise<string[]> {
  const store = await openStore(folder);
  try {
    return (await store.subscribers.all()).map(({ address }) => address);
  } finally {
    await store.close();
  }
}

function allSent(folder: string): boolean {
  const db = new DatabaseSync(join(folder, 'shingle.db'), { readOnly: true });
  const waiting = db.prepare("select message from message where state in ('pending', 'sending')").all();
  db.close();
  return waiting.length === 0;
}

test('on a full disk signups are refused, acknowledged ones are kept, and searches continue', {
  skip: noSmallDisk,
}, async (t) => {
  const disk = tmpfs();
  const service = await running(['serve'], envOf(disk.path));
  await ready(service.url);
  const told: string[] = [];
  let asked = 0;
  const ask = async () => {
    const email = `new${++asked}@b.example`;
    const answer = await signUp(service.url, email);
    if (answer.status === 202) told.push(email);
    return answer;
  };
  assert.equal((await ask()).status, 202);
  await until(() => allSent(disk.path) || undefined, 'its email');
  const stopReading = reader(service.url);
  const from = performance.now();
  const before = service.said().err.length;
  await until(async () => {
    assert.equal((await ask()).status, 202); // whose email is looked for in a second, when there is no room for it
    disk.fill();
    if (!allSent(disk.path)) return true;
    disk.empty();
    return undefined;
  }, 'an email that there is no room for');
  const hasFailed = () => service.said().err.slice(before).includes('is full: nothing can be stored');
  let refused = 0;
  // the confirmation of the second one cannot be sent
  for (let lasts = 0; refused < REFUSALS || lasts < PRESSED_MS || !hasFailed(); ) {
    lasts = performance.now() - from;
    assert.ok(told.length < 1_000 && lasts < PATIENCE_MS, 'it is not full');
    await sleep(PACE_MS);
    const { status, type } = await ask();
    if (status === 202) continue; // there was room for it in the journal
    assert.deepEqual([status, type], [503, 'application/problem+json; charset=utf-8']);
    refused++;
  }
  t.diagnostic(`${told.length} told yes, ${refused} refused`);
  disk.empty();
  await healed(t, async () => (await ask()).status === 202);
  const { asked: searches, wrong } = await stopReading();
  assert.deepEqual(wrong, []);
  t.diagnostic(`${searches} searches, all answered`);
  const said = service.said().err.slice(before);
  assertQuiet(t, said, from);
  service.child.kill('SIGKILL');
  await until(() => (service.child.signalCode === null ? undefined : true), 'its end');
  assertSound(disk.path);
  const emails = await addressesIn(disk.path);
  assert.deepEqual(
    told.filter((email) => !emails.includes(email)),
    [],
  );
});

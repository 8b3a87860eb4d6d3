/**
 * People who only look something up: whether they ever hit a rate limit, alone or as an office behind one address.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../cities/sample/random.ts';
import { rounds, seedFrom } from '../depth.ts';
import { aTown, type Heard, HOUR_MS, KINDS, QUARTERS, type Town } from './a-town.ts';

const SEED = seedFrom(7);
const SESSIONS = rounds(300);
const OFFICE = rounds(50);
const PAGE = 'text/html,application/xhtml+xml';

type Step = { at: number; who: number; path: string; accept: string };

/** What one person asks for in some minutes: words as they are typed, filters, further pages, sometimes the figures. */
function session(who: number, startAt: number): Step[] {
  const next = random(1000 * SEED + who);
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  const steps: Step[] = [];
  let at = startAt;
  const look = (path: string, thinkMs: number, accept = PAGE): void => {
    at += thinkMs;
    steps.push({ at, who, path, accept });
  };
  const thinking = (): number => 1500 + upTo(12_000);
  look('/', 0);
  for (let search = 0; search <= 1 + upTo(3); search++) {
    const word = ['heron bakery', 'cafe', 'cedar', 'hardware', 'otter nails', 'plover grill'][upTo(5)]!;
    const asked = new URLSearchParams();
    const typed = 1 + upTo(2); // what is typed is asked for when the fingers rest for 0.3 s
    for (let part = 1; part <= typed; part++) {
      asked.set('q', word.slice(0, Math.ceil((word.length * part) / typed)));
      look(`/?${asked}`, part === 1 ? thinking() : 400 + upTo(600));
    }
    if (next() < 0.5) asked.set('category', KINDS[upTo(KINDS.length - 1)]!);
    if (next() < 0.5) asked.set('neighborhood', QUARTERS[upTo(QUARTERS.length - 1)]!);
    look(`/?${asked}`, thinking());
    for (let page = 1; page <= upTo(4); page++) look(`/?${asked}&offset=${page * 25}`, thinking());
    if (next() < 0.2) look(`/api/search?${asked}`, thinking(), '*/*');
  }
  if (next() < 0.4) look('/api/stats', thinking(), '*/*');
  return steps;
}

type Limited = { step: Step; heard: Heard };

async function lived(town: Town, steps: Step[], addressOf: (who: number) => string): Promise<Limited[]> {
  const limited: Limited[] = [];
  for (const step of steps.toSorted((a, b) => a.at - b.at)) {
    town.clock.now = Math.max(town.clock.now, step.at);
    const heard = await town.ask(addressOf(step.who), step.path, { accept: step.accept });
    if (heard.status === 429) limited.push({ step, heard });
    else assert.equal(heard.status, 200, `${step.path}: ${heard.text.slice(0, 200)}`);
  }
  return limited;
}

const sessions = (count: number, start: number, withinMs: number): Step[] =>
  Array.from({ length: count }, (_, who) => session(who, start + (who * withinMs) / count)).flat();

test('at most one in a hundred people who search at home reaches the rate limit', async (t) => {
  const town = await aTown(t);
  const steps = sessions(SESSIONS, town.clock.now, HOUR_MS);
  const limited = await lived(town, steps, (who) =>
    who % 3 === 0 ? `2001:db8:${who.toString(16)}::5` : `203.0.${113 + (who >> 8)}.${who & 255}`,
  );
  const people = new Set(limited.map(({ step }) => step.who)).size;
  t.diagnostic(`${steps.length} requests in an hour; ${people} of ${SESSIONS} people were limited`);
  assert.ok(people <= SESSIONS / 100, `${people} of ${SESSIONS} were limited`);
});

test('people in one office share a budget, and a refusal says why and for how long', async (t) => {
  const town = await aTown(t);
  const steps = sessions(OFFICE, town.clock.now, HOUR_MS / 4);
  const limited = await lived(town, steps, () => '198.51.100.20');
  const people = new Set(limited.map(({ step }) => step.who)).size;
  t.diagnostic(
    `${steps.length} requests from one office in a quarter of an hour: ${limited.length} refused, ${people} of ${OFFICE} people met it`,
  );
  // then everybody reloads at once, so that the requests of a minute are used up too
  const crowd = Array.from({ length: 700 }, (_, i) => ({
    ...{ at: town.clock.now, who: i % OFFICE },
    ...(i % 2 === 0 ? { path: '/api/stats', accept: '*/*' } : { path: '/docs', accept: PAGE }),
  }));
  limited.push(...(await lived(town, crowd, () => '198.51.100.20')));
  assert.ok(limited.length >= 100, 'the office was to be limited');
  for (const { step, heard } of limited) {
    const { headers } = heard;
    assert.match(headers['retry-after']!, /^[1-9]\d*$/, step.path);
    assert.match(String(headers.ratelimit), /^"burst";r=\d+;t=1(, "rows";r=0;t=\d+)?$/);
    if (step.accept === PAGE) assert.match(String(headers['content-type']), /^text\/html/, step.path);
    else assert.match(JSON.parse(heard.text).type, /\/problems\/quota-exceeded$/);
  }
});

test('after two hundred people in a library have read the newest listings behind one address, one of them can still search', async (t) => {
  const town = await aTown(t);
  const start = town.clock.now;
  const paths = ['/', '/feed.xml', '/api/search'];
  const steps = Array.from({ length: 600 }, (_, i) => ({
    ...{ at: start + i * 3000, who: i % 200, path: paths[i % 3]!, accept: '*/*' },
  }));
  steps.push({ at: start + HOUR_MS, who: 1, path: '/?q=heron&category=Kind+B', accept: PAGE });
  assert.deepEqual(await lived(town, steps, () => '198.51.100.20'), []);
});

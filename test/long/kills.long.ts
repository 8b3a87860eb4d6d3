/** kill -9 at random moments: 200 times during an ingest, 200 times a service with signups and unsubscribes, 200 times a weekly email. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { random } from '../../cities/sample/random.ts';
import { aCity, businesses, csvText, MAIL_ENV, type SmallCity } from '../a-city.ts';
import { lastJson, running, shingle } from '../a-process.ts';
import { aMailServer, parsed } from '../mail/a-mail-server.ts';
import { people, tokensOf } from './people.ts';

const KILLS = 200; // of each: six minutes in all
const EVERY = 20; // so often a life is measured again whole: other work makes a machine slower or faster meanwhile
const SEED = 20_261_121;

const envOf = ({ env }: SmallCity, folder = env.SHINGLE_DATA): Record<string, string> => ({
  ...{ ...env, ...MAIL_ENV, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' },
});

/** From 0 to 1: one somewhere in each of as many parts of a life as there are kills, early and late ones mixed. */
function moments(seed: number): number[] {
  const next = random(seed);
  return Array.from({ length: KILLS }, (_, i) => (((i * 77) % KILLS) + next()) / KILLS);
}

/** What a query finds in the database of a data folder, which is sound. */
function found(folder: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  try {
    const [sound] = db.prepare('pragma quick_check').all();
    assert.deepEqual(Object.values(sound!), ['ok']);
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Kills a command after so many milliseconds, unless it has ended by then. */
async function killedAfter(ms: number, args: readonly string[], env: Record<string, string>) {
  let child: ChildProcess | undefined;
  const ended = shingle(args, env, (one) => {
    child = one;
  });
  const patience = setTimeout(() => child?.kill('SIGKILL'), ms);
  const end = await ended;
  clearTimeout(patience);
  return end;
}

test(`an ingest killed ${KILLS} times at any moment has kept its file whole or not at all`, async (t) => {
  const city = aCity();
  const env = envOf(city);
  const rows = (count: number) => city.file('export.csv', csvText(businesses(count)));
  const number = (sql: string) => Number(found(city.config.dataFolder, `select (${sql}) n`)[0]!.n);
  const listed = () => number('select count(*) from listing');
  const addedByKeptRuns = () => number("select sum(added) from run where state = 'kept'");
  assert.equal((await shingle(['ingest', '--from', rows(3995)], env)).code, 0);
  assert.equal((await shingle(['ingest', '--from', rows(4000)], env)).code, 0);
  let wholeMs = Number.POSITIVE_INFINITY;
  const ends = { 'before its run': 0, 'amid its run': 0, 'when it was kept': 0, ended: 0 };
  const begun = () => number('select count(*) from run');
  let before = 4000;
  for (const [i, moment] of moments(SEED).entries()) {
    const after = 4000 + 5 * (i + 1);
    const runs = begun();
    const args = ['ingest', '--from', rows(after), '--json'];
    const isWhole = i % EVERY === 0;
    const start = performance.now();
    const { code, out } = await killedAfter(isWhole ? 30_000 : wholeMs * moment, args, env);
    if (isWhole) wholeMs = performance.now() - start;
    const now = listed();
    assert.ok(now === before || now === after, `kill ${i}: ${now} listings, neither ${before} nor ${after}`);
    assert.equal(addedByKeptRuns(), now, `kill ${i}: listings of a run that is not kept`);
    const isAcknowledged = code === 0 || out.includes('"kept"');
    if (isAcknowledged) assert.equal(now, after, `kill ${i}: what was said to be kept is kept`);
    if (code === 0) ends.ended++;
    else if (now === after) ends['when it was kept']++;
    else ends[begun() > runs ? 'amid its run' : 'before its run']++;
    before = now;
  }
  const last = await shingle(['ingest', '--from', rows(6000), '--json'], env);
  assert.equal(lastJson(last).runs[0]!.state, 'kept', last.err);
  assert.equal(listed(), 6000);
  assert.equal(number('select count(*) from staged'), 0);
  assert.ok(!existsSync(join(city.config.dataFolder, 'downloads')), 'nothing lies about');
  t.diagnostic(`a whole ingest takes ${wholeMs.toFixed(0)} ms at last; ${JSON.stringify(ends)}`);
  assert.ok(ends['before its run'] >= KILLS / 20 && ends['amid its run'] >= KILLS / 8, JSON.stringify(ends));
  assert.ok(ends['when it was kept'] + ends.ended >= KILLS / 50, JSON.stringify(ends));
});

/** Adds the links to confirm in emails not read before, by address. */
async function readLinks(folder: string, read: Set<string>, links: Map<string, string>): Promise<void> {
  const mails = join(folder, 'mail');
  if (!existsSync(mails)) return;
  for (const name of readdirSync(mails)) {
    if (!name.endsWith('.eml') || read.has(name)) continue;
    read.add(name);
    const mail = await parsed({ raw: readFileSync(join(mails, name), 'latin1'), to: [] });
    const address = (mail as { to?: { address?: string }[] }).to?.[0]?.address;
    if (address !== undefined && mail.links.confirm !== undefined) links.set(address, mail.links.confirm);
  }
}

/** What was acknowledged to whom. */
type Acknowledged = Map<string, 'pending' | 'confirmed' | 'left' | 'erased'>;

/** Who will leave, and who will be erased: addresses and the tokens in their emails, each used once. */
type Goers = Record<'left' | 'erased', { address: string; token: string }[]>;

/** People confirm, sign up, leave and are erased, on four lines at once, until the service dies. Notes what was acknowledged. */
async function visited(
  { child, url, name }: { child: ChildProcess; url: string; name: string },
  links: Map<string, string>,
  goers: Goers,
  acknowledged: Acknowledged,
): Promise<void> {
  const isUp = () => child.signalCode === null;
  const post = (path: string, type: string, body: string) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body }).then(
      async (answer) => answer.arrayBuffer().then(() => answer.status),
      () => undefined,
    );
  const confirming = async () => {
    for (const [address, link] of links) {
      const { pathname, search } = new URL(link);
      const status = await post(pathname + search, 'text/plain', '');
      if (status === 200) acknowledged.set(address, 'confirmed');
      if (status !== undefined) links.delete(address); // else it is tried again
      if (!isUp()) return;
    }
  };
  const going = async (how: keyof Goers) => {
    const one = goers[how].pop();
    if (one === undefined) return;
    const path = how === 'left' ? '/unsubscribe' : '/manage';
    const body = how === 'left' ? 'List-Unsubscribe=One-Click' : 'action=erase';
    const status = await post(`${path}?token=${one.token}`, 'application/x-www-form-urlencoded', body);
    if (status !== undefined) assert.equal(status, 200);
    if (status === 200) acknowledged.set(one.address, how);
  };
  const signing = async (line: number) => {
    for (let i = 0; isUp() && i < 400; i++) {
      const email = `ann@${name}-${line}-${i}.example`; // of a domain of its own, which has a limit of confirmations
      const status = await post('/api/signup', 'application/json', JSON.stringify({ email, type: 'weekly' }));
      if (status === undefined) return;
      assert.equal(status, 202);
      acknowledged.set(email, 'pending');
      if (line < 3 && i % 4 === 0) await going(line === 1 ? 'left' : 'erased');
    }
  };
  await Promise.all([confirming(), signing(1), signing(2), signing(3)]);
}

/** Starts a service that is killed so long after it was started, or after it listens; where it does, unless it died before. */
function dyingAfter(ms: number, from: 'start' | 'listening', env: Record<string, string>) {
  const listens = Promise.withResolvers<{ child: ChildProcess; url: string; afterMs: number } | undefined>();
  const start = performance.now();
  const ended = shingle(['serve'], { PORT: '0', ...env }, (child) => {
    let out = '';
    child.stdout!.on('data', (text: string) => {
      out += text;
      const url = /open (http:\/\/[^/]+)/.exec(out)?.[1];
      if (url === undefined) return;
      listens.resolve({ child, url, afterMs: performance.now() - start });
      if (from === 'listening') setTimeout(() => child.kill('SIGKILL'), ms);
    });
    if (from === 'start') setTimeout(() => child.kill('SIGKILL'), ms);
  });
  void ended.then(() => listens.resolve(undefined));
  return { listens: listens.promise, ended };
}

const GOERS = 1_500;
const SERVED_MS = 600;

test(`a service killed ${KILLS} times while people sign up, confirm, leave and are erased loses nothing that was acknowledged`, async (t) => {
  const city = aCity();
  city.change("name: 'Rivermouth',", "name: 'Rivermouth', limits: { confirmations: 1e6 },");
  const service = await city.open(new Date().toISOString());
  await service.ingest({ from: city.file('a.csv', csvText(businesses(40))) });
  const addresses = await people(service, 2 * GOERS);
  await service.close();
  const folder = city.config.dataFolder;
  const env = envOf(city, folder);
  const [leaving, erased] = [addresses.slice(0, GOERS), addresses.slice(GOERS)];
  const withTokens = (all: string[], purpose: 'unsubscribe' | 'manage') => {
    const tokens = tokensOf(folder, all, purpose);
    return all.map((address, i) => ({ address, token: tokens[i]! }));
  };
  const goers = { left: withTokens(leaving, 'unsubscribe'), erased: withTokens(erased, 'manage') };
  const first = await running(['serve'], env);
  assert.equal(await first.stop(), 0); // compiled, and nothing of that is counted
  let startMs = 0;
  const acknowledged: Acknowledged = new Map();
  const read = new Set<string>();
  const links = new Map<string, string>();
  const ends = { 'as it started': 0, 'when nothing was asked yet': 0, 'amid requests': 0 };
  for (const [i, moment] of moments(SEED + 1).entries()) {
    await readLinks(folder, read, links);
    // half of them amid the start, as long as the last whole one took, and half amid requests
    const isServing = i % 2 === 0;
    const one = isServing
      ? dyingAfter(moment * Math.max(SERVED_MS, startMs), 'listening', env)
      : dyingAfter(moment * startMs, 'start', env);
    const listening = await one.listens;
    startMs = listening?.afterMs ?? startMs;
    const before = acknowledged.size;
    if (listening !== undefined) await visited({ ...listening, name: `n${i}` }, links, goers, acknowledged);
    await one.ended;
    const end = acknowledged.size > before ? 'amid requests' : 'when nothing was asked yet';
    ends[listening === undefined ? 'as it started' : end]++;
    const states = new Map(
      found(folder, 'select address, state from subscriber join subscription using (subscriber)').map(
        ({ address, state }) => [address, state],
      ),
    );
    for (const [address, state] of acknowledged) {
      const now = states.get(address) ?? 'erased';
      const isKept = now === state || (now === 'confirmed' && state === 'pending');
      assert.ok(isKept, `kill ${i}: ${state} was acknowledged, and it is ${now}`);
    }
  }
  const counts = Object.groupBy(acknowledged.values(), (state) => state);
  const told = Object.entries(counts).map(([state, all]) => `${all.length} ${state}`);
  t.diagnostic(`a start takes ${startMs.toFixed(0)} ms at last; killed ${JSON.stringify(ends)}`);
  t.diagnostic(`acknowledged, and so it is: ${told.join(', ')}`);
  assert.ok(ends['as it started'] >= KILLS / 8 && ends['amid requests'] >= KILLS / 4, JSON.stringify(ends));
  for (const state of ['pending', 'confirmed', 'left', 'erased'] as const)
    assert.ok((counts[state]?.length ?? 0) >= KILLS / 2, told.join());
});

const PEOPLE = 150;

test(`a weekly email killed ${KILLS} times at any moment reaches every subscriber, and very few twice`, async (t) => {
  const city = aCity();
  const service = await city.open(new Date().toISOString());
  await service.ingest({ from: city.file('first.csv', csvText(businesses(40))) });
  await service.ingest({ from: city.file('second.csv', csvText(businesses(60))) });
  await people(service, PEOPLE);
  await service.close();
  const atKill: number[] = [];
  let [wholeMs, twiceInAll] = [0, 0];
  for (const [i, moment] of [1, 1, ...moments(SEED + 2)].entries()) {
    const folder = city.copyData();
    const smtp = await aMailServer();
    const env = { ...envOf(city, folder), SMTP_URL: smtp.url };
    const start = performance.now();
    const isWhole = i < 2 || i % EVERY === 0; // the first of them is slower
    await killedAfter(isWhole ? 30_000 : wholeMs * moment, ['weekly', 'send'], env);
    if (isWhole) wholeMs = performance.now() - start;
    else atKill.push(smtp.arrived.length);
    found(folder, 'select 1');
    const then = await shingle(['weekly', 'send', '--json'], env);
    assert.equal(then.code, 0, then.err);
    assert.equal(lastJson(then).waiting, 0);
    const got = new Map<string, Set<string>>();
    for (const mail of smtp.arrived) {
      const { messageId } = await parsed(mail);
      got.set(mail.to[0]!, (got.get(mail.to[0]!) ?? new Set()).add(messageId!));
    }
    assert.equal(got.size, PEOPLE, `kill ${i}: somebody was passed over`);
    const twice = smtp.arrived.length - PEOPLE;
    assert.ok(twice <= 2, `kill ${i}: ${twice} got it twice`); // one for each line that mail goes out on
    for (const ids of got.values()) assert.equal(ids.size, 1, 'what comes twice is the same message');
    twiceInAll += twice;
    await smtp.close();
    rmSync(folder, { recursive: true });
  }
  const share = (from: number, to: number) =>
    atKill.filter((count) => count >= from * PEOPLE && count < to * PEOPLE).length;
  const none = atKill.filter((count) => count === 0).length;
  const thirds = [share(0, 1 / 3) - none, share(1 / 3, 2 / 3), share(2 / 3, 1)];
  t.diagnostic(
    `a whole one takes ${wholeMs.toFixed(0)} ms; killed ${none} times before the first of ${PEOPLE} messages, ${thirds.join(', ')} times amid each third, ${atKill.length - none - thirds.reduce((a, b) => a + b)} times after the last; nobody missed, ${twiceInAll} messages twice in ${KILLS} editions`,
  );
  for (const third of thirds) assert.ok(third >= KILLS / 50, 'some were to be killed amid each third');
});

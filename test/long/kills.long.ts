/** kill -9 at moments nobody chose: 50 times an ingest, 50 times a service with people signing up, 50 times a weekly email. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../cities/sample/random.ts';
import { aCity, businesses, csvText } from '../a-city.ts';
import { lastJson, type Running, running, shingle } from '../a-process.ts';
import { aMailServer, parsed } from '../mailing/a-mail-server.ts';
import { quantile } from './tools.ts';

const KILLS = 50;
const SEED = 20_261_121;
const PATIENCE = { timeout: 400_000 };

const envOf = (city: string, folder: string): Record<string, string> => ({
  SHINGLE_CITY: city,
  SHINGLE_DATA: folder,
  SHINGLE_LIMITS: 'off',
  MAIL_FROM: 'news@rivermouth.example',
  MAIL_POSTAL_ADDRESS: '1 Quay Street',
});

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

test(
  `an ingest killed ${KILLS} times at any moment has kept its file whole or not at all`,
  PATIENCE,
  async (t) => {
    const next = random(SEED);
    const city = aCity();
    const env = envOf(city.config.city, city.config.dataFolder);
    const rows = (count: number) => city.file('export.csv', csvText(businesses(count)));
    const listed = () => Number(found(city.config.dataFolder, 'select count(*) n from listing')[0]!.n);
    const start = performance.now();
    assert.equal((await shingle(['ingest', '--from', rows(4000)], env)).code, 0);
    const wholeMs = performance.now() - start;
    const ends = { killed: 0, 'killed, but kept': 0, ended: 0 };
    let before = 4000;
    for (let i = 1; i <= KILLS; i++) {
      const after = 4000 + 20 * i;
      const args = ['ingest', '--from', rows(after), '--json'];
      const { code, out } = await killedAfter(wholeMs * (0.3 + 0.8 * next()), args, env);
      const now = listed();
      assert.ok(
        now === before || now === after,
        `kill ${i}: ${now} listings, neither ${before} nor ${after}`,
      );
      const isAcknowledged = code === 0 || out.includes('"kept"');
      if (isAcknowledged) assert.equal(now, after, `kill ${i}: what was said to be kept is kept`);
      ends[code === 0 ? 'ended' : now === after ? 'killed, but kept' : 'killed']++;
      before = now;
    }
    const last = await shingle(['ingest', '--from', rows(6000), '--json'], env);
    assert.equal(lastJson(last).runs[0]!.state, 'kept', last.err);
    assert.equal(listed(), 6000);
    assert.equal(found(city.config.dataFolder, 'select count(*) n from staged')[0]!.n, 0);
    assert.ok(!existsSync(join(city.config.dataFolder, 'downloads')), 'nothing lies about');
    t.diagnostic(`a whole ingest takes ${wholeMs.toFixed(0)} ms; ${JSON.stringify(ends)}`);
    assert.ok(ends.killed >= KILLS / 4, 'most were to be killed in the middle');
  },
);

/** The links to confirm in emails not read before, by address. */
async function newLinks(folder: string, read: Set<string>): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  const mails = join(folder, 'mail');
  if (!existsSync(mails)) return links;
  for (const name of readdirSync(mails)) {
    if (!name.endsWith('.eml') || read.has(name)) continue;
    read.add(name);
    const mail = await parsed({ raw: readFileSync(join(mails, name), 'latin1'), to: [] });
    const address = (mail as { to?: { address?: string }[] }).to?.[0]?.address;
    if (address !== undefined && mail.links.confirm !== undefined) links.set(address, mail.links.confirm);
  }
  return links;
}

/** People sign up and confirm, one after another on each of four lines, until the service dies. Notes what was acknowledged. */
async function visited(
  { child, url }: Running,
  links: Map<string, string>,
  acknowledged: Map<string, 'pending' | 'confirmed'>,
  name: string,
): Promise<void> {
  const isUp = () => child.signalCode === null;
  const confirming = async () => {
    for (const [address, link] of links) {
      const { pathname, search } = new URL(link);
      const answer = await fetch(url + pathname + search, { method: 'POST' }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.set(address, 'confirmed');
      if (!isUp()) return;
    }
  };
  const signing = async (line: number) => {
    for (let i = 0; isUp() && i < 400; i++) {
      const email = `${name}-${line}-${i}@b.example`;
      const answer = await fetch(`${url}/api/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, type: 'weekly' }),
      }).catch(() => undefined);
      if (answer === undefined) return;
      assert.equal(answer.status, 202);
      acknowledged.set(email, 'pending');
    }
  };
  await Promise.all([confirming(), signing(1), signing(2), signing(3)]);
}

test(
  `a service killed ${KILLS} times while people sign up and confirm forgets nobody`,
  PATIENCE,
  async (t) => {
    const next = random(SEED + 1);
    const city = aCity();
    const service = await city.open(new Date().toISOString());
    await service.ingest({ from: city.file('a.csv', csvText(businesses(40))) });
    await service.close();
    const folder = city.config.dataFolder;
    const acknowledged = new Map<string, 'pending' | 'confirmed'>();
    const read = new Set<string>();
    for (let i = 1; i <= KILLS; i++) {
      const links = await newLinks(folder, read);
      const one = await running(['serve'], envOf(city.config.city, folder));
      const visits = visited(one, links, acknowledged, `p${i}`);
      await sleep(10 + 290 * next()); // the moment of the kill
      one.child.kill('SIGKILL');
      await visits;
      const states = new Map(
        found(folder, 'select address, state from subscriber join subscription using (subscriber)').map(
          ({ address, state }) => [address, state],
        ),
      );
      for (const [address, state] of acknowledged) {
        const now = states.get(address);
        assert.ok(
          now === state || now === 'confirmed',
          `kill ${i}: ${state} was acknowledged, and it is ${now}`,
        );
      }
    }
    const confirmed = [...acknowledged.values()].filter((state) => state === 'confirmed').length;
    t.diagnostic(`${acknowledged.size} signups and ${confirmed} confirmations acknowledged, 0 lost`);
    assert.ok(acknowledged.size >= KILLS && confirmed >= KILLS / 2);
  },
);

const PEOPLE = 60;

test(
  `a weekly email killed ${KILLS} times at any moment reaches everybody, hardly anybody twice`,
  PATIENCE,
  async (t) => {
    const next = random(SEED + 2);
    const city = aCity();
    const service = await city.open(new Date().toISOString());
    await service.ingest({ from: city.file('first.csv', csvText(businesses(40))) });
    await service.ingest({ from: city.file('second.csv', csvText(businesses(60))) });
    for (let i = 0; i < PEOPLE; i++) {
      const identity = `p${i}@b.example`;
      await service.store.subscribers.addConfirmed({
        ...{ address: identity, identity, throttle: identity, type: 'weekly' },
        ...{ consent: { version: 'v', words: 'w' }, at: service.now() },
      });
    }
    await service.close();
    const sendings: number[] = [];
    const atKill: number[] = [];
    let twiceInAll = 0;
    for (let i = 0; i <= KILLS; i++) {
      const folder = join(city.folder, `copy-${i}`);
      cpSync(city.config.dataFolder, folder, { recursive: true });
      const smtp = await aMailServer();
      const env = { ...envOf(city.config.city, folder), SMTP_URL: smtp.url };
      const start = performance.now();
      const wholeMs = sendings[0] ?? 30_000; // the first one is not killed
      await killedAfter(wholeMs * (i === 0 ? 1 : 0.3 + 0.7 * next()), ['weekly', 'send'], env);
      if (i === 0) sendings.push(performance.now() - start);
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
    const inTheMiddle = atKill.filter((count) => count > 0 && count < PEOPLE).length;
    t.diagnostic(
      `killed after ${quantile(atKill, 0)} to ${quantile(atKill, 1)} of ${PEOPLE} messages, ${inTheMiddle} times in the middle; nobody missed, ${twiceInAll} messages twice in ${KILLS} editions`,
    );
    assert.ok(inTheMiddle >= 5, 'some were to be killed in the middle');
  },
);

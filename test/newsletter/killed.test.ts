/** kill -9 at every named point of signup, confirmation, unsubscribe, erasure, and creating and delivering editions: nothing acknowledged is lost. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { aCity, businesses, csvText } from '../a-city.ts';
import { lastJson, type Running, running, shingle, until } from '../a-process.ts';
import { aMailServer, parsed } from './a-mail-server.ts';
import { holding } from './holding.ts';

/** 200 in test/long, as the promise says it. */
const PEOPLE = Number(process.env.PEOPLE ?? 60);
const MIDDLE = PEOPLE / 2;
const ASKS = { timeout: 600_000 }; // a guard against hanging
const city = aCity();
const template = city.config.dataFolder;
let copies = 0;

const aCopy = (): string => {
  const folder = join(city.folder, `copy-${++copies}`);
  cpSync(template, folder, { recursive: true });
  return folder;
};
const envOf = (folder: string): Record<string, string> => ({
  SHINGLE_CITY: city.config.city,
  SHINGLE_DATA: folder,
  SHINGLE_LIMITS: 'off',
  MAIL_FROM: 'news@rivermouth.example',
  MAIL_POSTAL_ADDRESS: '1 Quay Street',
});

before(async () => {
  const service = await city.open(new Date().toISOString());
  await service.ingest({ from: city.file('first.csv', csvText(businesses(40))) });
  await service.ingest({ from: city.file('second.csv', csvText(businesses(60))) });
  for (let i = 0; i < PEOPLE; i++) {
    const identity = `p${i}@b.example`;
    const consent = { version: 'v', words: 'w' };
    await service.store.subscribers.addConfirmed({
      ...{ address: identity, identity, throttle: identity, type: 'weekly', consent },
      at: service.now(),
    });
  }
  await service.close();
});

/** The server's own places to kill whoever sends to it, at the n-th person. */
type Blow = { options: (strike: () => void) => Partial<SMTPServerOptions>; at: number };
const onCommand =
  (name: 'onMailFrom' | 'onRcptTo'): Blow['options'] =>
  (strike) => ({
    [name](_address: unknown, _session: unknown, done: () => void) {
      strike();
      done();
    },
  });
const afterTheDot: Blow['options'] = (strike) => ({
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      strike();
      done();
    });
  },
});

/** Sends the edition with a kill in it, then once more without; answers how often each person got it. */
async function sentTwice(kill: string | Blow): Promise<Map<string, string[]>> {
  const folder = aCopy();
  const got = new Map<string, string[]>();
  const receive = async (smtp: Awaited<ReturnType<typeof aMailServer>>) => {
    for (const mail of smtp.arrived)
      got.set(mail.to[0]!, [...(got.get(mail.to[0]!) ?? []), (await parsed(mail)).messageId!]);
  };
  let child: ChildProcess | undefined;
  let blows = 0;
  const strike = () => {
    if (typeof kill !== 'string' && ++blows === kill.at) child?.kill('SIGKILL');
  };
  const isAfterDot = typeof kill !== 'string' && kill.options === afterTheDot;
  const remembering: Blow['options'] = () => ({
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        first.arrived.push({
          from: '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
        });
        strike();
        done();
      });
    },
  });
  const options = typeof kill === 'string' ? {} : isAfterDot ? remembering(strike) : kill.options(strike);
  const first = await aMailServer(options);
  const dying: Record<string, string> = typeof kill === 'string' ? { DIES_AT: kill } : {};
  const died = await shingle(
    ['weekly', 'send'],
    { ...envOf(folder), SMTP_URL: first.url, ...dying },
    (one) => {
      child = one;
    },
  );
  assert.equal(died.code, null, `it was to die: ${died.out}${died.err}`);
  await receive(first);
  const second = await aMailServer();
  const sent = await shingle(['weekly', 'send', '--json'], { ...envOf(folder), SMTP_URL: second.url });
  await receive(second);
  assert.equal(sent.code, 0, sent.err);
  const { sent: marked, waiting } = lastJson(sent);
  assert.deepEqual([marked, waiting], [PEOPLE, 0]);
  await Promise.all([first.close(), second.close()]);
  return got;
}

/** Where, and how many people may then have it twice: one for each connection on which DATA had begun. */
const KILLS: [kill: string | Blow, twice: number][] = [
  ['edition:before 1', 0],
  ['edition:committed 1', 0],
  ['message:claimed 1', 0],
  [`message:claimed ${MIDDLE}`, 1],
  [{ options: onCommand('onMailFrom'), at: MIDDLE }, 1],
  [{ options: onCommand('onRcptTo'), at: MIDDLE }, 1],
  [`message:data ${MIDDLE}`, 2],
  [{ options: afterTheDot, at: 1 }, 2],
  [{ options: afterTheDot, at: MIDDLE }, 2],
  ['message:accepted 1', 2],
  [`message:accepted ${MIDDLE}`, 2],
  [`message:accepted ${PEOPLE}`, 2],
  ['message:marked 1', 1],
  [`message:marked ${PEOPLE - 1}`, 1],
  ['edition:before-close 2', 0],
];
const named = (kill: string | Blow) =>
  typeof kill === 'string'
    ? kill
    : `${kill.options === afterTheDot ? 'after the dot' : 'in the envelope'} ${kill.at}`;

for (const [kill, most] of KILLS) {
  test(
    `killed at ${named(kill)}: everybody gets the edition, at most ${most} get it twice`,
    ASKS,
    async () => {
      const got = await sentTwice(kill);
      assert.equal(got.size, PEOPLE);
      const twice = [...got.values()].filter((ids) => ids.length > 1);
      assert.ok(twice.length <= most, `${twice.length} got it twice`);
      for (const ids of twice) assert.equal(new Set(ids).size, 1);
    },
  );
}

const POST = { method: 'POST' };
const SIGNUP = {
  ...POST,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'ann@b.example', type: 'weekly' }),
};

/** The links in the emails of a data folder, newest last. */
async function linksIn(folder: string): Promise<Record<string, string>[]> {
  const mails = join(folder, 'mail');
  const names = readdirSync(mails).filter((name) => name.endsWith('.eml'));
  return Promise.all(
    names
      .toSorted()
      .map(async (name) => (await parsed({ raw: readFileSync(join(mails, name), 'latin1'), to: [] })).links),
  );
}

async function oneMail(folder: string): Promise<Record<string, string>> {
  const found = await until(async () => {
    const links = await linksIn(folder).catch(() => []);
    return links.length > 0 ? links : undefined;
  }, 'an email');
  assert.equal(found.length, 1);
  return found[0]!;
}

async function people(folder: string): Promise<string[]> {
  const listed = await shingle(['subscribers', 'list', '--json'], envOf(folder));
  const { subscribers } = lastJson(listed) as unknown as { subscribers: { email: string; state: string }[] };
  return subscribers
    .filter(({ email }) => email.startsWith('ann@'))
    .map(({ email, state }) => `${email} ${state}`);
}

/** How many rows each table has of Ann: a list of subscribers would not show a person without a subscription. */
function rowsOfAnn(folder: string): Record<string, unknown> {
  const db = new DatabaseSync(join(folder, 'shingle.db'));
  try {
    const counts = ['subscriber', 'subscription', 'message'].map(
      (table) =>
        `(select count(*) from ${table} join subscriber as p using (subscriber) where p.identity = 'ann@b.example') as ${table}`,
    );
    return { ...db.prepare(`select ${counts.join(', ')}`).get() };
  } finally {
    db.close();
  }
}

const here = ({ url }: Running, link: string) => url + new URL(link).pathname + new URL(link).search;

/** Does `act` in a service that dies at the point; true where it was acknowledged all the same. */
async function dies(
  folder: string,
  point: string,
  act: (service: Running) => Promise<Response>,
): Promise<boolean> {
  const service = await running(['serve'], { ...envOf(folder), DIES_AT: `${point} 1` });
  const answer = await act(service).catch(() => undefined);
  await until(() => (service.child.signalCode === null ? undefined : true), `the kill at ${point}`);
  return answer !== undefined && answer.status < 300;
}

async function after(folder: string, act: (service: Running) => Promise<void>): Promise<void> {
  const service = await running(['serve'], envOf(folder));
  await act(service);
  assert.equal(await service.stop(), 0);
}

for (const point of ['ask:before', 'ask:subscriber', 'ask:message', 'ask:committed', 'message:claimed']) {
  test(
    `killed at ${point}: a signup is kept whole or not at all, and works when it is sent again`,
    ASKS,
    async () => {
      const folder = aCopy();
      const isAcknowledged = await dies(folder, point, ({ url }) => fetch(`${url}/api/signup`, SIGNUP));
      assert.equal(isAcknowledged, point === 'message:claimed', 'only what is committed is acknowledged');
      const isKept = point === 'ask:committed' || point === 'message:claimed';
      const each = isKept ? 1 : 0;
      assert.deepEqual(rowsOfAnn(folder), { subscriber: each, subscription: each, message: each });
      assert.deepEqual(await people(folder), isKept ? ['ann@b.example pending'] : []);
      await after(folder, async (service) => {
        if (!isAcknowledged) assert.equal((await fetch(`${service.url}/api/signup`, SIGNUP)).status, 202);
        const { confirm } = await oneMail(folder);
        assert.equal((await fetch(here(service, confirm!), POST)).status, 200);
      });
      assert.deepEqual(await people(folder), ['ann@b.example confirmed']);
    },
  );
}

test(
  'killed during a confirmation, unsubscribe or erasure: done or not done, and done when repeated',
  ASKS,
  async () => {
    const folder = aCopy();
    await after(folder, async ({ url }) => {
      assert.equal((await fetch(`${url}/api/signup`, SIGNUP)).status, 202);
      await oneMail(folder);
    });
    const { confirm, manage } = await oneMail(folder);
    const form = (action: string) => ({ ...POST, body: new URLSearchParams({ action }) });
    const steps: [point: string, link: string, init: RequestInit, then: string[]][] = [
      ['confirm:before-commit', confirm!, POST, ['ann@b.example pending']],
      ['confirm:committed', confirm!, POST, ['ann@b.example confirmed']],
      ['leave:before-commit', manage!, form('leave-weekly'), ['ann@b.example left']], // noted beside the database before
      ['erase:before-commit', manage!, form('erase'), []],
    ];
    for (const [point, link, init, then] of steps) {
      assert.equal(await dies(folder, point, (service) => fetch(here(service, link), init)), false);
      assert.deepEqual(await people(folder), then, point);
    }
  },
);

test('killed when an erasure is committed: the address is in no file as soon as anything opens the store', async () => {
  const folder = aCopy();
  const address = 'zebrafish@b.example';
  await shingle(['subscribers', 'add', address, '--confirmed'], envOf(folder));
  const service = await running(['serve'], envOf(folder)); // so that the journal outlives the command
  const died = await shingle(['subscribers', 'erase', address], {
    ...envOf(folder),
    DIES_AT: 'erase:committed 1',
  });
  assert.equal(died.code, null);
  assert.notDeepEqual(holding(folder, 'zebrafish'), [], 'it died before it had tidied up');
  const again = await shingle(['subscribers', 'erase', address], envOf(folder));
  assert.match(again.err, /no subscriber has this address/);
  assert.deepEqual(holding(folder, 'zebrafish'), []);
  assert.equal(await service.stop(), 0);
});

test('killed when an unsubscribe is committed: it is done, and repeating it changes nothing', async () => {
  const folder = aCopy();
  await after(folder, async ({ url }) => {
    assert.equal((await fetch(`${url}/api/signup`, SIGNUP)).status, 202);
    await oneMail(folder);
  });
  const { confirm, manage } = await oneMail(folder);
  const leave = { ...POST, body: new URLSearchParams({ action: 'leave-weekly' }) };
  await after(folder, async (service) => {
    assert.equal((await fetch(here(service, confirm!), POST)).status, 200);
  });
  const acknowledged = await dies(folder, 'leave:committed', (service) =>
    fetch(here(service, manage!), leave),
  );
  assert.equal(acknowledged, false);
  assert.deepEqual(await people(folder), ['ann@b.example left']);
  await after(folder, async (service) => {
    assert.equal((await fetch(here(service, manage!), leave)).status, 200);
  });
  assert.deepEqual(await people(folder), ['ann@b.example left']);
});

/** kill -9 at every named point of signup, confirmation, unsubscribe, erasure, and approving, creating and delivering editions and announcements. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Service } from '../../../src/app/operations/service.ts';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { aCity, businesses, csvText, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, type Running, running, shingle } from '../../a-process.ts';
import { openStore } from '../../a-store.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { atDepth } from '../../depth.ts';
import { until } from '../../until.ts';
import { aMailServer, parsed } from './a-mail-server.ts';
import { holding } from './holding.ts';

const city = aCity();
const envOf = (folder: string): Record<string, string> => ({
  ...{ ...city.env, ...MAIL_ENV, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' },
});

before(async () => {
  const service = await city.open(new Date().toISOString());
  await fillCity(service);
  await service.close();
});

/** 200 in full depth, as the promise says it. */
const PEOPLE = atDepth(20, 200);
const MIDDLE = PEOPLE / 2;

/** What each fifth person chose, and what their email is about. The last ones chose what is not in the edition, and get none. */
const PARTS: [neighborhoods: string[], subject: string][] = [
  [[], '20 new businesses in Rivermouth'],
  [['Old Town'], '15 new businesses in Old Town'],
  [['The Hill'], '5 new businesses in The Hill'],
  [['Old Town', 'The Hill'], '20 new businesses in Old Town and The Hill'],
];
const ADDRESSES = addressesOf(PEOPLE);

/** A baseline, 20 new businesses, people who get their part of them and wait for Pro, and five who get nothing. */
async function fillCity(service: Service): Promise<void> {
  const all = businesses(60).map((one, i) => (i % 4 === 0 ? { ...one, area: 'The Hill' } : one));
  await service.ingest({ from: city.file('first.csv', csvText(all.slice(0, 40))) });
  await service.ingest({ from: city.file('second.csv', csvText(all)) });
  const add = (identity: string, neighborhoods: string[]) =>
    addSubscribers(service.store, [identity], {
      at: service.now(),
      preferences: formatPreferences({ categories: [], neighborhoods }, {}),
    });
  for (const [i, address] of ADDRESSES.entries()) await add(address, PARTS[i % PARTS.length]![0]);
  for (let i = 0; i < 5; i++) await add(`nothing${i}@b.example`, ['Gone Quarter']);
  await addSubscribers(service.store, ADDRESSES, { type: 'pro-waitlist', at: service.now() });
}

/** What is sent, and the command that sends it. An approved edition waits for its approval, in which the kill is. */
type Sending = 'edition' | 'approved edition' | 'announcement';
function argsOf(sending: Sending, { SHINGLE_DATA }: Record<string, string>): string[] {
  if (sending !== 'announcement') return ['weekly', 'send'];
  const file = join(SHINGLE_DATA!, 'announcement.md');
  writeFileSync(file, '# Pro is here\n\nCome and see.\n');
  return ['waitlist', 'announce', '--from', file];
}

/** The variables of a city in which an operator approves each edition. */
function approvedIn(env: Record<string, string>): Record<string, string> {
  const profile = readFileSync(env.SHINGLE_CITY!, 'utf8');
  const path = join(env.SHINGLE_CITY!, '../approved.ts');
  writeFileSync(path, profile.replace('archive: false,', 'archive: false, weekly: { approval: true },'));
  return { ...env, SHINGLE_CITY: path };
}

async function approvalOf(env: Record<string, string>): Promise<string[]> {
  const { digest } = lastJson(await command(['weekly', 'preview', '--json'], env));
  return ['weekly', 'approve', String(digest)];
}

/** A kill is at a point of the sender, or at the n-th person at a place of the server; `dot`: it has a message, before it says so. */
async function sendUntilKilled(env: Record<string, string>, args: readonly string[], kill: string) {
  const [, place, at] = /^server:(\w+) (\d+)$/.exec(kill) ?? [];
  let child: ChildProcess | undefined;
  let blows = 0;
  const strike = () => void (++blows === Number(at) && child?.kill('SIGKILL'));
  const onCommand = (_address: unknown, _session: unknown, done: () => void) => {
    strike();
    done();
  };
  const isInEnvelope = place !== undefined && place !== 'dot';
  const first = await aMailServer(
    isInEnvelope ? { [place]: onCommand } : {},
    place === 'dot' ? strike : undefined,
  );
  const dying: Record<string, string> = place === undefined ? { DIES_AT: kill } : {};
  const died = await shingle(args, { ...env, SMTP_URL: first.url, ...dying }, (one) => {
    child = one;
  });
  assert.equal(died.code, null, `it was to die: ${died.out}${died.err}`);
  await first.close();
  return first;
}

/** Sends with a kill in it, then once more without; answers what each person got, as often as they got it. A further time sends nothing. */
async function sentTwice(env: Record<string, string>, sending: Sending, kill: string) {
  const args = argsOf(sending, env);
  const got = new Map<string, { id: string; subject: string }[]>();
  const receive = async (smtp: Awaited<ReturnType<typeof aMailServer>>) => {
    for (const mail of smtp.arrived) {
      const { messageId, subject } = await parsed(mail);
      got.getOrInsertComputed(mail.to[0]!, () => []).push({ id: messageId!, subject: subject! });
    }
  };
  const approval = sending === 'approved edition' ? await approvalOf(env) : undefined;
  await receive(await sendUntilKilled(env, approval ?? args, kill));
  if (approval !== undefined) assert.equal((await command(approval, env)).code, 0);
  const second = await aMailServer();
  const sent = await command([...args, '--json'], { ...env, SMTP_URL: second.url });
  await receive(second);
  const arrived = second.arrived.length;
  const again = await command([...args, '--json'], { ...env, SMTP_URL: second.url });
  assert.deepEqual([again.code, second.arrived.length], [0, arrived], again.err);
  assert.equal(sent.code, 0, sent.err);
  const { sent: marked, waiting } = lastJson(sent);
  assert.deepEqual([marked, waiting], [PEOPLE, 0]);
  await second.close();
  return got;
}

/** Where, and how many people may then have it twice: one for each connection on which DATA had begun. */
const KILLS: readonly [sending: Sending, twice: number, ...kills: string[]][] = [
  ['edition', 0, 'edition:before 1', 'edition:committed 1', 'message:claimed 1', 'tidy:before-commit 2'],
  ['edition', 1, `message:claimed ${MIDDLE}`, 'message:marked 1', `message:marked ${PEOPLE - 1}`],
  ['edition', 1, `server:onMailFrom ${MIDDLE}`, `server:onRcptTo ${MIDDLE}`],
  ['edition', 2, `message:data ${MIDDLE}`, 'server:dot 1', `server:dot ${MIDDLE}`],
  ['edition', 2, 'message:accepted 1', `message:accepted ${MIDDLE}`, `message:accepted ${PEOPLE}`],
  ['announcement', 0, 'announcement:before 1', 'announcement:committed 1'],
  ['announcement', 2, `message:accepted ${MIDDLE}`],
  ['approved edition', 0, 'review:before-commit 1', 'review:committed 1'],
];
const ALL_KILLS = KILLS.flatMap(([what, most, ...kills]) => kills.map((kill) => ({ kill, most, what })));

/** One for creating it, one for delivering each (a message is taken by the mail server, and only the server knows). */
const QUICK_KILLS = ALL_KILLS.filter(({ kill }) =>
  ['edition:committed 1', `message:accepted ${MIDDLE}`].includes(kill),
);

for (const { kill, most, what } of atDepth(QUICK_KILLS, ALL_KILLS)) {
  test(`killed at ${kill}: every subscriber gets the ${what}, and at most ${most} get it twice`, async () => {
    const copy = envOf(city.copyData());
    const env = what === 'approved edition' ? approvedIn(copy) : copy;
    const got = await sentTwice(env, what, kill);
    assert.equal(got.size, PEOPLE, 'and who chose something else gets nothing');
    const twice = [...got.values()].filter((mails) => mails.length > 1);
    assert.ok(twice.length <= most, `${twice.length} got it twice`);
    for (const mails of twice) assert.equal(new Set(mails.map(({ id }) => id)).size, 1);
    for (const [i, address] of ADDRESSES.entries())
      for (const { subject } of got.get(address)!)
        assert.equal(subject, what === 'announcement' ? 'Pro is here' : PARTS[i % PARTS.length]![1]);
  });
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
  const raws = names.toSorted().map((name) => readFileSync(join(mails, name), 'latin1'));
  return Promise.all(raws.map(async (raw) => (await parsed({ raw, to: [] })).links));
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
  const store = await openStore(folder);
  try {
    await store.repairAfterRestore(new Date().toISOString());
    const all = await store.subscribers.all();
    return all
      .filter(({ address }) => address.startsWith('ann@'))
      .flatMap(({ address, subscriptions }) => subscriptions.map(({ state }) => `${address} ${state}`));
  } finally {
    await store.close();
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

test('a signup that was acknowledged is stored and can be confirmed, even if the service is killed at once', async () => {
  const folder = city.copyData();
  assert.ok(await dies(folder, 'message:claimed', ({ url }) => fetch(`${url}/api/signup`, SIGNUP)));
  assert.deepEqual(await people(folder), ['ann@b.example pending']);
  await after(folder, async (service) => {
    const { confirm } = await oneMail(folder);
    assert.equal((await fetch(here(service, confirm!), POST)).status, 200);
  });
  assert.deepEqual(await people(folder), ['ann@b.example confirmed']);
});

test('a confirmation, unsubscribe or erasure that is killed is complete or undone, and can be repeated', async () => {
  const folder = city.copyData();
  await after(folder, async ({ url }) => {
    assert.equal((await fetch(`${url}/api/signup`, SIGNUP)).status, 202);
    await oneMail(folder);
  });
  const { confirm, manage } = await oneMail(folder);
  const form = (action: string) => ({ ...POST, body: new URLSearchParams({ action }) });
  // a write that fails at any other point: test/faults/torture.test.ts
  const steps: [point: string, link: string, init: RequestInit, then: string[]][] = [
    ['confirm:before-commit', confirm!, POST, ['ann@b.example pending']],
    ['confirm:committed', confirm!, POST, ['ann@b.example confirmed']],
    ['leave:before-commit', manage!, form('leave-weekly'), ['ann@b.example left']], // noted beside the database before
    ['leave:committed', manage!, form('leave-weekly'), ['ann@b.example left']],
    ['erase:before-commit', manage!, form('erase'), []],
  ];
  const oneOfEach = steps.filter(([point]) => /^(confirm:committed|leave:before|erase)/.test(point));
  for (const [point, link, init, then] of atDepth(oneOfEach, steps)) {
    assert.equal(await dies(folder, point, (service) => fetch(here(service, link), init)), false);
    assert.deepEqual(await people(folder), then, point);
  }
});

test('after a kill during an erasure, the next start removes the address from all files', async () => {
  const folder = city.copyData();
  const address = 'zebrafish@b.example';
  await command(['subscribers', 'add', address, '--confirmed'], envOf(folder));
  const service = await running(['serve'], envOf(folder)); // so that the journal outlives the command
  const died = await command(['subscribers', 'erase', address], {
    ...envOf(folder),
    DIES_AT: 'erase:committed 1',
  });
  assert.equal(died.code, null);
  assert.notDeepEqual(holding(folder, 'zebrafish'), [], 'it died before it had tidied up');
  const again = await command(['subscribers', 'erase', address], envOf(folder));
  assert.match(again.err, /no subscriber has this address/);
  assert.deepEqual(holding(folder, 'zebrafish'), []);
  assert.equal(await service.stop(), 0);
});

test('a message during which the service is killed three times is not sent again, and the log says so', async () => {
  const folder = city.copyData();
  assert.ok(await dies(folder, 'message:claimed', ({ url }) => fetch(`${url}/api/signup`, SIGNUP)));
  for (let again = 0; again < 2; again++)
    assert.equal((await command(['serve'], { ...envOf(folder), DIES_AT: 'message:claimed 1' })).code, null);
  await after(folder, async (service) => {
    await until(
      () => (/1 of the emails are not sent again/.test(service.said().err) ? true : undefined),
      'the warning',
    );
  });
  const store = await openStore(folder);
  const found = (await store.outbox.countMessages()).filter(({ kind }) => kind === 'confirmation');
  assert.deepEqual(found, [{ kind: 'confirmation', state: 'uncertain', count: 1 }]);
  assert.deepEqual(await linksIn(folder).catch(() => []), []);
  await store.close();
});

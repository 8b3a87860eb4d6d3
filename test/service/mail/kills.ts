/** kill -9 at every point of approving, creating and delivering an edition or an announcement: everybody gets theirs, hardly anybody twice. */

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import type { Service } from '../../../src/app/operations/service.ts';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { businesses, csvText, type SmallCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, shingle } from '../../a-process.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { atDepth } from '../../depth.ts';
import { aMailServer, parsed } from './a-mail-server.ts';

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
export async function fillCity(city: SmallCity, service: Service): Promise<void> {
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

type Got = { id: string; subject: string };

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
/** Strikes when the server has a message, before it says so. */
const afterTheDot: Blow['options'] = () => ({});

/** What is sent, and the command that sends it. An approved edition waits for its approval, in which the kill is. */
type Sending = 'edition' | 'approved edition' | 'announcement';
const argsOf = (sending: Sending, env: Record<string, string>): string[] =>
  sending === 'announcement' ? ['waitlist', 'announce', '--from', announcementIn(env)] : ['weekly', 'send'];

function announcementIn({ SHINGLE_DATA }: Record<string, string>): string {
  mkdirSync(SHINGLE_DATA!, { recursive: true });
  const file = join(SHINGLE_DATA!, 'announcement.md');
  writeFileSync(file, '# Pro is here\n\nCome and see.\n');
  return file;
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

async function sendUntilKilled(env: Record<string, string>, args: readonly string[], kill: string | Blow) {
  let child: ChildProcess | undefined;
  let blows = 0;
  const strike = () => {
    if (typeof kill !== 'string' && ++blows === kill.at) child?.kill('SIGKILL');
  };
  const isAfterDot = typeof kill !== 'string' && kill.options === afterTheDot;
  const options = typeof kill === 'string' ? {} : kill.options(strike);
  const first = await aMailServer(options, isAfterDot ? strike : undefined);
  const dying: Record<string, string> = typeof kill === 'string' ? { DIES_AT: kill } : {};
  const died = await shingle(args, { ...env, SMTP_URL: first.url, ...dying }, (one) => {
    child = one;
  });
  assert.equal(died.code, null, `it was to die: ${died.out}${died.err}`);
  await first.close();
  return first;
}

/** Sends with a kill in it, then once more without; answers what each person got, as often as they got it. A further time sends nothing. */
async function sentTwice(
  env: Record<string, string>,
  sending: Sending,
  kill: string | Blow,
): Promise<Map<string, Got[]>> {
  const args = argsOf(sending, env);
  const got = new Map<string, Got[]>();
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

type Kill = readonly [kill: string | Blow, twice: number, sending?: Sending];

/** Where, and how many people may then have it twice: one for each connection on which DATA had begun. */
const KILLS: readonly Kill[] = [
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
  ['tidy:before-commit 2', 0],
  ['announcement:before 1', 0, 'announcement'],
  ['announcement:committed 1', 0, 'announcement'],
  [`message:accepted ${MIDDLE}`, 2, 'announcement'],
  ['review:before-commit 1', 0, 'approved edition'],
  ['review:committed 1', 0, 'approved edition'],
];

/** One for creating it, one for delivering each (a message is taken by the mail server, and only the server knows). */
const QUICK_KILLS = KILLS.filter(([kill]) =>
  ['edition:committed 1', `message:accepted ${MIDDLE}`].includes(named(kill)),
);

function named(kill: string | Blow): string {
  if (typeof kill === 'string') return kill;
  return `${kill.options === afterTheDot ? 'after the dot' : 'in the envelope'} ${kill.at}`;
}

/** Registers a test for each kill; `copy` answers the variables of a fresh copy of the filled city. */
export function testMailKills(copy: () => Record<string, string>): void {
  for (const [kill, most, what = 'edition'] of atDepth(QUICK_KILLS, KILLS)) {
    test(`killed at ${named(kill)}: every subscriber gets the ${what}, and at most ${most} get it twice`, async () => {
      const env = what === 'approved edition' ? approvedIn(copy()) : copy();
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
}

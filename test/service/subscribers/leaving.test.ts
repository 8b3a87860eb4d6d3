/** The links in emails: opening them changes nothing, a button does one thing, and no one is signed up again by an old link. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { makeToken } from '../../../src/service/subscribers/tokens.ts';
import { installProbe } from '../../../src/shared/probe.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { textOf } from '../../an-answer.ts';
import { postTo } from '../mail/a-delivery.ts';
import type { Mail } from '../mail/a-mail-server.ts';
import { aMailing, confirmed, type Mailing, tokenIn } from '../mail/a-mailing.ts';
import { aFaultServer, takenBy } from '../mail/fault-server.ts';
import type { Opened } from '../web/a-door.ts';

const ANN = 'ann@rivermouth.example';

const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;
const press = (door: Opened, link: string, init: RequestInit = {}) =>
  door.get(pathOf(link), { method: 'POST', ...init });
const form = (fields: Record<string, string>): RequestInit => ({ body: new URLSearchParams(fields) });

async function statesOf({ store }: Mailing): Promise<string> {
  const people = await store.subscribers.all();
  return people
    .flatMap(({ subscriptions }) => subscriptions.map(({ type, state }) => `${type} ${state}`))
    .join(', ');
}

/** Ann, confirmed, with her confirmation and her first edition. */
async function withAnn(
  t: Parameters<Mailing['door']>[0],
): Promise<{ mailing: Mailing; door: Opened; asked: Mail; edition: Mail }> {
  const mailing = await aMailing();
  const door = await mailing.door(t, 'off');
  const asked = await confirmed(mailing, ANN);
  return { mailing, door, asked, edition: (await mailing.edition()).at(-1)! };
}

test('opening every link, as mail scanners do, changes no data', async (t) => {
  const { mailing, door, asked, edition } = await withAnn(t);
  await mailing.subscriptions.requestSignup(parseAddress('bo@b.example')!, 'weekly', 'api');
  const pending = (await mailing.deliver()).at(-1)!;
  const before = JSON.stringify(await mailing.store.subscribers.all());
  for (const link of [asked, edition, pending].flatMap(({ links }) => Object.values(links))) {
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await door.get(pathOf(link), { method, headers: { purpose: 'prefetch' } });
      assert.equal(answer.status, 200, link);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(answer.headers.get('set-cookie'), null);
      await answer.text();
    }
  }
  assert.equal(JSON.stringify(await mailing.store.subscribers.all()), before);
  const had = (await mailing.deliver()).length;
  mailing.clock.now += 7 * 86_400_000 - 60_000;
  const sent = (await mailing.edition()).slice(had);
  assert.deepEqual(
    sent.map(({ rcpt }) => rcpt),
    [[ANN]],
    'the next edition goes to her alone: a scanner has not confirmed for Bo',
  );
});

test('the page to unsubscribe offers fewer listings instead, and changes nothing until the person saves', async (t) => {
  const { mailing, door, edition } = await withAnn(t);
  const before = JSON.stringify(await mailing.store.subscribers.all());
  const question = await textOf(door.get(/\/unsubscribe\?token=\S+/.exec(edition.text!)![0]));
  const [, instead = ''] = /<a class="button quiet" href="([^"]+)">Change what you get/.exec(question) ?? [];
  assert.match(await textOf(door.get(instead)), /<button name="action" value="change">/);
  const asked = await textOf(door.get(`${instead}&neighborhoods=Caf%C3%A9%20Row`));
  assert.doesNotMatch(asked, /value="Café Row" checked/, 'an address chooses nothing');
  assert.equal(JSON.stringify(await mailing.store.subscribers.all()), before);
  const header = edition.raw.match(/^List-Unsubscribe: <(.*)>/m)![1]!;
  assert.doesNotMatch(header, /manage/);
});

test('one click unsubscribes with every form of body that mail programs send', async (t) => {
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  const bodies: RequestInit[] = [form({ 'List-Unsubscribe': 'One-Click' }), { body: multipart }, {}];
  for (const body of bodies) {
    const { mailing, door, edition } = await withAnn(t);
    assert.equal(
      edition.raw.match(/^List-Unsubscribe-Post: (.*)$/m)?.[1]?.trim(),
      'List-Unsubscribe=One-Click',
    );
    const header = edition.raw.match(/^List-Unsubscribe: <(.*)>/m)![1]!;
    for (let i = 0; i < 3; i++) assert.equal((await press(door, header, body)).status, 200);
    assert.equal(await statesOf(mailing), 'weekly left');
    mailing.clock.now += 7 * 86_400_000;
    assert.equal((await mailing.edition()).length, 2, 'no further edition comes');
  }
});

test('an old or unknown unsubscribe link gets 200 and changes nothing', async (t) => {
  const { mailing, door, asked } = await withAnn(t);
  for (const token of ['', 'x', 'A'.repeat(43), tokenIn(asked.links.confirm!), tokenIn(asked.links.manage!)])
    assert.equal((await press(door, `https://x.example/unsubscribe?token=${token}`)).status, 200);
  assert.equal(await statesOf(mailing), 'weekly confirmed');
});

test('the manage link of an edition works for 90 days, and unsubscribe links work forever', async (t) => {
  const { mailing, asked, edition } = await withAnn(t);
  const works = async (purpose: 'manage' | 'unsubscribe', { links }: Mail) =>
    (await mailing.subscriptions.findTokenHolder(purpose, tokenIn(links[purpose]!))) !== undefined;
  const look = () =>
    Promise.all([works('manage', edition), works('unsubscribe', edition), works('manage', asked)]);
  mailing.clock.now += 90 * 86_400_000 - 1;
  await mailing.store.outbox.sweep(new Date(mailing.clock.now).toISOString());
  assert.deepEqual(await look(), [true, true, true]);
  mailing.clock.now += 1;
  await mailing.store.outbox.sweep(new Date(mailing.clock.now).toISOString());
  assert.deepEqual(await look(), [false, true, true], 'the confirmation stays with the person');
});

test('no old link brings back a person who has unsubscribed or was erased', async (t) => {
  const { mailing, door, asked, edition } = await withAnn(t);
  await press(door, edition.links.unsubscribe!);
  assert.equal((await press(door, asked.links.confirm!)).status, 404);
  assert.equal(await statesOf(mailing), 'weekly left');
  mailing.clock.now += 86_400_000;
  await mailing.subscriptions.requestSignup(parseAddress(ANN)!, 'weekly', 'api'); // as anybody may
  const askedAgain = (await mailing.deliver()).at(-1)!;
  assert.equal((await press(door, asked.links.confirm!)).status, 404, 'her first link');
  assert.equal(await statesOf(mailing), 'weekly pending');
  assert.equal((await press(door, askedAgain.links.confirm!)).status, 200);
  assert.equal(await statesOf(mailing), 'weekly confirmed');
  assert.equal((await press(door, edition.links.manage!, form({ action: 'erase' }))).status, 200);
  assert.equal(await statesOf(mailing), '');
  for (const link of [asked, askedAgain, edition].flatMap(({ links }) => Object.values(links))) {
    const isLeaving = link.includes('/unsubscribe');
    assert.equal((await press(door, link, form({ action: 'erase' }))).status, isLeaving ? 200 : 404);
    assert.equal((await door.get(pathOf(link))).status, isLeaving ? 200 : 404);
  }
  assert.equal((await mailing.store.subscribers.all()).length, 0);
});

test('a person sees their data, and can unsubscribe from one type and keep another', async (t) => {
  const mailing = await aMailing();
  const door = await mailing.door(t);
  mailing.clock.now += 10 * 3_600_000; // in the evening of that Monday, which is Tuesday in UTC
  await confirmed(mailing, ANN);
  const waitlist = await confirmed(mailing, ANN, 'pro-waitlist');
  const page = await textOf(door.get(pathOf(waitlist.links.manage!)));
  const parts = ['leave-weekly', 'leave-pro-waitlist', 'value="erase"', 'You confirmed on November 23, 2026'];
  for (const part of [ANN, ...parts]) assert.ok(page.includes(part), part);
  mailing.clock.now += 24 * 3_600_000;
  assert.equal((await press(door, waitlist.links.manage!, form({ action: 'leave-weekly' }))).status, 200);
  assert.equal(await statesOf(mailing), 'weekly left, pro-waitlist confirmed');
  const left = await textOf(door.get(pathOf(waitlist.links.manage!)));
  assert.deepEqual(
    left.match(/\w+ (?:signed up|added|confirmed|unsubscribed)[^.]* on November \d+, 2026\./g),
    [
      ...['You signed up with the form on November 23, 2026.', 'You unsubscribed on November 24, 2026.'],
      ...['You signed up with the form on November 23, 2026.', 'You confirmed on November 23, 2026.'],
    ],
  );
  assert.equal((await mailing.edition()).length, 2, 'the waitlist brings no weekly email');
});

test('after the response to an unsubscribe no email is sent, even during a delivery', async (t) => {
  const begun: { to: string; at: number }[] = [];
  const left = new Map<string, number>();
  let moment = 0;
  const mailing = await aMailing({
    post: {
      async send(_lane, { to }, isWanted) {
        await new Promise((resolve) => setImmediate(resolve)); // MAIL, RCPT
        if (!(await isWanted())) return { end: 'canceled' };
        begun.push({ to, at: ++moment });
        await new Promise((resolve) => setImmediate(resolve)); // DATA
        return { end: 'sent', code: '250' };
      },
      close: () => undefined,
    },
  });
  const at = new Date(mailing.clock.now).toISOString();
  await addSubscribers(mailing.store, addressesOf(1000), { at });
  const door = await mailing.door(t, 'off');
  const people = await mailing.store.subscribers.all();
  const leavers = people.filter((_, i) => i % 2 === 0);
  const links = linksFor(mailing, leavers);
  const sending = mailing.edition();
  for (const { subscriber, address } of leavers) {
    const answer = await press(door, links.get(subscriber)!, form({ 'List-Unsubscribe': 'One-Click' }));
    assert.equal(answer.status, 200);
    left.set(address, ++moment);
  }
  await sending;
  const late = begun.filter((one) => (left.get(one.to) ?? Number.POSITIVE_INFINITY) < one.at);
  assert.deepEqual(late, []);
  assert.ok(begun.length < 1000, 'they left while it was sent');
  assert.equal(left.size, 500);
  const got = new Set(begun.map(({ to }) => to));
  const missed = people.filter(({ address }) => !left.has(address) && !got.has(address));
  assert.deepEqual(missed, []);
});

const LEAVING: [what: string, purpose: 'unsubscribe' | 'manage', fields: Record<string, string>][] = [
  ['one click', 'unsubscribe', { 'List-Unsubscribe': 'One-Click' }],
  ['leaving the weekly email', 'manage', { action: 'leave-weekly' }],
  ['erasure', 'manage', { action: 'erase' }],
];

for (const [what, purpose, fields] of LEAVING) {
  test(`the answer to ${what} waits for an email that is being sent`, async (t) => {
    const server = await aFaultServer();
    const post = postTo(server);
    t.after(() => post.close());
    const mailing = await aMailing({ post });
    const door = await mailing.door(t, 'off');
    const { subscribers, outbox } = mailing.store;
    await addSubscribers(mailing.store, [ANN], { at: new Date(mailing.clock.now).toISOString() });
    const ann = (await subscribers.find(ANN))!;
    const link = linksFor(mailing, [ann], purpose).get(ann.subscriber)!;

    const events: string[] = [];
    installProbe((name) => {
      if (['message:claimed', 'leave:committed', 'message:data'].includes(name)) events.push(name);
    });
    t.after(() => installProbe(undefined));
    const wasWanted = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const [isWanted, isSendingTo] = [outbox.isWanted, subscribers.isSendingTo];
    t.mock.method(outbox, 'isWanted', async (message: string) => {
      const answer = await isWanted(message);
      wasWanted.resolve();
      await held.promise; // as a database that answers late
      return answer;
    });
    let looks = 0;
    t.mock.method(subscribers, 'isSendingTo', (subscriber: string) => {
      if (++looks === 3) held.resolve();
      return isSendingTo(subscriber);
    });

    const sending = mailing.edition();
    await Promise.race([wasWanted.promise, sending]);
    const answer = await press(door, link, form(fields));
    events.push('answered');
    held.resolve();
    await sending;
    assert.equal(answer.status, 200);
    assert.deepEqual(events, ['message:claimed', 'leave:committed', 'message:data', 'answered']);
    assert.deepEqual(takenBy(server), [ANN]);
  });
}

/** Gives everybody a link to leave, as an earlier edition would have; answers them by person. */
function linksFor(
  mailing: Mailing,
  people: readonly { subscriber: string }[],
  purpose: 'unsubscribe' | 'manage' = 'unsubscribe',
): Map<string, string> {
  const db = new DatabaseSync(`${mailing.folder}/shingle.db`);
  const insert = db.prepare(
    "insert into token (hash, subscriber, purpose, type, made_at) values (?, ?, ?, 'weekly', '2026-11-16')",
  );
  const links = people.map(({ subscriber }): [string, string] => {
    const { token, hash } = makeToken();
    insert.run(hash, subscriber, purpose);
    return [subscriber, `https://x.example/${purpose}?token=${token}`];
  });
  db.close();
  return new Map(links);
}

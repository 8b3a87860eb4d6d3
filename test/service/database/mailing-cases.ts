/** Conformance: subscribers, messages and editions. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { aFiling } from '../../a-filing.ts';
import { failingAt } from './failing-at.ts';
import {
  add,
  ask,
  at,
  claim,
  confirm,
  DAY,
  decide,
  finish,
  MINUTE,
  sent,
  type Taken,
} from './mailing-steps.ts';
import { type Case, kept, keysOf, staged } from './store-cases.ts';

const held = (hash: string, purpose: 'confirm' | 'unsubscribe' | 'manage', ms = 0) => ({
  ...{ hash, purpose, at: at(ms) },
});
const states = async ({ subscribers }: Repositories): Promise<string[]> =>
  (await subscribers.all()).flatMap(({ address, subscriptions }) =>
    subscriptions.map(({ type, state }) => `${address} ${type} ${state}`),
  );
const addBoth = async (store: Repositories): Promise<void> => {
  for (const who of BOTH) await add(store, who);
};

const ANN = 'Ann@b.example';
const BOTH = ['a@b.example', 'c@b.example'];

export const MAILING_CASES: Record<string, Case> = {
  'all about a person can be read, until they are erased, even while a message is sent': async (store) => {
    await add(store, ANN);
    await decide(store);
    const claimed = (await claim(store))!;
    const stored = () => store.subscribers.readStored(parseAddress(ANN)!.identity);
    const { subscriber, subscriptions } = (await stored())!;
    const [{ address, asked_at }, { state, words }] = [subscriber![0]!, subscriptions![0]!];
    assert.deepEqual([address, asked_at, state, words], [ANN, at(), 'confirmed', 'I want it.']);
    assert.equal(await store.subscribers.readStored('bob@b.example'), undefined);
    const erase = () => store.subscribers.erase(claimed.subscriber, at());
    assert.equal(await erase(), true);
    assert.equal(await store.outbox.isWanted(claimed.message), false);
    await finish(store, claimed, 'sent');
    assert.deepEqual([await stored(), await store.subscribers.all(), await erase()], [undefined, [], false]);
  },

  'messages that wait again are counted, with the next attempt and the newest reason': async (store) => {
    for (const name of ['ann', 'bo', 'cy']) await add(store, `${name}@b.example`);
    await decide(store);
    for (const [i, code] of ['451 4.3.0', '450 4.2.1', '452 4.3.1'].entries()) {
      const later = { code, nextAt: at(DAY - i), isDoubtful: false };
      await finish(store, (await claim(store, i))!, 'pending', { ...later, ms: i });
      const waiting = { count: i + 1, nextAt: at(DAY - i), code, doubts: 0 };
      assert.deepEqual(await store.outbox.deferred(), waiting);
    }
  },

  'two signups make one message; another comes after 15 minutes, at most three a day': async (store) => {
    const counts: number[] = [];
    for (const minutes of [0, 1, 14, 15, 20, 40, 60, 23 * 60, 25 * 60]) {
      await ask(store, minutes % 2 === 0 ? ANN : 'aNN@B.example', { ms: minutes * MINUTE });
      counts.push((await sent(store, minutes * MINUTE)).length);
    }
    assert.deepEqual(counts, [1, 0, 0, 1, 0, 1, 0, 0, 1]);
    assert.deepEqual(await states(store), ['Ann@b.example weekly pending']);
  },
  'twenty concurrent signups for one address make one person and one message': async (store) => {
    const spellings = ['ann@b.example', 'ANN@b.example', ' Ann@B.example'];
    await Promise.all(Array.from({ length: 20 }, (_, i) => ask(store, spellings[i % 3]!)));
    assert.equal((await sent(store)).length, 1);
    assert.equal((await store.subscribers.all()).length, 1);
  },
  'every type has a confirmation of its own, which confirms nothing else': async (store) => {
    for (const type of SIGNUP_TYPES) await ask(store, ANN, { type });
    const mails = await sent(store);
    assert.deepEqual(mails.map(({ type }) => type).toSorted(), [...SIGNUP_TYPES].toSorted());
    await confirm(store, mails.find(({ type }) => type === 'weekly')!);
    const wanted = SIGNUP_TYPES.map(
      (type) => `${ANN} ${type} ${type === 'weekly' ? 'confirmed' : 'pending'}`,
    );
    assert.deepEqual((await states(store)).toSorted(), wanted.toSorted());
  },
  'another signup never undoes a confirmation, and sends nothing to a confirmed person': async (store) => {
    await add(store, ANN);
    const before = (await store.subscribers.all())[0]!.subscriptions;
    await ask(store, ANN, { ms: DAY });
    assert.deepEqual((await store.subscribers.all())[0]!.subscriptions, before);
    assert.deepEqual(await sent(store, DAY), []);
  },
  'a link confirms once; one of another purpose, unknown or too old, nothing': async (store) => {
    await ask(store, ANN);
    const [{ tokens }] = (await sent(store)) as [Taken];
    const confirmedAt = async (...link: Parameters<typeof held>) =>
      (await store.subscribers.confirm(held(...link)))?.subscriptions[0]?.confirmedAt;
    assert.equal(await confirmedAt(tokens.manage!, 'confirm'), undefined);
    assert.equal(await confirmedAt('x', 'confirm'), undefined);
    assert.equal(await confirmedAt(tokens.confirm!, 'unsubscribe'), undefined);
    assert.equal(await confirmedAt(tokens.confirm!, 'confirm', 7 * DAY), undefined);
    for (const before of [2, 1])
      assert.equal(await confirmedAt(tokens.confirm!, 'confirm', 7 * DAY - before), at(7 * DAY - 2));
  },
  'an earlier link confirms nothing after an unsubscribe, also after another signup': async (store) => {
    const confirms = async (taken: Taken) => (await confirm(store, taken, DAY)) !== undefined;
    for (const [i, how] of (['unsubscribe', 'manage', 'before confirming'] as const).entries()) {
      const who = `p${i}@b.example`;
      const state = async () => (await states(store)).find((one) => one.startsWith(who));
      await ask(store, who);
      const first = (await sent(store)).find(({ address }) => address === who)!;
      if (how !== 'before confirming') await confirm(store, first);
      await decide(store, 0, `2026-11-${16 + i}`);
      const received = (await sent(store)).find(({ address }) => address === who) ?? first;
      const by = how === 'unsubscribe' ? how : 'manage';
      await store.subscribers.leave(held(received.tokens[by]!, by), 'weekly');
      assert.equal(await state(), `${who} weekly left`, how);
      await ask(store, who, { ms: DAY }); // as anybody may for them
      assert.equal(await confirms(first), false, how);
      const [second] = (await sent(store, DAY)) as [Taken];
      assert.equal(await confirms(first), false, how);
      assert.equal(await state(), `${who} weekly pending`, how);
      assert.equal(await confirms(second), true, how);
      assert.equal(await state(), `${who} weekly confirmed`, how);
    }
  },
  'preferences are those of the weekly email alone, and only while it is confirmed': async (store) => {
    for (const type of SIGNUP_TYPES) await add(store, ANN, type);
    await decide(store);
    const [{ tokens }] = (await sent(store)) as [Taken];
    const manage = held(tokens.manage!, 'manage');
    const wanted = async () => {
      const [ann] = await store.subscribers.all();
      return ann!.subscriptions.map(({ type, preferences }) => [type, preferences]);
    };
    await store.subscribers.changePreferences(manage, '[["Legal"],[]]');
    const changed = SIGNUP_TYPES.map((type) => [type, type === 'weekly' ? '[["Legal"],[]]' : null]);
    assert.deepEqual(await wanted(), changed);
    await store.subscribers.leave(manage, 'weekly');
    await store.subscribers.changePreferences(manage, null);
    assert.deepEqual(await wanted(), changed);
  },
  'an edition goes once to every confirmed subscriber, and to no one else': async (store) => {
    await addBoth(store);
    await add(store, 'waits@b.example', 'pro-waitlist');
    await ask(store, 'pending@b.example');
    await sent(store);
    assert.deepEqual(await store.editions.recipients(), { recipients: 2, unmatched: 0 });
    const decided = [await decide(store), await decide(store), await decide(store, 0, '2026-11-09')];
    assert.deepEqual(decided, [true, false, false]);
    assert.deepEqual((await sent(store)).map(({ address }) => address).toSorted(), BOTH);
    await store.outbox.tidy(at());
    assert.equal((await store.listStats.read()).lastEdition?.state, 'finished');
  },
  'a run is news in one edition, a baseline in none, one accepted late in the next': async (store) => {
    const keep = (key: string, source = 'licences') =>
      kept(store, [aFiling({ key })], { source, snapshot: false });
    await keep('a');
    const late = await staged(store, [aFiling({ key: 'late' })], { source: 'other', snapshot: false });
    await keep('b0', 'third');
    const { run } = await keep('b');
    const { runs, listings } = await store.editions.news();
    assert.deepEqual([runs, keysOf(listings)], [[run], 'b']);
    const edition = { edition: '2026-11-16', reason: null, content: '{}' };
    await store.editions.decide({ ...edition, decidedAt: at(), expiresAt: at(DAY) }, runs);
    assert.deepEqual(await store.editions.news(), { runs: [], listings: [] });
    await store.filings.keep(late);
    await keep('later', 'other');
    assert.equal(keysOf((await store.editions.news()).listings), 'later');
  },
  'twenty concurrent claims get a message each, confirmations first, none early': async (store) => {
    for (let i = 0; i < 6; i++) await add(store, `p${i}@b.example`);
    await decide(store);
    await ask(store, 'new@b.example', { ms: 5 });
    await ask(store, 'later@b.example', { ms: 60_000 });
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(store, 10)));
    const claimed = claims.filter((one) => one !== undefined);
    assert.equal(new Set(claimed.map(({ message }) => message)).size, 7);
    assert.equal(claimed[0]?.kind, 'confirmation');
  },
  'a retry waits for its time, what was not sent costs no try, a refusal stops a person': async (store) => {
    for (const who of [...BOTH, 'd@b.example']) await add(store, who);
    await decide(store);
    const [one, two, three] = [await claim(store), await claim(store), await claim(store)];
    await finish(store, one!, 'pending', { nextAt: at(5 * MINUTE), isDoubtful: false });
    await finish(store, two!, 'pending');
    await finish(store, three!, 'failed', { isRefused: true });
    const { message, attempts } = (await claim(store, 1))!;
    assert.deepEqual([message, attempts, await claim(store, 1)], [two!.message, 1, undefined]);
    assert.equal((await claim(store, 5 * MINUTE))?.message, one!.message);
    assert.equal((await store.editions.recipients()).recipients, 2);
    const others = { sent: 0, uncertain: 0, expired: 0, canceled: 0 };
    assert.deepEqual(await store.editions.progress('2026-11-16'), { waiting: 2, failed: 1, ...others });
  },
  'what a wrong clock dated in the future stops no mail, and nothing is sent twice': async (store) => {
    await add(store, ANN);
    await decide(store, 0, '2027-12-20');
    const future = at(400 * DAY);
    const taken = (await claim(store))!;
    await finish(store, taken, 'pending', { nextAt: future, isDoubtful: false });
    await store.outbox.pause(future, 'a problem', 3);
    assert.equal((await store.outbox.standing(at())).pausedUntil, null);
    await store.outbox.sweep(at(MINUTE));
    assert.equal((await claim(store, MINUTE))?.message, taken.message);
    const last = async () => (await store.editions.last('2026-11-23'))?.edition;
    assert.equal(await last(), undefined);
    for (const isNew of [true, false]) assert.equal(await decide(store), isNew);
    assert.equal(await decide(store, 0, '2027-12-20'), false);
    assert.equal(await last(), '2026-11-16');
  },
  'what became of a message can be written down when the claim that carried it fails': async (store) => {
    await addBoth(store);
    await decide(store);
    const { message } = (await claim(store))!;
    const done = { message, at: at(1), code: '250', state: 'sent' } as const;
    await assert.rejects(
      failingAt('claim:before-commit', () => claim(store, 1, done)),
      /a fault/,
    );
    const progress = async () => {
      const { waiting, sent: gone } = await store.editions.progress('2026-11-16');
      return [waiting, gone];
    };
    assert.deepEqual(await progress(), [2, 0]);
    await store.outbox.finish(done);
    assert.deepEqual(await progress(), [1, 1]);
    const next = (await claim(store, 2))!;
    assert.deepEqual([next.message === message, next.attempts, next.doubts], [false, 1, 0]);
  },
  'whom the operator adds again gets mail again, also after a refusal': async (store) => {
    await add(store, ANN);
    await decide(store);
    const taken = (await claim(store))!;
    await finish(store, taken, 'failed', { code: '550 5.1.1', isRefused: true });
    await store.subscribers.leave(held(taken.tokens.unsubscribe!, 'unsubscribe'));
    assert.deepEqual([await add(store, ANN), await add(store, ANN)], [true, false]);
    const [ann] = await store.subscribers.all();
    assert.deepEqual([ann?.refusedAt, ann?.refusal, ann?.subscriptions[0]?.leftAt], [null, null, null]);
    assert.equal((await store.editions.recipients()).recipients, 1);
  },
  'what a dead process claimed is given back, and an edition ends with what is too old': async (store) => {
    await addBoth(store);
    await decide(store);
    const dead = (await claim(store))!;
    await store.outbox.tidy(at(1));
    assert.equal((await store.listStats.read()).lastEdition?.state, 'open');
    const doubted = (await sent(store, 2)).filter(({ doubts }) => doubts === 1);
    assert.deepEqual(
      doubted.map(({ message }) => message),
      [dead.message],
    );
    await decide(store, 0, '2026-11-23');
    await store.outbox.tidy(at(2 * DAY));
    assert.equal((await store.editions.progress('2026-11-23')).expired, 2);
    assert.equal((await store.editions.last())?.reason, null);
  },
  'unconfirmed people are deleted after 7 days, those who left and records after 30': async (store) => {
    await ask(store, 'pending@b.example');
    await add(store, 'stays@b.example');
    await add(store, ANN);
    await decide(store);
    const ann = (await sent(store)).find(({ address }) => address === ANN)!;
    await store.subscribers.leave(held(ann.tokens.unsubscribe!, 'unsubscribe'));
    const left: string[] = [];
    for (const ms of [7 * DAY - 1, 7 * DAY, 30 * DAY - 1, 30 * DAY]) {
      await store.outbox.sweep(at(ms));
      const editions = (await store.outbox.countMessages()).find(({ kind }) => kind === 'edition');
      left.push(`${(await store.subscribers.all()).length} people, ${editions?.count ?? 0} messages`);
    }
    const then = ['3 people, 2 messages', '2 people, 2 messages', '2 people, 2 messages'];
    assert.deepEqual(left, [...then, '1 people, 0 messages']);
  },
};

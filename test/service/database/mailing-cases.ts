/** Conformance: subscribers, messages and editions. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import type { SubscriberStore } from '../../../src/service/subscribers/subscriber-store.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { aFiling } from '../../a-filing.ts';
import { failingAt } from './failing-at.ts';
import { add, ask, at, claim, DAY, MINUTE, sent, type Taken } from './mailing-steps.ts';
import { type Case, kept, staged } from './store-cases.ts';

const held = (hash: string, purpose: 'confirm' | 'unsubscribe' | 'manage', ms = 0) => ({
  hash,
  purpose,
  at: at(ms),
});
const states = async (subscribers: SubscriberStore): Promise<string[]> =>
  (await subscribers.all()).flatMap(({ address, subscriptions }) =>
    subscriptions.map(({ type, state }) => `${address} ${type} ${state}`),
  );

function decide({ editions }: Repositories, edition: string, runs: readonly number[] = []): Promise<boolean> {
  return editions.decide(
    { edition, reason: null, decidedAt: at(), content: '{}', expiresAt: at(2 * DAY) },
    runs,
  );
}

const ANN = 'Ann@b.example';

export const MAILING_CASES: Record<string, Case> = {
  'everything about a person can be read, and nothing is left once they are erased': async (store) => {
    const at = '2026-01-05T00:00:00.000Z';
    const ann = parseAddress('ann@b.example')!;
    await store.subscribers.addConfirmed({
      ...ann,
      type: 'weekly',
      consent: { version: 'v', words: 'I agree.' },
      at,
    });
    const stored = await store.subscribers.readStored(ann.identity);
    const [[person], [subscription]] = [stored!.subscriber, stored!.subscriptions];
    assert.deepEqual([person!.address, person!.asked_at], ['ann@b.example', at]);
    assert.deepEqual([subscription!.state, subscription!.words], ['confirmed', 'I agree.']);
    assert.equal(await store.subscribers.readStored(parseAddress('bob@b.example')!.identity), undefined);
    await store.subscribers.erase(String(person!.subscriber), at);
    assert.equal(await store.subscribers.readStored(ann.identity), undefined);
  },

  'messages that wait again are counted, with the next attempt and the reason of the newest': async (
    store,
  ) => {
    for (const name of ['ann', 'bo', 'cy']) await add(store, `${name}@b.example`);
    await decide(store, '2026-11-16');
    for (const [i, code] of ['451 4.3.0', '450 4.2.1', '452 4.3.1'].entries()) {
      const { message } = (await claim(store, i))!;
      const later = { state: 'pending', code, nextAt: at(DAY - i), isDoubtful: false } as const;
      await store.outbox.finish({ message, at: at(i), ...later });
      const waiting = { count: i + 1, nextAt: at(DAY - i), code, doubts: 0 };
      assert.deepEqual(await store.outbox.deferred(), waiting);
    }
  },

  'two signups make one person and one message; another after 15 minutes, at most three a day': async (
    store,
  ) => {
    const counts: number[] = [];
    for (const minutes of [0, 1, 14, 15, 20, 40, 60, 23 * 60, 25 * 60]) {
      await ask(store, minutes % 2 === 0 ? ANN : 'aNN@B.example', { ms: minutes * MINUTE });
      counts.push((await sent(store, minutes * MINUTE)).length);
    }
    assert.deepEqual(counts, [1, 0, 0, 1, 0, 1, 0, 0, 1]);
    assert.deepEqual(await states(store.subscribers), ['Ann@b.example weekly pending']);
  },
  'twenty concurrent signups for one address make one person and one message': async (store) => {
    const spellings = ['ann@b.example', 'ANN@b.example', ' Ann@B.example'];
    await Promise.all(Array.from({ length: 20 }, (_, i) => ask(store, spellings[i % 3]!)));
    assert.equal((await sent(store)).length, 1);
    assert.equal((await store.subscribers.all()).length, 1);
  },
  'a second type has a confirmation of its own, and confirms nothing else': async (store) => {
    await ask(store, ANN);
    await ask(store, ANN, { type: 'pro-waitlist' });
    const mails = await sent(store);
    assert.deepEqual(mails.map(({ type }) => type).toSorted(), ['pro-waitlist', 'weekly']);
    await store.subscribers.confirm(
      held(mails.find(({ type }) => type === 'weekly')!.tokens.confirm!, 'confirm'),
    );
    assert.deepEqual(await states(store.subscribers), [
      'Ann@b.example weekly confirmed',
      'Ann@b.example pro-waitlist pending',
    ]);
  },
  'a signup of every type is kept, with its message and its link': async (store) => {
    for (const type of SIGNUP_TYPES) await ask(store, ANN, { type });
    assert.deepEqual((await sent(store)).map(({ type }) => type).toSorted(), [...SIGNUP_TYPES].toSorted());
    for (const type of SIGNUP_TYPES) await add(store, `${type}@b.example`, type);
    assert.equal((await store.subscribers.all()).length, 1 + SIGNUP_TYPES.length);
  },
  'another signup never undoes a confirmation, and sends nothing to a confirmed person': async (store) => {
    await add(store, ANN);
    const before = (await store.subscribers.all())[0]!.subscriptions;
    await ask(store, ANN, { ms: DAY });
    assert.deepEqual((await store.subscribers.all())[0]!.subscriptions, before);
    assert.deepEqual(await states(store.subscribers), ['Ann@b.example weekly confirmed']);
    assert.equal((await sent(store, DAY)).length, 0);
  },
  'a link confirms once; one of another purpose, unknown or too old, nothing': async (store) => {
    await ask(store, ANN);
    const [{ tokens }] = (await sent(store)) as [Taken];
    for (const bad of [
      held(tokens.manage!, 'confirm'),
      held('x', 'confirm'),
      held(tokens.confirm!, 'unsubscribe'),
      held(tokens.confirm!, 'confirm', 7 * DAY),
    ])
      assert.equal(await store.subscribers.confirm(bad), undefined);
    const first = await store.subscribers.confirm(held(tokens.confirm!, 'confirm', 7 * DAY - 2));
    const again = await store.subscribers.confirm(held(tokens.confirm!, 'confirm', 7 * DAY - 1));
    assert.deepEqual(
      [first?.subscriptions[0]?.confirmedAt, again?.subscriptions[0]?.confirmedAt],
      [at(7 * DAY - 2), at(7 * DAY - 2)],
    );
  },
  'the link of an earlier signup confirms nothing after an unsubscribe, also after another signup': async (
    store,
  ) => {
    const confirmsBy = async ({ tokens }: Taken) =>
      (await store.subscribers.confirm(held(tokens.confirm!, 'confirm', DAY))) !== undefined;
    for (const [i, purpose] of (['unsubscribe', 'manage', 'before confirming'] as const).entries()) {
      const who = `p${i}@b.example`;
      const edition = `2026-11-${16 + i}`;
      const state = async () => (await states(store.subscribers)).find((one) => one.startsWith(who));
      await ask(store, who);
      const first = (await sent(store)).find(({ address }) => address === who)!;
      const hasConfirmed = purpose !== 'before confirming';
      if (hasConfirmed) await store.subscribers.confirm(held(first.tokens.confirm!, 'confirm'));
      await decide(store, edition);
      const received = (await sent(store)).find(({ address }) => address === who) ?? first;
      const by = purpose === 'unsubscribe' ? purpose : 'manage';
      await store.subscribers.leave(held(received.tokens[by]!, by), 'weekly');
      assert.equal(await state(), `${who} weekly left`, purpose);
      await ask(store, who, { ms: DAY }); // as anybody may for them
      assert.equal(await confirmsBy(first), false, `${purpose}: the first link confirms`);
      const [second] = (await sent(store, DAY)) as [Taken];
      assert.equal(await confirmsBy(first), false, `${purpose}: the first link confirms`);
      assert.equal(await state(), `${who} weekly pending`, purpose);
      assert.equal(await confirmsBy(second), true, `${purpose}: the new link confirms`);
      assert.equal(await state(), `${who} weekly confirmed`, purpose);
    }
  },
  'preferences are those of the weekly email alone, and only while it is confirmed': async (store) => {
    for (const type of SIGNUP_TYPES) await add(store, ANN, type);
    await decide(store, '2026-11-16');
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
  'nothing is left of an erased person, even if a message was being sent': async (store) => {
    await add(store, ANN);
    await decide(store, '2026-11-16');
    const claimed = (await claim(store))!;
    assert.equal(await store.subscribers.erase(claimed.subscriber, at()), true);
    assert.equal(await store.outbox.isWanted(claimed.message), false);
    await store.outbox.finish({ message: claimed.message, at: at(), code: '250', state: 'sent' });
    assert.deepEqual(
      [await store.subscribers.all(), await store.subscribers.erase(claimed.subscriber, at())],
      [[], false],
    );
  },
  'an edition goes once to every confirmed subscriber, and to no one else': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who);
    await add(store, 'waits@b.example', 'pro-waitlist');
    await ask(store, 'pending@b.example');
    await sent(store);
    assert.deepEqual(await store.editions.recipients(), { recipients: 2, unmatched: 0 });
    assert.deepEqual(
      [
        await decide(store, '2026-11-16'),
        await decide(store, '2026-11-16'),
        await decide(store, '2026-11-09'),
      ],
      [true, false, false],
    );
    assert.deepEqual((await sent(store)).map(({ address }) => address).toSorted(), [
      'a@b.example',
      'c@b.example',
    ]);
    await store.outbox.tidy(at());
    assert.equal((await store.listStats.read()).lastEdition?.state, 'finished');
  },
  'each run is news in one edition, its baseline in none, and one accepted late in the next': async (
    store,
  ) => {
    await kept(store, [aFiling({ key: 'a' })], { snapshot: false });
    const late = await staged(store, [aFiling({ key: 'late' })], { source: 'other', snapshot: false });
    await kept(store, [aFiling({ key: 'b0' })], { source: 'third', snapshot: false });
    const run = await kept(store, [aFiling({ key: 'b' })], { snapshot: false });
    const first = await store.editions.news();
    assert.deepEqual([first.runs, first.listings.map(({ key }) => key)], [[run.run], ['b']]);
    await decide(store, '2026-11-16', first.runs);
    assert.deepEqual(await store.editions.news(), { runs: [], listings: [] });
    await store.filings.keep(late);
    await kept(store, [aFiling({ key: 'later' })], { source: 'other', snapshot: false });
    assert.deepEqual(
      (await store.editions.news()).listings.map(({ key }) => key),
      ['later'],
    );
  },
  'twenty concurrent claims get one message each, confirmations first, none before its time': async (
    store,
  ) => {
    for (let i = 0; i < 6; i++) await add(store, `p${i}@b.example`);
    await decide(store, '2026-11-16');
    await ask(store, 'new@b.example', { ms: 5 });
    await ask(store, 'later@b.example', { ms: 60_000 });
    const claimed = (await Promise.all(Array.from({ length: 20 }, () => claim(store, 10)))).filter(
      (one) => one !== undefined,
    );
    assert.equal(new Set(claimed.map(({ message }) => message)).size, 7);
    assert.equal(claimed[0]?.kind, 'confirmation');
  },
  'a retry waits for its time, what was not sent is not counted, a refusal stops the person': async (
    store,
  ) => {
    for (const who of ['a@b.example', 'c@b.example', 'd@b.example']) await add(store, who);
    await decide(store, '2026-11-16');
    const [one, two, three] = [await claim(store), await claim(store), await claim(store)] as [
      Taken,
      Taken,
      Taken,
    ];
    const base = { at: at(), code: '450' };
    await store.outbox.finish({
      ...base,
      message: one.message,
      state: 'pending',
      nextAt: at(5 * MINUTE),
      isDoubtful: false,
    });
    await store.outbox.finish({ ...base, message: two.message, state: 'pending' });
    await store.outbox.finish({
      ...base,
      message: three.message,
      state: 'failed',
      isRefused: true,
      code: '550 5.1.1',
    });
    const again = (await claim(store, 1))!;
    assert.deepEqual([again.message, again.attempts, await claim(store, 1)], [two.message, 1, undefined]);
    assert.deepEqual(
      [(await claim(store, 5 * MINUTE))?.message, (await store.editions.recipients()).recipients],
      [one.message, 2],
    );
    assert.deepEqual(await store.editions.progress('2026-11-16'), {
      waiting: 2,
      sent: 0,
      failed: 1,
      uncertain: 0,
      expired: 0,
      canceled: 0,
    });
  },
  'what a wrong clock has dated in the future stops neither mail nor weekly emails, and sends none twice':
    async (store) => {
      await add(store, ANN);
      await decide(store, '2027-12-20');
      const { message } = (await claim(store))!;
      const later = at(400 * DAY);
      const retry = { message, at: at(), code: '450', state: 'pending', isDoubtful: false } as const;
      await store.outbox.finish({ ...retry, nextAt: later });
      await store.outbox.pause(later, 'a problem', 3);
      assert.equal((await store.outbox.standing(at())).pausedUntil, null);
      await store.outbox.sweep(at(MINUTE));
      assert.equal((await claim(store, MINUTE))?.message, message);
      assert.equal((await store.editions.last('2026-11-23'))?.edition, undefined);
      assert.deepEqual(
        [
          await decide(store, '2026-11-16'),
          await decide(store, '2026-11-16'),
          await decide(store, '2027-12-20'),
        ],
        [true, false, false],
      );
      assert.equal((await store.editions.last('2026-11-23'))?.edition, '2026-11-16');
    },
  'what became of a message can still be written down when the claim that carried it fails': async (
    store,
  ) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who);
    await decide(store, '2026-11-16');
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
    await decide(store, '2026-11-16');
    const { message, tokens } = (await claim(store))!;
    await store.outbox.finish({ message, at: at(), code: '550 5.1.1', state: 'failed', isRefused: true });
    await store.subscribers.leave(held(tokens.unsubscribe!, 'unsubscribe'));
    assert.deepEqual([await add(store, ANN), await add(store, ANN)], [true, false]);
    const [ann] = await store.subscribers.all();
    assert.deepEqual([ann?.refusedAt, ann?.refusal, ann?.subscriptions[0]?.leftAt], [null, null, null]);
    assert.equal((await store.editions.recipients()).recipients, 1);
  },
  'what a dead process had claimed is given back, what is too old expires, and then the edition is finished':
    async (store) => {
      for (const who of ['a@b.example', 'c@b.example']) await add(store, who);
      await decide(store, '2026-11-16');
      const dead = (await claim(store))!;
      await store.outbox.tidy(at(1));
      assert.equal((await store.listStats.read()).lastEdition?.state, 'open');
      const messages = (await sent(store, 2)).map(({ message, doubts }) => [message, doubts]);
      assert.ok(messages.some(([message, doubts]) => message === dead.message && doubts === 1));
      await decide(store, '2026-11-23');
      await store.outbox.tidy(at(2 * DAY));
      assert.deepEqual(
        [(await store.editions.progress('2026-11-23')).expired, (await store.editions.last())?.reason],
        [2, null],
      );
    },
  'unconfirmed people are deleted after 7 days, unsubscribed ones and records of messages after 30, the others stay':
    async (store) => {
      await ask(store, 'pending@b.example');
      await add(store, 'stays@b.example');
      await add(store, ANN);
      await decide(store, '2026-11-16');
      const ann = (await sent(store)).find(({ address }) => address === ANN)!;
      await store.subscribers.leave(held(ann.tokens.unsubscribe!, 'unsubscribe'));
      const left: [people: number, editions: number][] = [];
      for (const ms of [7 * DAY - 1, 7 * DAY, 30 * DAY - 1, 30 * DAY]) {
        await store.outbox.sweep(at(ms));
        const editions = (await store.outbox.countMessages()).find(({ kind }) => kind === 'edition');
        left.push([(await store.subscribers.all()).length, editions?.count ?? 0]);
      }
      assert.deepEqual(left, [
        [3, 2],
        [2, 2],
        [2, 2],
        [1, 0],
      ]);
    },
};

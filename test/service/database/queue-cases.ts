/** What every store promises about the order of confirmations, and how many of them go out. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { add, ask, at, claim, DAY, MINUTE, sent } from './mailing-steps.ts';
import type { Case } from './store-cases.ts';

/** People of one company ask, each once; the address begins with the client. */
async function askForFirm(
  store: Repositories,
  { client, ms, count = 1 }: { client: number; ms: number; count?: number },
): Promise<void> {
  for (let i = 0; i < count; i++)
    await ask(store, `${client}-${ms}-${i}@firm.example`, { client, ms, recipientDomain: 'firm.example' });
}

export const QUEUE_CASES: Record<string, Case> = {
  'clients take turns: who asks once goes before what another client has waiting': async (store) => {
    for (let i = 0; i < 20; i++) await ask(store, `flood${i}@b.example`, { ms: i, client: 1 });
    await ask(store, 'second@b.example', { ms: 30, client: 2 });
    await ask(store, 'third@b.example', { ms: 31, client: 3 });
    await ask(store, 'again@b.example', { ms: 32, client: 3 });
    const order = (await sent(store, 60)).map(({ address }) => address.split('@', 1)[0]);
    assert.deepEqual(order.slice(0, 6), ['flood0', 'second', 'third', 'flood1', 'again', 'flood2']);
    assert.equal(order.length, 23, 'all go out while there is room');
  },
  'a quarter of each hour is kept for clients that have had no confirmation in it': async (store) => {
    for (let i = 0; i < 20; i++) await ask(store, `flood${i}@b.example`, { ms: i, client: 1 });
    const order: (string | undefined)[] = [];
    const next = async (ms: number) => order.push((await claim(store, ms, undefined, 8))?.address[0]);
    for (let i = 0; i < 7; i++) await next(60);
    for (const client of [2, 3, 4]) {
      await ask(store, `${client}@b.example`, { ms: 70, client });
      await next(80);
    }
    assert.equal(order.join(), 'f,f,f,f,f,f,,2,3,');
    await ask(store, 'again@b.example', { ms: 90, client: 2 });
    assert.equal((await claim(store, 61 * MINUTE, undefined, 8))?.address, '4@b.example');
    assert.equal((await claim(store, 61 * MINUTE, undefined, 8))?.address, 'again@b.example');
    assert.equal((await claim(store, 61 * MINUTE, undefined, 8))?.address, 'flood6@b.example');
  },
  'a quarter of the hour and of the day of a domain is kept for clients that had none of it': async (
    store,
  ) => {
    const HOUR = 60 * MINUTE + 1;
    const askFrom = (client: number, hour: number, count = 1) =>
      askForFirm(store, { client, ms: hour * HOUR, count });
    const served = async (hour: number) => {
      await store.outbox.sweep(at(hour * HOUR));
      const clients = (await sent(store, hour * HOUR)).map(({ address }) => Number.parseInt(address, 10));
      return clients.toSorted((a, b) => a - b).join(' ');
    };
    await askFrom(1, 0, 15);
    assert.equal(await served(0), '1 1 1 1 1 1 1 1', 'and not ten');
    for (const client of [2, 3]) await askFrom(client, 0);
    assert.equal(await served(0), '2 3');
    await askFrom(4, 0);
    assert.equal(await served(0), '', 'ten in an hour');
    assert.equal(await served(1), '1 1 1 1 1 1 1 4');
    await askFrom(5, 2, 15);
    assert.equal(await served(2), '5 5 5 5 5', 'three quarters of a day');
    for (const client of [1, 2, 5, 6, 7, 8, 9, 10]) await askFrom(client, 3);
    assert.equal(await served(3), '6 7 8 9 10');
    for (const client of [11, 12]) await askFrom(client, 4);
    assert.equal(await served(4), '11 12');
    await askFrom(13, 4);
    assert.equal(await served(4), '', 'thirty in a day');
  },
  'what its domain holds up concerns nobody until three clients wait for it': async (store) => {
    const limits = { confirmationsAnHour: 200, recipientDomain: { hour: 10, day: 30 } };
    const seen = async (from: 'limits' | 'all') => {
      const { waiting, waitingSince } = await store.outbox.standing(
        at(9),
        from === 'all' ? undefined : limits,
      );
      return [waiting, waitingSince];
    };
    await askForFirm(store, { client: 1, ms: 1, count: 15 });
    assert.deepEqual(await seen('limits'), [15, at(1)], 'nothing holds them up');
    await sent(store, 1);
    assert.deepEqual(await seen('all'), [7, at(1)]);
    assert.deepEqual(await seen('limits'), [0, null]);
    for (const client of [2, 3]) await askForFirm(store, { client, ms: 2 });
    await sent(store, 2);
    await askForFirm(store, { client: 4, ms: 3 });
    assert.deepEqual(await seen('limits'), [0, null], 'two clients');
    await ask(store, 'else@b.example', { client: 4, ms: 4, recipientDomain: 'b.example' });
    assert.deepEqual(await seen('limits'), [1, at(4)], 'of a domain that holds up nothing');
    await ask(store, 'unknown@firm.example', { ms: 5, recipientDomain: 'firm.example' });
    assert.deepEqual(await seen('limits'), [10, at(1)], 'three clients, of whom one is not known');
  },
  'what waits of one client is not before another, and nothing is that its domain holds up': async (
    store,
  ) => {
    const ahead = (client?: number) =>
      store.subscribers.countAhead({
        ...{ client, now: at(90), most: 1_000, confirmationsAnHour: 200 },
        recipientDomain: { hour: 10, day: 30 },
      });
    for (let i = 0; i < 40; i++) await ask(store, `flood${i}@b.example`, { ms: i, client: 1 });
    assert.deepEqual([await ahead(1), await ahead(2), await ahead()], [40, 1, 1]);
    for (let i = 0; i < 12; i++)
      await ask(store, `p${i}@firm.example`, { ms: 50, client: 100 + i, recipientDomain: 'firm.example' });
    assert.equal(await ahead(2), 13);
    await sent(store, 60);
    assert.equal(await ahead(2), 0);
  },
  'confirmations of the last hour give a client a later turn, and editions are ahead of nobody': async (
    store,
  ) => {
    const ahead = (ms: number) =>
      store.subscribers.countAhead({
        ...{ client: 1, now: at(ms), most: 1_000, confirmationsAnHour: 200 },
        recipientDomain: { hour: 10, day: 30 },
      });
    await ask(store, 'one@b.example', { client: 1 });
    await sent(store);
    await add(store, 'weekly@b.example');
    await store.editions.decide(
      {
        ...{ edition: '2026-11-16', reason: null, content: '{}' },
        ...{ decidedAt: at(), expiresAt: at(2 * DAY) },
      },
      [],
    );
    for (const who of ['two', 'three'])
      await ask(store, `${who}@b.example`, { ms: 60 * MINUTE - 2, client: 2 });
    assert.deepEqual(
      [await ahead(60 * MINUTE - 1), await ahead(60 * MINUTE), await ahead(61 * MINUTE)],
      [2, 1, 1],
    );
  },
  'a confirmation that the mail server puts off does not count as waiting for us': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await ask(store, who);
    const { message } = (await claim(store))!;
    const later = { state: 'pending', nextAt: at(MINUTE), isDoubtful: false } as const;
    await store.outbox.finish({ message, at: at(), code: '451', ...later });
    assert.equal((await store.outbox.standing(at(DAY))).waiting, 1);
  },
  'at most ninety wait for one domain, and those of the busiest client give way': async (store) => {
    for (let i = 0; i < 130; i++)
      await ask(store, `p${i}@firm.example`, { ms: i, client: 1, recipientDomain: 'firm.example' });
    await ask(store, 'stranger@firm.example', { ms: 200, client: 2, recipientDomain: 'firm.example' });
    const waiting = (await store.outbox.standing(at(300))).waiting;
    assert.equal(waiting, 90);
    const addresses = (await sent(store, 300)).map(({ address }) => address.split('@', 1)[0]);
    assert.deepEqual(addresses.slice(0, 3), ['p0', 'stranger', 'p1']);
  },
  'a confirmation that waited for its domain counts against its mailbox from when it was sent': async (
    store,
  ) => {
    const recipientDomain = 'firm.example';
    for (let hour = 0; hour < 3; hour++) {
      const ms = hour * 61 * MINUTE;
      for (let i = 0; i < 10; i++) await ask(store, `p${hour}${i}@firm.example`, { ms, recipientDomain });
      assert.equal((await sent(store, ms)).length, 10);
    }
    const spellings = ['victim', 'v.ictim', 'vi.ctim', 'vic.tim'].map((local) => `${local}@firm.example`);
    for (const [i, who] of spellings.entries())
      await ask(store, who, { ms: (200 + 16 * i) * MINUTE, recipientDomain });
    const hours = async (count: number) => (await sent(store, count * 60 * MINUTE)).length;
    assert.deepEqual([await hours(5), await hours(25)], [0, 3]);
    await ask(store, spellings[3]!, { ms: 29 * 60 * MINUTE, recipientDomain });
    assert.equal(await hours(29), 0, 'three came four hours ago');
    await ask(store, spellings[3]!, { ms: 50 * 60 * MINUTE, recipientDomain });
    assert.equal(await hours(50), 1);
  },
  'nothing is due while all that waits is held up, and something is once it may go out or is too old': async (
    store,
  ) => {
    const limits = { confirmationsAnHour: 200, recipientDomain: { hour: 1, day: 1 } };
    const isDue = (ms: number) => store.outbox.isDue(at(ms), limits);
    for (const who of ['a@firm.example', 'c@firm.example'])
      await ask(store, who, { recipientDomain: 'firm.example' });
    assert.equal(await isDue(0), true);
    const first = (await claim(store))!;
    await store.outbox.finish({ message: first.message, at: at(), code: '250', state: 'sent' });
    assert.equal(await isDue(1), false);
    const { waiting, waitingSince } = await store.outbox.standing(at(1));
    assert.deepEqual([waiting, waitingSince], [1, at()]);
    assert.equal(await isDue(DAY), true);
    await store.outbox.tidy(at(DAY));
    assert.equal(await isDue(DAY), false);
    assert.equal((await store.outbox.standing(at(DAY))).waitingSince, null);
  },
};

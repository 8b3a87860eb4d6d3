/** What every store promises about the order of confirmations, and how many of them go out. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { add, ask, at, claim, DAY, decide, finish, MINUTE, sent } from './mailing-steps.ts';
import type { Case } from './store-cases.ts';

/** Somebody of a company asks, whose domain has limits. */
const askAtFirm = (store: Repositories, who: string, asked: { client?: number; ms?: number } = {}) =>
  ask(store, `${who}@firm.example`, { ...asked, recipientDomain: 'firm.example' });

/** The same for several people, each once; the address begins with the client. */
async function askForFirm(store: Repositories, client: number, ms: number, count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await askAtFirm(store, `${client}-${ms}-${i}`, { client, ms });
}

/** How many emails are before that of a client. */
const countAhead = ({ subscribers }: Repositories, ms: number, client?: number) =>
  subscribers.countAhead({
    ...{ client, now: at(ms), most: 1_000, confirmationsAnHour: 200 },
    recipientDomain: { hour: 10, day: 30 },
  });

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
    const next = async (ms: number) => {
      const claimed = await claim(store, ms, undefined, 8);
      order.push(claimed?.address.split('@', 1)[0]);
    };
    for (let i = 0; i < 7; i++) await next(60);
    for (const client of [2, 3, 4]) {
      await ask(store, `${client}@b.example`, { ms: 70, client });
      await next(80);
    }
    await ask(store, 'again@b.example', { ms: 90, client: 2 });
    for (let i = 0; i < 3; i++) await next(61 * MINUTE);
    const flood = ['flood0', 'flood1', 'flood2', 'flood3', 'flood4', 'flood5'];
    assert.deepEqual(order, [...flood, undefined, '2', '3', undefined, '4', 'again', 'flood6']);
  },
  'a quarter of the hour and day of a domain is kept for clients that had none of it': async (store) => {
    const HOUR = 60 * MINUTE + 1;
    const askFrom = (client: number, hour: number, count?: number) =>
      askForFirm(store, client, hour * HOUR, count);
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
      const standing = await store.outbox.standing(at(9), from === 'all' ? undefined : limits);
      return [standing.waiting, standing.waitingSince];
    };
    await askForFirm(store, 1, 1, 15);
    assert.deepEqual(await seen('limits'), [15, at(1)], 'nothing holds them up');
    await sent(store, 1);
    assert.deepEqual(await seen('all'), [7, at(1)]);
    assert.deepEqual(await seen('limits'), [0, null]);
    for (const client of [2, 3]) await askForFirm(store, client, 2);
    await sent(store, 2);
    await askForFirm(store, 4, 3);
    assert.deepEqual(await seen('limits'), [0, null], 'two clients');
    await ask(store, 'else@b.example', { client: 4, ms: 4, recipientDomain: 'b.example' });
    assert.deepEqual(await seen('limits'), [1, at(4)], 'of a domain that holds up nothing');
    await askAtFirm(store, 'unknown', { ms: 5 });
    assert.deepEqual(await seen('limits'), [10, at(1)], 'three clients, of whom one is not known');
  },
  'what waits of one client is not before another, nor what its domain holds up': async (store) => {
    const ahead = (client?: number) => countAhead(store, 90, client);
    for (let i = 0; i < 40; i++) await ask(store, `flood${i}@b.example`, { ms: i, client: 1 });
    assert.deepEqual([await ahead(1), await ahead(2), await ahead()], [40, 1, 1]);
    for (let i = 0; i < 12; i++) await askForFirm(store, 100 + i, 50);
    assert.equal(await ahead(2), 13);
    await sent(store, 60);
    assert.equal(await ahead(2), 0);
  },
  'confirmations of the last hour give a client a later turn, editions are ahead of none': async (store) => {
    await ask(store, 'one@b.example', { client: 1 });
    await sent(store);
    await add(store, 'weekly@b.example');
    await decide(store);
    for (const who of ['two', 'three'])
      await ask(store, `${who}@b.example`, { ms: 60 * MINUTE - 2, client: 2 });
    const ahead: number[] = [];
    for (const ms of [60 * MINUTE - 1, 60 * MINUTE, 61 * MINUTE]) ahead.push(await countAhead(store, ms, 1));
    assert.deepEqual(ahead, [2, 1, 1]);
  },
  'a confirmation that the mail server puts off does not count as waiting for us': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await ask(store, who);
    await finish(store, (await claim(store))!, 'pending', { nextAt: at(MINUTE), isDoubtful: false });
    assert.equal((await store.outbox.standing(at(DAY))).waiting, 1);
  },
  'at most ninety wait for one domain, and those of the busiest client give way': async (store) => {
    for (let i = 0; i < 130; i++) await askAtFirm(store, `p${i}`, { ms: i, client: 1 });
    await askAtFirm(store, 'stranger', { ms: 200, client: 2 });
    assert.equal((await store.outbox.standing(at(300))).waiting, 90);
    const addresses = (await sent(store, 300)).map(({ address }) => address.split('@', 1)[0]);
    assert.deepEqual(addresses.slice(0, 3), ['p0', 'stranger', 'p1']);
  },
  'a confirmation that waited for its domain counts for its mailbox from when it was sent': async (store) => {
    for (let hour = 0; hour < 3; hour++) {
      const ms = hour * 61 * MINUTE;
      for (let i = 0; i < 10; i++) await askAtFirm(store, `p${hour}${i}`, { ms });
      assert.equal((await sent(store, ms)).length, 10);
    }
    for (const [i, who] of ['victim', 'v.ictim', 'vi.ctim', 'vic.tim'].entries())
      await askAtFirm(store, who, { ms: (200 + 16 * i) * MINUTE });
    const hours = async (count: number) => (await sent(store, count * 60 * MINUTE)).length;
    assert.deepEqual([await hours(5), await hours(25)], [0, 3]);
    await askAtFirm(store, 'vic.tim', { ms: 29 * 60 * MINUTE });
    assert.equal(await hours(29), 0, 'three came four hours ago');
    await askAtFirm(store, 'vic.tim', { ms: 50 * 60 * MINUTE });
    assert.equal(await hours(50), 1);
  },
  'nothing is due while all is held up, and something is once it may go or is too old': async (store) => {
    const limits = { confirmationsAnHour: 200, recipientDomain: { hour: 1, day: 1 } };
    const isDue = (ms: number) => store.outbox.isDue(at(ms), limits);
    for (const who of ['a', 'c']) await askAtFirm(store, who);
    assert.equal(await isDue(0), true);
    await finish(store, (await claim(store))!, 'sent');
    assert.equal(await isDue(1), false);
    const { waiting, waitingSince } = await store.outbox.standing(at(1));
    assert.deepEqual([waiting, waitingSince], [1, at()]);
    assert.equal(await isDue(DAY), true);
    await store.outbox.tidy(at(DAY));
    assert.equal(await isDue(DAY), false);
    assert.equal((await store.outbox.standing(at(DAY))).waitingSince, null);
  },
};

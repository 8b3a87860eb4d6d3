/** Conformance: delivery reports. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { add, ask, at, claim, confirm, DAY, decide, finish, sent, type Taken } from './mailing-steps.ts';
import type { Case } from './store-cases.ts';

const ANN = 'ann@b.example';
const WEEK = 7 * DAY;

/** Sends the edition of that week to everybody, and answers Ann's message. */
const editionOf = (store: Repositories, week: number) => editionAt(store, week * WEEK + 1);

async function editionAt(store: Repositories, ms: number): Promise<Taken | undefined> {
  await decide(store, ms);
  return (await sent(store, ms)).find(({ address, kind }) => address === ANN && kind === 'edition');
}

function fails({ bounces }: Repositories, { message }: Taken, is: 'permanent' | 'temporary', week = 0) {
  const status = is === 'permanent' ? '5.1.1' : '4.4.1';
  return bounces.recordFailure({ message, is, status, at: at(week * WEEK + DAY) });
}

const isStopped = async ({ subscribers }: Repositories): Promise<boolean> =>
  (await subscribers.find(ANN))!.refusedAt !== null;

/** What becomes of temporary failures of Ann's editions in these weeks. */
async function failIn(store: Repositories, weeks: readonly number[]): Promise<string[]> {
  const verdicts: string[] = [];
  for (let week = weeks[0]!; week <= weeks.at(-1)!; week++) {
    const message = await editionOf(store, week);
    await store.outbox.sweep(at(week * WEEK + 2));
    if (message !== undefined && weeks.includes(week))
      verdicts.push(await fails(store, message, 'temporary', week));
  }
  return verdicts;
}

export const BOUNCE_CASES: Record<string, Case> = {
  'the key of return paths is made once, and is the same for every instance': async (store, again) => {
    const other = await again();
    const keys = await Promise.all([store.bounces.key(), other.bounces.key(), store.bounces.key()]);
    await other.close();
    assert.match(keys[0]!, /^[0-9a-f]{64}$/);
    assert.equal(new Set(keys).size, 1);
  },
  'a permanent failure stops the address, and a new confirmation starts it again': async (store) => {
    await add(store, ANN);
    const message = (await editionOf(store, 0))!;
    const reported = {
      message: message.message,
      subscriber: message.subscriber,
      type: 'weekly',
      address: ANN,
    };
    assert.deepEqual(await store.bounces.findReported(message.message), reported);
    assert.equal(await fails(store, message, 'permanent'), 'stopped');
    assert.equal(await fails(store, message, 'permanent'), 'repeated');
    assert.equal((await store.editions.recipients()).recipients, 0);
    assert.equal(await editionOf(store, 1), undefined);
    await ask(store, ANN, { ms: WEEK + DAY });
    const [confirmation] = (await sent(store, WEEK + DAY)) as [Taken];
    assert.equal(confirmation.kind, 'confirmation');
    await confirm(store, confirmation, WEEK + DAY + 1);
    assert.equal((await store.editions.recipients()).recipients, 1);
    assert.equal(await fails(store, message, 'permanent'), 'outdated', 'it is about the time before');
    assert.equal(await fails(store, confirmation, 'permanent'), 'outdated', 'it arrived: it was confirmed');
    assert.equal(await isStopped(store), false);
    assert.equal(await fails(store, (await editionOf(store, 2))!, 'permanent', 2), 'stopped');
  },
  'a message that waits is not sent to an address that was stopped': async (store) => {
    await add(store, ANN);
    const first = (await editionOf(store, 0))!;
    await decide(store, WEEK);
    await fails(store, first, 'permanent');
    assert.equal(await claim(store, WEEK), undefined);
  },
  'five editions in a row that failed for a time stop the address, four do not': async (store) => {
    await add(store, ANN);
    assert.equal((await failIn(store, [0, 1, 2, 3])).join(), 'temporary,temporary,temporary,temporary');
    assert.equal(await isStopped(store), false);
    assert.equal(await fails(store, (await editionOf(store, 4))!, 'temporary', 4), 'stopped');
    assert.equal((await store.subscribers.all())[0]?.refusal, 'bounced 4.4.1');
  },
  'an edition that no report came for begins the row again, however long ago': async (store) => {
    await add(store, ANN);
    const weeks = [0, 1, 2, 3, 5, 6, 7, 8, 10, 19, 20, 21, 22];
    const verdicts = await failIn(store, weeks);
    assert.deepEqual([verdicts.length, new Set(verdicts)], [weeks.length, new Set(['temporary'])]);
    assert.equal(await isStopped(store), false);
  },
  'a row ends with what may have arrived or a confirmation, not with mail of another type': async (store) => {
    await add(store, ANN);
    const verdicts = await failIn(store, [0, 1, 2, 3]);
    await decide(store, 4 * WEEK + 1);
    const taken = (await claim(store, 4 * WEEK + 1))!;
    await finish(store, taken, 'uncertain', { ms: 4 * WEEK + 1, code: null });
    verdicts.push(...(await failIn(store, [5, 6, 7])));
    const last = (await editionOf(store, 8))!;
    verdicts.push(await fails(store, last, 'temporary', 8));
    const leaves = { hash: last.tokens.unsubscribe!, purpose: 'unsubscribe' } as const;
    await store.subscribers.leave({ ...leaves, at: at(8 * WEEK + 2 * DAY) });
    await ask(store, ANN, { ms: 8 * WEEK + 3 * DAY });
    const [confirmation] = (await sent(store, 8 * WEEK + 3 * DAY)) as [Taken];
    await confirm(store, confirmation, 8 * WEEK + 4 * DAY);
    verdicts.push(...(await failIn(store, [9, 10, 11, 12])));
    assert.deepEqual(new Set(verdicts), new Set(['temporary']));
    await ask(store, ANN, { type: 'pro-waitlist', ms: 12 * WEEK + 2 * DAY });
    assert.equal((await sent(store, 12 * WEEK + 2 * DAY)).length, 1);
    assert.deepEqual(await failIn(store, [13]), ['stopped']);
  },
  'failures up to 30 days apart are in a row, also if the last is 30 days late': async (store) => {
    await add(store, ANN);
    const verdicts: string[] = [];
    for (const [first, apart, later] of [
      [0, 30 * DAY + 1, DAY],
      [20, 30 * DAY, 30 * DAY - 1],
    ] as const) {
      await failIn(store, [first, first + 1, first + 2, first + 3]);
      const ms = (first + 3) * WEEK + 1 + apart;
      const { message } = (await editionAt(store, ms))!;
      const late = ms + later;
      await store.outbox.sweep(at(late));
      const failure = { message, is: 'temporary', status: '4.4.1', at: at(late) } as const;
      verdicts.push(await store.bounces.recordFailure(failure));
    }
    assert.deepEqual(verdicts, ['temporary', 'stopped']);
  },
  'the same temporary failure is counted once, and a confirmation not at all': async (store) => {
    await add(store, ANN);
    const message = (await editionOf(store, 0))!;
    assert.equal(await fails(store, message, 'temporary'), 'temporary');
    for (let i = 0; i < 9; i++) assert.equal(await fails(store, message, 'temporary'), 'repeated');
    assert.equal(await fails(store, message, 'permanent'), 'stopped', 'what was put off can end for good');
    await ask(store, 'bo@b.example');
    for (let minutes = 0; minutes < 10; minutes++) {
      await ask(store, 'bo@b.example', { ms: minutes * DAY });
      for (const confirmation of await sent(store, minutes * DAY))
        assert.equal(await fails(store, confirmation, 'temporary'), 'temporary');
    }
    assert.equal((await store.subscribers.find('bo@b.example'))!.refusedAt, null);
  },
  'reports of erased people and unknown messages change nothing, and none is left': async (store) => {
    await add(store, ANN);
    const message = (await editionOf(store, 0))!;
    await fails(store, message, 'temporary');
    await store.subscribers.erase(message.subscriber, at());
    assert.equal(await fails(store, message, 'permanent'), 'unknown');
    assert.equal(await store.bounces.findReported(message.message), undefined);
    await store.bounces.countReport('not-a-report');
    const { reports } = await store.listStats.read();
    assert.deepEqual(reports, { 'not-a-report': 1, temporary: 1, unknown: 1 });
  },
};

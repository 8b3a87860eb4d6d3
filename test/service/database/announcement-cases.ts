/** Conformance: announcements, and counts about the list. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { add, ask, at, claim, DAY, sent, type Taken } from './mailing-steps.ts';
import type { Case } from './store-cases.ts';

const PRO = {
  type: 'pro-waitlist',
  subject: 'Pro is here',
  words: '# Pro is here\n\nCome and see.',
} as const;

const announce = async ({ announcements }: Repositories, ms = 0, words: string = PRO.words, dry = false) =>
  (await announcements.decide({ ...PRO, words }, { now: at(ms), dry, timeZone: 'UTC' })).recipients;

const decideEdition = ({ editions }: Repositories) =>
  editions.decide(
    {
      ...{ edition: '2026-11-16', reason: null, content: '{}' },
      ...{ decidedAt: at(), expiresAt: at(2 * DAY) },
    },
    [],
  );

const addresses = async (store: Repositories, ms = 0): Promise<string[]> =>
  (await sent(store, ms)).map(({ address }) => address).toSorted();

export const ANNOUNCEMENT_CASES: Record<string, Case> = {
  'an announcement goes once to everybody confirmed for its type, and to no one else': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who, 'pro-waitlist');
    await add(store, 'weekly@b.example');
    await ask(store, 'pending@b.example', { type: 'pro-waitlist' });
    await sent(store);
    assert.equal(await announce(store, 1, PRO.words, true), 2);
    assert.equal(await store.announcements.find('pro-waitlist'), undefined);
    assert.equal(await announce(store, 1), 2);
    const messages = await sent(store, 1);
    assert.deepEqual(
      messages.map(({ address, kind, type, edition }) => [address, kind, type, edition]).toSorted(),
      ['a@b.example', 'c@b.example'].map((who) => [who, 'announcement', 'pro-waitlist', null]),
    );
    assert.equal((await store.announcements.progress('pro-waitlist')).sent, 2);
    assert.equal(await announce(store, 2), 0);
    assert.deepEqual(await addresses(store, 2), []);
  },
  'the same announcement again reaches those who confirmed since, also when records are gone': async (
    store,
  ) => {
    await add(store, 'a@b.example', 'pro-waitlist');
    await announce(store);
    await sent(store);
    const late = 40 * DAY;
    while (!(await store.outbox.sweep(at(late))));
    assert.equal((await store.announcements.progress('pro-waitlist')).sent, 0, 'the record is gone');
    await add(store, 'later@b.example', 'pro-waitlist');
    assert.equal(await announce(store, late), 1);
    assert.deepEqual(await addresses(store, late), ['later@b.example']);
  },
  'an announcement waits 14 days for a mail server, and is then dropped': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who, 'pro-waitlist');
    await announce(store);
    const last = 14 * DAY - 1;
    await store.outbox.tidy(at(last));
    const { message } = (await claim(store, last))!;
    await store.outbox.finish({ message, at: at(last), code: '250', state: 'sent' });
    await store.outbox.tidy(at(14 * DAY));
    const { sent: gone, expired, waiting } = await store.announcements.progress('pro-waitlist');
    assert.deepEqual([gone, expired, waiting], [1, 1, 0]);
  },
  'an announcement is said to be of its day in the city': async (store) => {
    await add(store, 'a@b.example', 'pro-waitlist');
    const now = '2026-11-17T05:30:00.000Z';
    const days = {
      'America/Los_Angeles': '2026-11-16',
      UTC: '2026-11-17',
      'Pacific/Kiritimati': '2026-11-17',
    };
    for (const [timeZone, day] of Object.entries(days)) {
      const announce = (words: string) =>
        store.announcements.decide({ ...PRO, words }, { now, dry: false, timeZone });
      const { decidedAt, decidedOn } = await announce(PRO.words);
      assert.deepEqual([decidedAt, decidedOn], [now, day]);
      await assert.rejects(announce('# Another'), new RegExp(`"Pro is here" was announced on ${day}, `));
    }
  },
  'editions go before announcements, and who leaves before theirs is sent does not get it': async (store) => {
    await add(store, 'both@b.example', 'pro-waitlist');
    await add(store, 'both@b.example', 'weekly');
    await add(store, 'leaves@b.example', 'pro-waitlist');
    await announce(store);
    await decideEdition(store);
    const leaving = (await store.subscribers.find('leaves@b.example'))!;
    await store.subscribers.erase(leaving.subscriber, at());
    const messages = await sent(store);
    assert.deepEqual(
      messages.map(({ address, kind }) => [address, kind]),
      [
        ['both@b.example', 'edition'],
        ['both@b.example', 'announcement'],
      ],
    );
  },
  'who unsubscribes from the weekly email still gets the announcement': async (store) => {
    for (const type of SIGNUP_TYPES) await add(store, 'both@b.example', type);
    await decideEdition(store);
    const [{ tokens }] = (await sent(store)) as [Taken];
    await announce(store, 1);
    await store.subscribers.leave({ hash: tokens.manage!, purpose: 'manage', at: at(2) }, 'weekly');
    assert.deepEqual(await addresses(store, 3), ['both@b.example']);
  },
  'an address that was stopped gets the announcement after it confirms again': async (store) => {
    await add(store, 'a@b.example', 'weekly');
    await add(store, 'a@b.example', 'pro-waitlist');
    await decideEdition(store);
    const [{ message }] = (await sent(store, 1)) as [Taken];
    await store.bounces.recordFailure({ message, is: 'permanent', status: '5.1.1', at: at(2) });
    assert.equal(await announce(store, 3), 0);
    const { types, lastEdition, reports } = await store.listStats.read();
    const nobody = { confirmed: 0, pending: 0, left: 0, bounced: 0 };
    assert.deepEqual(types, {
      ...Object.fromEntries(SIGNUP_TYPES.map((type) => [type, nobody])),
      weekly: { confirmed: 0, pending: 0, left: 0, bounced: 1 },
      'pro-waitlist': { confirmed: 0, pending: 0, left: 0, bounced: 1 },
    });
    assert.deepEqual([lastEdition?.sent, lastEdition?.bounced], [1, 1]);
    assert.deepEqual(reports, { stopped: 1 });
    await ask(store, 'a@b.example', { type: 'pro-waitlist', ms: DAY });
    const [{ tokens }] = (await sent(store, DAY)) as [Taken];
    await store.subscribers.confirm({ hash: tokens.confirm!, purpose: 'confirm', at: at(DAY + 1) });
    assert.equal(await announce(store, DAY + 2), 1);
    assert.deepEqual(await addresses(store, DAY + 2), ['a@b.example']);
    assert.equal((await store.listStats.read()).types['pro-waitlist'].confirmed, 1);
  },
};

/** Conformance: announcements, and counts about the list. */

import assert from 'node:assert/strict';
import type { Repositories } from '../../../src/service/data/store.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { add, ask, at, claim, confirm, DAY, decide, finish, sent, type Taken } from './mailing-steps.ts';
import type { Case } from './store-cases.ts';

const type = 'pro-waitlist';
const PRO = { type, subject: 'Pro is here', words: '# Pro is here\n\nCome and see.' } as const;

const announce = async ({ announcements }: Repositories, ms = 0, dry = false) =>
  (await announcements.decide(PRO, { now: at(ms), dry, timeZone: 'UTC' })).recipients;

const addresses = async (store: Repositories, ms = 0): Promise<string> =>
  (await sent(store, ms))
    .map(({ address }) => address)
    .toSorted()
    .join(' ');

export const ANNOUNCEMENT_CASES: Record<string, Case> = {
  'an announcement goes once to everybody confirmed for its type, and to no one else': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who, type);
    await add(store, 'weekly@b.example');
    await ask(store, 'pending@b.example', { type });
    await sent(store);
    assert.equal(await announce(store, 1, true), 2);
    assert.equal(await store.announcements.find(type), undefined);
    assert.equal(await announce(store, 1), 2);
    const messages = await sent(store, 1);
    assert.deepEqual(
      messages.map((one) => [one.address, one.kind, one.type, one.edition]).toSorted(),
      ['a@b.example', 'c@b.example'].map((who) => [who, 'announcement', type, null]),
    );
    assert.equal((await store.announcements.progress(type)).sent, 2);
    assert.equal(await announce(store, 2), 0);
    assert.equal(await addresses(store, 2), '');
  },
  'the same announcement again reaches those who confirmed since, as records go': async (store) => {
    await add(store, 'a@b.example', type);
    await announce(store);
    await sent(store);
    const late = 40 * DAY;
    while (!(await store.outbox.sweep(at(late))));
    assert.equal((await store.announcements.progress(type)).sent, 0, 'the record is gone');
    await add(store, 'later@b.example', type);
    assert.equal(await announce(store, late), 1);
    assert.equal(await addresses(store, late), 'later@b.example');
  },
  'an announcement waits 14 days for a mail server, and is then dropped': async (store) => {
    for (const who of ['a@b.example', 'c@b.example']) await add(store, who, type);
    await announce(store);
    const ms = 14 * DAY - 1;
    await store.outbox.tidy(at(ms));
    await finish(store, (await claim(store, ms))!, 'sent', { ms });
    await store.outbox.tidy(at(14 * DAY));
    const { sent: gone, expired, waiting } = await store.announcements.progress(type);
    assert.deepEqual([gone, expired, waiting], [1, 1, 0]);
  },
  'an announcement is said to be of its day in the city': async (store) => {
    await add(store, 'a@b.example', type);
    const now = '2026-11-17T05:30:00.000Z';
    const days = { 'America/Los_Angeles': 16, UTC: 17, 'Pacific/Kiritimati': 17 };
    for (const [timeZone, day] of Object.entries(days)) {
      const announce = (words: string) =>
        store.announcements.decide({ ...PRO, words }, { now, dry: false, timeZone });
      const { decidedAt, decidedOn } = await announce(PRO.words);
      assert.deepEqual([decidedAt, decidedOn], [now, `2026-11-${day}`]);
      await assert.rejects(
        announce('# Another'),
        new RegExp(`"Pro is here" was announced on ${decidedOn}, `),
      );
    }
  },
  'editions go before announcements, and who leaves before theirs does not get it': async (store) => {
    await add(store, 'both@b.example', type);
    await add(store, 'both@b.example');
    await add(store, 'leaves@b.example', type);
    await announce(store);
    await decide(store);
    const leaving = (await store.subscribers.find('leaves@b.example'))!;
    await store.subscribers.erase(leaving.subscriber, at());
    const messages = (await sent(store)).map(({ address, kind }) => `${address} ${kind}`);
    assert.deepEqual(messages, ['both@b.example edition', 'both@b.example announcement']);
  },
  'who unsubscribes from the weekly email still gets the announcement': async (store) => {
    for (const each of SIGNUP_TYPES) await add(store, 'both@b.example', each);
    await decide(store);
    const [{ tokens }] = (await sent(store)) as [Taken];
    await announce(store, 1);
    await store.subscribers.leave({ hash: tokens.manage!, purpose: 'manage', at: at(2) }, 'weekly');
    assert.equal(await addresses(store, 3), 'both@b.example');
  },
  'an address that was stopped gets the announcement after it confirms again': async (store) => {
    await add(store, 'a@b.example');
    await add(store, 'a@b.example', type);
    await decide(store);
    const [{ message }] = (await sent(store, 1)) as [Taken];
    await store.bounces.recordFailure({ message, is: 'permanent', status: '5.1.1', at: at(2) });
    assert.equal(await announce(store, 3), 0);
    const { types, lastEdition, reports } = await store.listStats.read();
    const nobody = { confirmed: 0, pending: 0, left: 0, bounced: 0 };
    const bounced = { ...nobody, bounced: 1 };
    const others = Object.fromEntries(SIGNUP_TYPES.map((each) => [each, nobody]));
    assert.deepEqual(types, { ...others, weekly: bounced, [type]: bounced });
    assert.deepEqual([lastEdition?.sent, lastEdition?.bounced, reports], [1, 1, { stopped: 1 }]);
    await ask(store, 'a@b.example', { type, ms: DAY });
    const [confirmation] = (await sent(store, DAY)) as [Taken];
    await confirm(store, confirmation, DAY + 1);
    assert.equal(await announce(store, DAY + 2), 1);
    assert.equal(await addresses(store, DAY + 2), 'a@b.example');
    assert.equal((await store.listStats.read()).types[type].confirmed, 1);
  },
};

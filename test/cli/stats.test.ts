/** What an operator sees of the list: counts by type and state, the last editions, and delivery reports. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeReturnPath } from '../../src/mail/bounces/return-path.ts';
import { openStore } from '../../src/operations/data/store.ts';
import { SIGNUP_TYPES } from '../../src/subscribers/subscriber.ts';
import { aCity } from '../a-city.ts';
import { command } from '../a-command.ts';
import { freePort } from '../a-port.ts';
import { lastJson, running, until } from '../a-process.ts';
import { add, ask, at, DAY, sent } from '../database/mailing-steps.ts';
import { reportFailure } from '../mail/bounces/a-report.ts';

const BOUNCES = { local: 'bounces', domain: 'openings.example' };
/** Yesterday, because the service deletes what is old. */
const YESTERDAY = Date.now() - Date.parse(at()) - DAY;
const DECIDED = at(YESTERDAY + 1);
const NOBODY = { confirmed: 0, pending: 0, left: 0, bounced: 0 };

/** Still the evening before in Rivermouth. */
const ANNOUNCED = '2026-03-05T05:30:00.000Z';

/** Five people: one bounces, one has left, one has not confirmed. */
async function aList() {
  const city = aCity();
  const folder = city.config.dataFolder;
  const store = await openStore(folder);
  for (const name of ['ann', 'bo', 'cy', 'di']) await add(store, `${name}@b.example`);
  await add(store, 'ann@b.example', 'pro-waitlist');
  await ask(store, 'new@b.example', { ms: YESTERDAY });
  await sent(store, YESTERDAY);
  const edition = { state: 'open', reason: null, content: '{}' } as const;
  const times = { decidedAt: DECIDED, expiresAt: at(YESTERDAY + 2 * DAY) };
  await store.editions.decide({ ...edition, ...times, edition: '2026-11-16' }, []);
  const messages = await sent(store, YESTERDAY + 1);
  const cy = messages.find(({ address }) => address === 'cy@b.example')!;
  await store.subscribers.leave({ hash: cy.tokens.unsubscribe!, purpose: 'unsubscribe', at: DECIDED });
  await store.outbox.tidy(DECIDED);
  const skipped = { edition: '2026-11-23', state: 'skipped', reason: 'empty', content: null } as const;
  await store.editions.decide({ ...skipped, ...times }, []);
  const bo = messages.find(({ address }) => address === 'bo@b.example')!;
  const returnPath = makeReturnPath(BOUNCES, await store.bounces.key(), bo);
  await store.close();
  const env = {
    ...{ SHINGLE_CITY: city.config.city, SHINGLE_DATA: folder },
    MAIL_BOUNCES: 'bounces@openings.example',
  };
  const report = reportFailure({ address: bo.address, returnPath });
  for (const raw of [report, 'Subject: spam\r\n\r\nBuy.\r\n', 'Subject: more\r\n\r\nBuy.\r\n'])
    assert.equal((await command(['mail', 'bounced'], env, { input: raw })).code, 0);
  return env;
}

async function announce({ SHINGLE_DATA }: { SHINGLE_DATA: string }): Promise<void> {
  const store = await openStore(SHINGLE_DATA);
  const announcement = {
    type: 'pro-waitlist',
    subject: 'Pro is here',
    words: '# Pro is here\n\nRead on.',
  } as const;
  await store.announcements.decide(announcement, { now: ANNOUNCED, dry: false, timeZone: 'UTC' });
  await store.close();
}

test('subscriptions are counted by type and state, with what the last editions and reports came to', async () => {
  const env = await aList();
  await announce(env);
  const json = await command(['subscribers', 'stats', '--json'], env);
  assert.equal(json.code, 0, json.err);
  const progress = { waiting: 0, sent: 4, failed: 0, uncertain: 0, expired: 0, canceled: 0 };
  const none = { ...progress, sent: 0 };
  assert.deepEqual(lastJson(json), {
    subscriptions: {
      ...Object.fromEntries(SIGNUP_TYPES.map((type) => [type, NOBODY])),
      weekly: { confirmed: 2, pending: 1, left: 1, bounced: 1 },
      'pro-waitlist': { ...NOBODY, confirmed: 1 },
    },
    editions: [
      { edition: '2026-11-23', state: 'skipped', reason: 'empty', bounced: 0, decided_at: DECIDED, ...none },
      {
        edition: '2026-11-16',
        state: 'finished',
        reason: null,
        bounced: 1,
        decided_at: DECIDED,
        ...progress,
      },
    ],
    announcements: [
      { type: 'pro-waitlist', subject: 'Pro is here', decided_at: ANNOUNCED, ...none, waiting: 1 },
    ],
    reports: { not_a_report: 2, stopped: 1 },
  });
  const width = Math.max(...SIGNUP_TYPES.map(({ length }) => length)) + 2;
  const words = await command(['subscribers', 'stats'], env);
  assert.deepEqual(words.out.trim().split('\n'), [
    ...SIGNUP_TYPES.map((type) => {
      const [confirmed, others] = type === 'weekly' ? [2, 1] : [type === 'pro-waitlist' ? 1 : 0, 0];
      return `${type.padEnd(width)}${confirmed} confirmed, ${others} not confirmed, ${others} unsubscribed in the last 30 days, ${others} bounced`;
    }),
    'edition of 2026-11-23: skipped (empty)',
    'edition of 2026-11-16: 4 sent, 1 bounced',
    '"Pro is here" to the pro-waitlist on 2026-03-04: 0 sent, 1 waiting',
    'delivery reports: 2 not a report, 1 stopped',
  ]);
  assert.doesNotMatch(words.out + json.out, /@/, 'no address');
});

test('metrics have the same counts', async () => {
  const env = await aList();
  const port = await freePort();
  const service = await running(['serve'], { ...env, METRICS_PORT: String(port) });
  const text = await until(
    () => fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text()),
    'metrics',
  );
  for (const line of [
    'shingle_subscriptions{type="weekly",state="confirmed"} 2',
    'shingle_subscriptions{type="weekly",state="pending"} 1',
    'shingle_subscriptions{type="weekly",state="left"} 1',
    'shingle_subscriptions{type="weekly",state="bounced"} 1',
    'shingle_subscriptions{type="pro-waitlist",state="confirmed"} 1',
    'shingle_last_edition_messages{state="sent"} 0',
    'shingle_delivery_reports{verdict="stopped"} 1',
    'shingle_delivery_reports{verdict="not-a-report"} 2',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`);
  assert.equal(await service.stop(), 0);
});

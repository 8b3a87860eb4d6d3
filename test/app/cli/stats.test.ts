/** What an operator sees of the list: counts by type and state, the last edition, and delivery reports. */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeReturnPath } from '../../../src/service/mail/bounces/return-path.ts';
import { SIGNUP_TYPES } from '../../../src/shared/signup/signups.ts';
import { aCity } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { openStore } from '../../a-store.ts';
import { add, ask, at, DAY, sent } from '../../service/database/mailing-steps.ts';
import { reportFailure } from '../../service/mail/bounces/a-report.ts';

const BOUNCES = { local: 'bounces', domain: 'openings.example' };
/** Yesterday, because the service deletes what is old. */
const YESTERDAY = Date.now() - Date.parse(at()) - DAY;
const DECIDED = at(YESTERDAY + 1);
const NOBODY = { confirmed: 0, pending: 0, left: 0, bounced: 0 };

const PROGRESS = { sent: 6, waiting: 5, failed: 4, uncertain: 3, expired: 2, canceled: 1 };

/** No two numbers are equal: 21 people, of whom one bounces and three leave; two more and one for another type have not confirmed. */
async function aList() {
  const city = aCity();
  const folder = city.config.dataFolder;
  const store = await openStore(folder);
  for (let i = 0; i < 21; i++) await add(store, `p${i}@b.example`);
  for (let i = 0; i < 5; i++) await add(store, `p${i}@b.example`, 'pro-waitlist');
  for (const name of ['new', 'newer']) await ask(store, `${name}@b.example`, { ms: YESTERDAY });
  await ask(store, 'waits@b.example', { ms: YESTERDAY, type: 'pro-waitlist' });
  await sent(store, YESTERDAY);
  const edition = { reason: null, content: '{}' } as const;
  const times = { decidedAt: DECIDED, expiresAt: at(YESTERDAY + 2 * DAY) };
  const before = { edition: '2026-11-09', reason: 'late', content: '' } as const;
  await store.editions.decide({ ...before, ...times }, []);
  await store.editions.decide({ ...edition, ...times, edition: '2026-11-16' }, []);
  const messages = await sent(store, YESTERDAY + 1);
  const personOf = (name: string) => messages.find(({ address }) => address === `${name}@b.example`)!;
  for (const { tokens } of ['p7', 'p8', 'p9'].map(personOf))
    await store.subscribers.leave({ hash: tokens.unsubscribe!, purpose: 'unsubscribe', at: DECIDED });
  await store.outbox.tidy(DECIDED);
  const bo = personOf('p4');
  const returnPath = makeReturnPath(BOUNCES, await store.bounces.key(), bo);
  await store.close();
  const env = {
    ...{ SHINGLE_CITY: city.config.city, SHINGLE_DATA: folder },
    MAIL_BOUNCES: 'bounces@openings.example',
  };
  const report = reportFailure({ address: bo.address, returnPath });
  for (const raw of [report, 'Subject: spam\r\n\r\nBuy.\r\n', 'Subject: more\r\n\r\nBuy.\r\n'])
    assert.equal((await command(['mail', 'bounced'], env, { input: raw })).code, 0);
  const db = new DatabaseSync(`${folder}/shingle.db`);
  const first = "select message from message where edition = '2026-11-16' order by message = ? desc";
  const ends = Object.entries(PROGRESS).flatMap(([state, count]) => Array<string>(count).fill(state));
  for (const [i, { message }] of db.prepare(first).all(bo.message).entries())
    db.prepare('update message set state = ? where message = ?').run(
      ends[i]!.replace('waiting', 'pending'),
      message!,
    );
  db.close();
  return env;
}

test('status counts subscriptions by type and state, and the results of the last edition and of reports', async () => {
  const env = await aList();
  const json = await command(['status', '--json'], env);
  const { subscriptions, mail } = lastJson(json) as Record<string, Record<string, unknown>>;
  assert.deepEqual(subscriptions, {
    ...Object.fromEntries(SIGNUP_TYPES.map((type) => [type, NOBODY])),
    weekly: { confirmed: 17, pending: 2, left: 3, bounced: 1 },
    'pro-waitlist': { confirmed: 4, pending: 1, left: 0, bounced: 1 },
  });
  assert.deepEqual(mail!.last_edition, {
    ...{ edition: '2026-11-16', state: 'open', reason: null, bounced: 1 },
    ...PROGRESS,
  });
  assert.deepEqual(mail!.reports, { 'not-a-report': 2, stopped: 1 });
  const words = await command(['status'], env);
  assert.match(words.out, /^Edition +2026-11-16: 6 sent, 5 waiting, 4 failed, 3 uncertain, 2 expired,/m);
  assert.match(words.out, /^Reports +2 not a report, 1 stopped$/m);
  const people = `17 weekly, 4 on the Pro waitlist, 3 not confirmed, 2 bounced (who: npx shingle subscribers list)`;
  assert.ok(words.out.replaceAll(/\s+/g, ' ').includes(`Subscribers ${people} Disk`), words.out);
  assert.doesNotMatch(words.out + json.out, /@/, 'no address');
});

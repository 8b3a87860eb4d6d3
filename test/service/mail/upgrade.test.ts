/** A step of migration, in a database that is in use: subscribers, links and an edition that is half sent stay what they were. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../src/service/database/engines/engine.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import { migrate } from '../../../src/service/database/migrations.ts';
import { makeToken } from '../../../src/service/subscribers/tokens.ts';
import { aFiling } from '../../a-filing.ts';
import { aFolder } from '../../a-folder.ts';
import { openStore } from '../../a-store.ts';
import { STEPS_BEFORE } from '../database/invented-steps.ts';
import { aMailing } from './a-mailing.ts';
import { contentOf } from './an-edition.ts';

const AT = '2026-11-23T16:00:00.000Z';
const EDITION = '2026-11-23';
const folder = aFolder();

function oldContent(): string {
  const news = Array.from({ length: 40 }, (_, i) => ({
    ...aFiling({ key: `k${i}`, name: `Shop ${i}` }),
    ...{ source: 's', arrival: 1, arrivedAt: AT, isNews: true },
  }));
  const week = { edition: EDITION, from: '2026-11-16', to: EDITION, today: EDITION };
  return JSON.stringify(contentOf({ ...week, news, suppressed: [] }));
}

/** Ann and Bo are confirmed, and only Ann has the edition; Cy has a link to confirm. */
async function fillOld(engine: Engine, confirm: string): Promise<void> {
  await migrate(engine, STEPS_BEFORE);
  await engine.transaction(async (tx) => {
    await tx.write('insert into consent (version, words, first_used_at) values (?, ?, ?)', [['v', 'w', AT]]);
    const people = ['ann', 'bo', 'cy'].map((name) => [name, `${name}@b.example`]);
    await tx.write(
      'insert into subscriber (subscriber, identity, address, asked_at) values (?, ?, ?, ?)',
      people.map(([name, address]) => [name!, address!, address!, AT]),
    );
    await tx.write(
      `insert into subscription (subscriber, type, state, source, consent, asked_at, confirmed_at) values (?, 'weekly', ?, 'form', 'v', ?, ?)`,
      people.map(([name]) => [name!, name === 'cy' ? 'pending' : 'confirmed', AT, name === 'cy' ? null : AT]),
    );
    await tx.write(
      "insert into token (hash, subscriber, purpose, type, made_at) values (?, 'cy', 'confirm', 'weekly', ?)",
      [[confirm, AT]],
    );
    await tx.write('insert into edition (edition, decided_at, content) values (?, ?, ?)', [
      [EDITION, AT, oldContent()],
    ]);
    await tx.write(
      `insert into message (message, subscriber, kind, type, edition, state, made_at, next_at, expires_at, attempts, doubts)
       values (?, ?, 'edition', 'weekly', ?, ?, ?, ?, '2026-11-25T16:00:00.000Z', 0, 0)`,
      [
        ['m1', 'ann', EDITION, 'sent', AT, AT],
        ['m2', 'bo', EDITION, 'pending', AT, AT],
      ],
    );
  });
}

test('an upgrade keeps subscribers, links and a half-sent edition', async () => {
  const { hash } = makeToken();
  const engine = openSqlite(folder);
  await fillOld(engine, hash);
  await engine.close();
  const store = await openStore(folder);
  const { deliver, clock } = await aMailing({ store });
  clock.now = Date.parse(AT);
  const mails = await deliver();
  assert.deepEqual(
    mails.map(({ rcpt, subject }) => [rcpt, subject]),
    [[['bo@b.example'], '40 new businesses in Rivermouth']],
  );
  const { text } = mails[0]!;
  assert.equal(text!.match(/^\* /gm)?.length, 25);
  assert.match(text!, /See all 40:/);
  const confirmed = await store.subscribers.confirm({ hash, purpose: 'confirm', at: AT });
  assert.equal(confirmed?.address, 'cy@b.example');
  const subscriptions = (await store.subscribers.all()).flatMap((one) => one.subscriptions);
  assert.deepEqual(
    subscriptions.map(({ state, preferences }) => [state, preferences]),
    Array.from({ length: 3 }, () => ['confirmed', null]),
  );
  assert.deepEqual(await store.editions.recipients(() => true), { recipients: 3, unmatched: 0 });
  const upgraded = openSqlite(folder);
  assert.deepEqual(
    await upgraded.read('select one from invention'),
    [{ one: 1 }],
    'the tables were upgraded',
  );
  await upgraded.close();
});

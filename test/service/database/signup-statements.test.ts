/** A signup does the same work for every address: statements are compared, not times. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRepositories, type Repositories } from '../../../src/service/data/store.ts';
import type { Engine, Reader } from '../../../src/service/database/engines/engine.ts';
import { openSqlite } from '../../../src/service/database/engines/sqlite.ts';
import type { Outcome } from '../../../src/service/mail/failures.ts';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { hashToken } from '../../../src/service/subscribers/tokens.ts';
import { aFolder } from '../../a-folder.ts';

const START = Date.parse('2026-11-23T17:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (ms = 0) => new Date(START + ms).toISOString();
const CONSENT = { version: 'v', words: 'w' };
const PEOPLE = ['unknown', 'pending', 'confirmed', 'departed', 'refused'];

test('a signup runs the same statements for every address', async () => {
  const { engine, statements } = recording(openSqlite(aFolder()));
  try {
    const store = await openRepositories(engine);
    await settleStates(store);
    const seen: [who: string, statements: string[]][] = [];
    for (const ms of [DAY, DAY + MINUTE]) {
      for (const who of PEOPLE) {
        statements.length = 0;
        await ask(store, who, ms);
        seen.push([who, [...statements]]);
      }
    }
    const [[, first]] = seen as [(typeof seen)[number]];
    const written = first.flatMap((one) => /^insert into (\w+) .*: 1 rows changed$/s.exec(one)?.[1] ?? []);
    assert.deepEqual(written, ['subscriber', 'subscription', 'message']);
    for (const [who, all] of seen) assert.deepEqual(all, first, who);
  } finally {
    await engine.close();
  }
});

const about = (who: string) => ({ ...parseAddress(`${who}@b.example`)!, type: 'weekly' as const });

function ask({ subscribers }: Repositories, who: string, ms: number): Promise<void> {
  return subscribers.requestSignup({ ...about(who), consent: CONSENT, source: 'api', at: at(ms) });
}

/** Brings everybody but the unknown to the state they are called after. */
async function settleStates(store: Repositories): Promise<void> {
  const { subscribers, editions, outbox } = store;
  await ask(store, 'pending', 0);
  for (const who of ['confirmed', 'departed', 'refused'])
    await subscribers.addConfirmed({ ...about(who), consent: CONSENT, at: at() });
  const edition = { edition: '2026-11-23', state: 'open', reason: null, content: '{}' } as const;
  await editions.decide({ ...edition, decidedAt: at(), expiresAt: at(DAY) }, []);
  let done: Outcome | undefined;
  for (;;) {
    const claimed = await outbox.claim({
      now: at(),
      done,
      confirmationsAnHour: 9,
      recipientDomain: { hour: 9, day: 9 },
    });
    if (claimed === undefined) break;
    const { message, address } = claimed;
    const hash = hashToken(claimed.tokens.manage!)!;
    if (address.startsWith('departed'))
      await subscribers.leave({ hash, purpose: 'manage', at: at() }, 'weekly');
    const ended = address.startsWith('refused') ? { state: 'failed', isRefused: true } : { state: 'sent' };
    done = { message, at: at(), code: null, ...ended } as Outcome;
  }
  const states = (await subscribers.all()).map(
    ({ address, refusedAt, subscriptions }) =>
      `${address.split('@', 1)} ${refusedAt === null ? subscriptions[0]!.state : 'refused'}`,
  );
  assert.deepEqual(states.toSorted(), [
    ...['confirmed confirmed', 'departed left', 'pending pending', 'refused refused'],
  ]);
}

/** An engine that notes each statement, and for those that write how many rows they changed. */
function recording(engine: Engine): { engine: Engine; statements: string[] } {
  const statements: string[] = [];
  const readOn = (reading: Reader): Reader['read'] => {
    return (sql, params) => {
      statements.push(sql);
      return reading.read(sql, params);
    };
  };
  const transaction: Engine['transaction'] = (work) =>
    engine.transaction((tx) =>
      work({
        ...tx,
        read: readOn(tx),
        async write(sql, rows) {
          const changed = await tx.write(sql, rows);
          statements.push(`${sql}: ${changed} rows changed`);
          return changed;
        },
      }),
    );
  return { engine: { ...engine, read: readOn(engine), transaction }, statements };
}

/** What an operator is told is true, and the same wherever it is told, on both engines. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judgeHealth, readSigns } from '../../../src/app/operations/concerns.ts';
import { openService } from '../../../src/app/operations/service.ts';
import { readStatus } from '../../../src/app/operations/service-status.ts';
import { aCity, businesses, NOW } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { aServer } from '../../service/database/a-postgres.ts';
import { add, at, claim, DAY } from '../../service/database/mailing-steps.ts';

const primary = await aServer();

test('status counts the listings that are served, without suppressed ones, and their age in days of the city', async () => {
  const city = aCity();
  city.changeSources('licences', 'permits');
  let now = NOW;
  const service = await openService(city.config, () => now);
  const of = { licences: businesses(2_099), permits: [{ id: 'P1', day: '2024-03-01' }] };
  for (const [source, rows] of Object.entries(of)) await service.ingest({ source, from: city.csv(rows) });
  assert.equal((await readStatus(service)).data.listings, 2_100);
  for (const value of ['BUSINESS 7', 'BUSINESS 10', 'BUSINESS 2098']) // not all in one batch
    await service.store.suppressions.add({ value, reason: 'asked', addedAt: NOW });
  assert.equal((await readStatus(service)).data.listings, 2_097);
  for (const [time, age] of Object.entries({ '01T07:59': 3, '01T08:00': 4, '02T07:59': 4 })) {
    now = `2026-01-${time}:00.000Z`;
    assert.equal((await readStatus(service)).data.ageDays, age, now);
  }
  await service.close();
});

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`${engine}: status shows a message until its next attempt, and lists, exports and counts show an address that bounced`, async () => {
    const city = aCity();
    const databaseUrl = engine === 'PostgreSQL' ? await primary.migrated() : undefined;
    const service = await openService({ ...city.config, databaseUrl }, () => NOW);
    await add(service.store, 'ann@b.example');
    const edition = { edition: '2026-11-16', reason: null, content: '{}' } as const;
    await service.store.editions.decide({ ...edition, decidedAt: at(1), expiresAt: at(DAY) }, []);
    const { message } = (await claim(service.store, 1))!;
    const { outbox } = service.store;
    const later = { state: 'pending', code: '450 4.2.1', nextAt: at(3), isDoubtful: false } as const;
    await outbox.finish({ message, at: at(2), ...later });
    const { mail } = await readStatus(service);
    const reason = 'the mail server asked us to try later (450 4.2.1)';
    assert.deepEqual(mail.deferred, { count: 1, nextAt: at(3), reason });
    await claim(service.store, 3);
    await outbox.finish({ ...later, message, at: at(3), code: 'ECONNECTION', isDoubtful: true });
    const lost = 'the mail server got this message but did not answer, so it may have arrived (ECONNECTION)';
    assert.equal((await readStatus(service)).mail.deferred?.reason, lost);
    await claim(service.store, 4);
    await outbox.finish({ message, at: at(5), code: '550 5.1.1', state: 'failed', isRefused: true });
    assert.equal((await readStatus(service)).mail.deferred, null);
    await service.close();
    const shingle = commandsOf(city, databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });
    assert.match((await shingle('subscribers', 'list')).out, /weekly +bounced +ann@b\.example/);
    const { weekly } = lastJson(await shingle('status', '--json')).subscriptions as { weekly: object };
    assert.deepEqual(weekly, { confirmed: 0, pending: 0, left: 0, bounced: 1 });
    const erased = await shingle('subscribers', 'erase', 'ann@b.example');
    assert.match(
      erased.out,
      engine === 'SQLite'
        ? /^erased; earlier backups lose the address when they are restored/
        : /^erased; earlier dumps of the database contain the address until you delete them$/m,
    );
  });

test('after a move, health says where the data is now', async () => {
  const city = aCity();
  const service = await city.open();
  const unapproved = { edition: '2026-11-23', total: 4, until: NOW }; // of which health does not warn
  const signs = { ...(await readSigns(service)), unapproved };
  const said = () => judgeHealth(service, { problem: undefined, ready: true, signs });
  assert.deepEqual(said().detail, ['source licences has never been imported']);
  writeFileSync(join(city.config.dataFolder, 'moved.txt'), 'PostgreSQL at db:5432/shingle\n');
  const moved = 'the data was moved to PostgreSQL: set DATABASE_URL and restart Shingle';
  assert.deepEqual(said(), { status: 'fail', detail: [moved] });
});

test('health tells a failed build of the index from a database that cannot be read', async () => {
  const service = await aCity().open();
  for (const [error, told] of [
    ['the search index cannot be built: it needs more memory', undefined],
    ['disk I/O error', 'the database cannot be read'],
  ] as const) {
    const { detail } = judgeHealth(service, { problem: new Error(error), ready: true, signs: undefined });
    assert.ok(detail.includes(told ?? error), detail.join('\n'));
  }
});

/** Several processes try to send the week's edition: there is one edition, and every subscriber gets it once. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText, MAIL_ENV } from '../../a-city.ts';
import { lastJson, shingle } from '../../a-process.ts';
import { addressesOf, addSubscribers } from '../../a-subscriber.ts';
import { rounds } from '../../depth.ts';
import { aMailServer } from './a-mail-server.ts';

const PEOPLE = 60;

test('three processes that send at once create and send one edition a week', async () => {
  const city = aCity();
  const smtp = await aMailServer();
  const service = await city.open('2026-11-18T12:00:00.000Z');
  await service.ingest({ from: city.file('first.csv', csvText(businesses(40))) });
  await addSubscribers(service.store, addressesOf(PEOPLE), { at: service.now() });
  const env = { ...city.env, ...MAIL_ENV, SMTP_URL: smtp.url };
  for (let week = 1; week <= rounds(3); week++) {
    await service.ingest({ from: city.file(`week-${week}.csv`, csvText(businesses(40 + 3 * week))) });
    const now = new Date(Date.UTC(2026, 10, 16 + 7 * week, 18)).toISOString();
    const sent = await Promise.all(
      [1, 2, 3].map(() => shingle(['weekly', 'send', '--now', now, '--json'], env)),
    );
    for (const { code, err } of sent) assert.equal(code, 0, err);
    const outcomes = sent.map((one) => String(lastJson(one).outcome)).toSorted();
    assert.deepEqual(outcomes, ['already', 'already', 'decided']);
    assert.equal(smtp.arrived.length, week * PEOPLE);
    const thisWeek = smtp.arrived.slice(-PEOPLE).map(({ to }) => to[0]);
    assert.equal(new Set(thisWeek).size, PEOPLE);
  }
});

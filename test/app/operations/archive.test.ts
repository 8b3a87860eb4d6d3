/** Past editions on the page: what an email links to, filtered in the same way, without what must not be served any more. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStoreAt } from '../../../src/service/data/store.ts';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { aCity, businesses, type Filed, MAIL_ENV } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { running } from '../../a-process.ts';
import { addSubscribers } from '../../a-subscriber.ts';
import { textOf } from '../../an-answer.ts';
import { aMailServer } from '../../service/mail/a-mail-server.ts';
import { until } from '../../until.ts';

const WEEK = '2026-11-23';
const AT = `${WEEK}T18:00:00.000Z`;

/** 60 in Old Town and 14 on the hill, every second one of those a lawyer. */
const news: Filed[] = Array.from({ length: 74 }, (_, i) => ({
  ...{ id: `n${i}`, name: `News ${i}`, day: '2026-11-10' },
  ...(i < 60 ? {} : { area: 'The Hill', kind: i % 2 === 0 ? 'Legal' : 'Restaurants' }),
}));

const namesIn = (html: string) => [...html.matchAll(/class="name"><bdi>([^<]*)</g)].map(([, name]) => name!);

test('the archive shows each edition without suppressed businesses', async () => {
  const city = aCity();
  const smtp = await aMailServer();
  for (const rows of [businesses(40), [...businesses(40), ...news]])
    await city.ingest(rows, '2026-11-18T12:00:00.000Z');
  const store = await openStoreAt(city.config);
  for (const [name, ...neighborhoods] of [['all'], ['hill', 'The Hill'], ['nowhere', 'Gone Quarter']]) {
    const preferences = formatPreferences({ categories: [], neighborhoods }, {});
    await addSubscribers(store, [`${name}@b.example`], { at: '2026-11-18T12:00:00.000Z', preferences });
  }
  await store.close();
  const shingle = commandsOf(city, { ...MAIL_ENV, SMTP_URL: smtp.url });
  const serving = await running(['serve'], city.env);
  const get = (path: string) => fetch(serving.url + path);
  const empty = await get('/weekly');
  assert.deepEqual([empty.status, empty.headers.get('x-robots-tag')], [200, 'noarchive']);
  assert.match(await empty.text(), /We have not sent a weekly email yet/);
  assert.equal((await get(`/weekly/${WEEK}`)).status, 404);

  assert.equal((await shingle('weekly', 'send', '--now', AT)).code, 0);
  const mails = await smtp.mails(2);
  assert.equal(smtp.arrived.length, 2, 'who chose what is not in it gets nothing');
  const [mail, hill] = ['all', 'hill'].map((name) =>
    mails.find(({ rcpt }) => rcpt[0] === `${name}@b.example`),
  );
  assert.equal(hill!.subject, '14 new businesses in The Hill');
  assert.match(hill!.text!, /View in browser:\nhttp\S+\/weekly\/2026-11-23\?neighborhood=The%20Hill\n/);
  assert.match(mail!.text!, /See all 74:\nhttp\S+\/weekly\/2026-11-23\n/);
  assert.match(mail!.html!, /<a href="[^"]*\/weekly\/2026-11-23"[^>]*>View in browser<\/a>/);
  await until(async () => (await get(`/weekly/${WEEK}`)).ok, 'the new edition');

  assert.match(
    mail!.text!,
    /^OLD TOWN \(60\)\n\* News 0\n.*\nSee all 60 in Old Town:\n\S+\n\nTHE HILL \(14\)\n/ms,
  );
  const query = 'neighborhood=the%20hill&category=Legal&nonsense=1';
  const filtered = await textOf(get(`/weekly/${WEEK}?${query}`));
  assert.equal(namesIn(filtered).length, 7);
  assert.match(filtered, /7 new businesses/);
  assert.match(filtered, /<a href="\/weekly\?category=Legal&amp;neighborhood=the%20hill">/i);
  assert.match(await textOf(get('/weekly?offset=1')), /href="\/weekly"/, 'back to the first page');
  assert.match(
    await textOf(get('/weekly?neighborhood=The%20Hill')),
    /<b>14 new businesses<\/b>\s<span[^>]*>Monday, November 23, 2026</,
  );
  assert.match(
    await textOf(get('/weekly?neighborhood=Nowhere')),
    /No weekly email has a business that matches/,
  );

  assert.equal((await shingle('suppress', 'add', 'News 60')).code, 0);
  await until(async () => {
    const page = await textOf(get(`/weekly/${WEEK}?neighborhood=The%20Hill`));
    return page.includes('13 new businesses') && !page.includes('News 60');
  }, 'the edition without it');
  await serving.stop();
});

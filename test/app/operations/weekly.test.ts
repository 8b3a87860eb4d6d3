/** What health says of mail that waits: the program as people run it, a real mail server. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { aCity, businesses, csvText, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { running, until } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { jsonOf } from '../../an-answer.ts';
import { aMailServer } from '../../service/mail/a-mail-server.ts';

const folder = aFolder();

const healthOf = ({ url }: { url: string }) =>
  jsonOf<{ status: string; detail?: string }>(fetch(`${url}/api/health`));

test('health reports mail problems, and signups wait until the problems are solved', async () => {
  const smtp = await aMailServer();
  await smtp.close();
  const env = {
    SHINGLE_DATA: join(folder, 'trouble'),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'news@openings.example',
    MAIL_POSTAL_ADDRESS: '1 Example Square',
    PUBLIC_URL: 'https://openings.example',
  };
  assert.equal((await command(['ingest'], env)).code, 0);
  const service = await running(['serve'], env);
  const asked = await postSignup(service.url, 'ann.reader@rivermouth.example');
  assert.equal(asked.status, 202);
  const detail = await until(async () => {
    const health = await healthOf(service);
    return health.status === 'warn' && health.detail?.includes('mail is paused') ? health.detail : undefined;
  }, 'health to warn');
  assert.match(detail, /^mail is paused until [\d-]+ [\d:]+ UTC$/);
  assert.match(service.said().err, /mail is paused until .*: the mail server cannot be reached/);
  assert.equal(await service.stop(), 0);
  assert.doesNotMatch(service.said().err + service.said().out, /ann\.reader/, 'no address in a log');
  const mended = await aMailServer();
  const again = await running(['serve'], { ...env, SMTP_URL: mended.url });
  const [mail] = await mended.mails(1);
  assert.deepEqual(mail!.rcpt, ['ann.reader@rivermouth.example']);
  assert.equal(await again.stop(), 0);
});

test('health reports that confirmations wait because of the hourly limit', async () => {
  const smtp = await aMailServer();
  const city = aCity();
  city.change("region: 'Oregon'", "region: 'Oregon', limits: { confirmations: 3 }");
  await city.ingest(businesses(30), new Date().toISOString());
  const service = await running(['serve'], { ...{ ...city.env, ...MAIL_ENV, SMTP_URL: smtp.url } });
  await until(async () => ((await healthOf(service)).status === 'ok' ? true : undefined), 'health to be ok');
  for (let i = 0; i < 6; i++) {
    const { status } = await postSignup(service.url, `person${i}@b.example`);
    assert.equal(status, 202);
  }
  const told = '3 confirmation emails are waiting: the limit is 3 an hour';
  await until(async () => {
    const { status, detail } = await healthOf(service);
    return status === 'warn' && detail === told ? true : undefined;
  }, 'health to warn');
  assert.equal((await smtp.mails(3)).length, 3);
  assert.equal(await service.stop(), 0);
});

test('health warns when a confirmation has waited longer than ten minutes', async () => {
  const smtp = await aMailServer();
  const city = aCity();
  city.change("region: 'Oregon'", "region: 'Oregon', limits: { recipientDomain: { hour: 1 } }");
  const filled = await city.open(new Date().toISOString());
  await filled.ingest({ from: city.file('a.csv', csvText(businesses(30))) });
  const signUp = (name: string, minutes: number) =>
    filled.store.subscribers.requestSignup({
      ...{ ...parseAddress(`${name}@b.example`)!, type: 'weekly', source: 'api' },
      ...{ consent: { version: 'v', words: 'w' }, recipientDomain: 'b.example' },
      at: new Date(Date.now() - minutes * 60_000).toISOString(),
    });
  await signUp('first', 12);
  for (const name of ['second', 'third', 'fourth']) await signUp(name, 11);
  await filled.close();
  const service = await running(['serve'], { ...{ ...city.env, ...MAIL_ENV, SMTP_URL: smtp.url } });
  await smtp.mails(1);
  const told =
    'a confirmation email has waited longer than 10 minutes: the limits are 200 an hour, and 1 an hour and 30 a day to one domain';
  await until(async () => {
    const { status, detail } = await healthOf(service);
    return status === 'warn' && detail === told ? true : undefined;
  }, 'health to warn');
  assert.equal(smtp.arrived.length, 1);
  assert.equal(await service.stop(), 0);
});

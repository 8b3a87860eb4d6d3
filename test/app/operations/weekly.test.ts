/** The weekly email from beginning to end: real filings, the program as people run it, a real mail server. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseAddress } from '../../../src/service/subscribers/address.ts';
import { aCity, businesses, csvText, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, running, until } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { jsonOf } from '../../an-answer.ts';
import { realData } from '../../real-data.ts';
import { aMailServer } from '../../service/mail/a-mail-server.ts';

const pasco = realData('pasco-county/daily');
const folder = mkdtempSync(join(tmpdir(), 'shingle-weekly-'));
after(() => rmSync(folder, { recursive: true }));

/** So many days of the feed in a folder of their own. */
function days(name: string, from: number, to: number): string {
  const into = join(folder, name);
  mkdirSync(into);
  for (const file of readdirSync(pasco.path).toSorted().slice(from, to))
    cpSync(join(pasco.path, file), join(into, file));
  return into;
}

/** The city, with news of any age: its files are of one summer, whatever the day of the test. */
function pascoOfAnyYear(): string {
  const profile = join(folder, 'pasco', 'city.ts');
  const original = new URL('../../../cities/pasco-county/city.ts', import.meta.url);
  mkdirSync(join(folder, 'pasco'));
  writeFileSync(
    profile,
    `import city from ${JSON.stringify(original)};
    export default { ...city, sources: city.sources.map((one) => ({ ...one, newForDays: 36_500 })) };`,
  );
  return profile;
}

/** The names filed on those days, as the feed writes them. */
function namesIn(path: string): Set<string> {
  const filings = readdirSync(path).flatMap(
    (file) => (JSON.parse(readFileSync(join(path, file), 'utf8')) as { filings: { name: string }[] }).filings,
  );
  return new Set(filings.map(({ name }) => name.toUpperCase().replace(/\W/g, '')));
}

test('a person signs up, confirms, gets the next edition, unsubscribes, and gets no more', {
  skip: pasco.skip,
}, async () => {
  const smtp = await aMailServer();
  const env = {
    SHINGLE_CITY: pascoOfAnyYear(),
    SHINGLE_DATA: join(folder, 'data'),
    OPERATOR_NAME: 'The library',
    OPERATOR_CONTACT: 'listings@openings.example',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Pasco openings <news@openings.example>',
    MAIL_POSTAL_ADDRESS: '1 Example Square, Dade City',
    PUBLIC_URL: 'https://openings.example',
  };
  const run = async (...args: string[]) => {
    const ended = await command([...args, '--json'], env);
    assert.equal(ended.code, 0, ended.err);
    return lastJson(ended) as Record<string, unknown> & { runs: { added: number; baseline: boolean }[] };
  };
  const added = ({ runs }: { runs: { added: number }[] }) => runs.reduce((sum, one) => sum + one.added, 0);

  const baseline = await run('ingest', '--from', days('baseline', 0, 10));
  assert.ok(baseline.runs.length === 10 && baseline.runs.every((one) => one.baseline));

  const service = await running(['serve'], env);
  const post = (url: string, body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': type }, redirect: 'manual' });
  /** Links begin with the address the service was told, port 0: here it is the port it got. */
  const here = (link: string) => service.url + new URL(link).pathname + new URL(link).search;
  const asked = await post(
    `${service.url}/api/signup`,
    JSON.stringify({ email: 'Ann.Reader@Rivermouth.example', type: 'weekly' }),
    'application/json',
  );
  assert.equal(asked.status, 202);
  const [confirmation] = await smtp.mails(1);
  assert.deepEqual(confirmation!.rcpt, ['Ann.Reader@rivermouth.example']);
  const link = here(confirmation!.links.confirm!);
  assert.equal((await fetch(link)).status, 200);
  assert.equal(
    (await run('weekly', 'send', '--dry-run')).recipients,
    0,
    'looking at a link confirms nothing',
  );
  assert.equal((await post(link, '')).status, 200);

  const week = days('week', 10, 15);
  const openings = added(await run('ingest', '--from', week));
  const sent = await run('weekly', 'send');
  assert.deepEqual([sent.outcome, sent.total, sent.recipients, sent.sent], ['decided', openings, 1, 1]);
  const edition = (await smtp.mails(2))[1]!;
  assert.equal(edition.subject, `${openings} new businesses in Pasco County`);
  const shown = [...edition.text!.matchAll(/^\* (.+)$/gm)].map(([, name]) => name!);
  const filed = namesIn(week);
  assert.equal(shown.length, sent.shown);
  assert.ok(shown.length > 0 && shown.length <= 25, 'whole neighborhoods, as many as fit');
  for (const name of shown)
    assert.ok(filed.has(name.toUpperCase().replace(/\W/g, '')), `${name} is not of that week`);
  assert.match(edition.text!, new RegExp(`See all ${openings}:`));

  assert.equal((await run('weekly', 'send')).outcome, 'already');
  const oneClick = await post(here(edition.links.unsubscribe!), 'List-Unsubscribe=One-Click');
  assert.equal(oneClick.status, 200);
  assert.ok(added(await run('ingest', '--from', days('next', 15, 18))) > 0);
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toISOString();
  const next = await run('weekly', 'send', '--now', inTwoWeeks);
  assert.deepEqual([next.outcome, next.recipients, next.sent], ['decided', 0, 0]);
  assert.equal(smtp.arrived.length, 2, 'the confirmation and one edition, nothing else');
  assert.equal(await service.stop(), 0);
});

test('health reports mail problems, and a signup waits until they are fixed', async () => {
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
    const health = await jsonOf<{
      status: string;
      detail?: string;
    }>(fetch(`${service.url}/api/health`));
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
  const health = async () =>
    await jsonOf<{ status: string; detail?: string }>(fetch(`${service.url}/api/health`));
  await until(async () => ((await health()).status === 'ok' ? true : undefined), 'health to be ok');
  for (let i = 0; i < 6; i++) {
    const { status } = await postSignup(service.url, `person${i}@b.example`);
    assert.equal(status, 202);
  }
  const told = '3 confirmation emails are waiting: the limit is 3 an hour';
  await until(async () => {
    const { status, detail } = await health();
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
    const answer = await fetch(`${service.url}/api/health`);
    const { status, detail } = (await answer.json()) as { status: string; detail?: string };
    return status === 'warn' && detail === told ? true : undefined;
  }, 'health to warn');
  assert.equal(smtp.arrived.length, 1);
  assert.equal(await service.stop(), 0);
});

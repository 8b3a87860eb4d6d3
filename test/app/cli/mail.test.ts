/** The commands for email, as an operator uses them. */

import assert from 'node:assert/strict';
import { copyFileSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { aCity, businesses, MAIL_ENV, NOW, type SmallCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { openStore } from '../../a-store.ts';
import { addSubscribers } from '../../a-subscriber.ts';
import { ask, at, DAY, MINUTE, sent, type Taken } from '../../service/database/mailing-steps.ts';
import { aMailServer, parsed } from '../../service/mail/a-mail-server.ts';
import { aFaultServer } from '../../service/mail/fault-server.ts';

const SENDER = { ...MAIL_ENV, MAIL_FROM: 'Openings <news@rivermouth.example>' };
const on = (day: string) => ['--now', `2026-${day}T18:00:00Z`];
const mailsIn = ({ config }: SmallCity) => {
  const folder = join(config.dataFolder, 'mail');
  return globSync(`${folder}/*`).map((path) => readFileSync(path, 'latin1'));
};

test('weekly preview shows an edition before there is news, and marks it as an example', async () => {
  const city = aCity();
  const shingle = commandsOf(city);
  await city.ingest(40);
  const example = lastJson(await shingle('weekly', 'preview', '--json'));
  assert.deepEqual([example.total, example.example], [25, true]);
  assert.match(readFileSync(String(example.text), 'utf8'), /Example: there are no new businesses/);
  await city.ingest(70);
  assert.match((await shingle('weekly', 'preview')).out, /^30 new businesses in Rivermouth\n/);
  assert.equal(readdirSync(join(city.config.dataFolder, 'preview')).length, 2);
  assert.deepEqual(mailsIn(city), [], 'looking sends nothing');
  for (const words of ['weekly preview', 'waitlist announce'])
    assert.match((await shingle(...words.split(' '), '--help')).out, /SHINGLE_DATA\/preview\b/, words);
});

test('weekly send --to sends an edition to one address and records nothing', async () => {
  const city = aCity();
  const smtp = await aMailServer();
  for (const count of [40, 44]) await city.ingest(count);
  const send = (...args: string[]) =>
    commandsOf(city, { ...SENDER, SMTP_URL: smtp.url })('weekly', 'send', ...args);
  await commandsOf(city)('subscribers', 'add', 'ann@b.example', '--confirmed');
  const before = lastJson(await send('--dry-run', '--json'));
  const { subject, sent, example } = lastJson(await send('--to', 'me@b.example', '--json'));
  assert.deepEqual([subject, sent, example], ['4 new businesses in Rivermouth', true, false]);
  const [mail, ...others] = await smtp.mails(1);
  assert.deepEqual([mail!.rcpt, others], [['me@b.example'], []]);
  assert.deepEqual(lastJson(await send('--dry-run', '--json')), before, 'the edition is still to be sent');
  const wrong = await send('--to', 'me@b.example', '--dry-run');
  assert.deepEqual([wrong.code, /leave out --dry-run/.test(wrong.err)], [2, true]);
  assert.equal((await send('--to', 'nobody')).code, 2);
});

test('weekly send creates an edition once, reports its result in words and as JSON, and ends with an error code if the mail server fails', async () => {
  const city = aCity();
  const send = async (day: string, more: Record<string, string> = {}, ...args: string[]) => {
    const { code, out } = await commandsOf(city, more)('weekly', 'send', ...on(day), ...args);
    return [code, out];
  };
  const add = (...args: string[]) => commandsOf(city)('subscribers', 'add', ...args, '--confirmed');
  assert.deepEqual(await send('11-17'), [
    0,
    'no data has been imported yet, so there is no edition to create. Run npx shingle ingest\n',
  ]);
  await city.ingest(40, '2026-11-18T18:00:00.000Z');
  await city.ingest(70, '2026-11-19T18:00:00.000Z');
  await add('ann@b.example');
  const store = await openStore(city.config.dataFolder);
  const preferences = formatPreferences({ categories: [], neighborhoods: ['Gone Quarter'] }, {});
  await addSubscribers(store, ['cy@b.example', 'di@b.example'], { at: NOW, preferences });
  await store.close();
  const unmatched = 'nothing matches what 2 more subscribers chose';
  const [, dry] = await send('11-24', {}, '--dry-run', '--json');
  const { outcome: planned, unmatched: others, dry_run } = JSON.parse(String(dry));
  assert.deepEqual([planned, others, dry_run], ['decided', 2, true]);
  assert.deepEqual(await send('11-24', {}, '--dry-run'), [
    0,
    `the edition of 2026-11-23 would contain 30 new businesses, to 1 person; ${unmatched}; nothing was stored or sent\n`,
  ]);
  await add('bo@b.example');
  const server = await aMailServer();
  await server.close();
  const [code, said] = await send('11-24', { ...SENDER, SMTP_URL: server.url });
  assert.equal(code, 1);
  const result = `30 new businesses, to 2 people; ${unmatched}; 0 sent, 2 waiting; paused: `;
  assert.ok(String(said).startsWith(`the edition of 2026-11-23: ${result}`), String(said));
  const slow = await aFaultServer({ at: 'rcpt', does: '450 4.2.0', to: ['ann@b.example'] });
  assert.deepEqual(await send('11-24', { ...SENDER, SMTP_URL: `smtp://127.0.0.1:${slow.port}` }), [
    0,
    'the edition of 2026-11-23 already exists; 1 sent, 1 waiting; sent again from 2026-11-24 18:05 UTC on\n',
  ]);
  await slow.down();
  assert.deepEqual(await send('11-25'), [0, 'the edition of 2026-11-23 already exists; 2 sent\n']);
  const [mail, ...more] = mailsIn(city);
  assert.equal((await parsed({ raw: mail!, to: [] })).subject, '30 new businesses in Rivermouth');
  assert.deepEqual(more, []);
  const [, json] = await send('12-01', {}, '--json');
  const { edition, outcome, total, sent: gone } = JSON.parse(String(json));
  assert.deepEqual([edition, outcome, total, gone], ['2026-11-30', 'empty', 0, 0]);
});

test('the commands introduce, shorten, approve and send an edition that needs approval', async () => {
  const city = aCity();
  const weekly = "weekly: { weekday: 'Monday', time: '08:00', approval: true }";
  city.change('archive: false', `${weekly}, archive: false`);
  await city.ingest(40, '2026-11-18T18:00:00.000Z');
  await city.ingest(44, '2026-11-19T18:00:00.000Z');
  await commandsOf(city)('subscribers', 'add', 'ann@b.example', '--confirmed');
  const run = async (...args: string[]) => {
    const done = await commandsOf(city)('weekly', ...args, ...on('11-23'), '--json');
    return { ...done, json: done.code === 0 ? (lastJson(done) as Record<string, unknown>) : {} };
  };
  const preview = async () => {
    const { total, left_out, approved, digest } = (await run('preview')).json;
    return { total, left_out, approved, digest: String(digest) };
  };
  const { digest: stale, ...seen } = await preview();
  assert.deepEqual(seen, { total: 4, left_out: 0, approved: false });
  assert.equal((await run('send')).json.outcome, 'waiting');
  assert.match((await commandsOf(city)('status', '--json')).out, /"approved":false/);
  assert.equal((await run('introduce', 'x'.repeat(501))).code, 2);
  await run('introduce', 'Hello from the harbor.');
  assert.match((await run('approve', stale)).err, /has changed/);
  assert.notEqual((await run('leave-out', 'Nobody & Sons')).code, 0);
  const leaveOut = (...more: string[]) => run('leave-out', businesses(44)[43]!.name!, ...more);
  const left = await leaveOut();
  assert.deepEqual(left.json.left_out, true);
  assert.deepEqual((await leaveOut()).json, left.json, 'as after an interruption behind the commit');
  assert.equal((await leaveOut('--undo')).json.left_out, false);
  assert.deepEqual((await preview()).total, 4);
  await leaveOut();
  const { digest, ...now } = await preview();
  assert.deepEqual(now, { total: 3, left_out: 1, approved: false });
  assert.equal((await run('approve', digest)).code, 0);
  const { json: sent } = await run('send');
  assert.deepEqual([sent.outcome, sent.total, sent.left_out, sent.sent], ['decided', 3, 1, 1]);
  assert.match(mailsIn(city)[0]!, /Hello from the harbor\./);
});

test('the commands add, list and erase subscribers', async () => {
  const city = aCity();
  const shingle = commandsOf(city);
  const add = (address: string, ...args: string[]) => shingle('subscribers', 'add', address, ...args);
  const erase = async (address: string) => (await shingle('subscribers', 'erase', address)).code;
  const list = async () =>
    lastJson(await shingle('subscribers', 'list', '--json')).subscribers as Record<string, unknown>[];
  assert.equal((await add('ann@b.example')).code, 2, 'consent must be claimed');
  assert.equal((await add('not an address', '--confirmed')).code, 2);
  const waitlist = ['--confirmed', '--type', 'pro-waitlist', '--json'];
  for (const address of ['=cmd@b.example', '+late@b.example', 'bo@b.example'])
    assert.equal(lastJson(await add(address, ...waitlist)).added, true, address);
  assert.equal(lastJson(await add('BO@b.example', ...waitlist)).added, false);
  const store = await openStore(city.config.dataFolder);
  await ask(store, 'cy@b.example');
  const [{ tokens }] = (await sent(store, MINUTE)) as [Taken];
  await store.subscribers.confirm({ hash: tokens.confirm!, purpose: 'confirm', at: at(2 * DAY) });
  await store.subscribers.leave({ hash: tokens.manage!, purpose: 'manage', at: at(3 * DAY) }, 'weekly');
  await store.close();
  assert.deepEqual((await list())[0], {
    ...{ email: 'cy@b.example', type: 'weekly', state: 'left', source: 'form', consent: 'v1' },
    ...{ asked_at: at(), confirmed_at: at(2 * DAY), left_at: at(3 * DAY), refused_at: null, refusal: null },
  });
  const since = new RegExp(`^${at(2 * DAY).slice(0, 10)} +weekly +left +cy@`, 'm'); // they confirmed
  assert.match((await shingle('subscribers', 'list')).out, since);
  const copy = join(city.folder, 'copy.db');
  assert.equal((await shingle('backup', copy)).out, `backed up to ${copy}\n`);
  for (const name of ['Alder', 'Birch']) await shingle('suppress', 'add', name);
  const codes = [await erase('cy@b.example'), await erase('Bo@B.example'), await erase('bo@b.example')];
  assert.deepEqual(codes, [0, 0, 1]);
  assert.match(
    (await shingle('restore', copy)).out, // erased people stay erased
    /^restored \S+copy\.db: 0 listings, 2 subscribers\nkept .*: 2 removals and 0 corrections made since .*\nthe previous database is \S+;/,
  );
  copyFileSync(copy, join(city.config.dataFolder, 'shingle.db'));
  assert.equal((await list()).length, 2, 'also after a restore by hand');
});

test('mail test reports the result without the password', async () => {
  const city = aCity();
  const smtp = await aMailServer();
  const mailTest = (SMTP_URL?: string) =>
    commandsOf(city, SMTP_URL === undefined ? {} : { ...SENDER, SMTP_URL })(
      'mail',
      'test',
      'ann@b.example',
      '--json',
    );
  assert.equal(lastJson(await mailTest(smtp.url)).sent, true);
  assert.deepEqual(smtp.arrived[0]?.to, ['ann@b.example']);
  assert.equal(lastJson(await mailTest()).sent, true, 'as a file');
  await smtp.close();
  const gone = await mailTest(`smtp://user:s3cret@127.0.0.1:${smtp.port}`);
  assert.equal(gone.code, 1);
  assert.match(gone.err, /cannot be reached/);
  assert.doesNotMatch(gone.err + gone.out, /s3cret/);
});

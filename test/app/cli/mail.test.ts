/** The commands for email, as an operator uses them. */

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatPreferences } from '../../../src/shared/signup/preferences.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { openStore } from '../../a-store.ts';
import { addSubscribers } from '../../a-subscriber.ts';
import { ask, at, DAY, MINUTE, sent, type Taken } from '../../service/database/mailing-steps.ts';
import { aMailServer, parsed } from '../../service/mail/a-mail-server.ts';
import { aFaultServer } from '../../service/mail/fault-server.ts';

const SENDER = {
  MAIL_FROM: 'Openings <news@rivermouth.example>',
  MAIL_POSTAL_ADDRESS: '1 Quay Street',
  PUBLIC_URL: 'https://rivermouth.example',
};

function envOf(city: ReturnType<typeof aCity>): Record<string, string> {
  return city.env;
}

test('weekly preview shows an edition before there is news, and marks it as an example', async () => {
  const city = aCity();
  const env = envOf(city);
  const nothing = await command(['weekly', 'send', '--json'], env);
  assert.deepEqual([nothing.code, lastJson(nothing).outcome], [0, 'nothing-yet']);
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  const example = lastJson(await command(['weekly', 'preview', '--json'], env)) as unknown as Record<
    string,
    string
  >;
  assert.deepEqual([example.total, example.example], [25, true]);
  assert.match(readFileSync(example.text!, 'utf8'), /Example: there are no new businesses/);
  await command(['ingest', '--from', city.file('b.csv', csvText(businesses(70)))], env);
  const real = await command(['weekly', 'preview'], env);
  assert.match(real.out, /^30 new businesses in Rivermouth\n/);
  assert.equal(readdirSync(join(city.config.dataFolder, 'preview')).length, 2);
  assert.ok(!existsSync(join(city.config.dataFolder, 'mail')), 'looking sends nothing');
  for (const words of ['weekly preview', 'waitlist announce'])
    assert.match((await command([...words.split(' '), '--help'], env)).out, /SHINGLE_DATA\/preview\b/, words);
});

test('weekly send --to sends an edition to one address and records nothing', async () => {
  const city = aCity();
  const smtp = await aMailServer();
  const env = { ...city.env, ...SENDER, SMTP_URL: smtp.url };
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  await command(['ingest', '--from', city.file('b.csv', csvText(businesses(44)))], env);
  await command(['subscribers', 'add', 'ann@b.example', '--confirmed'], env);
  const send = (...args: string[]) => command(['weekly', 'send', ...args], env);
  const before = lastJson(await send('--dry-run', '--json'));
  const one = await send('--to', 'me@b.example', '--json');
  assert.equal(one.code, 0, one.err);
  const { subject, sent, example } = lastJson(one) as unknown as Record<string, unknown>;
  assert.deepEqual([subject, sent, example], ['4 new businesses in Rivermouth', true, false]);
  const mails = await smtp.mails(1);
  assert.deepEqual(
    mails.map(({ rcpt }) => rcpt),
    [['me@b.example']],
  );
  assert.deepEqual(lastJson(await send('--dry-run', '--json')), before, 'the edition is still to be sent');
  const wrong = await send('--to', 'me@b.example', '--dry-run');
  assert.deepEqual([wrong.code, /leave out --dry-run/.test(wrong.err)], [2, true]);
  assert.equal((await send('--to', 'nobody')).code, 2);
});

test('weekly send stores nothing in a dry run, creates an edition once, and skips a week without news', async () => {
  const city = aCity();
  const env = envOf(city);
  const at = (day: string) => ['--now', `${day}T18:00:00Z`];
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40))), ...at('2026-11-18')], env);
  await command(['ingest', '--from', city.file('b.csv', csvText(businesses(44))), ...at('2026-11-19')], env);
  await command(['subscribers', 'add', 'ann@b.example', '--confirmed'], env);
  const send = async (...args: string[]) =>
    lastJson(await command(['weekly', 'send', ...args, '--json'], env));
  const facts = (sent: Record<string, unknown>) => [sent.edition, sent.outcome, sent.total, sent.sent];
  for (let i = 0; i < 2; i++)
    assert.deepEqual(facts(await send('--dry-run', ...at('2026-11-24'))), ['2026-11-23', 'decided', 4, 0]);
  assert.deepEqual(facts(await send(...at('2026-11-24'))), ['2026-11-23', 'decided', 4, 1]);
  assert.deepEqual(facts(await send(...at('2026-11-25'))), ['2026-11-23', 'already', 0, 1]);
  assert.deepEqual(facts(await send(...at('2026-12-01'))), ['2026-11-30', 'empty', 0, 0]);
  const [file, ...more] = readdirSync(join(city.config.dataFolder, 'mail'));
  assert.equal(more.length, 0);
  const mail = await parsed({
    raw: readFileSync(join(city.config.dataFolder, 'mail', file!), 'latin1'),
    to: [],
  });
  assert.equal(mail.subject, '4 new businesses in Rivermouth');
});

test('the commands introduce, shorten, approve and send an edition that needs approval', async () => {
  const city = aCity();
  city.change(
    'archive: false',
    "weekly: { weekday: 'Monday', time: '08:00', approval: true }, archive: false",
  );
  const run = async (day: string, ...args: string[]) => {
    const done = await command([...args, '--now', `2026-11-${day}T18:00:00Z`, '--json'], city.env);
    return { ...done, json: done.code === 0 ? (lastJson(done) as Record<string, unknown>) : {} };
  };
  const ingest = (day: string, count: number) =>
    run(day, 'ingest', '--from', city.file(`${count}.csv`, csvText(businesses(count))));
  await ingest('18', 40);
  await ingest('19', 44);
  await command(['subscribers', 'add', 'ann@b.example', '--confirmed'], city.env);
  const { json: seen } = await run('23', 'weekly', 'preview');
  assert.deepEqual([seen.total, seen.approved, seen.left_out], [4, false, 0]);
  assert.equal((await run('23', 'weekly', 'send')).json.outcome, 'waiting');
  const status = await command(['status', '--json'], city.env);
  assert.match(status.out, /"approved":false/);
  assert.equal((await run('23', 'weekly', 'introduce', 'x'.repeat(501))).code, 2);
  await run('23', 'weekly', 'introduce', 'Hello from the harbor.');
  const stale = await run('23', 'weekly', 'approve', String(seen.digest));
  assert.match(stale.err, /has changed/);
  assert.notEqual((await run('23', 'weekly', 'leave-out', 'Nobody & Sons')).code, 0);
  const leaveOut = (...more: string[]) =>
    run('23', 'weekly', 'leave-out', businesses(44)[43]!.name!, ...more);
  const left = await leaveOut();
  assert.deepEqual(left.json.left_out, true);
  assert.deepEqual((await leaveOut()).json, left.json, 'as after an interruption behind the commit');
  assert.equal((await leaveOut('--undo')).json.left_out, false);
  const { json: whole } = await run('23', 'weekly', 'preview');
  assert.deepEqual([whole.total, whole.left_out], [4, 0]);
  await leaveOut();
  const { json: now } = await run('23', 'weekly', 'preview');
  assert.deepEqual([now.total, now.left_out], [3, 1]);
  assert.equal((await run('23', 'weekly', 'approve', String(now.digest))).code, 0);
  const { json: sent } = await run('23', 'weekly', 'send');
  assert.deepEqual([sent.outcome, sent.total, sent.left_out, sent.sent], ['decided', 3, 1, 1]);
  const folder = join(city.config.dataFolder, 'mail');
  assert.match(readFileSync(join(folder, readdirSync(folder)[0]!), 'latin1'), /Hello from the harbor\./);
});

test('weekly send reports how many subscribers get no email because nothing matches their choices', async () => {
  const city = aCity();
  const service = await city.open('2026-11-18T18:00:00.000Z');
  for (const count of [40, 70])
    await service.ingest({ from: city.file(`${count}.csv`, csvText(businesses(count))) });
  const preferences = formatPreferences({ categories: [], neighborhoods: ['Gone Quarter'] }, {});
  for (const [address, words] of [
    ['ann@b.example', '1 more subscriber chose'],
    ['bo@b.example', '2 more subscribers chose'],
  ]) {
    await addSubscribers(service.store, [address!], { at: service.now(), preferences });
    const { out } = await command(['weekly', 'send', '--dry-run', '--now', '2026-11-24T18:00:00Z'], city.env);
    assert.match(
      out,
      new RegExp(`, to 0 people; nothing matches what ${words}; nothing was stored or sent\n$`),
    );
  }
  await service.close();
});

test('weekly send reports its result in words, and ends with an error code if the mail server fails', async () => {
  const city = aCity();
  const env = envOf(city);
  const send = async (day: string, more: Record<string, string> = {}, ...args: string[]) => {
    const at = ['--now', `${day}T18:00:00Z`];
    const { code, out } = await command(['weekly', 'send', ...at, ...args], { ...env, ...more });
    return [code, out];
  };
  assert.deepEqual(await send('2026-11-17'), [
    0,
    'no data has been imported yet, so there is no edition to create. Run npx shingle ingest\n',
  ]);
  const ingest = (count: number, day: string) => {
    const file = city.file(`${count}.csv`, csvText(businesses(count)));
    return command(['ingest', '--from', file, '--now', `${day}T18:00:00Z`], env);
  };
  await ingest(40, '2026-11-18');
  await ingest(70, '2026-11-19');
  await command(['subscribers', 'add', 'ann@b.example', '--confirmed'], env);
  assert.deepEqual(await send('2026-11-24', {}, '--dry-run'), [
    0,
    'the edition of 2026-11-23 would contain 30 new businesses, to 1 person; nothing was stored or sent\n',
  ]);
  await command(['subscribers', 'add', 'bo@b.example', '--confirmed'], env);
  const server = await aMailServer();
  await server.close();
  const [code, said] = await send('2026-11-24', { ...SENDER, SMTP_URL: server.url });
  assert.equal(code, 1);
  assert.match(
    String(said),
    /^the edition of 2026-11-23: 30 new businesses, to 2 people; 0 sent, 2 waiting; paused: .+\n$/,
  );
  const slow = await aFaultServer({ at: 'rcpt', does: '450 4.2.0', to: ['ann@b.example'] });
  assert.deepEqual(await send('2026-11-24', { ...SENDER, SMTP_URL: `smtp://127.0.0.1:${slow.port}` }), [
    0,
    'the edition of 2026-11-23 already exists; 1 sent, 1 waiting; sent again from 2026-11-24 18:05 UTC on\n',
  ]);
  await slow.down();
  assert.deepEqual(await send('2026-11-25'), [0, 'the edition of 2026-11-23 already exists; 2 sent\n']);
});

test('the commands add, list and erase subscribers', async () => {
  const city = aCity();
  const env = envOf(city);
  const add = (...args: string[]) => command(['subscribers', 'add', ...args], env);
  assert.equal((await add('ann@b.example')).code, 2, 'consent must be claimed');
  assert.equal((await add('not an address', '--confirmed')).code, 2);
  for (const address of ['=cmd@b.example', '+late@b.example', 'bo@b.example']) {
    const added = await add(address, '--confirmed', '--type', 'pro-waitlist', '--json');
    assert.deepEqual([added.code, lastJson(added).added], [0, true]);
  }
  assert.equal(
    lastJson(await add('BO@b.example', '--confirmed', '--type', 'pro-waitlist', '--json')).added,
    false,
  );
  const store = await openStore(city.config.dataFolder);
  await ask(store, 'cy@b.example');
  const [{ tokens }] = (await sent(store, MINUTE)) as [Taken];
  await store.subscribers.confirm({ hash: tokens.confirm!, purpose: 'confirm', at: at(2 * DAY) });
  await store.subscribers.leave({ hash: tokens.manage!, purpose: 'manage', at: at(3 * DAY) }, 'weekly');
  await store.close();
  const people = lastJson(await command(['subscribers', 'list', '--json'], env));
  assert.deepEqual((people.subscribers as object[])[0], {
    ...{ email: 'cy@b.example', type: 'weekly', state: 'left', source: 'form', consent: 'v1' },
    ...{ asked_at: at(), confirmed_at: at(2 * DAY), left_at: at(3 * DAY), refused_at: null, refusal: null },
  });
  const { out } = await command(['subscribers', 'list'], env);
  assert.match(
    out,
    new RegExp(`^${at(2 * DAY).slice(0, 10)} +weekly +left +cy@`, 'm'),
    'since they confirmed',
  );
  const copy = join(city.folder, 'copy.db');
  assert.equal((await command(['backup', copy], env)).out, `backed up to ${copy}\n`);
  for (const name of ['Alder', 'Birch']) await command(['suppress', 'add', name], env);
  assert.equal((await command(['subscribers', 'erase', 'cy@b.example'], env)).code, 0);
  assert.equal((await command(['subscribers', 'erase', 'Bo@B.example'], env)).code, 0);
  assert.equal((await command(['subscribers', 'erase', 'bo@b.example'], env)).code, 1);
  assert.match(
    (await command(['restore', copy], env)).out, // erased people stay erased
    /^restored \S+copy\.db: 0 listings, 2 subscribers\nkept .*: 2 removals and 0 corrections made since .*\nthe previous database is \S+;/,
  );
  copyFileSync(copy, join(city.config.dataFolder, 'shingle.db'));
  const listed = lastJson(await command(['subscribers', 'list', '--json'], env)) as unknown as {
    subscribers: unknown[];
  };
  assert.equal(listed.subscribers.length, 2, 'also after a restore by hand');
});

test('mail test reports the result without the password', async () => {
  const city = aCity();
  const env = envOf(city);
  const smtp = await aMailServer();
  const sent = await command(['mail', 'test', 'ann@b.example'], { ...env, ...SENDER, SMTP_URL: smtp.url });
  assert.equal(sent.code, 0, sent.err);
  assert.deepEqual(smtp.arrived[0]?.to, ['ann@b.example']);
  const file = await command(['mail', 'test', 'ann@b.example', '--json'], env);
  assert.deepEqual([file.code, lastJson(file).sent], [0, true]);
  await smtp.close();
  const gone = await command(['mail', 'test', 'ann@b.example'], {
    ...{ ...env, ...SENDER },
    SMTP_URL: `smtp://user:s3cret@127.0.0.1:${smtp.port}`,
  });
  assert.equal(gone.code, 1);
  assert.match(gone.err, /cannot be reached/);
  assert.doesNotMatch(gone.err + gone.out, /s3cret/);
});

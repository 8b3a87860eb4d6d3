/** Delivery reports from beginning to end: return paths over a real mail server, and the command that reads what comes back. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { freePort } from '../../a-port.ts';
import { lastJson, running, shingleReading } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { aMailServer, type MailServer } from '../../service/mail/a-mail-server.ts';
import { type About, reportFailure } from '../../service/mail/bounces/a-report.ts';

const PEOPLE = ['ann@b.example', 'bo@b.example', 'cy@b.example'];
const WEEK_MS = 7 * 86_400_000;
const RETURN_PATH = /^bounces\+[0-9a-z]{41}@openings\.example$/;

/** So many weeks and an hour from now: people are added now, and what is sent to them is later. */
const inWeeks = (weeks: number) => new Date(Date.now() + weeks * WEEK_MS + 3_600_000).toISOString();

/** A service of a city with news, its mail server, and three people who get the weekly email. */
async function aList(more: Record<string, string> = {}) {
  const city = aCity();
  const smtp = await aMailServer();
  const env: Record<string, string> = {
    ...{ ...city.env, ...MAIL_ENV, SMTP_URL: smtp.url, ...more },
    MAIL_FROM: 'Openings <news@openings.example>',
  };
  const run = commandsOf({ env });
  let listings = 45;
  await city.ingest(listings, inWeeks(0));
  for (const who of PEOPLE) await run('subscribers', 'add', who, '--confirmed');
  /** The newest edition's return paths, by address. */
  const edition = async (week: number): Promise<Map<string, About>> => {
    const before = smtp.arrived.length;
    listings += 5;
    await city.ingest(listings, inWeeks(week));
    const { code, err } = await run('weekly', 'send', '--now', inWeeks(week));
    assert.equal(code, 0, err);
    const sent = smtp.arrived.slice(before);
    return new Map(sent.map(({ from, to }) => [to[0]!, { address: to[0]!, returnPath: from }]));
  };
  return { smtp, env, run, edition };
}

const MAIL_BOUNCES = 'bounces@openings.example';

const reply = ({ returnPath }: About) =>
  `From: ann@b.example\r\nTo: ${returnPath}\r\nSubject: Automatic reply\r\n\r\nI am away.\r\n`;

/** Header names and the parts of a message that are not random. */
const outline = ({ arrived }: MailServer) =>
  arrived.map(({ raw }) =>
    raw
      .slice(0, raw.indexOf('\r\n\r\n'))
      .replaceAll(/[0-9a-f]{32}/g, 'NAME')
      .replaceAll(/token=[\w-]+/g, 'TOKEN')
      .replaceAll(/(?:To|Date): .*/g, 'To'),
  );

test('without MAIL_BOUNCES the return path is the sender, and with it each message has a return path of its own', async () => {
  const plain = await aList();
  await plain.edition(1);
  assert.deepEqual(new Set(plain.smtp.arrived.map(({ from }) => from)), new Set(['news@openings.example']));
  const set = await aList({ MAIL_BOUNCES });
  const paths = [...(await set.edition(1)).values()].map(({ returnPath }) => returnPath);
  assert.equal(new Set(paths).size, PEOPLE.length);
  assert.doesNotMatch(outline(plain.smtp).join(), /Return-Path/);
  assert.deepEqual(outline(plain.smtp), outline(set.smtp));
  const tested = await set.run('mail', 'test', 'op@openings.example');
  assert.equal(tested.code, 0, tested.err);
  for (const path of [...paths, set.smtp.arrived.at(-1)!.from]) assert.match(path, RETURN_PATH);
});

test('a report on standard input stops mail to its address until the person signs up again', async () => {
  const { edition, env, run, smtp } = await aList({ MAIL_BOUNCES });
  const ann = (await edition(1)).get('ann@b.example')!;
  const read = async (raw: string | Buffer) => {
    const ended = await command(['mail', 'bounced', '--json'], env, { input: raw });
    assert.equal(ended.code, 0, ended.err);
    assert.doesNotMatch(ended.out + ended.err, /ann@/);
    return lastJson(ended);
  };
  assert.deepEqual(await read(reply(ann)), { verdict: 'not-a-report' });
  const words = await command(['mail', 'bounced'], env, { input: reply(ann) });
  assert.equal(words.out, 'not a report\n');
  assert.deepEqual(await read(reportFailure(ann)), { verdict: 'stopped' });
  assert.deepEqual(await read(reportFailure(ann)), { verdict: 'repeated' });
  assert.deepEqual(await read(Buffer.alloc(3_000_000, 'x')), { verdict: 'too-large' });
  assert.match(
    (await run('subscribers', 'list')).out,
    /ann@b\.example {2}the mail server says that this mailbox does not exist \(bounced 5\.1\.1\)/,
  );
  assert.deepEqual([...(await edition(2)).keys()].toSorted(), ['bo@b.example', 'cy@b.example']);

  const service = await running(['serve'], env);
  const signUp = (email: string) => postSignup(service.url, email);
  const before = smtp.arrived.length;
  const [stopped, stranger] = await Promise.all([signUp('ann@b.example'), signUp('new@b.example')]);
  assert.deepEqual([stopped.status, stranger.status], [202, 202]);
  assert.equal(await stopped.text(), await stranger.text());
  const mails = (await smtp.mails(before + 2)).slice(before);
  const link = new URL(mails.find(({ rcpt }) => rcpt[0] === 'ann@b.example')!.links.confirm!);
  const confirmed = await fetch(service.url + link.pathname + link.search, { method: 'POST' });
  assert.equal(confirmed.status, 200);
  assert.equal(await service.stop(), 0);
  assert.ok((await edition(3)).has('ann@b.example'));
});

test('a report that was interrupted at any point is handled the next time', async () => {
  const { edition, env } = await aList({ MAIL_BOUNCES });
  const ann = (await edition(1)).get('ann@b.example')!;
  const input = reportFailure(ann);
  for (const point of ['bounce:before-commit', 'bounce:committed']) {
    const died = await shingleReading(input, ['mail', 'bounced'], { ...env, DIES_AT: `${point} 1` });
    assert.equal(died.code, null);
  }
  const again = lastJson(await command(['mail', 'bounced', '--json'], env, { input }));
  assert.deepEqual(again, { verdict: 'repeated' });
  assert.deepEqual([...(await edition(2)).keys()].toSorted(), ['bo@b.example', 'cy@b.example']);
});

test('exit codes tell a mail server whether to try again', async () => {
  const { env } = await aList({ MAIL_BOUNCES });
  const code = async (more: Record<string, string>) =>
    (await command(['mail', 'bounced'], { ...env, ...more }, { input: 'x' })).code;
  assert.equal(await code({}), 0, 'what is no report is done with');
  const away = `postgres://shingle:secret@127.0.0.1:${await freePort()}/shingle`;
  assert.equal(await code({ DATABASE_URL: away }), 75, 'try again');
  assert.equal(await code({ MAIL_BOUNCES: '' }), 78);
});

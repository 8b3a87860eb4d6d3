/** The announcement to the Pro waitlist, as an operator sends it: once to everybody, and to nobody else. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAnnouncement } from '../../../../src/service/mail/announcement.ts';
import { aCity, MAIL_ENV } from '../../../a-city.ts';
import { command } from '../../../a-command.ts';
import { lastJson, running } from '../../../a-process.ts';
import { aMailServer, type Mail } from '../a-mail-server.ts';
import { aMailing, confirmed, MONDAY } from '../a-mailing.ts';

const ANNOUNCE = ['waitlist', 'announce', '--from'];
const WORDS = `# Pro is **here**

Dear all, Pro has launched. *Read on*:

- [prices](https://openings.example/pro)
- alerts within an hour
`;

async function aWaitlist(people: readonly string[] = ['ann@b.example', 'bo@b.example']) {
  const city = aCity();
  const smtp = await aMailServer();
  const env: Record<string, string> = { ...city.env, ...MAIL_ENV, SMTP_URL: smtp.url };
  const add = (who: string, type = 'pro-waitlist') =>
    command(['subscribers', 'add', who, '--confirmed', '--type', type], env);
  for (const who of people) await add(who);
  const file = (words: string) => city.file('announcement.md', words);
  const announce = (words: string, ...args: string[]) => command([...ANNOUNCE, file(words), ...args], env);
  const sent = async (words: string, ...args: string[]) => {
    const ended = await announce(words, '--json', ...args);
    assert.equal(ended.code, 0, ended.err);
    return lastJson(ended);
  };
  return { env, smtp, add, file, announce, sent, folder: city.config.dataFolder };
}

test('a dry run stores and sends nothing, and shows the email and the number of recipients', async () => {
  const { announce, sent, smtp, folder, add } = await aWaitlist([]);
  assert.deepEqual((await sent(WORDS, '--dry-run')).outcome, 'empty');
  const nobody = '"Pro is here": no one on the waitlist has confirmed; nothing was sent\n';
  assert.equal((await announce(WORDS)).out, nobody);
  await add('ann@b.example');
  await add('weekly@b.example', 'weekly');
  for (let i = 0; i < 2; i++) {
    const dry = await sent(WORDS, '--dry-run');
    assert.deepEqual([dry.outcome, dry.recipients, dry.sent, dry.dry_run], ['decided', 1, 0, true]);
  }
  const said = await announce(WORDS, '--dry-run');
  assert.match(said.out, /^"Pro is here" would go to 1 person; nothing was stored or sent\n/);
  assert.match(readFileSync(join(folder, 'preview/announcement.html'), 'utf8'), /<h1[^>]*>Pro is here<\/h1>/);
  assert.ok(readFileSync(join(folder, 'preview/announcement.txt'), 'utf8').startsWith(WORDS));
  assert.equal(smtp.arrived.length, 0);
});

test('an announcement has its own date, even if it is sent later or by another instance', async (t) => {
  const { TZ = '' } = process.env;
  t.after(() => {
    process.env.TZ = TZ;
  });
  for (const timeZone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
    process.env.TZ = timeZone;
    const mailing = await aMailing();
    await confirmed(mailing, 'ann@b.example', 'pro-waitlist');
    const type = 'pro-waitlist';
    const deciding = { now: new Date(MONDAY).toISOString(), dry: false, timeZone };
    const announcement = { type, ...parseAnnouncement(Buffer.from(WORDS), type) } as const;
    await mailing.store.announcements.decide(announcement, deciding);
    mailing.clock.now += 9 * 86_400_000;
    const mail = (await mailing.deliver()).at(-1)!;
    assert.equal(mail.subject, 'Pro is here');
    assert.match(mail.raw, /^Date: Mon, 23 Nov 2026 17:00:00 \+0000\r$/m);
  }
});

test('each confirmed person on the waitlist gets one email, even if the command is repeated', async () => {
  const { env, announce, sent, smtp, add } = await aWaitlist();
  await add('weekly@b.example', 'weekly');
  const { outcome, subject, recipients, sent: gone } = await sent(WORDS);
  assert.deepEqual([outcome, subject, recipients, gone], ['decided', 'Pro is here', 2, 2]);
  const mails = await smtp.mails(2);
  assert.deepEqual(mails.map(({ rcpt }) => rcpt[0]).toSorted(), ['ann@b.example', 'bo@b.example']);
  const [mail] = mails as [Mail];
  assert.equal(mail.subject, 'Pro is here');
  assert.ok(mail.text!.startsWith(WORDS), 'the text part is the Markdown');
  const why =
    /because you signed up for the email about the Pro launch in Rivermouth\.\sWe\ssend only this one\./;
  assert.match(mail.text!.replaceAll('\n', ' '), why);
  assert.match(mail.html!, /<a href="https:\/\/openings\.example\/pro"[^>]*>prices<\/a>/);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assert.equal(header('list-id'), '<pro-waitlist.rivermouth.example>');
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.equal(header('list-unsubscribe'), `<${mail.links.unsubscribe}>`);

  const again = await sent(WORDS.replaceAll('\n', '\r\n'));
  assert.deepEqual([again.outcome, again.recipients, again.sent], ['repeated', 0, 2]);
  const other = await announce(`${WORDS}\nOne more thing.\n`);
  assert.equal(other.code, 1);
  const promised = /"Pro is here" was announced on .*everyone was promised one email: nothing was sent/;
  assert.match(other.err, promised);
  assert.equal((await announce(`${WORDS}\nOne more thing.\n`, '--dry-run')).code, 1);
  await add('late@b.example');
  assert.deepEqual((await sent(WORDS, '--dry-run')).recipients, 1);
  const late = await announce(WORDS);
  assert.match(late.out, /^"Pro is here" to 1 person who confirmed since \d{4}-\d\d-\d\d; in all 3 sent\n$/);
  assert.deepEqual((await smtp.mails(3))[2]!.rcpt, ['late@b.example']);

  const service = await running(['serve'], env);
  const link = new URL((await smtp.mails(3))[2]!.links.unsubscribe!);
  const left = await fetch(service.url + link.pathname + link.search, { method: 'POST' });
  assert.match(await left.text(), /no longer get the email about the Pro launch/);
  assert.equal(await service.stop(), 0);
  assert.equal(smtp.arrived.length, 3);
});

test('an announcement that cannot be sent at once waits in the outbox, and the service sends it', async () => {
  const { env, smtp, file } = await aWaitlist();
  const away = await aMailServer();
  await away.close();
  const put = await command([...ANNOUNCE, file(WORDS), '--json'], { ...env, SMTP_URL: away.url });
  assert.deepEqual([put.code, lastJson(put).waiting], [1, 2]);
  const service = await running(['serve'], env);
  assert.equal((await smtp.mails(2)).length, 2);
  assert.equal(await service.stop(), 0);
});

test('a file that cannot be an announcement is refused before anything is sent', async () => {
  const { env, file, folder } = await aWaitlist([]);
  const from = (path: string) => command([...ANNOUNCE, path], env);
  assert.equal((await from(join(folder, 'nothing.md'))).code, 2);
  const { code, err } = await from(file('Pro is here'));
  assert.equal(code, 2);
  assert.match(err, /must begin with a heading, such as "# News for the Pro waitlist"/);
});

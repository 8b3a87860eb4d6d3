/** What health says of mail that waits: the program as people run it, a real mail server. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
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

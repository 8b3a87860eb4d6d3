/** Each variable of docs/reference.md: its valid values, its meaning, and its errors. */

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Config, readConfig } from '../../../src/config.ts';
import { MAIL_ENV } from '../../a-city.ts';

const smtp = (url: string, more = {}) => readConfig({ ...MAIL_ENV, SMTP_URL: url, ...more }).mail.smtp;

test('without variables, Shingle serves the sample on this machine only, and writes emails to files', () => {
  const none = undefined;
  const expected: Config = {
    ...{ city: 'sample', isSampleImplied: true, dataFolder: resolve('data'), databaseUrl: none },
    ...{ host: '127.0.0.1', port: 3000, publicUrl: none, trustProxy: [], limits: 'on' },
    ...{ signupOrigins: [], mayEmbed: false, metricsPort: none, socrataToken: none },
    ...{ minFreeBytes: 64 * 2 ** 20, ingest: { memoryMb: 512, timeoutMs: 90 * 60_000 } },
    ...{ operatorName: none, operatorContact: none, alertEmail: none },
    mail: {
      ...{ smtp: none, from: { name: 'Shingle', address: 'shingle@localhost.invalid' } },
      ...{ postalAddress: none, bounces: none },
    },
  };
  assert.deepEqual(readConfig({}), expected);
  const names = ['SHINGLE_CITY', 'PORT', 'HOST', 'TRUST_PROXY', 'SMTP_URL', 'METRICS_PORT'];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  assert.deepEqual(readConfig(empty), expected, 'an empty variable is none');
});

test('valid variables are read correctly', () => {
  const { mail, operatorName, operatorContact, ...rest } = readConfig({
    ...{ SHINGLE_CITY: 'elsewhere', SHINGLE_DATA: '/srv/data', HOST: '::', PORT: '65535' },
    ...{ METRICS_PORT: '0', SHINGLE_LIMITS: 'off', PUBLIC_URL: 'https://a.example//', MIN_FREE_BYTES: '1' },
    ...{ EMBED: 'on', ALERT_EMAIL: ' o.p+s@mail.example.org ' },
    SIGNUP_ORIGINS: 'https://news.example.org, http://localhost:8080,',
    ...{ DATABASE_URL: 'postgresql://u:p@a:1,b:2/n', SOCRATA_APP_TOKEN: 'token' },
    ...{ TRUST_PROXY: '10.0.0.0/8, ,::1', INGEST_MEMORY_MB: '2048', INGEST_TIMEOUT_MINUTES: '0.5' },
  });
  assert.deepEqual([mail.smtp, operatorName, operatorContact], [undefined, undefined, undefined]);
  assert.deepEqual(rest, {
    ...{ city: 'elsewhere', dataFolder: resolve('/srv/data'), host: '::', port: 65_535, metricsPort: 0 },
    ...{ limits: 'off', mayEmbed: true, publicUrl: 'https://a.example', minFreeBytes: 1 },
    ...{ signupOrigins: ['https://news.example.org', 'http://localhost:8080'], isSampleImplied: false },
    ...{ alertEmail: 'o.p+s@mail.example.org', ingest: { memoryMb: 2048, timeoutMs: 30_000 } },
    ...{
      databaseUrl: 'postgresql://u:p@a:1,b:2/n',
      trustProxy: ['10.0.0.0/8', '::1'],
      socrataToken: 'token',
    },
  });
});

/** Of each variable, values that it cannot have, between bars. */
const REFUSED: Record<string, string> = {
  PORT: '65536|-1|8080x|1e3|100000| 80',
  METRICS_PORT: '65536|none',
  MIN_FREE_BYTES: '64M|-1|1e9|none',
  ALERT_EMAIL: `ops|ops@|@example.org|a@b.example, c@b.example|Ops <ops@example.org>|ä@b.example|a b@b.example|a@b.example\r\nBcc: c@b.example|a@b..example|a@.example|${'a'.repeat(65)}@b.example`,
  SHINGLE_LIMITS: 'yes|OFF',
  EMBED: 'yes|true',
  SIGNUP_ORIGINS:
    'null|*|news.example.org|https://news.example.org/|https://news.example.org/a|https://NEWS.example.org|https://news.example.org:443|ftp://news.example.org|https://*.example.org|https://news.example.org https://b.example.org',
  INGEST_MEMORY_MB: '0|63|-512|1e3|512M|1234567',
  INGEST_TIMEOUT_MINUTES: '0|0.0|-1|1h|10081|1e2',
  PUBLIC_URL: 'a.example|ftp://a.example|https://a.example/b|https://a.example/?b|https://a.example/#b',
  DATABASE_URL:
    'mysql://a/b|postgres://|postgres://a b/c|a.example|postgres://a|postgres://u:p/q@a/|postgres://a/?b=c',
  MAIL_FROM: 'news|News <news>|a@b@c|a@b\r\nBcc: c@d|News <a@b>, c@d|@b|a@',
  MAIL_BOUNCES: `bounces|@example.org|bounces@|a+b@example.org|a b@example.org|a@b@example.org|${'b'.repeat(23)}@example.org|a..b@example.org|.a@example.org|a@example..org|a@-\r\nX: y`,
};

for (const [name, texts] of Object.entries(REFUSED))
  test(`${name} is refused by name if it is invalid`, () => {
    const error = { code: 'refused', message: new RegExp(`^${name} `) };
    for (const text of texts.split('|')) assert.throws(() => readConfig({ [name]: text }), error, text);
  });

test('a mail server needs a sender, a postal address and a public address', () => {
  for (const missing of ['MAIL_FROM', 'MAIL_POSTAL_ADDRESS', 'PUBLIC_URL'])
    assert.throws(() => smtp('smtp://a.example', { [missing]: '' }), {
      code: 'refused',
      message: new RegExp(`^${missing} is required`),
    });
});

test('a list of origins says which of them is wrong', () => {
  const origins = 'https://a.example, https://b.example/x, https://c.example';
  assert.throws(() => readConfig({ SIGNUP_ORIGINS: origins }), { message: /the one at place 2 is not/ });
});

test('one message names every wrong setting', () => {
  const env = { PORT: 'x', EMBED: 'y', SMTP_URL: 'smtp://a.example', MAIL_FROM: 'z' };
  const names = ['PORT', 'PUBLIC_URL', 'EMBED', 'MAIL_POSTAL_ADDRESS', 'MAIL_FROM'];
  const message = new RegExp(
    `^5 settings are wrong:${names.map((name) => `(?=.*\\n *${name} )`).join('')}`,
    's',
  );
  assert.throws(() => readConfig(env), { message });
});

test('links in emails lead to a public address, never to the reader’s own machine', () => {
  const at = (host: string) => smtp('smtp://a.example', { PUBLIC_URL: `http://${host}` });
  const error = { code: 'refused', message: /^PUBLIC_URL must be a public address/ };
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]'])
    assert.throws(() => at(host), error, host);
  for (const host of ['localhost.example', '128.0.0.1', '127.0.0.1.example']) assert.ok(at(host));
});

test('a sender is an address with or without a name, and the postal address is one line', () => {
  for (const [text, name, address] of [
    ['news@a.example', '', 'news@a.example'],
    ['<news@a.example>', '', 'news@a.example'],
    [' News of Town <news@a.example> ', 'News of Town', 'news@a.example'],
    ['"News" <news@a.example>', 'News', 'news@a.example'],
  ] as const)
    assert.deepEqual(readConfig({ MAIL_FROM: text }).mail.from, { name, address }, text);
  const { postalAddress } = readConfig({ MAIL_POSTAL_ADDRESS: ' 1 Main\n Street ' }).mail;
  assert.equal(postalAddress, '1 Main Street');
});

test('mail is encrypted by default, except to this machine', () => {
  for (const [url, port, secure, requireTls] of [
    ['smtp://a.example', 587, false, true],
    ['smtp://a.example:25?tls=off', 25, false, false],
    ['smtp://localhost', 587, false, false],
    ['smtp://127.1.2.3', 587, false, false],
    ['smtp://[::1]:2525', 2525, false, false],
    ['smtp://127.0.0.1?tls=required', 587, false, true],
    ['smtp://127.0.0.1.a.example/', 587, false, true],
    ['smtps://a.example', 465, true, false],
  ] as const) {
    const read = smtp(url)!;
    assert.deepEqual([read.port, read.secure, read.requireTls], [port, secure, requireTls], url);
  }
  assert.equal(smtp('smtp://[::1]')!.host, '::1');
});

test('the user and password of a mail server are percent-encoded, and no error repeats them', () => {
  const { user, password } = smtp('smtp://news%40a:100%25%3A@a.example')!;
  assert.deepEqual([user, password], ['news@a', '100%:']);
  const without = smtp('smtp://a.example')!;
  assert.deepEqual([without.user, without.password], [undefined, undefined]);
  for (const url of [
    ...['http://u:secret@a.example', 'smtp://u:secret@a.example/path', 'smtp://u:secret@a.example?tls=no'],
    ...['smtp://u:secret@a.example?tls=off&a=b', 'smtp://u:sec%ret@a.example', 'secret', 'smtp://'],
  ])
    assert.throws(() => smtp(url), { message: /^SMTP_URL (?!.*sec%?ret)/s }, url);
});

test('MAIL_BOUNCES must be an address to which a token can be added', () => {
  const read = (MAIL_BOUNCES: string) => readConfig({ MAIL_BOUNCES }).mail.bounces;
  assert.equal(read(''), undefined);
  assert.deepEqual(read(' Bounces@Example.org '), { local: 'Bounces', domain: 'example.org' });
  assert.equal(read(`${'b'.repeat(22)}@example.org`)?.local.length, 22);
});

/** Each variable of docs/reference.md: its valid values, its meaning, and its errors. */

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Config, readConfig } from '../../../src/config.ts';

const MAIL = {
  MAIL_FROM: 'News <news@a.example>',
  MAIL_POSTAL_ADDRESS: '1 Main Street',
  PUBLIC_URL: 'https://a.example',
};
const smtp = (url: string) => readConfig({ ...MAIL, SMTP_URL: url }).mail.smtp;

test('without variables, Shingle serves the sample on this machine only, and writes emails to files', () => {
  const expected: Config = {
    city: 'sample',
    isSampleImplied: true,
    dataFolder: resolve('data'),
    databaseUrl: undefined,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    trustProxy: [],
    limits: 'on',
    signupOrigins: [],
    mayEmbed: false,
    metricsPort: undefined,
    socrataToken: undefined,
    minFreeBytes: 64 * 2 ** 20,
    ingest: { memoryMb: 512, timeoutMs: 90 * 60_000 },
    operatorName: undefined,
    operatorContact: undefined,
    alertEmail: undefined,
    mail: {
      smtp: undefined,
      from: { name: 'Shingle', address: 'shingle@localhost.invalid' },
      postalAddress: undefined,
      bounces: undefined,
    },
  };
  assert.deepEqual(readConfig({}), expected);
  const empty = Object.fromEntries(
    ['SHINGLE_CITY', 'PORT', 'HOST', 'TRUST_PROXY', 'SMTP_URL', 'METRICS_PORT'].map((name) => [name, '']),
  );
  assert.deepEqual(readConfig(empty), expected, 'an empty variable is none');
});

test('valid variables are read correctly', () => {
  const config = readConfig({
    ...{ SHINGLE_CITY: 'elsewhere', SHINGLE_DATA: '/srv/data', HOST: '::', PORT: '65535' },
    ...{ METRICS_PORT: '0', SHINGLE_LIMITS: 'off', PUBLIC_URL: 'https://a.example//', MIN_FREE_BYTES: '1' },
    ...{ EMBED: 'on', ALERT_EMAIL: ' o.p+s@mail.example.org ' },
    SIGNUP_ORIGINS: 'https://news.example.org, http://localhost:8080,',
    ...{ DATABASE_URL: 'postgresql://u:p@a:1,b:2/n', SOCRATA_APP_TOKEN: 'token' },
    ...{ TRUST_PROXY: '10.0.0.0/8, ,::1', INGEST_MEMORY_MB: '2048', INGEST_TIMEOUT_MINUTES: '0.5' },
  });
  const { mail, ...rest } = config;
  assert.equal(mail.smtp, undefined);
  assert.deepEqual(rest, {
    ...{ city: 'elsewhere', dataFolder: resolve('/srv/data'), host: '::', port: 65_535, metricsPort: 0 },
    ...{
      limits: 'off',
      signupOrigins: ['https://news.example.org', 'http://localhost:8080'],
      mayEmbed: true,
      alertEmail: 'o.p+s@mail.example.org',
      publicUrl: 'https://a.example',
      minFreeBytes: 1,
      ingest: { memoryMb: 2048, timeoutMs: 30_000 },
      socrataToken: 'token',
      operatorName: undefined,
      operatorContact: undefined,
      isSampleImplied: false,
    },
    ...{ databaseUrl: 'postgresql://u:p@a:1,b:2/n', trustProxy: ['10.0.0.0/8', '::1'] },
  });
});

const REFUSED: [name: string, texts: string[]][] = [
  ['PORT', ['65536', '-1', '8080x', '1e3', '100000', ' 80']],
  ['METRICS_PORT', ['65536', 'none']],
  ['MIN_FREE_BYTES', ['64M', '-1', '1e9', 'none']],
  [
    'ALERT_EMAIL',
    [
      ...['ops', 'ops@', '@example.org', 'a@b.example, c@b.example', 'Ops <ops@example.org>', 'ä@b.example'],
      ...['a b@b.example', 'a@b.example\r\nBcc: c@b.example', 'a@b..example', 'a@.example'],
      `${'a'.repeat(65)}@b.example`,
    ],
  ],
  ['SHINGLE_LIMITS', ['yes', 'OFF']],
  ['EMBED', ['yes', 'true']],
  [
    'SIGNUP_ORIGINS',
    [
      ...['null', '*', 'news.example.org', 'https://news.example.org/', 'https://news.example.org/a'],
      ...[
        'https://NEWS.example.org',
        'https://news.example.org:443',
        'ftp://news.example.org',
        'https://*.example.org',
      ],
      'https://news.example.org https://b.example.org',
    ],
  ],
  ['INGEST_MEMORY_MB', ['0', '63', '-512', '1e3', '512M', '1234567']],
  ['INGEST_TIMEOUT_MINUTES', ['0', '0.0', '-1', '1h', '10081', '1e2']],
  [
    'PUBLIC_URL',
    ['a.example', 'ftp://a.example', 'https://a.example/b', 'https://a.example/?b', 'https://a.example/#b'],
  ],
  [
    'DATABASE_URL',
    [
      'mysql://a/b',
      'postgres://',
      'postgres://a b/c',
      'a.example',
      'postgres://a',
      'postgres://u:p/q@a/',
      'postgres://a/?b=c',
    ],
  ],
  ['MAIL_FROM', ['news', 'News <news>', 'a@b@c', 'a@b\r\nBcc: c@d', 'News <a@b>, c@d', '@b', 'a@']],
];

for (const [name, texts] of REFUSED)
  test(`${name} is refused by name if it is invalid`, () => {
    for (const text of texts)
      assert.throws(() => readConfig({ [name]: text }), {
        code: 'refused',
        message: new RegExp(`^${name} `),
      });
  });

test('a mail server needs a sender, a postal address and a public address', () => {
  for (const missing of ['MAIL_FROM', 'MAIL_POSTAL_ADDRESS', 'PUBLIC_URL'])
    assert.throws(() => readConfig({ ...MAIL, SMTP_URL: 'smtp://a.example', [missing]: '' }), {
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
  assert.throws(
    () => readConfig(env),
    (error: Error) => {
      const [first, ...lines] = error.message.split('\n');
      const names = lines.map((line) => line.trim().split(' ')[0]);
      assert.deepEqual(
        [first, names.toSorted()],
        ['5 settings are wrong:', ['EMBED', 'MAIL_FROM', 'MAIL_POSTAL_ADDRESS', 'PORT', 'PUBLIC_URL']],
      );
      return true;
    },
  );
});

test('links in emails lead to a public address, never to the reader’s own machine', () => {
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]'])
    assert.throws(
      () => readConfig({ ...MAIL, SMTP_URL: 'smtp://a.example', PUBLIC_URL: `http://${host}` }),
      { code: 'refused', message: /^PUBLIC_URL must be a public address/ },
      host,
    );
  for (const host of ['localhost.example', '128.0.0.1', '127.0.0.1.example'])
    assert.ok(readConfig({ ...MAIL, SMTP_URL: 'smtp://a.example', PUBLIC_URL: `http://${host}` }).mail.smtp);
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
  assert.deepEqual(
    [smtp('smtp://a.example')!.user, smtp('smtp://a.example')!.password],
    [undefined, undefined],
  );
  for (const url of [
    ...['http://u:secret@a.example', 'smtp://u:secret@a.example/path', 'smtp://u:secret@a.example?tls=no'],
    ...['smtp://u:secret@a.example?tls=off&a=b', 'smtp://u:sec%ret@a.example', 'secret', 'smtp://'],
  ])
    assert.throws(
      () => smtp(url),
      (error: Error) => /^SMTP_URL /.test(error.message) && !/sec%?ret/.test(error.message),
      url,
    );
});

test('MAIL_BOUNCES must be an address to which a token can be added', () => {
  const read = (MAIL_BOUNCES: string) => readConfig({ MAIL_BOUNCES }).mail.bounces;
  assert.equal(read(''), undefined);
  assert.deepEqual(read(' Bounces@Example.org '), { local: 'Bounces', domain: 'example.org' });
  assert.equal(read(`${'b'.repeat(22)}@example.org`)?.local.length, 22);
  for (const bad of [
    ...['bounces', '@example.org', 'bounces@', 'a+b@example.org', 'a b@example.org', 'a@b@example.org'],
    ...[`${'b'.repeat(23)}@example.org`, 'a..b@example.org'],
    ...['.a@example.org', 'a@example..org', 'a@-\r\nX: y'],
  ])
    assert.throws(() => read(bad), { code: 'refused', message: /^MAIL_BOUNCES / }, bad);
});

/** `shingle config`: what is in force, where it is from, and no secret. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, MAIL_ENV } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { lastJson, shingle } from '../../a-process.ts';

type Setting = { name: string; value: string; from: string };
const settingsOf = (ended: Parameters<typeof lastJson>[0]) =>
  new Map(
    (lastJson(ended) as unknown as { settings: Setting[] }).settings.map(({ name, ...one }) => [name, one]),
  );

test('config says whether each setting comes from the environment, the file .env, the city or its default', async () => {
  const city = aCity();
  writeFileSync(join(city.folder, '.env'), "OPERATOR_NAME='The library'\nPORT=4000\n");
  const ended = await shingle(['config', '--json'], { ...city.env, PORT: '5000' }, undefined, {
    cwd: city.folder,
  });
  assert.equal(ended.code, 0, ended.err);
  const settings = settingsOf(ended);
  for (const [name, value, from] of [
    ['OPERATOR_NAME', 'The library', '.env'],
    ['PORT', '5000', 'environment'],
    ['HOST', '127.0.0.1', 'default'],
    ['OPERATOR_CONTACT', 'listings@rivermouth.example', city.env.SHINGLE_CITY],
  ] as const)
    assert.deepEqual(settings.get(name), { value, from });
});

test('config shows no secret in any spelling', async () => {
  const city = aCity();
  const secrets = {
    ...MAIL_ENV,
    SMTP_URL: 'smtp://ann%40b.example:hush-mail@mail.example.org:587?tls=required',
    DATABASE_URL: 'postgres://ann:hush@db1:5432,db2/shingle?sslrootcert=/hush/ca.pem',
    SOCRATA_APP_TOKEN: 'hush-token',
  };
  const { code, out, err } = await command(['config'], { ...city.env, ...secrets });
  assert.equal(code, 0, err);
  assert.doesNotMatch(out + err, /hush|ann/);
  assert.match(out, /^SMTP_URL +smtp:\/\/\*{3}@mail\.example\.org:587 {2}\(environment\)$/m);
  assert.match(out, /^DATABASE_URL +postgres:\/\/\*{3}@db1:5432,db2\/shingle /m);
  assert.match(out, /^OPERATOR_NAME +The chamber {2}\(/m);
  assert.match(out, /^SOCRATA_APP_TOKEN +\*{3} /m);
  for (const DATABASE_URL of ['postgres://ann:hush', 'postgres://ann:hush/data@base@db1:5432,db2/shingle']) {
    const odd = await command(['config'], { ...city.env, DATABASE_URL });
    assert.doesNotMatch(odd.out + odd.err, /hush/);
    assert.match(odd.out, /^DATABASE_URL .*\n {4}DATABASE_URL must be postgres/m);
  }
  const wrong = await command(['config'], { ...city.env, PORT: 'x', EMBED: 'y' });
  assert.equal(wrong.code, 78);
  assert.match(
    wrong.out,
    /^PORT +x {2}\(environment\)\n {4}PORT must be a number.*^EMBED +y .*\n {4}EMBED must be/ms,
  );
});

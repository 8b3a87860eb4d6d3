/** Another program writes for a long time: clients are told to try again, searches continue, and no request waits forever or is cut off. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses } from '../a-city.ts';
import { command } from '../a-command.ts';
import { lastJson, running } from '../a-process.ts';
import { postSignup } from '../a-signup.ts';
import { until } from '../until.ts';
import { writingElsewhere } from './writing-elsewhere.ts';

const PEOPLE = 4;

test('while another program locks the database, signups get 503 and searches are answered', async (t) => {
  const city = aCity();
  await city.ingest(businesses(30));
  const folder = city.config.dataFolder;
  const env = { SHINGLE_CITY: city.config.city, SHINGLE_DATA: folder, SHINGLE_LIMITS: 'off' };
  const service = await running(['serve'], env);
  const search = () => fetch(`${service.url}/api/search`).then(({ status }) => status);
  await until(async () => ((await search()) === 200 ? true : undefined), 'the first answer');
  const signUp = (name: string) => postSignup(service.url, `${name}@b.example`);

  const other = writingElsewhere(t, folder);
  const startedAt = performance.now();
  const asked = Promise.all(Array.from({ length: PEOPLE }, (_, i) => signUp(`p${i}`)));
  assert.equal(await search(), 200);
  for (const { status, headers } of await asked) {
    assert.equal(status, 503);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
  t.diagnostic(`told after ${Math.round(performance.now() - startedAt)} ms`);
  assert.equal(await search(), 200);
  other.end();
  assert.equal((await signUp('late')).status, 202);
  const listed = lastJson(await command(['subscribers', 'list', '--json'], env));
  assert.match(JSON.stringify(listed), /late@b\.example/);
  assert.equal(await service.stop(), 0);
});

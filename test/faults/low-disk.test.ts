/** The disk is nearly full: what would fill it is refused, so that there is room left for whoever confirms or leaves. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openService } from '../../src/app/operations/service.ts';
import { type Serving, serveCity } from '../../src/app/operations/serving.ts';
import type { Config } from '../../src/config.ts';
import { aCity, businesses, csvText, NOW } from '../a-city.ts';
import { postSignup } from '../a-signup.ts';
import { jsonOf } from '../an-answer.ts';
import { parsed } from '../service/mail/a-mail-server.ts';
import { until } from '../until.ts';

const city = aCity();
const { bavail, bsize } = statfsSync(city.folder);
const ROOMY = { ...city.config, minFreeBytes: (bavail * bsize) / 2 };
const NEARLY_FULL = { ...city.config, minFreeBytes: bavail * bsize * 2 };

before(() => city.ingest(businesses(30)));

async function serving<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const service = await openService(config, () => NOW);
  let at: Serving | undefined;
  try {
    at = await serveCity(service, { warn: () => undefined, info: () => undefined });
    return await work(at.url);
  } finally {
    await at?.close();
    await service.close();
  }
}

test('on a nearly full disk, Shingle refuses signups and imports, and people can still search, confirm and unsubscribe', async () => {
  const mails = join(city.config.dataFolder, 'mail');
  const links = await serving(ROOMY, async (url) => {
    const health = await jsonOf<{ status: string }>(fetch(`${url}/api/health`));
    assert.equal(health.status, 'ok');
    assert.equal((await postSignup(url, 'ann@b.example')).status, 202);
    const name = await until(() => {
      try {
        return readdirSync(mails).find((one) => one.endsWith('.eml'));
      } catch {
        return undefined;
      }
    }, 'her email');
    return (await parsed({ raw: readFileSync(join(mails, name), 'latin1'), to: [] })).links;
  });
  await serving(NEARLY_FULL, async (url) => {
    const refused = await postSignup(url, 'bob@b.example');
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('content-type') ?? '', /problem\+json/);
    assert.ok(refused.headers.get('retry-after'));
    const health = await fetch(`${url}/api/health`);
    const said = (await health.json()) as { status: string; detail: string };
    assert.deepEqual([health.status, said.status], [200, 'warn']);
    assert.match(said.detail, /^the disk is nearly full: [^/]*MIN_FREE_BYTES[^/]*$/, 'no path');
    assert.equal((await fetch(`${url}/api/search`)).status, 200);
    for (const [link, action] of [
      [links.confirm!, ''],
      [links.manage!, 'leave-weekly'],
      [links.manage!, 'erase'],
    ] as const) {
      const { pathname, search } = new URL(link);
      const body = new URLSearchParams({ action });
      assert.equal((await fetch(url + pathname + search, { method: 'POST', body })).status, 200, action);
    }
  });
  const service = await openService(NEARLY_FULL, () => NOW);
  const from = city.file('second.csv', csvText(businesses(31)));
  await assert.rejects(service.ingest({ from }), {
    code: 'store',
    message: /the disk of \S+ is nearly full: signups, imports and backups wait until/,
  });
  assert.equal((await service.store.filings.runs({ limit: 9 })).length, 1, 'nothing was begun');
  assert.deepEqual(await service.store.subscribers.all(), []);
  await service.close();
});

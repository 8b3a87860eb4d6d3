/** Ingests that never end or take all memory: they are ended and shown, and nothing else waits for them. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { WEEKDAYS } from '../../../src/shared/city/city-facts.ts';
import { aCity, type SmallCity } from '../../a-city.ts';
import { command, commandsOf } from '../../a-command.ts';
import { lastJson, running, shingle } from '../../a-process.ts';
import { jsonOf } from '../../an-answer.ts';
import { until } from '../../until.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** A server that takes requests and never answers; knows how many wait. */
async function aSilentServer(): Promise<{ url: string; waiting(): number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => sockets.add(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/export.csv`, waiting: () => sockets.size };
}

/** A city that has listings and whose source is due again, at `url`. */
async function aDueCity(url: string): Promise<SmallCity> {
  const city = aCity();
  city.change('from: csv()', `from: csv({ url: '${url}' })`);
  await city.ingest(30, ago(200));
  return city;
}

test('the weekly email and the backup do not wait for an ingest that never ends', async () => {
  const server = await aSilentServer();
  const city = await aDueCity(server.url);
  const slot = new Date(ago(1));
  const weekday = WEEKDAYS[(slot.getUTCDay() + 6) % 7]!;
  city.change(
    "timeZone: 'America/Los_Angeles',",
    `timeZone: 'Africa/Abidjan', weekly: { weekday: '${weekday}', time: '${slot.toISOString().slice(11, 16)}' },`,
  );
  const added = await commandsOf(city)('subscribers', 'add', 'ann.reader@rivermouth.example', '--confirmed');
  assert.equal(added.code, 0, added.err);
  await city.ingest(33, ago(100));

  const service = await running(['start'], city.env);
  await until(() => server.waiting() === 1, 'the ingest to wait for its publisher');
  for (const [what, files] of [
    ['the weekly email', 'mail/*.eml'],
    ['the backup', 'backups/*.db'],
  ] as const)
    await until(() => globSync(join(city.config.dataFolder, files))[0], what);
  assert.equal(server.waiting(), 1, 'the ingest still waits');
  assert.equal(await service.stop(), 0);
  await until(() => server.waiting() === 0, 'the ingest to end with the service');
});

/** A city whose verdict does something instead of judging. */
async function aCityThat(does: string): Promise<SmallCity> {
  const city = await aDueCity('http://127.0.0.1:9/unused.csv');
  city.change(/csv\(\{ url: '[^']*' \}\)/.exec(city.profile)![0], `csv({ file: '${city.csv(40)}' })`);
  city.change('verdict(row) {', `verdict(row) { ${does}`);
  return city;
}

const HOARD = 'const kept: number[][] = []; for (;;) kept.push(new Array(100_000).fill(0.5));';

const LIMITS: [what: string, city: () => Promise<SmallCity>, limits: Record<string, string>, why: RegExp][] =
  [
    [
      'waits without end',
      async () => aDueCity((await aSilentServer()).url),
      { INGEST_TIMEOUT_MINUTES: '0.05' },
      /longer than 0\.05 minutes \(INGEST_TIMEOUT_MINUTES\)/,
    ],
    [
      'computes without end',
      () => aCityThat('for (;;);'),
      { INGEST_TIMEOUT_MINUTES: '0.05' },
      /longer than 0\.05 minutes \(INGEST_TIMEOUT_MINUTES\)/,
    ],
    [
      'uses too much memory',
      () => aCityThat(HOARD),
      { INGEST_MEMORY_MB: '64' },
      /ended unexpectedly \(SIG\w+\); it may have needed more memory than INGEST_MEMORY_MB/,
    ],
    [
      'ends without output',
      () => aCityThat('process.exit(1);'),
      {},
      /ended with exit code 1 and without a result/,
    ],
  ];

for (const [what, make, limits, why] of LIMITS)
  test(`a scheduled ingest that ${what} is ended, logged, and shown as a failed run`, async () => {
    const { env } = await make();
    const service = await running(['start'], { ...env, ...limits });
    await until(async () => {
      const { detail = '' } = await jsonOf<{ detail?: string }>(fetch(`${service.url}/api/health`));
      return detail.includes('failed');
    }, 'health to show it');
    const logged = new RegExp(`run \\d+ of licences failed: .*${why.source}`);
    await until(() => logged.test(service.said().err), 'the log to say so');
    const [run] = lastJson(await command(['runs', '--json'], env)).runs;
    assert.deepEqual([run!.source, run!.state, run!.read], ['licences', 'failed', 0]);
    assert.match(String(run!.detail), why);
    assert.equal(await service.stop(), 0);
  });

test('ingest, check and init end when their time is over, even while they wait', async () => {
  const server = await aSilentServer();
  const { env } = await aDueCity(server.url);
  const hasty = { ...env, INGEST_TIMEOUT_MINUTES: '0.02' };
  for (const args of [
    ['ingest'],
    ['check'],
    ['init', server.url, '--out', join(env.SHINGLE_DATA, 'draft')],
  ]) {
    const { code, err } = await shingle(args, hasty);
    assert.equal(code, 1, `${args[0]}: ${err}`);
    assert.match(err, new RegExp(`${args[0]} took longer than 0\\.02 minutes and was ended`));
  }
});

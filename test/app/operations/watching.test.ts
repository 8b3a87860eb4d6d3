/** What an operator monitors: metrics that count correctly, logs without repetition, alerts for existing metrics. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { openGauges } from '../../../src/app/operations/gauges.ts';
import type { Service } from '../../../src/app/operations/service.ts';
import { CONCERN_KINDS } from '../../../src/service/mail/alerts.ts';
import { openMetrics } from '../../../src/service/web/metrics.ts';
import { openLog } from '../../../src/shared/logger.ts';
import { aCity, NOW } from '../../a-city.ts';
import { freePort } from '../../a-port.ts';
import { running } from '../../a-process.ts';
import { postSignup } from '../../a-signup.ts';
import { indiscretion } from '../../discreet.ts';
import { aDoor } from '../../service/web/a-door.ts';
import { until } from '../../until.ts';

const ALERTS = readFileSync(new URL('../../../deploy/alerts.yaml', import.meta.url), 'utf8');

test('metrics count requests by route and status, and show the data and the process', async () => {
  const city = aCity();
  const port = await freePort();
  await city.ingest(40, new Date().toISOString());
  const service = await running(['serve'], { ...city.env, METRICS_PORT: String(port) });
  await until(async () => (await fetch(`${service.url}/api/search`)).ok, 'listings');
  const secrets = ['canary-query', 'canary-path', 'canary@rivermouth.example'];
  for (const path of ['/', '/api/search', '/feed.json']) await fetch(`${service.url}${path}?q=${secrets[0]}`);
  await fetch(`${service.url}/${secrets[1]}`);
  await postSignup(service.url, secrets[2]!);
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  for (const [path, method, status] of [
    ['/metrics', 'HEAD', 200],
    ['/metrics', 'POST', 404],
    ['/', 'GET', 404],
    ['/api/search', 'GET', 404],
  ] as const)
    assert.equal((await ask(path, method)).status, status, `${method} ${path}`);
  const metrics = openMetrics();
  for (const ms of [100, 300]) metrics.answered('/', 200, ms);
  assert.match(metrics.text([]), /^shingle_request_duration_seconds_sum\{route="\/"\} 0\.4$/m);
  const delays: number[] = [];
  const text = await until(async () => {
    const now = await (await ask('/metrics')).text();
    delays.push(Number(/^shingle_event_loop_delay_seconds\{percentile="100"\} (\S+)$/m.exec(now)?.[1]));
    return delays.some((delay) => delay > 0) && now;
  }, 'a delay of the event loop');
  assert.ok(Math.max(...delays) < 30, `the longest delay was ${Math.max(...delays)} seconds`);
  for (const line of [
    'shingle_requests_total{route="/",status="200"} 1',
    'shingle_requests_total{route="other",status="404"} 1',
    'shingle_request_duration_seconds_bucket{route="/",le="+Inf"} 1',
    'shingle_requests_total{route="/api/signup",status="202"} 1',
    'shingle_health 0',
    'shingle_catalogue_listings 40',
    'shingle_concern{kind="mail-paused"} 0',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`);
  const newest = (Date.now() - Date.parse('2026-01-01')) / 1000; // filed in the December before
  for (const [name, least, most] of [
    ['shingle_newest_filing_age_seconds{source="licences"}', newest, newest + 32 * 86_400],
    ['shingle_event_loop_delay_seconds{percentile="50"}', 0, 60],
    ['shingle_event_loop_delay_seconds{percentile="99"}', 0, 60],
    ['shingle_data_age_seconds', 0, 600],
    ['shingle_process_cpu_seconds', 0.01, 600],
    ['shingle_process_resident_bytes', 2 ** 24, 2 ** 34],
  ] as const) {
    const value = Number(text.split(`\n${name} `)[1]?.split('\n')[0]);
    assert.ok(value >= least && value <= most, `${name} is ${value}`);
  }
  for (const secret of secrets) assert.ok(!text.includes(secret) && !service.said().err.includes(secret));
  assert.deepEqual(faultsOf(text), []);
  for (const [name] of ALERTS.matchAll(/shingle_\w+/g))
    assert.ok(text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `), `${name} of the alerts is measured`);
  for (const line of service.said().err.trim().split('\n'))
    assert.equal(typeof JSON.parse(line).message, 'string');
  assert.equal(await service.stop(), 0);
});

/** What `promtool check metrics` finds: the format, names, base units, and the buckets of histograms. */
function faultsOf(text: string): string[] {
  const types = new Map<string, string>();
  const counts = new Map<string, number>();
  const problems: string[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const [, declared, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (declared !== undefined) types.set(declared, type!);
    if (line.startsWith('#')) continue;
    const [, name = '', labels = '', value] =
      /^([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)+)\})? (\S+)$/.exec(line) ?? [];
    const of = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    const bucket = /^(.*),le="(.*)"$/.exec(labels);
    if (value === undefined || Number.isNaN(Number(value)) || of === undefined) problems.push(line);
    if (name.endsWith('_total') !== (of === 'counter')) problems.push(`_total is for counters: ${line}`);
    if (/_(milliseconds|minutes|hours|days|weeks|kilobytes|megabytes|percent)(_|$)/.test(name))
      problems.push(`no base unit: ${line}`);
    if (/\bquantile=/.test(labels) || (bucket !== null) !== (of === 'histogram' && name.endsWith('_bucket')))
      problems.push(`a label of summaries and histograms: ${line}`);
    if (bucket !== null) {
      if (Number(value) < (counts.get(bucket[1]!) ?? 0)) problems.push(`not cumulative: ${line}`);
      counts.set(bucket[1]!, Number(value));
    } else if (of === 'histogram' && name.endsWith('_count') && counts.get(labels) !== Number(value))
      problems.push(`not the last bucket: ${line}`);
  }
  for (const name of types.keys()) if (!text.includes(`# HELP ${name} `)) problems.push(`no help: ${name}`);
  return problems;
}

test('each scrape has the longest delay of the event loop since the scrape before', async () => {
  const service = { config: { dataFolder: '.' }, now: () => NOW } as Service;
  const scrape = openGauges(service, openMetrics(), () => ({
    ...{ index: undefined, dataAsOf: null, concerns: [], newest: new Map(), limitsFilled: 0 },
    health: { status: 'ok', detail: [] },
  }));
  const again = await until(async () => {
    const both = await Promise.all([scrape(), scrape()]);
    const [first, second] = both.map((text) => Number(/percentile="100"\} (\S+)$/m.exec(text)![1]));
    return first! > 0 ? second : undefined;
  }, 'a delay');
  assert.equal(again, 0);
});

/** A log and its lines; `clock` is its time. */
function aLog(isTerminal = false) {
  const lines: string[] = [];
  const clock = { now: 0 };
  const log = openLog(
    (line) => lines.push(line),
    isTerminal,
    () => clock.now,
  );
  return { log, lines, clock, said: () => lines.map((line) => JSON.parse(line)) };
}

test('a repeated message is logged once a minute, with the number of repetitions', () => {
  const { log, clock, said } = aLog();
  for (let i = 0; i < 600; i++) {
    log.warn('the database cannot be read');
    clock.now += 100;
  }
  log.info('serving 40 listings');
  log.warn('the database cannot be read');
  const lines = said().map(({ level, message, repeated = 0 }) => `${level} ${message} ${repeated}`);
  const warned = 'warn the database cannot be read';
  assert.deepEqual(lines, [`${warned} 0`, 'info serving 40 listings 0', `${warned} 599`]);
});

test('300 requests with the same failure share one log line and one reference', async (t) => {
  const { log, lines, said } = aLog();
  const fail = () => Promise.reject(new TypeError('ann@b.example broke it'));
  const routes = (app: FastifyInstance) =>
    void app.route({ method: ['GET', 'POST'], url: '/fails', handler: fail });
  const { get } = await aDoor(t, { log, limits: 'off', routes });
  const told: string[] = [];
  for (let i = 0; i < 300; i++) {
    const response = await get(`/fails?q=canary-${i}`, { headers: { 'User-Agent': `canary-${i}` } });
    assert.equal(response.status, 500);
    const { detail } = (await response.json()) as { detail: string };
    told.push(/reference (\S+)\./.exec(detail)![1]!);
  }
  const [{ message, reference }, ...others] = said();
  assert.deepEqual(others, []);
  assert.match(message, /^a request failed: TypeError /);
  assert.equal(indiscretion(message), undefined);
  assert.equal(reference, told[0]);
  assert.equal(new Set(told).size, 1, 'whatever somebody was told finds the line');
  assert.equal((await get('/fails?q=canary', { method: 'POST', body: 'canary' })).status, 500);
  assert.doesNotMatch(lines.join('\n'), /canary/, 'nothing that was asked');
});

test('a service continues when the program that reads its log ends, and can be stopped', async () => {
  const city = aCity();
  const service = await running(['start'], city.env);
  service.child.stdout!.destroy();
  service.child.stderr!.destroy();
  await city.ingest(40);
  const served = async () => (await fetch(`${service.url}/api/search`)).ok;
  await until(served, 'the listings, whose lines it could not write');
  assert.equal(await service.stop(), 0);
});

test('on a terminal the log is plain text, and a line break in a message does not start a second JSON record', () => {
  const [terminal, program] = [aLog(true), aLog()];
  terminal.log.info('serving');
  program.log.warn('a\n{"level":60}');
  assert.deepEqual(terminal.lines, ['shingle: serving']);
  assert.equal(program.lines[0]!.split('\n').length, 1);
});

test('deploy/alerts.yaml has an alert for every kind of concern, and for no other', () => {
  const named = [...ALERTS.matchAll(/kind=~?"([^"]+)"/g)].flatMap(([, kinds]) => kinds!.split('|'));
  const down = ['not-running', 'silent']; // then nobody is asked for metrics: ShingleDown
  assert.deepEqual(named.toSorted(), CONCERN_KINDS.filter((kind) => !down.includes(kind)).toSorted());
});

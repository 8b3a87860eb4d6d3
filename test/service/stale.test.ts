/** Health warns about old data, except for an archive. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCity, businesses, csvText } from '../a-city.ts';
import { command } from '../a-command.ts';
import { running, until } from '../a-process.ts';

const FRESH = "delivers: 'snapshot', freshForHours: 48";
const LONG_AGO = ['--now', '2026-01-02T00:00:00Z'];

for (const [what, from, to, when, expected] of [
  [
    'is older than it is good for',
    '',
    '',
    LONG_AGO,
    'licences has had no successful import for more than 48 hours',
  ],
  ['has just come', '', '', [], undefined],
  ['is as of one day', "region: 'Oregon'", "region: 'Oregon', asOf: '2026-01-02'", LONG_AGO, undefined],
  ['is good for ever', FRESH, "delivers: 'snapshot'", LONG_AGO, undefined],
] as const)
  test(`health ${expected === undefined ? 'is ok' : 'warns'} when the data ${what}`, async () => {
    const city = aCity();
    if (from !== '') city.change(from, to);
    const env = city.env;
    await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40))), ...when], env);
    const service = await running(['serve'], env);
    const health = await until(async () => {
      const answer = await fetch(`${service.url}/api/health`);
      return answer.status === 200
        ? ((await answer.json()) as { status: string; detail?: string })
        : undefined;
    }, 'the listings to be served');
    assert.equal(health.status, expected === undefined ? 'ok' : 'warn', `${health.detail}`);
    if (expected !== undefined) assert.match(`${health.detail}`, new RegExp(expected));
    assert.equal(await service.stop(), 0);
  });

/** One email from anybody cannot stall delivery reports: whatever its shape, reading it costs little, and the next message is read. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { MOST_REPORT_BYTES } from '../../../../src/service/mail/bounces/delivery-report.ts';
import { rounds, seedFrom } from '../../../depth.ts';
import { PATIENCE_MS } from '../../../patience.ts';
import { aBouncingList } from './a-bouncing-list.ts';
import { type About, reportFailure } from './a-report.ts';
import { aHostileShape } from './hostile-shapes.ts';

const SEEDS = Array.from({ length: rounds(1_000) }, (_, i) => seedFrom(i + 1));
const MOST_MIB = 200;
const MOST_TIMES_LINES = 10; // the time of looking at each line

/** In a process of its own with little memory: CPU time of the most expensive message, and of looking at each line of as many. */
const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const SCRIPT = `
  const { readDeliveryReport, MOST_REPORT_BYTES } = await import(${url('../../../../src/service/mail/bounces/delivery-report.ts')});
  const { aHostileShape } = await import(${url('hostile-shapes.ts')});
  const { cpuMsUntil } = await import(${url('../../../cpu.ts')});
  const bounces = { local: 'bounces', domain: 'openings.example' };
  const lines = 'a\\n'.repeat(MOST_REPORT_BYTES / 2);
  const linesMs = await cpuMsUntil(async () => lines.split('\\n').map((line) => /^\\s*$/.test(line)));
  let worst = { ms: 0, seed: 0 };
  for (const seed of ${JSON.stringify(SEEDS)}) {
    const bytes = aHostileShape(seed);
    const read = () => cpuMsUntil(async () => readDeliveryReport(bytes, bounces));
    let ms = await read();
    if (ms > worst.ms) ms = Math.min(ms, await read()); // without other garbage
    if (ms > worst.ms) worst = { ms, seed };
  }
  console.log(JSON.stringify({ worst, linesMs, peakMib: process.resourceUsage().maxRSS / 1024 }));`;
const FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=8', '--input-type=module', '-e', SCRIPT];

/** Messages in messages, and then blank lines. */
const nested = (levels: number, bytes: number) =>
  'Content-Type: message/rfc822\n\n'.repeat(levels).padEnd(bytes, '\n');

test('a message of 1 MiB of any form costs little CPU time and memory', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, FLAGS);
  const { worst, linesMs, peakMib } = JSON.parse(stdout);
  assert.ok(peakMib > 10 && linesMs > 0, 'memory and CPU time are measured');
  const cost = `${SEEDS.length} messages: at most ${worst.ms.toFixed(0)} ms of CPU time (seed ${worst.seed}), ${peakMib.toFixed(0)} MiB`;
  assert.ok(worst.ms <= MOST_TIMES_LINES * linesMs, `${cost}; its lines alone: ${linesMs.toFixed(0)} ms`);
  assert.ok(peakMib <= MOST_MIB, cost);
  t.diagnostic(cost);
});

test('nested messages, a deep report and other hostile mail do not delay the report after them', async () => {
  const { people, handle, stopped } = await aBouncingList(2);
  const [ann, bo] = people as [About, About];
  const deepReport = reportFailure(ann).replace(
    'Content-Type: text/rfc822-headers\r\n\r\n',
    nested(9, 500_000),
  );
  const messages = [
    nested(9, 50_000),
    nested(9, MOST_REPORT_BYTES),
    nested(30_000, MOST_REPORT_BYTES),
    ...SEEDS.slice(0, 20).map(aHostileShape),
    deepReport,
    reportFailure(bo),
  ];
  const verdicts: string[] = [];
  for (const raw of messages) verdicts.push(await handle(raw));
  assert.deepEqual(verdicts.slice(-2), ['stopped', 'stopped']);
  assert.deepEqual(await stopped(), [ann.address, bo.address]);
});

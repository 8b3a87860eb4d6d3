/** Reads hostile messages in a process of its own with little memory, and says what the most expensive one cost. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../../patience.ts';

const FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=8', '--input-type=module', '-e'];

export type ReadingCost = {
  /** CPU time of the most expensive message, and its seed. */
  worst: { ms: number; seed: number };
  /** CPU time of looking at each line of as many bytes of short lines. */
  linesMs: number;
  peakMib: number;
};

export async function measureHostile(seeds: readonly number[]): Promise<ReadingCost> {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    const { readDeliveryReport, MOST_REPORT_BYTES } = await import(${url('../../../../src/service/mail/bounces/delivery-report.ts')});
    const { aHostileShape } = await import(${url('hostile-shapes.ts')});
    const { cpuMsUntil } = await import(${url('../../../cpu.ts')});
    const bounces = { local: 'bounces', domain: 'openings.example' };
    const lines = 'a\\n'.repeat(MOST_REPORT_BYTES / 2);
    const linesMs = await cpuMsUntil(async () => lines.split('\\n').map((line) => /^\\s*$/.test(line)));
    let worst = { ms: 0, seed: 0 };
    for (const seed of ${JSON.stringify(seeds)}) {
      const bytes = aHostileShape(seed);
      const read = () => cpuMsUntil(async () => readDeliveryReport(bytes, bounces));
      let ms = await read();
      if (ms > worst.ms) ms = Math.min(ms, await read()); // without other garbage
      if (ms > worst.ms) worst = { ms, seed };
    }
    console.log(JSON.stringify({ worst, linesMs, peakMib: process.resourceUsage().maxRSS / 1024 }));`;
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, script], {
    timeout: PATIENCE_MS,
  });
  const cost = JSON.parse(stdout) as ReadingCost;
  assert.ok(cost.peakMib > 10 && cost.linesMs > 0, 'memory and CPU time are measured');
  return cost;
}

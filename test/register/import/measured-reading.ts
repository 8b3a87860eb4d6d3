/** Reads a file in a process of its own, and says what became of it and how much memory that took. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../patience.ts';

const HEAP_MB = 1_000; // a reader that takes all memory ends here, and not with the machine

export type Measured = { rows: number; error: string | undefined; peakMib: number };

const sourceUrl = (name: string) => new URL(`../../../src/register/${name}.ts`, import.meta.url).href;

export const readWorkbookApart = (path: string): Promise<Measured> =>
  readApart(`
    const { readExcel } = await import(${JSON.stringify(sourceUrl('formats/excel'))});
    const format = { format: 'excel', sheet: undefined, place: undefined };
    const spec = { columns: [], optional: ['ID', 'NAME'] };
    for await (const batch of readExcel(${JSON.stringify(path)}, format, spec)) rows += batch.length;`);

async function readApart(work: string): Promise<Measured> {
  const script = `
    let rows = 0;
    let error;
    try {${work}
    } catch (thrown) {
      error = thrown.code === 'source' ? thrown.message : thrown.stack;
    }
    const peakMib = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ rows, error, peakMib }));`;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: PATIENCE_MS });
  const measured = JSON.parse(stdout) as Measured;
  assert.ok(measured.peakMib > 10, 'memory is measured');
  return measured;
}

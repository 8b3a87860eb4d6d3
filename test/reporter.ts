/** The runner's own report, with how far a run is, which files were slow, and why tests were skipped. */

import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec as Spec, type TestEvent } from 'node:test/reporters';

const SLOW_SHOWN = 10;
const SLOW_MS = 5_000;

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(withMore(events)).compose(new Spec());
}

const saying = (message: string): TestEvent =>
  ({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } }) as TestEvent;

const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A line for each file that is over; before the summary, which begins with the number of tests, what was slow and what was skipped. */
async function* withMore(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const files = Number(process.env.TEST_FILE_COUNT ?? 1);
  const skipped = new Map<string, number>();
  const tookMs = new Map<string, number>();
  const watchdogs = new Map<string | undefined, string>();
  let [done, isEnded] = [0, false];
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:interrupted') {
      isEnded = true;
      const running = data.tests.map(({ name, file }) => (file === undefined ? name : relative('', file)));
      yield saying(`the run was ended after ${done} of ${files} files, amid ${running.join(', ')}`);
      continue;
    }
    if (type === 'test:stderr' && data.message.startsWith('watchdog: '))
      watchdogs.set(data.file, data.message.trim());
    if (type === 'test:fail') data.details.error.cause = watchdogs.get(data.file) ?? data.details.error.cause;
    // what an ended run had not come to is no failure
    if (isEnded && type === 'test:fail' && String(data.details.error.cause).includes('still pending'))
      continue;
    if ((type === 'test:pass' || type === 'test:fail') && data.details.type === 'suite' && data.nesting === 0)
      if (/^test\/.*\.ts$/.test(data.name)) tookMs.set(data.name, data.details.duration_ms);
    if (type === 'test:pass' && typeof data.skip === 'string')
      skipped.set(data.skip, (skipped.get(data.skip) ?? 0) + 1);
    if (type === 'test:diagnostic' && data.nesting === 0 && data.message.startsWith('tests ')) {
      yield* tableOf(tookMs).map(saying);
      for (const [reason, count] of skipped) yield saying(`${count} skipped: ${reason}`);
    }
    yield event;
    if (type !== 'test:summary' || data.file === undefined) continue;
    const file = relative('', data.file);
    tookMs.set(file, data.duration_ms);
    if (files > 1) yield saying(`${++done} of ${files}: ${file}, ${secondsOf(data.duration_ms)}`);
  }
}

/** The files that took longest, if any took long. */
function tableOf(tookMs: ReadonlyMap<string, number>): string[] {
  const slow = [...tookMs]
    .filter(([file, ms]) => ms >= SLOW_MS && file.startsWith('test/'))
    .toSorted(([, a], [, b]) => b - a);
  if (slow.length === 0) return [];
  const rows = slow.slice(0, SLOW_SHOWN).map(([file, ms]) => `${secondsOf(ms).padStart(9)}  ${file}`);
  return [`slowest of ${tookMs.size} files:`, ...rows];
}

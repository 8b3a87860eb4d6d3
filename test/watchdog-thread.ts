/** The thread that watches a test file. It counts the seconds in which the file could have worked (`countSeconds`). */

import { writeSync } from 'node:fs';
import type { Debugger } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { countSeconds } from './patience.ts';
import type { Watched } from './watchdog.ts';

const GRACE_MS = 5_000; // to stop a thread that runs JavaScript; one that is stuck elsewhere is killed
const FRAMES = 5;
const LOOPS = 2e7;
const USUAL_MS = 20; // that many loops, where the limits were found
const SLOWEST = 8; // a slower machine is taken for one of this slowness

const { turns, ended, file, exitCode, stalledSeconds, testSeconds, longestSeconds } = workerData as Watched;
let [turned, tests, stalled, waited, seconds] = [-1, -1, 0, 0, 0];
const count = countSeconds();

const clock = setInterval(() => {
  const passed = count();
  const [turnsNow, testsNow] = [Atomics.load(turns, 0), Atomics.load(ended, 0)];
  stalled = turnsNow === turned ? stalled + passed : 0;
  waited = testsNow === tests ? waited + passed : 0;
  [turned, tests] = [turnsNow, testsNow];
  seconds += passed;
  if (isOver(stalled, stalledSeconds))
    void endStalled(`its event loop has not turned for ${Math.floor(stalled)} seconds`);
  else if (isOver(waited, testSeconds)) letEnd({ test: Math.floor(waited) });
  else if (isOver(seconds, longestSeconds)) letEnd({ all: Math.floor(seconds) });
}, 1_000);

let slowness: number | undefined;

/** A slow machine has more seconds. How slow it is, is measured where it matters. */
function isOver(counted: number, limit: number): boolean {
  if (counted < limit) return false;
  slowness ??= measureSlowness();
  return counted >= limit * slowness;
}

function measureSlowness(): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    let number = 1;
    for (let i = 0; i < LOOPS; i++) number = (Math.imul(number, 1_664_525) + 1_013_904_223) | 0;
    const { user, system } = process.threadCpuUsage(before);
    return number === 0 ? 0 : (user + system) / 1_000;
  });
  return Math.min(SLOWEST, Math.max(1, Math.min(...times) / USUAL_MS));
}

/** The thread of the tests knows what is open. */
function letEnd(overdue: { test: number } | { all: number }): void {
  clearInterval(clock);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
  parentPort!.postMessage(overdue);
}

/** Pauses the main thread, says where it is, and lets it exit from there, so that what it does at its exit is done. */
async function endStalled(why: string): Promise<void> {
  clearInterval(clock);
  setTimeout(() => {
    complain(`${why}; it runs no JavaScript and is killed`);
    process.kill(process.pid, 'SIGKILL');
  }, GRACE_MS);
  const { Session } = await import('node:inspector');
  const session = new Session();
  const urls = new Map<string, string>();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const at = callFrames.slice(0, FRAMES).map((frame) => placeOf(frame, urls));
    complain(`${why}:\n${at.join('\n')}`);
    const { callFrameId } = callFrames[0]!;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: `process.exit(${exitCode})` });
  });
  session.post('Debugger.enable', () => session.post('Debugger.pause'));
}

function placeOf(
  { functionName, location: { scriptId, lineNumber } }: Debugger.CallFrame,
  urls: Map<string, string>,
): string {
  const url = urls.get(scriptId) ?? '';
  const path = url.startsWith('file:') ? relative('', fileURLToPath(url)) : url;
  return `    at ${functionName || '(anonymous)'} (${path}:${lineNumber + 1})`;
}

function complain(sentence: string): void {
  writeSync(2, `watchdog: ${file} is ended: ${sentence}\n`);
}

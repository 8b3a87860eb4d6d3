/**
 * The thread that watches a test file. It does not count seconds of the clock, in which a busy machine may let a healthy test do nothing, but
 * those in which this process worked, or could have, because a processor was idle. On a machine that is never idle a second is still a tenth
 * of one, so that every file ends.
 */

import { writeSync } from 'node:fs';
import type { Debugger } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { idleBetween, readTimes } from './patience.ts';
import type { Watched } from './watchdog.ts';

const LEAST_SHARE = 0.1;
const EXIT_CODE = 124; // as of timeout(1)
const GRACE_MS = 5_000; // to stop a thread that runs JavaScript; one that is stuck elsewhere is killed
const FRAMES = 5;
const LOOPS = 2e7;
const USUAL_MS = 20; // that many loops, where the limits were found
const SLOWEST = 8; // a slower machine is taken for one of this slowness

const { turns, ended, name, file, stalledSeconds, testSeconds, longestSeconds } = workerData as Watched;
let [turned, tests, stalled, waited, seconds] = [-1, -1, 0, 0, 0];
let [worked, times] = [readWork(), readTimes()];

const clock = setInterval(() => {
  const passed = secondsSinceLast();
  const [turnsNow, testsNow] = [Atomics.load(turns, 0), Atomics.load(ended, 0)];
  stalled = turnsNow === turned ? stalled + passed : 0;
  waited = testsNow === tests ? waited + passed : 0;
  [turned, tests] = [turnsNow, testsNow];
  seconds += passed;
  if (isOver(stalled, stalledSeconds))
    void endProcess(`its event loop has not turned for ${Math.floor(stalled)} seconds`);
  else if (isOver(waited, testSeconds))
    void endProcess(`${readName()} takes longer than ${Math.floor(waited)} seconds`);
  else if (isOver(seconds, longestSeconds))
    void endProcess(`it takes longer than ${Math.floor(seconds)} seconds`);
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

/** At most one for each turn of the clock. */
function secondsSinceLast(): number {
  const [workedBefore, timesBefore] = [worked, times];
  [worked, times] = [readWork(), readTimes()];
  const idleSeconds = idleBetween(timesBefore, times) / 1_000;
  return Math.min(1, Math.max(LEAST_SHARE, worked - workedBefore + idleSeconds));
}

/** Seconds of CPU time that this process took. */
function readWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The name of the test that began last, in quotation marks. */
function readName(): string {
  const bytes = Uint8Array.from(name.subarray(1, 1 + name[0]!)); // a decoder takes no shared memory
  return bytes.length === 0 ? 'what is before its first test' : `"${new TextDecoder().decode(bytes)}"`;
}

/** Pauses the main thread, says where it is, and lets it exit from there, so that what it does at its exit is done. */
async function endProcess(why: string): Promise<void> {
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
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: `process.exit(${EXIT_CODE})` });
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
  writeSync(2, `watchdog: ${relative('', file)} is ended: ${sentence}\n`);
}

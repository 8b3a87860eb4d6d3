/**
 * The thread that watches a test file. It does not count seconds of the clock, in which a busy machine may let a healthy test do nothing, but
 * those in which this process worked, or could have: the CPU time that it took, and the share of the machine that was idle. On a machine that
 * is never idle a second is still a tenth of one, so that every file ends.
 */

import { writeSync } from 'node:fs';
import type { Debugger } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { readTimes as readMachine } from './patience.ts';
import type { Watched } from './watchdog.ts';

const LEAST_SHARE = 0.1;
const EXIT_CODE = 124; // as of timeout(1)
const GRACE_MS = 5_000; // to stop a thread that runs JavaScript; one that is stuck elsewhere is killed
const FRAMES = 5;

const { turns, file, stalledSeconds, longestSeconds } = workerData as Watched;
let [seen, stalled, seconds] = [-1, 0, 0];

let [worked, idle, all] = readTimes();

const clock = setInterval(() => {
  const now = Atomics.load(turns, 0);
  const passed = secondsSinceLast();
  stalled = now === seen ? stalled + passed : 0;
  seen = now;
  seconds += passed;
  if (stalled >= stalledSeconds)
    void endProcess(`its event loop has not turned for ${Math.floor(stalled)} seconds`);
  else if (seconds >= longestSeconds) void endProcess(`it takes longer than ${Math.floor(seconds)} seconds`);
}, 1_000);

/** At most one for each turn of the clock. */
function secondsSinceLast(): number {
  const [before, idleBefore, allBefore] = [worked, idle, all];
  [worked, idle, all] = readTimes();
  const share = (idle - idleBefore) / Math.max(1, all - allBefore);
  return Math.min(1, Math.max(LEAST_SHARE, worked - before + share));
}

/** Seconds of CPU time that this process took, and milliseconds that the machine was idle, and that it had in all. */
function readTimes(): [workedSeconds: number, idleMs: number, allMs: number] {
  const { user, system } = process.cpuUsage();
  const { idle, all } = readMachine();
  return [(user + system) / 1e6, idle, all];
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

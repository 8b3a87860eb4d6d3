/**
 * A clock for what a mail server is given time for: a test moves it, or it moves while nothing is said, so that nothing is late on a
 * slow machine. Not node:test's own, which mixes up its timers with those of an earlier test that are cleared late.
 */

import 'nodemailer/lib/mail-composer'; // the library is loaded with the first message, which takes its time
import 'nodemailer/lib/smtp-connection';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FaultServer } from './fault-server.ts';

const TURNS = 50; // of the event loop: what is going to be said in this process is said by then
const STEP_MS = 1_000;

type Timer = { at: number; everyMs: number | undefined; run(): void };
type Start = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => object;

export type StillClock = { tick(ms: number): void };

/** From here to the end of the test timers run out when the test lets time pass. Idle times of sockets are not among them. */
export function stillClock(t: TestContext): StillClock {
  const timers = new Map<object, Timer>();
  let now = 0;
  const starting =
    (isRepeated: boolean): Start =>
    (callback, ms = 1, ...args) => {
      const handle = { unref: () => handle, ref: () => handle };
      const everyMs = isRepeated ? Math.max(1, ms) : undefined;
      timers.set(handle, { at: now + ms, everyMs, run: () => callback(...args) });
      return handle;
    };
  const { clearTimeout: clear } = globalThis;
  const stop = (handle: object) => timers.delete(handle) || clear(handle as NodeJS.Timeout);
  for (const [name, work] of Object.entries({ setTimeout: starting(false), setInterval: starting(true) }))
    t.mock.method(globalThis, name as 'setTimeout', work as never);
  for (const name of ['clearTimeout', 'clearInterval'] as const)
    t.mock.method(globalThis, name, stop as never);
  return {
    tick(ms) {
      const end = now + ms;
      for (let due = first(timers, end); due !== undefined; due = first(timers, end)) {
        const [handle, timer] = due;
        now = timer.at;
        if (timer.everyMs === undefined) timers.delete(handle);
        else timer.at += timer.everyMs;
        timer.run();
      }
      now = end;
    },
  };
}

function first(timers: Map<object, Timer>, end: number): [object, Timer] | undefined {
  return [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
}

/** From here to the end of the test time passes while client and server wait for each other, and never otherwise. */
export function passTimeInSilence(t: TestContext, server: FaultServer): void {
  const clock = stillClock(t);
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  void (async () => {
    for (; !isOver; await silence(server)) clock.tick(STEP_MS);
  })();
}

async function silence(server: FaultServer): Promise<void> {
  let said = server.said;
  for (let turns = 0; turns < TURNS; turns++) {
    await turn();
    if (server.said === said) continue;
    said = server.said;
    turns = 0;
  }
}

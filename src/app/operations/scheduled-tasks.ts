/**
 * Runs the schedules of `shingle start`: ingest when a source is due, the weekly email, a daily backup. Each task
 * runs in its own process, so a large export delays no response, its memory is freed, and no task waits for another
 * task. A failure never ends the service.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Source } from '../../register/profile/define.ts';
import { backupsIn, deleteOldCopies, listDailyBackups } from '../../service/data/backups.ts';
import { sweepDead } from '../../service/database/data-folder.ts';
import { findRoomProblem, isFullDisk } from '../../service/database/disk-room.ts';
import { findDueSlot, LATE_MS, skipEdition } from '../../service/mail/editions/decide-edition.ts';
import { findNextRun } from '../../service/runs/runs.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../shared/day.ts';
import { messageOf } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import { keepLooking, runIfAlone } from '../../shared/polling.ts';
import { EXIT } from '../exit-codes.ts';
import { openMail } from './connect-mail.ts';
import type { Service } from './service.ts';

const MAIN = join(import.meta.dirname, `../../main${extname(import.meta.filename)}`);
const GRACE_MS = 10_000; // an ingest ends by itself after its time limit, or kills itself 5 seconds later
const CHECK_MS = 60_000;
const STOP_MS = 500;
const STOPPED = 'stopped with the service before it finished; the next start imports again';
export const BACKUPS_KEPT = 7;

type Scheduling = {
  service: Service;
  log: Log;
  run: ReturnType<typeof openRunner>;
  isClosed(): boolean;
  /** Called after each ingest. */
  ingested(): void;
};

/** Starts what is due, every minute. Only one of several instances ingests and sends the weekly email. */
export function startSchedule(service: Service, log: Log, ingested: () => void) {
  const stop = new AbortController();
  const { signal } = stop;
  const fail = (error: unknown) => {
    if (!isFullDisk(error))
      log.warn(`imports, backups or the weekly email cannot be started: ${messageOf(error)}`);
  };
  const run = openRunner(signal, log);
  const scheduling: Scheduling = { service, log, run, isClosed: () => signal.aborted, ingested };
  const repeatAlone = (name: string, work: (scheduling: Scheduling) => Promise<void>) =>
    keepLooking(() => runIfAlone(service.store, name, () => work(scheduling)), fail, CHECK_MS);
  const stops = [
    repeatAlone('schedule', ingestDue),
    repeatAlone('weekly', editionDue),
    keepLooking(() => makeDailyBackup(scheduling), fail, CHECK_MS),
  ];
  return {
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(stops.map((stopLooking) => stopLooking()));
    },
  };
}

export async function ingestDue({ service, log, run, ingested, isClosed }: Scheduling): Promise<void> {
  if (findRoomProblem(service.config) !== undefined) return; // a concern says so once
  await service.store.filings.endInterrupted(service.now()).catch(() => undefined); // an import is in progress
  for (const source of service.loaded.city.sources) {
    if (isClosed()) return;
    if (source.from.place === undefined || !(await isDue(service, source))) continue;
    const end = await run(['ingest', '--source', source.id], service.config.ingest);
    // systemd may stop the ingest a moment before this service
    if (end.signal === 'SIGTERM') await sleep(STOP_MS);
    const isStopped = end.signal === 'SIGTERM' && isClosed();
    const detail = isStopped ? STOPPED : await describeLostIngest(service, source, end);
    const retry = isStopped ? 'now' : end.code === EXIT.later ? 'soon' : null;
    if (detail !== undefined) {
      // the concern of a failed run is logged; health shows the failed run, and the source is due again
      await service.recordLostIngest(source, { detail, retry }).catch((error: unknown) => {
        log.warn(`the failed ingest of ${source.id} is not recorded: ${messageOf(error)}`);
      });
    }
    if (!isClosed()) ingested();
  }
}

/** Describes why an ingest ended without recording its run. Returns `undefined` if it recorded the run. */
async function describeLostIngest(
  service: Service,
  source: Source,
  { code, signal, isTimedOut, said }: ChildEnd,
): Promise<string | undefined> {
  if (code === 0) return undefined;
  const { timeoutMs } = service.config.ingest;
  if (isTimedOut)
    return `the ingest was ended because it took longer than ${timeoutMs / 60_000} minutes (INGEST_TIMEOUT_MINUTES)`;
  if (signal === 'SIGTERM') return 'the ingest was stopped (SIGTERM)';
  if (signal !== null)
    return `the ingest ended unexpectedly (${signal}); it may have needed more memory than INGEST_MEMORY_MB`;
  const [last] = await service.store.filings.runs({ source: source.id, limit: 1 });
  const isMissing = last?.state === 'running' || (await isDue(service, source));
  return isMissing ? `the ingest ended with exit code ${code} and without a result${said}` : undefined;
}

async function isDue(service: Service, source: Source): Promise<boolean> {
  const [last] = await service.store.filings.runs({ source: source.id, limit: 1 });
  return last === undefined || service.now() >= findNextRun(source, last, service.now());
}

/** Creates and sends the edition of the newest slot in a separate process. Skips the slot if it is too late. */
export async function editionDue({ service, log, run }: Scheduling): Promise<void> {
  const { context } = openMail(service);
  const slot = await findDueSlot(context, service.now());
  if (slot === undefined) return;
  if (slot.isLate) {
    await skipEdition(context, slot, 'late', service.now());
    log.warn(
      `the weekly email of ${slot.edition} is skipped: it was due more than ${LATE_MS / HOUR_MS} hours ago`,
    );
    return;
  }
  if (slot.isWaiting) return; // a concern asks the operator to approve it
  const { code, said } = await run(['weekly', 'send']);
  if (code !== 0) log.warn(`the weekly email of ${slot.edition} is not sent (exit code ${code})${said}`);
}

/** Makes a backup each day after the first kept run, named by its UTC date, and keeps seven. */
export async function makeDailyBackup(scheduling: Omit<Scheduling, 'ingested'>): Promise<void> {
  const { service, log, run, isClosed } = scheduling;
  const { config, store, now } = service;
  if (findRoomProblem(config) !== undefined) return;
  if (((await store.readBackups(now()))?.neededSince ?? null) === null) return;
  const folder = backupsIn(config.dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const today = `shingle-${now().slice(0, 10)}.db`;
  const existing = listDailyBackups(config.dataFolder, now());
  deleteOldCopies(config.dataFolder, addMs(now(), -BACKUPS_KEPT * DAY_MS));
  sweepDead(folder, /^shingle-\d{4}-\d\d-\d\d\.db\.part-(\d+)/); // a partial copy contains email addresses
  if (existing.includes(today)) return;
  const { code, said } = await run(['backup', join(folder, today)]);
  if (isClosed()) return; // closing may have ended the backup as well
  if (code !== 0) {
    log.warn(`today's backup failed (exit code ${code})${said}`);
    return;
  }
  for (const old of [...existing, today].slice(0, -BACKUPS_KEPT)) rmSync(join(folder, old));
}

type ChildEnd = {
  /** The exit code, `null` if a signal ended the process, or -1 if it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  isTimedOut: boolean;
  /** The last message of a failed command, after a colon. Empty if it said nothing, or said it on a terminal. */
  said: string;
};

/**
 * Returns a function that runs a command in its own process, which ends when `signal` is aborted. The command observes
 * its own time limit; if it cannot, it is killed. What it says is logged, but for its progress on a terminal, and why it failed. Never throws.
 */
export function openRunner(signal: AbortSignal, log: Pick<Log, 'warn'>) {
  return async (
    args: readonly string[],
    bounds?: { memoryMb: number; timeoutMs: number },
  ): Promise<ChildEnd> => {
    const startedAt = performance.now();
    const { memoryMb, timeoutMs = Number.POSITIVE_INFINITY } = bounds ?? {};
    const flags = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
    const child = spawn(process.execPath, [...flags, MAIN, ...args], {
      stdio: ['ignore', 'ignore', process.stderr.isTTY ? 'inherit' : 'pipe'],
      ...(bounds && { timeout: timeoutMs + GRACE_MS, killSignal: 'SIGKILL' }),
    });
    let last: string | undefined;
    const flush = () => last !== undefined && log.warn(last);
    if (child.stderr !== null)
      createInterface(child.stderr).on('line', (line) => {
        const [, message] = /^shingle: (.*)/.exec(line) ?? [];
        if (message === undefined) log.warn(line);
        else {
          flush();
          last = message;
        }
      });
    const end = () => child.kill('SIGTERM');
    signal.addEventListener('abort', end);
    try {
      const [code, ended] = await once(child, 'close'); // after everything that it said
      const isTimedOut = performance.now() - startedAt >= timeoutMs;
      if (code === 0) flush();
      return { code, signal: ended, isTimedOut, said: code === 0 || last === undefined ? '' : `: ${last}` };
    } catch {
      return { code: -1, signal: null, isTimedOut: false, said: '' };
    } finally {
      signal.removeEventListener('abort', end);
    }
  };
}

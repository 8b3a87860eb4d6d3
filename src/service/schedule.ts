/**
 * Runs the schedules of `shingle start`: ingest when a source is due, the weekly email, a daily backup. Each runs in its own process, so
 * that parsing a county's export neither delays a response nor keeps its memory. A failure never ends the service.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from '../city/define.ts';
import { ShingleError } from '../errors.ts';
import { HOUR_MS } from '../listings/day.ts';
import type { Log } from '../logger.ts';
import { findDueSlot, skipLateEdition } from '../newsletter/weekly.ts';
import { sweepDead } from '../storage/data-folder.ts';
import { openMail } from './mail.ts';
import type { Service } from './service.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const CHECK_MS = 60_000;
const EVERY_HOURS = 24;
const RETRY_HOURS = 1;
const BACKUPS_KEPT = 7;

export type Schedule = { close(): Promise<void> };

/**
 * Starts what is due now, and checks again every minute until closed. Only one of several instances runs the schedule at a time.
 * Calls `ingested` after each ingest that ended.
 */
export function startSchedule(service: Service, log: Log, ingested: () => void = () => undefined): Schedule {
  const children = new Set<ReturnType<typeof spawn>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const command: Command = (args) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
      children.add(child);
      child.once('error', () => resolve(-1));
      child.once('exit', (code) => {
        children.delete(child);
        resolve(code ?? -1);
      });
    });

  async function tick(): Promise<void> {
    try {
      await service.store.alone('schedule', 0, async () => {
        await ingestDue(service, command, log, ingested);
        if (!closed) await editionDue(service, command, log);
      });
      if (!closed && service.config.databaseUrl === undefined) await backUpDue(service, command, log);
    } catch (error) {
      const isKeptElsewhere = error instanceof ShingleError && error.code === 'store';
      if (!isKeptElsewhere) log.warn(`the scheduler failed: ${error}`);
    }
    if (!closed) timer = setTimeout(tick, CHECK_MS);
  }

  const first = tick();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      for (const child of children) child.kill('SIGTERM');
      await first;
    },
  };
}

type Command = (args: string[]) => Promise<number>;

async function ingestDue(service: Service, command: Command, log: Log, ingested: () => void): Promise<void> {
  for (const source of service.loaded.city.sources) {
    if (source.from.place === undefined || !(await isDue(service, source))) continue;
    const code = await command(['ingest', '--source', source.id]);
    ingested();
    if (code !== 0) log.warn(`ingest of ${source.id} ended with exit code ${code}; see "shingle runs"`);
  }
}

/** Due when its interval has passed since the last run, or an hour after one that failed. */
async function isDue(service: Service, source: Source): Promise<boolean> {
  const [last] = await service.store.filings.runs({ source: source.id, limit: 1 });
  if (last === undefined) return true;
  const hours = last.state === 'failed' ? RETRY_HOURS : (source.everyHours ?? EVERY_HOURS);
  return Date.parse(service.now()) - Date.parse(last.startedAt) >= hours * HOUR_MS;
}

/** Creates and sends the edition of the latest slot in a separate process. A late edition is only recorded. */
async function editionDue(service: Service, command: Command, log: Log): Promise<void> {
  const { weekly } = openMail(service);
  const slot = await findDueSlot(weekly, service.now());
  if (slot === undefined) return;
  if (slot.isLate) {
    await skipLateEdition(weekly, slot, service.now());
    log.warn(`the weekly email of ${slot.edition} is skipped: it was due more than 48 hours ago`);
    return;
  }
  const code = await command(['weekly', 'send']);
  if (code !== 0) log.warn(`the weekly email of ${slot.edition} ended with exit code ${code}`);
}

/** One backup a day, seven kept. It is named after its UTC date, so that a restart does not make a second one. */
async function backUpDue(service: Service, command: Command, log: Log): Promise<void> {
  const folder = join(service.config.dataFolder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const today = `shingle-${service.now().slice(0, 10)}.db`;
  const existing = readdirSync(folder).filter((name) => /^shingle-\d{4}-\d\d-\d\d\.db$/.test(name));
  sweepDead(folder, /^shingle-\d{4}-\d\d-\d\d\.db\.part-(\d+)/); // a partial copy contains email addresses
  if (existing.includes(today)) return;
  const code = await command(['backup', join(folder, today)]);
  if (code !== 0) {
    log.warn(`the daily backup ended with exit code ${code}`);
    return;
  }
  for (const old of [...existing, today].sort().slice(0, -BACKUPS_KEPT)) rmSync(join(folder, old));
}

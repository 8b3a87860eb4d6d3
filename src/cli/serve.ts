/** `shingle serve` and `shingle start`: run until told to stop; nothing accepted is cut. */

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openLog } from '../log.ts';
import { openService, type Service } from '../service.ts';
import type { Serving } from '../serving.ts';

import { type Done, EXIT, say } from './terminal.ts';

const log = openLog((line) => process.stderr.write(`${line}\n`), process.stderr.isTTY === true, Date.now);

export function serveCommand(program: Command, done: Done): void {
  program
    .command('serve')
    .description('serve what is in the store; never ingests')
    .action(async () => {
      await runUntilStopped((service, serving) => {
        announce(service, serving);
        return { close: async () => undefined };
      });
      done(EXIT.done);
    });
}

export function startCommand(program: Command, done: Done): void {
  program
    .command('start')
    .description('ingest if due, serve, keep the schedules, back up daily')
    .action(async () => {
      const { keepSchedule } = await import('../schedule.ts');
      await runUntilStopped((service, serving) => {
        announce(service, serving);
        return keepSchedule(service, log);
      });
      done(EXIT.done);
    });
}

async function runUntilStopped(
  beside: (service: Service, serving: Serving) => { close(): Promise<void> },
): Promise<void> {
  const stopped = stopSignal();
  const { serve } = await import('../serving.ts'); // the other commands start faster without HTTP
  const service = await openService(readConfig());
  try {
    const serving = await serve(service, log);
    const other = beside(service, serving);
    await stopped;
    await Promise.all([serving.close(), other.close()]);
  } finally {
    await service.close();
  }
}

function announce(service: Service, serving: Serving): void {
  const { city } = service.loaded;
  if (service.config.limits === 'off')
    log.warn('SHINGLE_LIMITS=off: anybody may copy everything; for benchmarks and tests only');
  if (service.config.mail.smtp !== undefined && service.config.publicUrl === undefined)
    log.warn('PUBLIC_URL is not set: links in emails lead to this machine only');
  if (!/@|^https?:/.test(city.operator.contact))
    log.warn('operator.contact in the profile is no address: people cannot ask to have a listing removed');
  for (const doubt of service.store.doubts) log.warn(doubt);
  say(`${city.name}, ${city.region}: open ${serving.url}/ or ask ${serving.url}/api/search?q=coffee`);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.failed);
        asked = true;
        resolve();
      });
    }
  });
}

/** `shingle serve` and `shingle start`: serve until stopped, and finish every accepted request. */

import { flushCompileCache } from 'node:module';
import type { Command } from 'commander';
import { describePlaceholderFix, findPlaceholders } from '../city/placeholders.ts';
import { readConfig } from '../config.ts';
import { openLog } from '../logger.ts';
import { openService, refusePlaceholders, type Service } from '../operations/service.ts';
import type { Serving } from '../operations/serving.ts';
import { formatVariables } from './config-command.ts';
import { EXIT, printLine, showControls } from './terminal.ts';

/** A process group, the launcher and npm each pass a signal on, so one Ctrl-C may arrive three times. */
const MOST_COPIES = 3;

export const log = openLog(
  (line) => process.stderr.write(`${showControls(line)}\n`),
  process.stderr.isTTY === true,
  Date.now,
);

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve the stored data; never ingests')
    .addHelpText('after', formatVariables())
    .action(() => runUntilStopped());
}

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('serve, ingest on schedule, send the weekly email and back up daily')
    .addHelpText('after', formatVariables())
    .action(async () => {
      const { startSchedule } = await import('../operations/schedule.ts');
      await runUntilStopped((service, ingested) => startSchedule(service, log, ingested));
    });
}

type Background = (service: Service, ingested: () => void) => { close(): Promise<void> };

/** Serves until stopped. Starts `background` first, so its processes load at the same time as the server. */
async function runUntilStopped(background?: Background): Promise<void> {
  const stopped = stopSignal();
  const service = await openService({ ...readConfig(), mustExist: background === undefined });
  try {
    refusePlaceholders(service);
  } catch (error) {
    await service.close();
    throw error;
  }
  flushCompileCache(); // lets background processes reuse the compiled files on the first start
  let serving: Serving | undefined;
  const other = background?.(service, () => serving?.refresh());
  try {
    // loaded only here, so other commands start faster
    const { serveCity } = await import('../operations/serving.ts');
    serving = await serveCity(service, log, background === undefined ? 'serve' : 'start');
    announce(service, serving);
    await stopped;
  } finally {
    await Promise.all([serving?.close(), other?.close()]);
    await service.close();
  }
}

function announce(service: Service, serving: Serving): void {
  const { city, path } = service.loaded;
  if (service.config.limits === 'off')
    log.warn('SHINGLE_LIMITS=off: rate limits are disabled. Use this only for benchmarks and tests');
  const drafted = findPlaceholders(city);
  if (drafted.length > 0)
    log.warn(
      `the city is still a draft, so only this machine can use it. Before others can, ${describePlaceholderFix(drafted, path)}`,
    );
  else if (!/@|^https?:/.test(city.operator.contact))
    log.warn(
      'OPERATOR_CONTACT is not an email or web address: people cannot ask for the removal of a listing',
    );
  const { startupWarnings, upgraded } = service.store;
  for (const warning of startupWarnings) log.warn(warning);
  if (upgraded !== undefined) log.info(upgraded);
  printLine(`${city.name}, ${city.region}: open ${serving.url}/ or try ${serving.url}/api/search?q=coffee`);
}

/** Resolves at the first signal. Calls `endNow` at the fourth, because a second and third may be copies. */
export function stopSignal(
  signals: NodeJS.EventEmitter = process,
  endNow: () => void = () => process.exit(EXIT.failed),
): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const receive = () => {
      resolve();
      if (++count > MOST_COPIES) endNow();
    };
    for (const signal of ['SIGTERM', 'SIGINT']) signals.on(signal, receive);
  });
}

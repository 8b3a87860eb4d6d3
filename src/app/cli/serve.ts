/** `shingle serve` and `shingle start`: serve until stopped, and finish every accepted request. */

import { flushCompileCache } from 'node:module';
import { readConfig } from '../../config.ts';
import { noteRefusal } from '../../service/database/data-folder.ts';
import { describePlaceholderFix, findPlaceholders } from '../../shared/city/placeholders.ts';
import { messageOf } from '../../shared/errors.ts';
import { openLog } from '../../shared/logger.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { EXIT } from '../exit-codes.ts';
import { findOpenMailFolder, refusePlaceholders, requireFreePort } from '../operations/listening.ts';
import { openService, type Service } from '../operations/service.ts';
import type { Serving } from '../operations/serving.ts';
import { printLine, showControls } from './terminal.ts';

/** A process group, the launcher and npm each pass a signal on, so one Ctrl-C may arrive three times. */
const MOST_COPIES = 3;

export const log = openLog(
  (line) => process.stderr.write(`${showControls(line)}\n`),
  process.stderr.isTTY === true,
  Date.now,
);

export const serve = (): Promise<void> => runUntilStopped();

export async function start(): Promise<void> {
  const { startSchedule } = await import('../operations/scheduled-tasks.ts');
  await runUntilStopped((service, ingested) => startSchedule(service, log, ingested));
}

type Background = (service: Service, ingested: () => void) => { close(): Promise<void> };

/** Serves until stopped. Starts `background` first, so its processes load at the same time as the server. */
async function runUntilStopped(background?: Background): Promise<void> {
  const stop = new AbortController();
  const stopped = stopSignal().then(() => stop.abort());
  const service = await openService({ ...readConfig(), mustExist: background === undefined });
  const note = (why?: string) => noteRefusal(service.config.dataFolder, service.now(), why);
  try {
    refusePlaceholders(service);
    if (background !== undefined) await requireFreePort(service.config);
  } catch (error) {
    note(messageOf(error));
    await service.close();
    throw error;
  }
  flushCompileCache(); // lets background processes reuse the compiled files on the first start
  let serving: Serving | undefined;
  const other = background?.(service, () => serving?.refresh());
  try {
    // loaded only here, so other commands start faster
    const { serveCity } = await import('../operations/serving.ts');
    const hasListings = Promise.withResolvers<number>();
    serving = await serveCity(
      service,
      log,
      background === undefined ? 'serve' : 'start',
      hasListings.resolve,
      stop.signal,
    );
    note();
    warnOnStart(service);
    announce(service, serving, hasListings.promise);
    await stopped;
  } catch (error) {
    if (stop.signal.aborted) return; // while the index was built
    note(messageOf(error));
    throw error;
  } finally {
    await Promise.all([serving?.close(), other?.close()]);
    await service.close();
  }
}

function warnOnStart(service: Service): void {
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
}

/** Says where the page opens, and, as soon as there are listings, all that a newcomer needs next. */
function announce({ loaded, config }: Service, { url, listings }: Serving, first: Promise<number>): void {
  const { city } = loaded;
  const where = `${city.name}, ${city.region}`;
  if (listings() === undefined)
    printLine(`${where}: the first import is not finished. When it is, open ${url}/`);
  const show = (count: number): void => {
    const emails = findOpenMailFolder(config);
    const isSample = config.city === 'sample';
    const lines = [
      `${where}: open ${url}/`,
      `  Listings   ${formatNumber(count)}${isSample ? ' of an invented town' : ''}`,
      `  API        ${url}/api/search?q=coffee`,
      ...(emails === undefined ? [] : [`  Emails     files in ${emails}, until SMTP_URL is set`]),
      ...(isSample ? ['  Your town  npx shingle init FILE, with the register of your town'] : []),
      ...(process.stdin.isTTY ? ['  Stop       Ctrl-C'] : []),
    ];
    printLine(lines.join('\n'));
  };
  void first.then(show);
}

/** Resolves at the first signal. Ends the process at the fourth, because a second and third may be copies. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const receive = () => {
      resolve();
      if (++count > MOST_COPIES) process.exit(EXIT.failed);
    };
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, receive);
  });
}

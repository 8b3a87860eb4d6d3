/** Options that several commands share, and how their values are parsed. */

import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { ShingleError } from '../errors.ts';
import type { IngestOrder } from '../import/ingest-sources.ts';
import { openService, type Service } from '../operations/service.ts';
import { type Address, parseAddress } from '../subscribers/address.ts';
import { openProgressLine, printError } from './terminal.ts';

export type OrderOptions = {
  source?: string;
  from?: string;
  boundaries?: string;
  addresses?: string;
  now?: string;
  json?: boolean;
};

export const NOW_OPTION = [
  '--now <instant>',
  'use this instant as the current time, such as 2026-11-20T09:00:00Z',
  parseInstant,
] as const;
export const JSON_OPTION = ['--json', 'print one JSON value as the last line of stdout'] as const;

/** The options that choose what to read. */
export function addIngestOptions(command: Command): Command {
  return command
    .option('--source <id>', 'one source of the city (default: all sources)')
    .option('--from <place>', 'a file, folder or URL to read instead of the configured one')
    .option('--boundaries <file>', 'a GeoJSON file or URL to use instead of the configured one')
    .option('--addresses <place>', 'an address file, folder or URL to use instead of the configured ones')
    .option(...NOW_OPTION)
    .option(...JSON_OPTION);
}

/** Parses a run number. Throws an error that commander reports as wrong usage. */
export function parseRunNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('use the number of the run.');
  return Number(text);
}

/** Parses an instant with its zone. Throws an error that commander reports as wrong usage. */
function parseInstant(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError('use a date, a time and a zone, such as 2026-11-20T09:00:00Z.');
  }
  return new Date(time).toISOString();
}

/** Parses an email address. Throws `usage`. */
export function requireAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new ShingleError('usage', `"${text}" is not a valid email address`);
  return address;
}

/** `licences: export.csv: 12,000 rows, 40 %, about 9 s left`. */
export function formatProgress(
  { source, place, rows, share }: Parameters<IngestOrder['progress']>[0],
  elapsedMs: number,
): string {
  const read = `${source}: ${place}: ${rows.toLocaleString('en')} rows`;
  if (share === undefined || share === 0) return read;
  const leftS = Math.ceil((elapsedMs * (1 - share)) / share / 1_000);
  const left = leftS < 90 ? `${leftS} s` : `${Math.round(leftS / 60)} min`;
  return `${read}, ${Math.floor(share * 100)} %, about ${left} left`;
}

/** Builds the order from the options, with progress on a terminal; `clear` ends the progress line. */
export function parseIngestOrder(options: OrderOptions): { order: Partial<IngestOrder>; clear(): void } {
  const line = openProgressLine();
  const { source, from, boundaries, addresses, now } = options;
  const startedAt = Date.now();
  const progress: IngestOrder['progress'] = (at) =>
    line.show(() => formatProgress(at, Date.now() - startedAt));
  const order = {
    source,
    from,
    boundaries,
    addresses,
    progress,
    ...(now !== undefined && { now: () => now }),
  };
  return { order, clear: line.clear };
}

/** Opens the configured service, passes it to the callback and always closes it. Creates no data unless `mustExist` is false. */
export async function withService<T>(
  work: (service: Service) => Promise<T>,
  { now, mustExist = true }: { now?: string | undefined; mustExist?: boolean } = {},
): Promise<T> {
  const service = await openService(
    { ...readConfig(), mustExist },
    now === undefined ? undefined : () => now,
  );
  if (service.store.upgraded !== undefined) printError(service.store.upgraded);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

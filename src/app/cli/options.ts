/** What several commands share: options, reports, and the service with which they work. */

import { setFlagsFromString } from 'node:v8';
import { readConfig } from '../../config.ts';
import { type Address, parseAddress } from '../../service/subscribers/address.ts';
import type { Instant } from '../../shared/day.ts';
import { usageError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { EXIT } from '../exit-codes.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import { openService, type Service } from '../operations/service.ts';
import { openProgressLine, printError } from './terminal.ts';

export type OrderOptions = {
  source?: string;
  from?: string | undefined;
  boundaries?: string;
  now?: () => Instant;
  json?: boolean;
};

/** The result of a command: a value for `--json` and a text for people. Without a value, `--json` prints the text. */
export type Report = {
  json?: unknown;
  text: string;
  /** Whether the text is an error, which is printed on stderr even with `--json`. */
  isError?: boolean;
  code?: number;
};

/** Renames the keys of a value to snake case at every depth: `startedAt` becomes `started_at`. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (!isRecord(value)) return value;
  const toName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [toName(key), toSnakeCase(one)]));
}

export function requireAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw usageError(`"${text}" is not a valid email address`);
  return address;
}

/** Runs `work` with the ingest order that the options describe. Shows its progress on a terminal. */
export function withIngestOrder<T>(
  { source, from, boundaries, now }: OrderOptions,
  work: (order: Partial<IngestOrder>) => Promise<T>,
): Promise<T> {
  const line = openProgressLine();
  const progress: IngestOrder['progress'] = ({ source, place, rows }) =>
    line.show(() => `${source}: ${place}: ${formatNumber(rows)} rows`);
  return work({ source, from, boundaries, progress, ...(now && { now }) }).finally(line.clear);
}

type ServiceOptions = { now?: (() => Instant) | undefined; mustExist?: boolean; ofAnyCity?: boolean };

/**
 * Passes the configured service to `work`, and always closes it. Creates a data folder only if `mustExist` is false.
 * Refuses data of another city, unless `ofAnyCity`.
 */
export async function withService<T>(
  work: (service: Service) => Promise<T>,
  { now, mustExist = true, ofAnyCity = false }: ServiceOptions = {},
): Promise<T> {
  const service = await openService({ ...readConfig(), mustExist, ofAnyCity }, now);
  if (service.store.upgraded !== undefined) printError(service.store.upgraded);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Limits the time of `work`: after INGEST_TIMEOUT_MINUTES, ends this process with a message. The schedule also kills one that computes without end. */
export async function limitTime<T>(command: string, work: () => Promise<T>): Promise<T> {
  const { timeoutMs } = readConfig().ingest;
  // keeps the young generation small, because rows are short-lived: `ingest` takes 150 MiB instead of 200
  setFlagsFromString('--semi-space-growth-factor=1');
  const end = () => {
    printError(
      `${command} took longer than ${timeoutMs / 60_000} minutes and was ended (INGEST_TIMEOUT_MINUTES)`,
    );
    process.exit(EXIT.failed);
  };
  const timer = setTimeout(end, timeoutMs); // also keeps the process alive until the work has a result
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

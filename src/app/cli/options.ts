/** Defines the options that several commands share, parses their values, and reports the results of commands. */

import { setFlagsFromString } from 'node:v8';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { readConfig } from '../../config.ts';
import { type Address, parseAddress } from '../../service/subscribers/address.ts';
import type { Instant } from '../../shared/day.ts';
import { ShingleError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { IngestOrder } from '../ingest/ingest-sources.ts';
import { openService, type Service } from '../operations/service.ts';
import { EXIT, openProgressLine, printError, printLine } from './terminal.ts';

export type OrderOptions = {
  source?: string;
  from?: string | undefined;
  boundaries?: string;
  now?: () => Instant;
  json?: boolean;
};

export const NOW_OPTION = [
  '--now <instant>',
  'use this instant as the current time, such as 2026-11-20T09:00:00Z',
  parseInstant,
] as const;

/** The code of the error that passes on the exit code of a report. */
export const REPORTED = 'shingle.reported';

/** The result of a command: a value for `--json` and a text for people. Without a value, `--json` prints the text. */
export type Report = {
  json?: unknown;
  text: string;
  /** Whether the text is an error, which is printed on stderr even with `--json`. */
  isError?: boolean;
  code?: number;
};

const reporting = new WeakSet<Command>();

/** Adds a command that prints the report of `work`, and throws its exit code. */
export function addCommand<Args extends unknown[]>(
  parent: Command,
  name: string,
  work: (...args: Args) => Promise<Report>,
): Command {
  const command = parent.command(name);
  reporting.add(command);
  return command.action(async (...args: unknown[]) => {
    const { json, text, isError = false, code = EXIT.done } = await work(...(args as Args));
    const isJson = json !== undefined && command.optsWithGlobals().json;
    if (isJson) printLine(JSON.stringify(json));
    if (isError) printError(text);
    else if (!isJson) printLine(text);
    if (code !== EXIT.done) throw new CommanderError(code, REPORTED, text);
  });
}

export function addJsonOptions(parent: Command): void {
  for (const command of parent.commands) {
    if (reporting.has(command)) command.option('--json', 'print one JSON value as the last line of stdout');
    addJsonOptions(command);
  }
}

/** Renames the keys of a value to snake case at every depth: `startedAt` becomes `started_at`. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (!isRecord(value)) return value;
  const toName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [toName(key), toSnakeCase(one)]));
}

export function addIngestOptions(command: Command): Command {
  return command
    .option('--source <id>', 'one source of the city (default: all sources)')
    .option('--from <place>', 'a file, folder or URL to read instead of the configured one')
    .option('--boundaries <file>', 'a GeoJSON file or URL to use instead of the configured one')
    .option(...NOW_OPTION);
}

/** Parses a run number. Throws an error that commander reports as wrong usage. */
export function parseRunNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('use the number of the run.');
  return Number(text);
}

/**
 * Parses an instant with its time zone into a clock that always shows this instant. Throws an error that commander
 * reports as wrong usage.
 */
function parseInstant(text: string): () => Instant {
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError('use a date, a time and a zone, such as 2026-11-20T09:00:00Z.');
  }
  return () => new Date(time).toISOString();
}

export function requireAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new ShingleError('usage', `"${text}" is not a valid email address`);
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

/** Limits the time of `work`: after `timeoutMs`, ends this process with a message. The schedule also kills one that computes without end. */
export async function limitTime<T>(command: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
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

/** The configuration, read once from the environment. The only file that reads `process.env`. Throws `refused` for invalid values. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ShingleError } from './errors.ts';

const LONGEST_INGEST_MINUTES = 7 * 24 * 60;

export type Config = {
  /** A folder in `cities/`, or a path to a `city.yaml`, a `city.ts` or their folder. */
  city: string;
  /** Absolute path of the data folder. */
  dataFolder: string;
  /** A PostgreSQL database that instances share, instead of SQLite in the data folder. Contains a password. */
  databaseUrl: string | undefined;
  host: string;
  port: number;
  /** Without a trailing slash. */
  publicUrl: string | undefined;
  /** Networks in CIDR notation whose forwarded addresses are trusted. */
  trustProxy: readonly string[];
  limits: 'on' | 'off';
  /** The number of instances over which requests are spread at random: each counts its share of the budgets. */
  instances: number;
  /** The port for Prometheus on the loopback interface; without it there are no metrics. */
  metricsPort: number | undefined;
  /** An app token for Socrata portals. */
  socrataToken: string | undefined;
  /** With less free disk space, signups and ingest are refused. */
  minFreeBytes: number;
  /** What `ingest`, `check` and `init` may take: memory for what they read, and time in all. */
  ingest: { memoryMb: number; timeoutMs: number };
  mail: MailConfig;
  /** Whom alerts are sent to. */
  alertEmail?: string;
  /** Who runs the service, over the profile's. */
  operatorName?: string;
  operatorContact?: string;
};

export type MailConfig = {
  /** Without it, emails are written to files. */
  smtp:
    | {
        host: string;
        port: number;
        secure: boolean;
        requireTls: boolean;
        user: string | undefined;
        password: string | undefined;
      }
    | undefined;
  from: { name: string; address: string };
  postalAddress: string | undefined;
  /** Where delivery reports go; each message has a return path of its own below this address. */
  bounces?: { local: string; domain: string } | undefined;
};

export function readDataFolder(env: Record<string, string | undefined> = process.env): string {
  return resolve(env.SHINGLE_DATA || './data');
}

/**
 * The names in the environment that look like ours, but are not in `known`. They are removed from it, so that processes started later do
 * not mention them again.
 */
export function takeUnknownVariables(known: readonly string[], env = process.env): string[] {
  const unknown = Object.keys(env).filter(
    (name) => /^(SHINGLE|SMTP|MAIL)_/.test(name) && !known.includes(name),
  );
  for (const name of unknown) delete env[name];
  return unknown;
}

/** A variable as it is set, and whether the environment or the file `.env` of the current folder set it. An empty one counts as not set. */
export function readVariable(
  name: string,
  env: Record<string, string | undefined> = process.env,
): { value: string | undefined; from: 'environment' | '.env' | 'default' } {
  const value = env[name] || undefined;
  if (value === undefined) return { value, from: 'default' };
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { value, from: file[name] === value ? '.env' : 'environment' };
}

/** Reads the variables that docs/configuration.md lists. Throws `refused` naming the variable. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const publicUrl = env.PUBLIC_URL ? parsePublicUrl(env.PUBLIC_URL) : undefined;
  if (env.SMTP_URL) requirePublicAddress(publicUrl);
  return {
    city: env.SHINGLE_CITY || (['./city.yaml', './city.ts'].find((path) => existsSync(path)) ?? 'sample'),
    dataFolder: readDataFolder(env),
    databaseUrl: env.DATABASE_URL ? parseDatabaseUrl(env.DATABASE_URL) : undefined,
    host: env.HOST || '127.0.0.1',
    port: parsePort(env.PORT || '3000'),
    publicUrl,
    trustProxy: (env.TRUST_PROXY ?? '')
      .split(',')
      .map((network) => network.trim())
      .filter((network) => network !== ''),
    limits: parseLimits(env.SHINGLE_LIMITS || 'on'),
    instances: parseInstances(env.SHINGLE_INSTANCES || '1'),
    metricsPort: env.METRICS_PORT ? parsePort(env.METRICS_PORT, 'METRICS_PORT') : undefined,
    socrataToken: env.SOCRATA_APP_TOKEN || undefined,
    minFreeBytes: parseBytes(env.MIN_FREE_BYTES || '67108864'),
    ingest: {
      memoryMb: parseMegabytes(env.INGEST_MEMORY_MB || '512'), // the default stands in bin/launch.mjs, too
      timeoutMs: parseMinutes(env.INGEST_TIMEOUT_MINUTES || '90'),
    },
    ...(env.OPERATOR_NAME && { operatorName: env.OPERATOR_NAME.trim() }),
    ...(env.OPERATOR_CONTACT && { operatorContact: env.OPERATOR_CONTACT.trim() }),
    ...(env.ALERT_EMAIL && { alertEmail: parseAlertEmail(env.ALERT_EMAIL.trim()) }),
    mail: parseMail({
      url: env.SMTP_URL,
      from: env.MAIL_FROM,
      postalAddress: env.MAIL_POSTAL_ADDRESS,
      bounces: env.MAIL_BOUNCES,
    }),
  };
}

/** With a mail server, sender and postal address are required: the law demands both in every email. */
function parseMail(
  given: Record<'url' | 'from' | 'postalAddress' | 'bounces', string | undefined>,
): MailConfig {
  if (given.url && !given.from)
    throw settingError('MAIL_FROM', 'is required with SMTP_URL: emails need a sender');
  if (given.url && !given.postalAddress)
    throw settingError('MAIL_POSTAL_ADDRESS', 'is required with SMTP_URL: emails need a postal address');
  return {
    smtp: given.url ? parseSmtp(given.url) : undefined,
    from: parseSender(given.from || 'Shingle <shingle@localhost.invalid>'),
    postalAddress: given.postalAddress?.replace(/\s+/g, ' ').trim() || undefined,
    ...(given.bounces && { bounces: parseBounces(given.bounces.trim()) }),
  };
}

/** Links in emails begin with the public address: they must lead somewhere on the reader's machine. */
function requirePublicAddress(publicUrl: string | undefined): void {
  if (publicUrl === undefined)
    throw settingError('PUBLIC_URL', 'is required with SMTP_URL: the links in emails begin with it');
  if (isLoopback(new URL(publicUrl).hostname))
    throw settingError(
      'PUBLIC_URL',
      `must be a public address with SMTP_URL, not "${publicUrl}": the links in emails begin with it`,
    );
}

/** Whether a host name or address, as a URL has it, is this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/i.test(host);
}

/** The URL contains passwords, so errors never quote it. */
function parseSmtp(text: string): MailConfig['smtp'] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const tls = url?.searchParams.get('tls') ?? undefined;
  const isSound =
    url !== undefined &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    [...url.searchParams.keys()].every((name) => name === 'tls') &&
    (tls === undefined || tls === 'required' || tls === 'off');
  if (!isSound)
    throw settingError(
      'SMTP_URL',
      'must be smtp://USER:PASSWORD@HOST:PORT or smtps://..., optionally followed by ?tls=required or ?tls=off',
    );
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: !secure && (tls === undefined ? !isLoopback(host) : tls === 'required'),
    user: url.username === '' ? undefined : plainText(url.username),
    password: url.username === '' ? undefined : plainText(url.password),
  };
}

function plainText(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw settingError(
      'SMTP_URL',
      'has a user or password that is not percent-encoded. For example, write % as %25',
    );
  }
}

function parseSender(text: string): MailConfig['from'] {
  const [, name, quoted, bare] = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(text.trim()) ?? [];
  const address = (quoted ?? bare ?? '').trim();
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address) || /[\r\n]/.test(text))
    throw settingError('MAIL_FROM', `must be an address such as "Shingle <news@example.org>", not "${text}"`);
  return { name: name?.trim() ?? '', address };
}

/** A return path is this address with `+` and 41 characters, and RFC 5321 allows 64 before the `@` and 254 in all. */
function parseBounces(text: string): NonNullable<MailConfig['bounces']> {
  const [, local, domain] = /^([\w.-]{1,22})@([A-Za-z0-9.-]{1,189})$/.exec(text) ?? [];
  if (local === undefined || domain === undefined || !/^[^.]+(\.[^.]+)*$/.test(`${local}.${domain}`))
    throw settingError(
      'MAIL_BOUNCES',
      `must be an address such as bounces@example.org, with at most 22 letters, digits, dots, hyphens or underscores before the @, not "${text}"`,
    );
  return { local, domain: domain.toLowerCase() };
}

/** ASCII only, so that every mail server takes it. Not quoted: errors of the service end up in logs. */
function parseAlertEmail(text: string): string {
  const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text);
  if (!isAddress || text.length > 254)
    throw settingError(
      'ALERT_EMAIL',
      'must be one email address without a name, in letters, digits and signs that every mail server takes',
    );
  return text;
}

function parsePort(text: string, name = 'PORT'): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw settingError(name, `must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function parseBytes(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw settingError('MIN_FREE_BYTES', `must be a number of bytes, not "${text}"`);
  return Number(text);
}

function parseMegabytes(text: string): number {
  if (!/^\d{2,6}$/.test(text) || Number(text) < 64)
    throw settingError('INGEST_MEMORY_MB', `must be a whole number of MiB, 64 or more, not "${text}"`);
  return Number(text);
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d{1,5}(\.\d+)?$/.test(text) || minutes <= 0 || minutes > LONGEST_INGEST_MINUTES)
    throw settingError(
      'INGEST_TIMEOUT_MINUTES',
      `must be a number of minutes above 0, at most ${LONGEST_INGEST_MINUTES}, not "${text}"`,
    );
  return minutes * 60_000;
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw settingError('PUBLIC_URL', `must be an http(s) URL without a query, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Several hosts separated by commas are one database. The URL contains passwords, so errors never quote it. */
function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text))
    throw settingError(
      'DATABASE_URL',
      'must be postgres://USER:PASSWORD@HOST:PORT/NAME, with HOST:PORT,HOST:PORT for standbys',
    );
  return text;
}

function parseLimits(text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off')
    throw settingError('SHINGLE_LIMITS', `must be "on" or "off", not "${text}"`);
  return text;
}

function parseInstances(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1)
    throw settingError('SHINGLE_INSTANCES', `must be a whole number, 1 or more, not "${text}"`);
  return Number(text);
}

function settingError(name: string, sentence: string): ShingleError {
  return new ShingleError('refused', `${name} ${sentence}`);
}

/** Whether this terminal can move its cursor, so that questions can be answered with arrow keys. */
export function hasCursorControl({ TERM }: NodeJS.ProcessEnv = process.env): boolean {
  return TERM !== undefined && TERM !== '' && TERM !== 'dumb';
}

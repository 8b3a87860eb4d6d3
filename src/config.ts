/** Reads the configuration once from the environment. No other file uses `process.env`. Throws `refused` if invalid. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isLoopback } from './shared/city/networks.ts';
import { POSTGRES_FORM, ShingleError } from './shared/errors.ts';

const LONGEST_INGEST_MINUTES = 7 * 24 * 60;

export type Config = ReturnType<typeof readSettings>['config'];

type Environment = Record<string, string | undefined>;

export function readDataFolder(env: Environment = process.env): string {
  return resolve(env.SHINGLE_DATA || './data');
}

/** Returns unknown variables that look like ours, or like a misspelled one. Removes them, so child processes do not report them again. */
export function takeUnknownVariables(isMisspelled: (name: string) => boolean, env = process.env): string[] {
  const unknown = Object.keys(env).filter(isMisspelled);
  for (const name of unknown) delete env[name];
  return unknown;
}

/** Returns a variable, and where it was set. An empty variable counts as not set. */
export function readVariable(name: string) {
  const value = process.env[name] || undefined;
  if (value === undefined) return { value, from: 'default' } as const;
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { value, from: file[name] === value ? '.env' : 'environment' } as const;
}

/** Reads the variables that docs/reference.md lists. Throws `refused`, naming all variables that are wrong. */
export function readConfig(env: Environment = process.env): Config {
  const { config, problems } = readSettings(env);
  const sentences = problems.map(({ name, problem }) => `${name} ${problem}`);
  if (sentences.length === 0) return config;
  const [one, ...more] = sentences;
  throw new ShingleError(
    'refused',
    more.length === 0 ? one! : `${sentences.length} settings are wrong:\n  ${sentences.join('\n  ')}`,
  );
}

/** What is wrong with a setting, as the end of a sentence that its name begins. */
export type SettingProblem = { name: string; problem: string };

/** What a parser throws: a `SettingProblem` without its name. */
class SettingError extends Error {}

/** Returns whether a file exists, or may: a file that this user may not see must not mean the sample. */
function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Reads the variables as if those that are wrong were not set, and says what is wrong with each. */
export function readSettings(env: Environment = process.env) {
  const problems: SettingProblem[] = [];
  function read<Value>(name: string, parse: (text: string) => Value): Value | undefined {
    const text = env[name];
    if (!text) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push({ name, problem: error.message });
      return undefined;
    }
  }
  const city = env.SHINGLE_CITY || ['./city.yaml', './city.ts'].find(mayExist);
  const publicUrl = read('PUBLIC_URL', parsePublicUrl);
  const smtp = read('SMTP_URL', parseSmtp);
  const needs = smtp === undefined ? [] : listMailNeeds(env, publicUrl);
  problems.push(...needs);
  const config = {
    /** A folder in `cities/`, or a path to a `city.yaml`, a `city.ts` or their folder. */
    city: city ?? 'sample',
    /** Whether the city is the sample only because this folder has none. */
    isSampleImplied: city === undefined,
    dataFolder: readDataFolder(env),
    /** The URL of a PostgreSQL database that instances share, instead of SQLite. Contains a password. */
    databaseUrl: read('DATABASE_URL', parseDatabaseUrl),
    host: env.HOST || '127.0.0.1',
    port: read('PORT', parsePort) ?? 3000,
    /** The public URL, without a trailing slash. */
    publicUrl,
    /** Networks in CIDR notation whose forwarded addresses are trusted. */
    trustProxy: splitList(env.TRUST_PROXY ?? ''),
    limits: read('SHINGLE_LIMITS', parseSwitch) ?? 'on',
    signupOrigins: read('SIGNUP_ORIGINS', parseOrigins) ?? [],
    mayEmbed: read('EMBED', parseSwitch) === 'on',
    /** The port for Prometheus on the loopback interface. Default: no metrics. */
    metricsPort: read('METRICS_PORT', parsePort),
    socrataToken: env.SOCRATA_APP_TOKEN || undefined,
    minFreeBytes: read('MIN_FREE_BYTES', (text) => parseWhole(text, 'a number of bytes')) ?? 64 * 2 ** 20,
    /** The maximum memory and time of `ingest`, `check` and `init`. */
    ingest: {
      memoryMb: read('INGEST_MEMORY_MB', parseMemory) ?? 512, // bin/launch.mjs has the same default
      timeoutMs: 60_000 * (read('INGEST_TIMEOUT_MINUTES', parseMinutes) ?? 90),
    },
    /** The operator of the service. Overrides the profile. */
    operatorName: env.OPERATOR_NAME?.trim(),
    operatorContact: env.OPERATOR_CONTACT?.trim(),
    alertEmail: read('ALERT_EMAIL', parseAlertEmail),
    mail: {
      /** The mail server. Default: emails are written to files. */
      smtp: needs.length > 0 ? undefined : smtp,
      from: read('MAIL_FROM', parseSender) ?? { name: 'Shingle', address: 'shingle@localhost.invalid' },
      postalAddress: env.MAIL_POSTAL_ADDRESS?.replace(/\s+/g, ' ').trim() || undefined,
      /** The address for delivery reports. The return path of each message is derived from it. */
      bounces: read('MAIL_BOUNCES', parseBounces),
    },
  };
  return { config, problems };
}

/** Lists what a mail server needs and is not set. The law requires a sender and a postal address in every email. */
function listMailNeeds(env: Environment, publicUrl: string | undefined): SettingProblem[] {
  const missing = MAIL_NEEDS.filter(({ name }) => !env[name]);
  if (publicUrl === undefined || !isLoopback(new URL(publicUrl).hostname)) return missing;
  const problem = `must be a public address with SMTP_URL, not "${publicUrl}": the links in emails begin with it`;
  return [...missing, { name: 'PUBLIC_URL', problem }];
}

const MAIL_NEEDS: readonly SettingProblem[] = [
  { name: 'MAIL_FROM', problem: 'is required with SMTP_URL: emails need a sender' },
  { name: 'MAIL_POSTAL_ADDRESS', problem: 'is required with SMTP_URL: emails need a postal address' },
  { name: 'PUBLIC_URL', problem: 'is required with SMTP_URL: the links in emails begin with it' },
];

/** Parses the URL of a mail server. Errors never quote it, because it contains passwords. */
function parseSmtp(text: string) {
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
    throw new SettingError(
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
    throw new SettingError('has a user or password that is not percent-encoded. For example, write % as %25');
  }
}

function parseSender(text: string): { name: string; address: string } {
  const [, name, quoted, bare] = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(text.trim()) ?? [];
  const address = (quoted ?? bare ?? '').trim();
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address) || /[\r\n]/.test(text))
    throw new SettingError(`must be an address such as "Shingle <news@example.org>", not "${text}"`);
  return { name: name?.trim() ?? '', address };
}

/**
 * Parses the address for delivery reports. Return paths add `+` and 41 characters; RFC 5321 allows 64 before the `@`,
 * and 254 in all.
 */
function parseBounces(text: string): { local: string; domain: string } {
  const [, local, domain] = /^([\w.-]{1,22})@([A-Za-z0-9.-]{1,189})$/.exec(text.trim()) ?? [];
  if (local === undefined || domain === undefined || !/^[^.]+(\.[^.]+)*$/.test(`${local}.${domain}`))
    throw new SettingError(
      `must be an address such as bounces@example.org, with at most 22 letters, digits, dots, hyphens or underscores before the @, not "${text}"`,
    );
  return { local, domain: domain.toLowerCase() };
}

/** Parses the address for alerts. Accepts only ASCII, as all mail servers do. The logged error does not quote it. */
function parseAlertEmail(given: string): string {
  const text = given.trim();
  const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text);
  if (isAddress && text.length <= 254) return text;
  throw new SettingError(
    'must be one email address without a name, in letters, digits and signs that every mail server takes',
  );
}

function parseWhole(text: string, what: string, least = 0, most = 1e15 - 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new SettingError(`must be ${what}, not "${text}"`);
}

const parsePort = (text: string): number => parseWhole(text, 'a number from 0 to 65535', 0, 65_535);

const parseMemory = (text: string): number =>
  parseWhole(text, 'a whole number of MiB, 64 or more', 64, 999_999);

function parseMinutes(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= LONGEST_INGEST_MINUTES) return value;
  throw new SettingError(
    `must be a number of minutes above 0, at most ${LONGEST_INGEST_MINUTES}, not "${text}"`,
  );
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // links on pages begin at the root of the host
  const isRoot = url !== undefined && /^\/+$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!isRoot || !/^https?:$/.test(url.protocol))
    throw new SettingError(`must be an http(s) URL without a path or query, not "${text}"`);
  return url.href.replace(/\/+$/, '');
}

function splitList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Parses origins as browsers send them. */
function parseOrigins(text: string): string[] {
  const origins = splitList(text);
  const isOrigin = (one: string) =>
    /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one && /^[^*]+$/.test(one);
  const wrong = origins.find((one) => !isOrigin(one));
  if (wrong === undefined) return origins;
  throw new SettingError(
    `must be addresses of sites such as https://news.example.org, separated by commas and without a path, not "${wrong}"`,
  );
}

/** Parses a database's URL, which may have several hosts. */
function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/[^/?\s]+\/[^/?\s]+(\?\S*)?$/.test(text)) throw new SettingError(POSTGRES_FORM);
  return text;
}

function parseSwitch(text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off') throw new SettingError(`must be "on" or "off", not "${text}"`);
  return text;
}

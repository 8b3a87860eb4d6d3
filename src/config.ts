/** Reads the configuration once from the environment. No other file uses `process.env`. Throws `refused` if invalid. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import VARIABLES from './data/variables.json' with { type: 'json' };
import { isLoopback } from './shared/city/networks.ts';
import { POSTGRES_FORM, refusedError } from './shared/errors.ts';

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
  throw refusedError(
    more.length === 0 ? one! : `${sentences.length} settings are wrong:\n  ${sentences.join('\n  ')}`,
  );
}

/** What is wrong with a setting, as the end of a sentence that its name begins. */
export type SettingProblem = { name: string; problem: string };

/** What the value of a variable must be, by its name. */
const FORMS = new Map(VARIABLES.map(({ names, must }) => [names.split(', ').at(-1)!, `must be ${must}`]));

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
  /** Parsers return `undefined` for a wrong text. What is said of it never quotes it, because it may be a secret. */
  function read<Value>(
    name: string,
    parse: (text: string) => Value | undefined,
    form = FORMS.get(name)!,
  ): Value | undefined {
    const text = env[name];
    if (!text) return undefined;
    const value = parse(text);
    if (value === undefined) problems.push({ name, problem: form });
    return value;
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
    databaseUrl: read('DATABASE_URL', parseDatabaseUrl, POSTGRES_FORM),
    host: env.HOST || '127.0.0.1',
    port: read('PORT', parsePort) ?? 3000,
    /** The public URL, without a trailing slash. */
    publicUrl,
    /** Networks in CIDR notation whose forwarded addresses are trusted. */
    trustProxy: splitList(env.TRUST_PROXY ?? ''),
    limits: read('SHINGLE_LIMITS', parseSwitch) ?? 'on',
    signupOrigins: read('SIGNUP_ORIGINS', parseOrigins, describeOrigins(env.SIGNUP_ORIGINS)) ?? [],
    mayEmbed: read('EMBED', parseSwitch) === 'on',
    /** The port for Prometheus on the loopback interface. Default: no metrics. */
    metricsPort: read('METRICS_PORT', parsePort),
    socrataToken: env.SOCRATA_APP_TOKEN || undefined,
    minFreeBytes: read('MIN_FREE_BYTES', parseWhole(0, 1e15 - 1)) ?? 64 * 2 ** 20,
    /** The maximum memory and time of `ingest`, `check` and `init`. */
    ingest: {
      memoryMb: read('INGEST_MEMORY_MB', parseWhole(64, 999_999)) ?? 512, // bin/launch.mjs has the same default
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

/** Parses the URL of a mail server, with or without a user and a password. */
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
  const [user, password] = [url?.username ?? '', url?.password ?? ''].map(decode);
  if (!isSound || user === undefined || password === undefined) return undefined;
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: !secure && (tls === undefined ? !isLoopback(host) : tls === 'required'),
    user: user || undefined,
    password: user === '' ? undefined : password,
  };
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function parseSender(text: string): { name: string; address: string } | undefined {
  const [, name, quoted, bare] = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(text.trim()) ?? [];
  const address = (quoted ?? bare ?? '').trim();
  const isSound = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address) && !/[\r\n]/.test(text);
  return isSound ? { name: name?.trim() ?? '', address } : undefined;
}

/**
 * Parses the address for delivery reports. Return paths add `+` and 41 characters; RFC 5321 allows 64 before the `@`,
 * and 254 in all.
 */
function parseBounces(text: string): { local: string; domain: string } | undefined {
  const [, local, domain] = /^([\w.-]{1,22})@([A-Za-z0-9.-]{1,189})$/.exec(text.trim()) ?? [];
  if (local === undefined || domain === undefined) return undefined;
  return /^[^.]+(\.[^.]+)*$/.test(`${local}.${domain}`) ? { local, domain: domain.toLowerCase() } : undefined;
}

/** Parses the address for alerts. Accepts only ASCII, as all mail servers do. */
function parseAlertEmail(given: string): string | undefined {
  const text = given.trim();
  const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text);
  return isAddress && text.length <= 254 ? text : undefined;
}

function parseWhole(least: number, most: number) {
  return (text: string): number | undefined => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

const parsePort = parseWhole(0, 65_535);

function parseMinutes(text: string): number | undefined {
  const value = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= LONGEST_INGEST_MINUTES ? value : undefined;
}

function parsePublicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // links on pages begin at the root of the host
  const isRoot = url !== undefined && /^\/+$/.test(url.pathname) && url.search === '' && url.hash === '';
  return isRoot && /^https?:$/.test(url.protocol) ? url.href.replace(/\/+$/, '') : undefined;
}

function splitList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Returns whether a text is an origin as browsers send it. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text && !text.includes('*');
}

function parseOrigins(text: string): string[] | undefined {
  const origins = splitList(text);
  return origins.every(isOrigin) ? origins : undefined;
}

/** Says which of the origins is wrong, without quoting it. */
function describeOrigins(text = ''): string {
  const number = splitList(text).findIndex((one) => !isOrigin(one)) + 1;
  return `${FORMS.get('SIGNUP_ORIGINS')}, which the one at place ${number} is not`;
}

/** Parses a database's URL, which may have several hosts. */
function parseDatabaseUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\/[^/?\s]+\/[^/?\s]+(\?\S*)?$/.test(text) ? text : undefined;
}

function parseSwitch(text: string): 'on' | 'off' | undefined {
  return text === 'on' || text === 'off' ? text : undefined;
}

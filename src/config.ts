/** Reads the configuration once from the environment. No other file uses `process.env`. Throws `refused` if invalid. */

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { POSTGRES_FORM, ShingleError } from './shared/errors.ts';

const MOST = 1e15 - 1;
const LONGEST_INGEST_MINUTES = 7 * 24 * 60;

export type Config = ReturnType<typeof readValid>;

export function readDataFolder(env: Record<string, string | undefined> = process.env): string {
  return resolve(env.SHINGLE_DATA || './data');
}

/** Returns unknown variables that look like ours, or like a misspelled one. Removes them, so child processes do not report them again. */
export function takeUnknownVariables(isMisspelled: (name: string) => boolean, env = process.env): string[] {
  const unknown = Object.keys(env).filter(isMisspelled);
  for (const name of unknown) delete env[name];
  return unknown;
}

/** Returns a variable, and where it was set. An empty variable counts as not set. */
export function readVariable(
  name: string,
  env: Record<string, string | undefined> = process.env,
): { value: string | undefined; from: 'environment' | '.env' | 'default' } {
  const value = env[name] || undefined;
  if (value === undefined) return { value, from: 'default' };
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { value, from: file[name] === value ? '.env' : 'environment' };
}

type Environment = Record<string, string | undefined>;

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

/** Reads the variables as if those that are wrong were not set, and says what is wrong with each. */
export function readSettings(env: Environment = process.env): { config: Config; problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const sound = { ...env };
  for (;;)
    try {
      return { config: readValid(sound), problems };
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(...error.problems.filter(({ name }) => problems.every((known) => known.name !== name)));
      delete sound[error.wrong];
    }
}

function readValid(env: Environment) {
  const publicUrl = env.PUBLIC_URL ? parsePublicUrl(env.PUBLIC_URL) : undefined;
  const city = env.SHINGLE_CITY || ['./city.yaml', './city.ts'].find((path) => existsSync(path));
  return {
    /** A folder in `cities/`, or a path to a `city.yaml`, a `city.ts` or their folder. */
    city: city ?? 'sample',
    /** Whether the city is the sample only because this folder has none. */
    ...(city === undefined && { isSampleImplied: true }),
    dataFolder: readDataFolder(env),
    /** The URL of a PostgreSQL database that instances share, instead of SQLite. Contains a password. */
    databaseUrl: env.DATABASE_URL ? parseDatabaseUrl(env.DATABASE_URL) : undefined,
    host: env.HOST || '127.0.0.1',
    port: parsePort('PORT', env.PORT || '3000'),
    /** The public URL, without a trailing slash. */
    publicUrl,
    /** Networks in CIDR notation whose forwarded addresses are trusted. */
    trustProxy: splitList(env.TRUST_PROXY ?? ''),
    limits: parseSwitch('SHINGLE_LIMITS', env.SHINGLE_LIMITS || 'on'),
    signupOrigins: parseOrigins('SIGNUP_ORIGINS', env.SIGNUP_ORIGINS ?? ''),
    mayEmbed: parseSwitch('EMBED', env.EMBED || 'off') === 'on',
    /** The port for Prometheus on the loopback interface. Default: no metrics. */
    metricsPort: env.METRICS_PORT ? parsePort('METRICS_PORT', env.METRICS_PORT) : undefined,
    socrataToken: env.SOCRATA_APP_TOKEN || undefined,
    minFreeBytes: parseNumber('MIN_FREE_BYTES', env.MIN_FREE_BYTES || '67108864', {
      what: 'a number of bytes',
    }),
    /** The maximum memory and time of `ingest`, `check` and `init`. */
    ingest: {
      // bin/launch.mjs has the same default
      memoryMb: parseNumber('INGEST_MEMORY_MB', env.INGEST_MEMORY_MB || '512', {
        least: 64,
        most: 999_999,
        what: 'a whole number of MiB, 64 or more',
      }),
      timeoutMs:
        60_000 *
        parseNumber('INGEST_TIMEOUT_MINUTES', env.INGEST_TIMEOUT_MINUTES || '90', {
          isWhole: false,
          least: Number.MIN_VALUE, // only numbers above 0
          most: LONGEST_INGEST_MINUTES,
          what: `a number of minutes above 0, at most ${LONGEST_INGEST_MINUTES}`,
        }),
    },
    /** The operator of the service. Overrides the profile. */
    ...(env.OPERATOR_NAME && { operatorName: env.OPERATOR_NAME.trim() }),
    ...(env.OPERATOR_CONTACT && { operatorContact: env.OPERATOR_CONTACT.trim() }),
    ...(env.ALERT_EMAIL && { alertEmail: parseAlertEmail(env.ALERT_EMAIL.trim()) }),
    mail: readMailConfig(env, publicUrl),
  };
}

/** Reads the mail settings. The law requires a sender and a postal address in every email. */
function readMailConfig(env: Environment, publicUrl: string | undefined) {
  const config = {
    /** The mail server. Default: emails are written to files. */
    smtp: env.SMTP_URL ? parseSmtp(env.SMTP_URL) : undefined,
    from: parseSender(env.MAIL_FROM || 'Shingle <shingle@localhost.invalid>'),
    postalAddress: env.MAIL_POSTAL_ADDRESS?.replace(/\s+/g, ' ').trim() || undefined,
    /** The address for delivery reports. The return path of each message is derived from it. */
    ...(env.MAIL_BOUNCES && { bounces: parseBounces(env.MAIL_BOUNCES.trim()) }),
  };
  const missing = env.SMTP_URL ? MAIL_NEEDS.filter(({ name }) => !env[name]) : [];
  if (env.SMTP_URL && publicUrl !== undefined && isLoopback(new URL(publicUrl).hostname))
    missing.push({
      name: 'PUBLIC_URL',
      problem: `must be a public address with SMTP_URL, not "${publicUrl}": the links in emails begin with it`,
    });
  if (missing.length > 0) throw new SettingError('SMTP_URL', missing);
  return config;
}

const MAIL_NEEDS: readonly SettingProblem[] = [
  { name: 'MAIL_FROM', problem: 'is required with SMTP_URL: emails need a sender' },
  { name: 'MAIL_POSTAL_ADDRESS', problem: 'is required with SMTP_URL: emails need a postal address' },
  { name: 'PUBLIC_URL', problem: 'is required with SMTP_URL: the links in emails begin with it' },
];

export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/i.test(host);
}

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

function parseSender(text: string): { name: string; address: string } {
  const [, name, quoted, bare] = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(text.trim()) ?? [];
  const address = (quoted ?? bare ?? '').trim();
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(address) || /[\r\n]/.test(text))
    throw settingError('MAIL_FROM', `must be an address such as "Shingle <news@example.org>", not "${text}"`);
  return { name: name?.trim() ?? '', address };
}

/**
 * Parses the address for delivery reports. Return paths add `+` and 41 characters; RFC 5321 allows 64 before the `@`,
 * and 254 in all.
 */
function parseBounces(text: string): { local: string; domain: string } {
  const [, local, domain] = /^([\w.-]{1,22})@([A-Za-z0-9.-]{1,189})$/.exec(text) ?? [];
  if (local === undefined || domain === undefined || !/^[^.]+(\.[^.]+)*$/.test(`${local}.${domain}`))
    throw settingError(
      'MAIL_BOUNCES',
      `must be an address such as bounces@example.org, with at most 22 letters, digits, dots, hyphens or underscores before the @, not "${text}"`,
    );
  return { local, domain: domain.toLowerCase() };
}

/** Parses the address for alerts. Accepts only ASCII, as all mail servers do. The logged error does not quote it. */
function parseAlertEmail(text: string): string {
  const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text);
  if (!isAddress || text.length > 254)
    throw settingError(
      'ALERT_EMAIL',
      'must be one email address without a name, in letters, digits and signs that every mail server takes',
    );
  return text;
}

type Bounds = { isWhole?: boolean; least?: number; most?: number; what: string };

function parseNumber(
  name: string,
  text: string,
  { isWhole = true, least = 0, most = MOST, what }: Bounds,
): number {
  const value = Number(text);
  const isNumber = (isWhole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text);
  if (isNumber && value >= least && value <= most) return value;
  throw settingError(name, `must be ${what}, not "${text}"`);
}

function parsePort(name: string, text: string): number {
  return parseNumber(name, text, { most: 65_535, what: 'a number from 0 to 65535' });
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // links on pages begin at the root of the host
  const isRoot = url !== undefined && /^\/+$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (!isRoot || !/^https?:$/.test(url.protocol))
    throw settingError('PUBLIC_URL', `must be an http(s) URL without a path or query, not "${text}"`);
  return url.href.replace(/\/+$/, '');
}

function splitList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Parses origins as browsers send them. */
function parseOrigins(name: string, text: string): string[] {
  const origins = splitList(text);
  const isOrigin = (one: string) =>
    /^https?:/.test(one) && URL.canParse(one) && new URL(one).origin === one && /^[^*]+$/.test(one);
  const wrong = origins.find((one) => !isOrigin(one));
  if (wrong === undefined) return origins;
  throw settingError(
    name,
    `must be addresses of sites such as https://news.example.org, separated by commas and without a path, not "${wrong}"`,
  );
}

/** Parses a database's URL, which may have several hosts. */
function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\/[^/?\s]+\/[^/?\s]+(\?\S*)?$/.test(text))
    throw settingError('DATABASE_URL', POSTGRES_FORM);
  return text;
}

function parseSwitch(name: string, text: string): 'on' | 'off' {
  if (text !== 'on' && text !== 'off') throw settingError(name, `must be "on" or "off", not "${text}"`);
  return text;
}

/** What is wrong with a setting, as the end of a sentence that its name begins. */
export type SettingProblem = { name: string; problem: string };

class SettingError extends Error {
  readonly wrong: string;
  readonly problems: readonly SettingProblem[];

  /** `wrong` names the variable without which the others can be read. */
  constructor(wrong: string, problems: readonly SettingProblem[]) {
    super(problems[0]!.problem);
    this.wrong = wrong;
    this.problems = problems;
  }
}

const settingError = (name: string, problem: string) => new SettingError(name, [{ name, problem }]);

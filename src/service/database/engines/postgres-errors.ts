/** Describes errors of PostgreSQL and its connection, without statements, values or passwords. */

import ERRORS from '../../../data/database-errors.json' with { type: 'json' };
import { messageOf, refusedError, ShingleError, storeError } from '../../../shared/errors.ts';
import { fillIn } from '../../../shared/text/fill-in.ts';

export const LOCKED = '55P03';
export const FORBIDDEN = '42501';
export const POOLER_SAYS_NO = '08P01'; // a violation of the protocol, which PostgreSQL itself does not report to us
/** Connections of one instance: a pool of ten, the locks that it holds, and those that build the index. */
export const CONNECTIONS = 16;

const READ_ONLY = '25006';
/** What each code means: the state of the server, what is wrong with the tables, and what keeps a login out. */
const MEANINGS: Readonly<Record<keyof typeof ERRORS, Readonly<Record<string, string>>>> = ERRORS;

export const NO_TABLE = /^no such (table|column)/; // SQLite has no codes for these
const RESTORE =
  'Restore a dump of all tables (docs/instances.md, "Backups"), or name an empty database in DATABASE_URL';

/** Returns whether an error of either engine is of missing or foreign tables, which no retry mends. */
export function isOfTables(error: unknown): boolean {
  const { cause } = Object(error) as Error; // an error from a thread is no ShingleError
  return Object.hasOwn(MEANINGS.tables, String(cause)) || NO_TABLE.test(messageOf(cause));
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];

/** Converts an error to a `store` error. The cause is only a code, because the server's text may contain values. */
export function toPostgresError(error: unknown, host?: string): ShingleError {
  if (error instanceof ShingleError) return error;
  const { code, constraint, message, severity } = error as Record<string, string | undefined>;
  const wrong = severity === undefined ? undefined : MEANINGS.tables[code ?? ''];
  if (wrong !== undefined) {
    const [name = ''] = /["«„].*["»“]/.exec(message ?? '') ?? / \w+$/.exec(message ?? '') ?? [];
    const sentence = fillIn(wrong, { what: name.trim(), restore: RESTORE });
    return storeError(`${sentence} (${code})`, code);
  }
  const state = fillIn(MEANINGS.states[code ?? ''] ?? constraint ?? 'it fails', { connections: CONNECTIONS });
  const what = severity === undefined ? (code ?? message) : state;
  const where = host === undefined ? '' : ` at ${host}`;
  const cause = severity === undefined ? 'connection' : code;
  const next =
    host !== undefined && UNREACHABLE.includes(code ?? '')
      ? '. Is PostgreSQL running there? Check the host and port in DATABASE_URL'
      : '';
  return storeError(`the database${where} is temporarily unavailable: ${what} (${cause})${next}`, cause);
}

/** The place and the login that an address names. */
type Login = { host: string; user: string; name: string };

export function loginOf(url: string): Login {
  const { host, username, pathname } = new URL(url);
  const user = decodeURIComponent(username) || 'postgres';
  return { host, user, name: decodeURIComponent(pathname.slice(1)) || user };
}

/** Returns the `refused` error for a login that cannot succeed, or `undefined` for other errors. */
export function findLoginProblem(error: unknown, url: string): ShingleError | undefined {
  const { code = '', message = '', severity } = error as Record<string, string | undefined>;
  const login = loginOf(url);
  if (severity === undefined) return undefined;
  if (code === POOLER_SAYS_NO && message.startsWith('unsupported startup parameter'))
    return poolerError(login.host);
  const sentence = MEANINGS.logins[code];
  if (sentence === undefined) return undefined;
  return refusedError(`${fillIn(sentence, login)} (${code})`);
}

const POOLER_SETTINGS =
  'pool_mode = session, ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

/** Makes the error for a pooler that lends one session to several clients in turn. */
export function poolerError(host: string): ShingleError {
  return refusedError(
    `the database at ${host} is behind a connection pooler that shares sessions, as PgBouncer does in transaction and statement mode, and locks of Shingle belong to sessions. Name the PostgreSQL server itself in DATABASE_URL, or set in pgbouncer.ini: ${POOLER_SETTINGS}`,
  );
}

/** Converts an error for a running service, where an unsafe or untrusted server counts as unavailable. */
export function toStoreError(error: unknown, host?: string): ShingleError {
  const known = toPostgresError(error, host);
  return known.code === 'refused' ? storeError(known.message, 'connection') : known;
}

/** Returns whether an error means that the connection was lost, or that the server is not the primary. */
export function isLost(error: unknown): boolean {
  const cause = error instanceof ShingleError ? error.cause : undefined;
  return cause === 'connection' || cause === READ_ONLY || /^(08|57P)/.test(String(cause));
}

const NO_TLS = /does not support SSL|error establishing an SSL/; // `pg` has no code for these
const UNTRUSTED =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|PATH_LENGTH|EPROTO)/;

export function findTlsProblem(error: unknown, host: string): ShingleError | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const refuse = (sentence: string) => refusedError(sentence);
  if (NO_TLS.test(message))
    return refuse(
      `the database at ${host} does not offer TLS, and sslmode is verify-full. Turn TLS on there. sslmode=disable sends the password and all data unprotected`,
    );
  if (!UNTRUSTED.test(code)) return undefined;
  const certificate = `the certificate of the database at ${host}`;
  return code === 'CERT_HAS_EXPIRED'
    ? refuse(`${certificate} has expired, and sslmode is verify-full. Renew it there`)
    : refuse(
        `${certificate} is not trusted, and sslmode is verify-full: ${code}. Name the file of its authority with sslrootcert=FILE`,
      );
}

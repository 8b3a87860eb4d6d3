/** Describes errors of PostgreSQL and its connection, without statements, values or passwords. */

import { ShingleError } from '../../errors.ts';

export const LOCKED = '55P03';

const READ_ONLY = '25006';
const SAID: Record<string, string> = {
  [READ_ONLY]: 'it is read-only',
  [LOCKED]: 'another process has been writing for too long',
  '28P01': 'the password is wrong',
  '3D000': 'the database does not exist',
  '42501': 'the user does not have permission',
  '53100': 'its disk is full',
  '53300': 'it has too many connections',
  '57014': 'it took too long',
  '57P01': 'it ended the connection',
  '57P03': 'it is starting or stopping',
};

/** Converts an error to a `store` error. The cause is only a code, because the server's text may contain values. */
export function toPostgresError(error: unknown, host?: string): ShingleError {
  if (error instanceof ShingleError) return error;
  const { code, constraint, message, severity } = error as Record<string, string | undefined>;
  const what = severity === undefined ? (code ?? message) : (SAID[code ?? ''] ?? constraint ?? 'it fails');
  const where = host === undefined ? '' : ` at ${host}`;
  const cause = severity === undefined ? 'connection' : code;
  return new ShingleError('store', `the database${where} is temporarily unavailable: ${what} (${cause})`, {
    cause,
  });
}

/** Converts an error for a running service, where an unsafe or untrusted server counts as unavailable. */
export function toStoreError(error: unknown, host?: string): ShingleError {
  const known = toPostgresError(error, host);
  return known.code === 'refused' ? new ShingleError('store', known.message, { cause: 'connection' }) : known;
}

/** Returns whether an error means that the connection was lost, or that the server is not the primary. */
export function isLost(error: unknown): boolean {
  const cause = error instanceof ShingleError ? error.cause : undefined;
  return cause === 'connection' || cause === READ_ONLY || /^(08|57P)/.test(String(cause));
}

const NO_TLS = /does not support SSL|error establishing an SSL/; // `pg` has no code for these
const UNTRUSTED =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|PATH_LENGTH|EPROTO)/;

export function findTlsFault(error: unknown, host: string): ShingleError | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const refuse = (sentence: string) => new ShingleError('refused', sentence);
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

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

/** Makes a `store` error with only a code as its cause: the server's own text may contain values. */
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

/** Makes the error for a running service, which continues: an unsafe or untrusted server counts as unavailable. */
export function toStoreError(error: unknown, host?: string): ShingleError {
  const known = toPostgresError(error, host);
  return known.code === 'refused' ? new ShingleError('store', known.message, { cause: 'connection' }) : known;
}

/** Returns whether the connection failed, not the statement, or the server is not the primary. */
export function isLost(error: unknown): boolean {
  const cause = error instanceof ShingleError ? error.cause : undefined;
  return cause === 'connection' || cause === READ_ONLY || /^(08|57P)/.test(String(cause));
}

/** Defines Shingle's only error type and its codes. Any file may throw it. Callers choose HTTP status and exit code. */

/** The kinds of errors that callers handle differently. */
export type ErrorCode =
  | 'usage' // the command line is wrong
  | 'city' // a city profile has errors
  | 'source' // a source cannot be read, or is damaged
  | 'refused' // unsafe data or configuration, so the program must not start
  | 'store' // the database is temporarily unavailable
  | 'conflict' // the current state does not allow the command: for example, a later run is already kept
  | 'missing'; // something that the operator named does not exist

export class ShingleError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ShingleError';
    this.code = code;
  }
}

const errorOf =
  (code: ErrorCode) =>
  (sentence: string, cause?: unknown): ShingleError =>
    new ShingleError(code, sentence, { cause });

export const usageError = errorOf('usage');
export const cityError = errorOf('city');
export const sourceError = errorOf('source');
export const refusedError = errorOf('refused');
export const storeError = errorOf('store');
export const conflictError = errorOf('conflict');
export const missingError = errorOf('missing');

/** What DATABASE_URL must be. Never quotes it, because it contains a password. */
export const POSTGRES_FORM =
  'must be postgres://USER:PASSWORD@HOST:PORT/NAME with the name of a database, and with HOST:PORT,HOST:PORT for standbys. In a password, write @ as %40, / as %2F, # as %23 and % as %25';

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

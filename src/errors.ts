/** Shingle's only error type, and its codes. Any file may throw it. It does not depend on HTTP or exit codes. */

/** Kinds of errors that callers handle differently. */
export type ErrorCode =
  | 'usage' // the command line names something that does not exist
  | 'city' // a city profile has errors
  | 'source' // a source cannot be read, or is damaged
  | 'refused' // unsafe data or configuration: do not start
  | 'store' // the database cannot do it now
  | 'conflict' // it is too late (a later run was kept)
  | 'missing'; // it does not exist

export class ShingleError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ShingleError';
    this.code = code;
  }
}

/** A source cannot be read, or is damaged. */
export function sourceError(sentence: string, cause?: unknown): ShingleError {
  return new ShingleError('source', sentence, { cause });
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

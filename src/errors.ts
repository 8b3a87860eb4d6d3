/** The one error type of Shingle and its few codes. Everything may throw it; nothing here knows HTTP or exit codes. */

/** What went wrong, in the few kinds that somebody downstream acts on. */
export type ErrorCode =
  | 'usage' // the command line asks for something that does not exist
  | 'city' // a city profile is wrong
  | 'source' // a source cannot be read, or is damaged
  | 'refused' // unsafe data or configuration: do not start
  | 'store' // the store cannot do it now
  | 'conflict' // it cannot be done any more (a later run was kept)
  | 'missing'; // there is no such thing

export class ShingleError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ShingleError';
    this.code = code;
  }
}

/** The message of anything thrown, for a sentence that quotes it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

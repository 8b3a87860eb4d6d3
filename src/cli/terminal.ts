/** How a command speaks: reports to stdout, progress and complaints to stderr, one exit code at the end. */

import { type ErrorCode, messageOf, ShingleError } from '../errors.ts';

/** What the exit codes of docs/operating.md mean. */
export const EXIT = { done: 0, failed: 1, usage: 2, held: 3, refused: 78 } as const;

const EXIT_OF: Record<ErrorCode, number> = {
  usage: EXIT.usage,
  city: EXIT.refused,
  refused: EXIT.refused,
  source: EXIT.failed,
  store: EXIT.failed,
  conflict: EXIT.failed,
  missing: EXIT.failed,
};

/** What a command calls with its exit code, where that may be another than 0. */
export type Done = (code: number) => void;

/** Says what went wrong in one line and answers the exit code; anything unexpected keeps its stack. */
export function chooseErrorExitCode(error: unknown): number {
  if (error instanceof ShingleError) {
    printError(error.message);
    return EXIT_OF[error.code];
  }
  printError(error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error));
  return EXIT.failed;
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`shingle: ${text}\n`);
}

/** One JSON value as the last line of stdout. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value));
}

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 200;

/** A line on a terminal that is overwritten while something takes longer than a second; silent elsewhere. */
export function openProgressLine(): { show(text: string): void; clear(): void } {
  let last = Date.now() + FIRST_AFTER_MS - EVERY_MS;
  let shown = false;
  return {
    show(text) {
      if (!process.stderr.isTTY || Date.now() - last < EVERY_MS) return;
      last = Date.now();
      shown = true;
      process.stderr.write(`\r\x1b[K${text}`);
    },
    clear() {
      if (shown) process.stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}

/** Output of a command: results to stdout, progress and errors to stderr, one exit code at the end. */

import { type ErrorCode, messageOf, ShingleError } from '../errors.ts';

/** The exit codes, as docs/commands.md documents them. */
export const EXIT = { done: 0, failed: 1, usage: 2, held: 3, later: 75, refused: 78 } as const;

const EXIT_OF: Record<ErrorCode, number> = {
  usage: EXIT.usage,
  city: EXIT.refused,
  refused: EXIT.refused,
  source: EXIT.failed,
  store: EXIT.failed,
  conflict: EXIT.failed,
  missing: EXIT.failed,
};

/** A command calls this with its exit code if it is not 0. */
export type Done = (code: number) => void;

/** Prints an error in one line and returns the exit code. Unexpected errors keep their stack. */
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

/** Output that nobody reads to its end (`shingle check | head`) is no error. */
export function ignoreClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** One JSON value as the last line of stdout. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value));
}

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 200;

/**
 * A line on a terminal that is overwritten if something takes longer than a second. Prints nothing elsewhere. `show` is given how to make
 * the text: it is made only when it is shown.
 */
export function openProgressLine(): { show(makeText: () => string): void; clear(): void } {
  let last = Date.now() + FIRST_AFTER_MS - EVERY_MS;
  let shown = false;
  return {
    show(makeText) {
      if (!process.stderr.isTTY || Date.now() - last < EVERY_MS) return;
      last = Date.now();
      shown = true;
      process.stderr.write(`\r\x1b[K${makeText()}`);
    },
    clear() {
      if (shown) process.stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}

/** How much of a task is done, and how long the rest takes at the pace so far. */
export function openRemainingTime(): { format(share: number): string } {
  const start = Date.now();
  return {
    format(share) {
      const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
      if (!(share > 0.02)) return percent;
      const seconds = Math.ceil(((Date.now() - start) * (1 - Math.min(1, share))) / share / 1000);
      return `${percent}, ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
    },
  };
}

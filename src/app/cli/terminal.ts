/** Prints the output of a command: results on stdout, progress and errors on stderr. Sets the exit code. */

import { isOfTables } from '../../service/database/engines/postgres-errors.ts';
import { type ErrorCode, messageOf, ShingleError } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';

const EXIT_OF: Record<ErrorCode, number> = {
  usage: EXIT.usage,
  city: EXIT.refused,
  refused: EXIT.refused,
  source: EXIT.failed,
  store: EXIT.later,
  conflict: EXIT.failed,
  missing: EXIT.failed,
};

/** Says an error in one line and returns the exit code. Unexpected errors keep their stack. */
export function chooseErrorExitCode(error: unknown, say: (sentence: string) => void = printError): number {
  if (error instanceof ShingleError) {
    say(error.message);
    return isOfTables(error) ? EXIT.failed : EXIT_OF[error.code];
  }
  say(error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error));
  return EXIT.failed;
}

export function printLine(text: string): void {
  process.stdout.write(`${showControls(text)}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`shingle: ${showControls(text)}\n`);
}

/**
 * Shows control characters as escapes (`\u009b`), because files of strangers have texts that we print, and a terminal would
 * obey them. Keeps line breaks and tabs.
 */
export function showControls(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (control) => {
    const code = control.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });
}

/**
 * Ends without an error when the reader of stdout stops reading (`shingle check | head`). A service outlives its log, on a
 * full disk or a closed pipe; a command whose results cannot be written has failed.
 */
export function handleOutputErrors(serves: boolean): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (serves) return;
    if (error.code === 'EPIPE') process.exit();
    printError(`the output cannot be written: ${error.message}`);
    process.exit(EXIT.failed);
  });
}

const FIRST_AFTER_MS = 1_000;
const EVERY_MS = 200;

/** Opens a progress line on the terminal. It appears if the work takes longer than a second. */
export function openProgressLine(): { show(makeText: () => string): void; clear(): void } {
  let last = Date.now() + FIRST_AFTER_MS - EVERY_MS;
  let shown = false;
  return {
    show(makeText) {
      const now = Date.now();
      if (!process.stderr.isTTY || now - last < EVERY_MS) return;
      last = now;
      shown = true;
      process.stderr.write(`\r\x1b[K${showControls(makeText())}`);
    },
    clear() {
      if (shown) process.stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}

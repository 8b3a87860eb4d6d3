/**
 * Writes the log of a running service: one line on stderr for each event, as text on a terminal and as JSON elsewhere.
 * Logs the same message at most once a minute, with a count. Callers must not pass search queries, addresses or request
 * bodies.
 */

export type Log = {
  info(sentence: string): void;
  /**
   * Logs a warning with its `reference`. Messages that differ only in their reference count as the same message.
   * Returns the logged reference: for a message that is not logged again, the earlier reference.
   */
  warn(sentence: string, reference?: string): string | undefined;
};

const QUIET_MS = 60_000;
const MOST_REMEMBERED = 100;

/** Opens a log. `write` takes one line without its line break; `now` is in epoch milliseconds. */
export function openLog(write: (line: string) => void, isTerminal: boolean, now: () => number) {
  const said = new Map<string, { at: number; since: number; reference: string | undefined }>();

  function say(level: 'info' | 'warn' | 'error', sentence: string, reference?: string): string | undefined {
    const at = now();
    const before = said.get(sentence);
    if (before !== undefined && at - before.at < QUIET_MS) {
      before.since++;
      return before.reference;
    }
    if (said.size >= MOST_REMEMBERED) said.clear();
    said.set(sentence, { at, since: 0, reference });
    const repeated = before?.since || undefined;
    const time = new Date(at).toISOString();
    const about = reference === undefined ? '' : ` (reference ${reference})`;
    if (isTerminal) write(`shingle: ${sentence}${about}${repeated ? ` (and ${repeated} times since)` : ''}`);
    else write(JSON.stringify({ time, level, message: sentence, reference, repeated }));
    return reference;
  }

  const log: Log = {
    info: (sentence) => void say('info', sentence),
    warn: (sentence, reference) => say('warn', sentence, reference),
  };
  /** Logs why the service ends. */
  const error = (sentence: string) => void say('error', sentence);
  return { ...log, error };
}

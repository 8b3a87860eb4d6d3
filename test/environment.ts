/** The part of this process's environment that programs started by tests get, so that a test run in another time zone, language or year affects them. */

const LOCALE = /^(TZ|LANG|LANGUAGE|LC_\w+)$/;
const MACHINE = /^(PATH|HOME|TMPDIR|NODE_COMPILE_CACHE|__STRYKER_ACTIVE_MUTANT__)$/;
/** What faketime sets: `DONT_FAKE_MONOTONIC=1 faketime -f +400d npm test` leaves timers alone. */
const CLOCK = /^(LD_PRELOAD|DONT_FAKE_MONOTONIC|FAKETIME\w*)$/;

/** Its time zone and language. */
export function localeEnv(): Record<string, string> {
  return namedLike(LOCALE);
}

/** These, the clock, and where programs and temporary files are. */
export function machineEnv(): Record<string, string> {
  return { ...namedLike(MACHINE), ...namedLike(CLOCK), ...localeEnv() };
}

function namedLike(pattern: RegExp): Record<string, string> {
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => pattern.test(name)));
}

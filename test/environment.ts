/** The part of this process's environment that programs started by tests get, so that a test run in another time zone or language affects them. */

const LOCALE = /^(TZ|LANG|LANGUAGE|LC_\w+)$/;
const MACHINE = /^(PATH|HOME|TMPDIR|NODE_COMPILE_CACHE)$/;

/** Its time zone and language. */
export function localeEnv(): Record<string, string> {
  return namedLike(LOCALE);
}

/** These, and where programs and temporary files are. */
export function machineEnv(): Record<string, string> {
  return { ...namedLike(MACHINE), ...localeEnv() };
}

function namedLike(pattern: RegExp): Record<string, string> {
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => pattern.test(name)));
}

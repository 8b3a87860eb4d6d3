/** Waits for what comes by itself. */

import { openPatience } from './patience.ts';

/** Asks again and again until there is an answer other than `false`; fails when that takes too long. */
export async function until<T>(
  ask: () => T | false | undefined | Promise<T | false | undefined>,
  what: string,
): Promise<T> {
  const isTooLong = openPatience();
  do {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isTooLong());
  throw new Error(`waited in vain for ${what}`);
}

/** Waits for what comes by itself. */

import { openPatience } from './patience.ts';

/** Asks again and again until there is an answer; fails when that takes too long. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  const isTooLong = openPatience();
  do {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isTooLong());
  throw new Error(`waited in vain for ${what}`);
}

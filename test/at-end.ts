/** What the test files of a process share, such as a browser, ends after the last of them. */

import { after } from 'node:test';

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.toReversed()) await end();
});

export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end);

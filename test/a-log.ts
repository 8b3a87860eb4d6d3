/** Logs for what runs without its command. */

import assert from 'node:assert/strict';
import type { Log } from '../src/shared/logger.ts';

export const SILENT: Log = { warn: () => undefined, info: () => undefined };

/** A log in which any warning fails the test. */
export const UNWARNED: Log = { ...SILENT, warn: (sentence) => assert.fail(sentence) };

/** A log that adds its warnings to these. */
export const warningsTo = (warned: string[]): Log => ({
  ...SILENT,
  warn(sentence) {
    warned.push(sentence);
    return undefined;
  },
});

/** The conformance suite of every store, on any engine. Each case is a plain function, so that broken stores can be tested too. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALERT_CASES } from './alert-cases.ts';
import { ANNOUNCEMENT_CASES } from './announcement-cases.ts';
import { BOUNCE_CASES } from './bounce-cases.ts';
import { FILING_CASES } from './filing-cases.ts';
import { KEEPING_CASES } from './keeping-cases.ts';
import { MAILING_CASES } from './mailing-cases.ts';
import { QUEUE_CASES } from './queue-cases.ts';
import type { Case, OpenStore } from './store-cases.ts';

export const CASES: Record<string, Case> = {
  ...FILING_CASES,
  ...KEEPING_CASES,
  ...MAILING_CASES,
  ...BOUNCE_CASES,
  ...ANNOUNCEMENT_CASES,
  ...QUEUE_CASES,
  ...ALERT_CASES,
};

/** Registers every case as a test of the store called `name`; `open` gives a new, empty store each time. */
export function storeConformance(name: string, open: OpenStore): void {
  for (const [sentence, promise] of Object.entries(CASES)) {
    test(`${name}: ${sentence}`, () => tryCase(promise, open));
  }
}

/** One case on a store of its own; rejects where the store breaks the promise. */
export async function tryCase(promise: Case, open: OpenStore): Promise<void> {
  const opened = await open();
  try {
    assert.deepEqual(await opened.store.filings.runs({ limit: 1 }), [], 'a store to try must be empty');
    await promise(opened.store, opened.again);
  } finally {
    await opened.end();
  }
}

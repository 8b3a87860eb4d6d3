/**
 * Builds an index from batches of rows in any order, as columns of bytes and numbers, without an object for each row.
 * Uses no store and no clock.
 */

import type { Day } from '../../listings/day.ts';
import { deriveStatus, STATUSES } from '../../listings/listing.ts';
import { makeSuppressionTest } from '../../listings/words.ts';
import type { BuildRow } from '../listing-index.ts';
import { arrangeRows } from './arrange.ts';
import { openCollector } from './collect.ts';
import type { IndexBuffers } from './index-buffers.ts';

export { type IndexBuffers, listTransferables } from './index-buffers.ts';

export type BuildOptions = {
  version: string;
  /** The city's local date, which determines expiry. */
  day: Day;
  /** Keys and names that must not be served. */
  suppressed: readonly string[];
  /** Sent editions, newest first. */
  editions?: readonly Day[];
};

export function openIndexBuilder(options: BuildOptions) {
  const { version, day, suppressed, editions = [] } = options;
  const rows = openCollector();
  const isSuppressed = makeSuppressionTest(suppressed);
  return {
    add(batch: readonly BuildRow[]): void {
      for (const row of batch)
        if (!isSuppressed(row)) rows.add(row, STATUSES.indexOf(deriveStatus(row, day)));
    },
    /** Returns the index buffers for `listTransferables` and `openIndex`. The builder cannot be used again. */
    finish: (): IndexBuffers => ({ version, day, editions, ...arrangeRows(rows) }),
  };
}

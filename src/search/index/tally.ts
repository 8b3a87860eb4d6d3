/** Counts the rows of a set by combination of values and by month. */

import type { IndexBuffers } from './index-buffers.ts';
import type { RowSet } from './sets.ts';
import type { Calendar } from './stats.ts';

export type Tally = { perCombo: Uint32Array; perMonth: Uint32Array };

const NONE = new Uint32Array(0);

/** Both loops are written out: a function call for each row took twice as long, and a list of the rows of a million cost 4 MB. */
export function tallyRows(
  { combo, combos, filedOn }: IndexBuffers,
  { months, ofDay }: Calendar,
  { rows = NONE, bits = NONE }: RowSet,
): Tally {
  const perCombo = new Uint32Array(combos.count.length);
  const perMonth = new Uint32Array(months.length);
  for (const row of rows) {
    perCombo[combo[row]!]!++;
    perMonth[ofDay[filedOn[row]!]!]!++;
  }
  for (let i = 0; i < bits.length; i++)
    for (let left = bits[i]!; left !== 0; left &= left - 1) {
      const row = i * 32 + 31 - Math.clz32(left & -left);
      perCombo[combo[row]!]!++;
      perMonth[ofDay[filedOn[row]!]!]!++;
    }
  return { perCombo, perMonth };
}

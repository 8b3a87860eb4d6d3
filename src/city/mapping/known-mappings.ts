/** What is known of a source because it is a register of `city.yaml`. Apart from the interpreter, which few commands need. */

import type { Source } from '../define.ts';

/** Where the mapping names a column: `city.yaml:23`. */
export type LocateColumn = (column: string) => string | undefined;

type Known = { unlisted: ReadonlyMap<string, number>; locate: LocateColumn | undefined };

const MAPPINGS = new WeakMap<Source['verdict'], Known>();
const NONE: ReadonlyMap<string, number> = new Map();

export function rememberMapping(verdict: Source['verdict'], known: Known): void {
  MAPPINGS.set(verdict, known);
}

/** Whether a source is a register of `city.yaml`. */
export function isMapped({ verdict }: Source): boolean {
  return MAPPINGS.has(verdict);
}

/** Types that rows of this source had and its table of types does not have, with how many rows; at most a thousand. */
export function listUnlistedTypes({ verdict }: Source): ReadonlyMap<string, number> {
  return MAPPINGS.get(verdict)?.unlisted ?? NONE;
}

/** The line of `city.yaml` that names a column of this source; `undefined` for a `city.ts`. */
export function locateColumn({ verdict }: Source, column: string): string | undefined {
  return MAPPINGS.get(verdict)?.locate?.(column);
}

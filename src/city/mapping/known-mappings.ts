/** Keeps further facts of `city.yaml` about a source. A separate file, because few commands need the interpreter. */

import type { Source } from '../define.ts';

/** Returns where the mapping names a column: `city.yaml:23`. */
export type LocateColumn = (column: string) => string | undefined;

type Known = {
  unlisted: ReadonlyMap<string, number>;
  locate: LocateColumn | undefined;
  address: readonly string[];
};

const MAPPINGS = new WeakMap<Source['verdict'], Known>();
const NONE: ReadonlyMap<string, number> = new Map();

export function rememberMapping(verdict: Source['verdict'], known: Known): void {
  MAPPINGS.set(verdict, known);
}

export function isMapped({ verdict }: Source): boolean {
  return MAPPINGS.has(verdict);
}

/** Returns up to a thousand types of this source that its table lacks, with their row counts. */
export function listUnlistedTypes({ verdict }: Source): ReadonlyMap<string, number> {
  return MAPPINGS.get(verdict)?.unlisted ?? NONE;
}

/** Returns the line of `city.yaml` that names a column of this source, or `undefined` for a `city.ts`. */
export function locateColumn({ verdict }: Source, column: string): string | undefined {
  return MAPPINGS.get(verdict)?.locate?.(column);
}

/** Returns the address columns that `city.yaml` names, if it keeps only the rows of one town. */
export function listAddressColumns({ verdict }: Source): readonly string[] {
  return MAPPINGS.get(verdict)?.address ?? [];
}

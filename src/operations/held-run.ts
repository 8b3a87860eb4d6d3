/** What the page, health and the terminal say while the first run of a source waits for a person. */

import type { Source } from '../city/define.ts';
import type { SourceState } from '../import/ports.ts';
import { describeStops } from '../registers/invariants/finding.ts';

/** For each source whose first run is held: why, and which command accepts it. Without values of the register. */
export function describeHeldFirstRuns(sources: readonly Source[], states: readonly SourceState[]): string[] {
  return states.flatMap(({ source, goodAt, last }) => {
    const isOurs = sources.some(({ id }) => id === source);
    if (!isOurs || goodAt !== null || last?.state !== 'held') return [];
    const why = describeStops(last.findings) ?? `"npx shingle runs show ${last.run}" says why`;
    return [
      `the first run of ${source} is held: ${why}. To look closer, run "npx shingle check"; to accept it as it is, run "npx shingle ingest --accept ${last.run}"`,
    ];
  });
}

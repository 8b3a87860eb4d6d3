/** The file of a city that is checked: which line a finding is about, and what would change there. */

import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedCity } from '../../city/load.ts';
import type { ShownFinding } from '../../registers/invariants/finding.ts';
import { locateFinding, planRepair } from '../../registers/writing/repair.ts';

const SHIPPED = fileURLToPath(new URL('../../../cities/', import.meta.url));

export type CityFile = {
  /** Whether it comes with Shingle: an update replaces it. */
  isShipped: boolean;
  /** Whether it is data: a program is changed by hand. */
  isMapping: boolean;
  /** What to change, with the line of `city.yaml`. */
  describeFix(source: string, finding: ShownFinding): string;
  /** What `--fix` would write, as lines; none where it would write nothing. */
  listChanges(source: string, finding: ShownFinding): readonly string[];
};

export function openCityFile({ path }: Pick<LoadedCity, 'path'>): CityFile {
  const isMapping = /\.ya?ml$/.test(path);
  const isShipped = path.startsWith(SHIPPED.endsWith(sep) ? SHIPPED : SHIPPED + sep);
  return {
    isShipped,
    isMapping,
    describeFix(source, finding) {
      const line = isMapping ? locateFinding({ path, source }, finding) : undefined;
      return line === undefined ? finding.fix : `${line}: ${finding.fix}`;
    },
    listChanges: (source, finding) =>
      isMapping && !isShipped ? (planRepair({ path, source }, finding)?.lines ?? []) : [],
  };
}

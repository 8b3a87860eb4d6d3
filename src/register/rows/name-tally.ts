/** Counts the names of openings that Shingle cannot judge: nothing shows whether they are people's. */

import { hasKnownScript, isCompany, looksPersonal } from '../profile/people/persons.ts';
import { MOST_UNKNOWN } from '../survey/name-columns.ts';

const NAMES_SHOWN = 20;
/** Minimum names to tell whether the word lists know their language. */
const FEWEST = 20;

type Names = { count: number; names: string[] };

/** Opens a tally. It counts names in scripts without word lists, and all names of unknown words if these are many. */
export function openNameTally() {
  const none = (): Names => ({ count: 0, names: [] });
  const [foreign, unknown] = [none(), none()];
  let plain = 0;
  const add = (to: Names, name: string): void => {
    if (to.count++ < NAMES_SHOWN) to.names.push(name);
  };
  return {
    see(name: string): void {
      if (isCompany(name)) return;
      plain++;
      if (!hasKnownScript(name)) add(foreign, name);
      else if (looksPersonal(name) && !looksPersonal(name, { isStrict: true })) add(unknown, name);
    },
    report(): Names {
      if (plain < FEWEST || unknown.count <= plain * MOST_UNKNOWN) return foreign;
      const names = [...foreign.names, ...unknown.names].slice(0, NAMES_SHOWN);
      return { count: foreign.count + unknown.count, names };
    },
  };
}

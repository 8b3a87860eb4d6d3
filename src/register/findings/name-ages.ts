/** Measures how many names of a year were there before. First filings bring new names, and renewals bring the same again. */

import type { Opening } from '../../shared/filing.ts';
import { foldWords } from '../../shared/words.ts';
import { hashCell } from '../survey/table.ts';

/** Maximum names in memory. If there are more, every second one is dropped: a share stays what it is. */
const MOST_NAMES = 32_768;
const MOST_OF_A_NAME = 24;
const FEWEST = 100;

type Filed = { key: number; year: number };

export function openNameAges(most = MOST_NAMES) {
  const names = new Map<number, Filed[]>();
  let each = 1;
  return {
    see({ key, name, filedOn }: Pick<Opening, 'key' | 'name' | 'filedOn'>): void {
      const hash = hashCell(foldWords(name));
      const sampled = (hash ^ (hash >>> 15)) >>> 0; // the last bits choose the sample
      if (sampled % each !== 0) return;
      const filings = names.getOrInsertComputed(sampled, () => []);
      const filing = { key: hashCell(key), year: Number(filedOn.slice(0, 4)) };
      const same = filings.find((one) => one.key === filing.key);
      if (same !== undefined) same.year = Math.min(same.year, filing.year);
      else if (filings.length < MOST_OF_A_NAME) filings.push(filing);
      if (names.size <= most) return;
      each *= 2;
      for (const one of names.keys()) if (one % each !== 0) names.delete(one);
    },
    /** Returns the share of businesses, after the first year, whose name another one had in an earlier year. */
    measureKnown(): number {
      const firstYears = [...names.values()].map((filings) => Math.min(...filings.map(({ year }) => year)));
      const start = Math.min(...firstYears);
      let [known, all] = [0, 0];
      for (const [at, filings] of [...names.values()].entries())
        for (const { year } of filings) {
          if (year > start) all++;
          if (year > firstYears[at]!) known++;
        }
      return all < FEWEST ? 0 : known / all;
    },
  };
}

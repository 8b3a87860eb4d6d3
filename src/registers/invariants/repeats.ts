/** Checks `repeated-businesses`: the same name at the same place with several keys, on different days. */

import type { Day } from '../../listings/day.ts';
import type { Opening } from '../../listings/filing.ts';
import { foldWords } from '../../listings/words.ts';
import { hashCell } from '../table.ts';
import type { Evidence } from './evidence.ts';
import { isMoreThan, listNames, makeFinding, type ReadText } from './finding.ts';

const REPEATED_SHARE = 0.02;
/** Maximum businesses counted individually. Beyond that, every second one counts twice, and so on. */
const MOST_BUSINESSES = 32_768;
const KEYS_KEPT = 16;

/** Sees all openings, because a sample would have few of the repeats. */
export function openRepeatCheck({ roles }: Pick<Evidence, 'roles'>, most = MOST_BUSINESSES) {
  const { address, point } = roles;
  const chosen = address.length > 0 ? address : point === undefined ? [] : [point.latitude, point.longitude];
  const columns = [...new Set(chosen.map(({ name }) => name))];
  /** The filings under different keys of a name at a place, by hash. */
  const businesses = new Map<number, { name: string; filings: { key: number; day: Day }[] }>();
  let share = 1;
  const isSampled = (hash: number) => (hash & (share - 1)) === 0;
  return {
    see({ key, name, filedOn }: Pick<Opening, 'key' | 'name' | 'filedOn'>, cell: ReadText): void {
      const where = foldWords(columns.map(cell).join(' '));
      const hash = hashText(`${foldWords(name)}\n${where}`);
      if (where === '' || !isSampled(hash)) return;
      const { filings } = businesses.getOrInsertComputed(hash, () => ({ name, filings: [] }));
      const filing = { key: hashText(key), day: filedOn };
      if (filings.length < KEYS_KEPT && filings.every((one) => one.key !== filing.key)) filings.push(filing);
      if (businesses.size <= most) return;
      share *= 2;
      for (const other of businesses.keys()) if (!isSampled(other)) businesses.delete(other);
    },
    find(of: number) {
      const repeated = [...businesses.values()]
        .map(({ name, filings }) => ({ name, days: [...new Set(filings.map(({ day }) => day))] }))
        .filter(({ days }) => days.length > 1);
      const count = repeated.reduce((sum, { days }) => sum + days.length - 1, 0) * share;
      if (!isMoreThan(REPEATED_SHARE, count, of)) return [];
      const examples = repeated
        .slice(0, 5)
        .map(({ name, days }) => `${name}: ${days.slice(0, 4).join(', ')}`);
      const values = { columns: listNames(columns) };
      const repair = { key: { nameAnd: columns } };
      return [makeFinding('repeatedBusinesses', { count, of, examples, values, repair })];
    },
  };
}

/** Hashes a text. Mixes the high bits into the low ones, which determine the sample. */
function hashText(text: string): number {
  const hash = hashCell(text);
  return (hash ^ (hash >>> 15)) | 0;
}

/** Finds renewals that were read as openings: businesses and names that return under other keys. Examines all openings. */

import type { Day } from '../../shared/day.ts';
import type { Opening } from '../../shared/filing.ts';
import { hashCell } from '../../shared/text/hash.ts';
import { foldWords } from '../../shared/words.ts';
import type { Evidence } from './evidence.ts';
import { makeFinding, type ReadText } from './finding.ts';

/** Maximum groups in memory. If there are more, every second one is dropped and the others count twice. */
const MOST_GROUPS = 32_768;
const OTHERS_KEPT = 15;
const NO_OTHERS: readonly Filing[] = []; // nearly all groups share this list, which saves memory
const FEWEST_LATER = 100;

type Filing = { key: number; day: Day; name: string };

/** Opens a check of all openings, because a sample would contain few repeats. */
export function openRepeatCheck({ roles }: Pick<Evidence, 'roles'>, most = MOST_GROUPS) {
  const { address, point } = roles;
  const chosen = address.length > 0 ? address : point === undefined ? [] : [point.latitude, point.longitude];
  const columns = [...new Set(chosen.map(({ name }) => name))];
  const businesses = openGroups(most);
  const names = openGroups(most);
  return {
    see({ key, name, filedOn }: Pick<Opening, 'key' | 'name' | 'filedOn'>, cell: ReadText): void {
      const where = foldWords(columns.map(cell).join(' '));
      const [folded, filing] = [foldWords(name), { key: hashText(key), day: filedOn, name }];
      names.add(folded, filing);
      if (where !== '') businesses.add(`${folded}\n${where}`, filing);
    },
    find(of: number) {
      const repeated = businesses
        .list()
        .map((filings) => ({ name: filings[0]!.name, days: [...new Set(filings.map(({ day }) => day))] }))
        .filter(({ days }) => days.length > 1);
      const count = repeated.reduce((sum, { days }) => sum + days.length - 1, 0) * businesses.share();
      const examples = repeated.map(({ name, days }) => `${name}: ${days.slice(0, 4).join(', ')}`);
      const write = { key: { nameAnd: columns } };
      return makeFinding('repeatedBusinesses', { count, of, columns, examples, write });
    },
    /**
     * Returns the share of openings, after the first year, whose name was there in an earlier year under another key.
     * First filings bring new names, and renewals bring the same again.
     */
    measureKnownNames(): number {
      const years = names.list().map((filings) => filings.map(({ day }) => day.slice(0, 4)).sort());
      const start = years.map(([first]) => first!).sort()[0];
      const later = years.flat().filter((year) => year > start!).length;
      const known = years.flatMap((some) => some.filter((year) => year > some[0]!)).length;
      return later < FEWEST_LATER ? 0 : known / later;
    },
  };
}

/** Groups filings with different keys by the hash of a text: the first filing, and the others. */
function openGroups(most: number) {
  const groups = new Map<number, { first: Filing; others: readonly Filing[] }>();
  let share = 1;
  const isSampled = (hash: number) => (hash & (share - 1)) === 0;
  return {
    add(text: string, filing: Filing): void {
      const hash = hashText(text);
      if (!isSampled(hash)) return;
      const group = groups.get(hash);
      if (group === undefined) groups.set(hash, { first: filing, others: NO_OTHERS });
      else if ([group.first, ...group.others].every((one) => one.key !== filing.key))
        group.others = [...group.others, filing].slice(0, OTHERS_KEPT);
      if (groups.size <= most) return;
      share *= 2;
      for (const other of groups.keys()) if (!isSampled(other)) groups.delete(other);
    },
    list: () => [...groups.values()].map(({ first, others }) => [first, ...others]),
    share: () => share,
  };
}

/** Hashes a text. Mixes the high bits into the low ones, which determine the sample. */
function hashText(text: string): number {
  const hash = hashCell(text);
  return (hash ^ (hash >>> 15)) | 0;
}

/**
 * Examines all rows, because a sample would show too little. Finds renewals that were read as openings (businesses and names that return
 * under other keys), and rows that are left out by a status and pile up in the newest year, so that every comparison is too low.
 */

import type { Day } from '../../shared/day.ts';
import type { Opening } from '../../shared/filing.ts';
import type { Days } from '../../shared/periods.ts';
import { hashCell } from '../../shared/text/hash.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import { findRecentUndecided } from '../../shared/undecided.ts';
import { foldWords } from '../../shared/words.ts';
import type { Evidence, SampledRegister } from './evidence.ts';
import { makeFinding, type ReadText, type ShownFinding } from './finding.ts';

/** Maximum groups in memory. If there are more, every second one is dropped and the others count twice. */
const MOST_GROUPS = 32_768;
const OTHERS_KEPT = 15;
const NO_OTHERS: readonly Filing[] = []; // nearly all groups share this list, which saves memory
const FEWEST_LATER = 100;

type Filing = { key: number; day: Day; name: string };

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
      const tries = [{ key: { nameAnd: columns } }];
      return makeFinding('repeatedBusinesses', { count, of, columns, examples, tries });
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

const NEVER = 'never opened: ';

export function openUndecidedTally() {
  const opened = new Map<Day, number>();
  const undecided = new Map<Day, number>();
  const reasons = new Map<string, number>();
  const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    see({ kind, filedOn, reason = '' }: { kind: string; filedOn?: Day | undefined; reason?: string }): void {
      if (filedOn === undefined || (kind !== 'skip' && kind !== 'opening')) return;
      add(kind === 'skip' ? undecided : opened, filedOn);
      if (kind === 'skip') add(reasons, reason.replace(NEVER, ''));
    },
    find({ source }: Pick<SampledRegister, 'source'>, newest: Day | null): ShownFinding | undefined {
      if (source.delivers === 'changes' || newest === null) return undefined;
      const count = ({ filed_from, filed_to }: Days) =>
        [...opened].reduce((sum, [day, n]) => (day >= filed_from && day <= filed_to ? sum + n : sum), 0);
      const years = findRecentUndecided(undecided, newest, count);
      const [latest] = years;
      if (latest === undefined) return undefined;
      const [year, rows] = latest;
      return makeFinding('recentSkips', {
        count: rows,
        of: rows + count({ filed_from: `${year}-01-01`, filed_to: `${year}-12-31` }),
        values: { years: years.map(([one, n]) => `${formatNumber(n)} of ${one}`).join(', ') },
        examples: [...reasons]
          .sort((a, b) => b[1] - a[1])
          .map(([reason, n]) => `${reason}: ${n} rows in all years`),
      });
    },
  };
}

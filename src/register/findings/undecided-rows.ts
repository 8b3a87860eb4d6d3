/** Finds rows that are left out by a status and pile up in the newest year, so that every comparison is too low. */

import type { Day } from '../../shared/day.ts';
import type { Days } from '../../shared/periods.ts';
import { findRecentUndecided } from '../../shared/report.ts';
import { formatNumber } from '../../shared/text/numbers.ts';
import type { SampledRegister } from './evidence.ts';
import { makeFinding, type ShownFinding } from './finding.ts';

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

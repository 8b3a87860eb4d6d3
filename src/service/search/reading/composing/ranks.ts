/** Finds the rows that a question asks for, and their order. */

import { isOneYear } from '../../../../shared/periods.ts';
import { isExcluded } from '../../../../shared/question.ts';
import { isTime, type RankBy, type Reading } from '../../../../shared/reading.ts';
import { COMPARED, hasRole, type Meaning, RANKED, type Role, type Searched, textOf } from '../draft.ts';

export type Rank = NonNullable<Reading['rank']>;

/** What a question says about rows. */
type Asked = {
  /** Its rows, if it names any. */
  by: RankBy | undefined;
  rows: readonly Meaning[];
  change: 'grew' | 'fell' | undefined;
  isOrdered: boolean;
  has(...roles: Role[]): boolean;
} & Pick<Searched, 'used' | 'base' | 'terms'>;

/** How rows are asked for, by an example; the first rule that applies counts. */
const RANKS: readonly (readonly [
  example: string,
  test: (asked: Asked) => boolean,
  rank: (asked: Asked) => Rank | undefined,
])[] = [
  [
    'is downtown growing',
    ({ change, by, has }) => change !== undefined && by === undefined && has('ask'),
    () => ({ by: 'year', order: 'trend' }),
  ],
  [
    'which areas grew most',
    ({ change }) => change !== undefined,
    ({ by, base, terms, change }) => {
      const isNarrow = terms.length > 0 || base.category.length > 0;
      return { by: by ?? (isNarrow ? 'neighborhood' : 'category'), order: change! };
    },
  ],
  [
    'bars over time',
    ({ by, has }) => has('trend') && (by === undefined || isTime(by)),
    ({ by = 'year' }) => ({ by, order: 'trend' }),
  ],
  ['most bars', ({ by }) => by === undefined, () => undefined],
  // the first bars, with their days
  [
    'in what year did the first bar open',
    ({ by, isOrdered, has }) => isTime(by) && !isOrdered && has('oldest'),
    () => undefined,
  ],
  ['which area has the fewest bars', ({ has }) => has('fewest'), (asked) => rankBy(asked, 'fewest')],
  [
    'bars per year',
    ({ by, rows, has }) => isTime(by) && !has('most') && rows.some(({ how }) => how === 'each'),
    (asked) => rankBy(asked, 'trend'),
  ],
  ['which area has the most bars', () => true, (asked) => rankBy(asked, 'most')],
];

export function findRank({ used, base, terms }: Searched): Rank | undefined {
  const has = (...roles: Role[]) => hasRole(used, ...roles);
  const isOrdered = has(...RANKED);
  const rows = used
    .map(({ meaning }) => meaning)
    .filter(({ by, how }) => by && (how || isOrdered || has('count')));
  const by = (rows.find(({ how }) => how) ?? rows[0])?.by;
  const change = (['grew', 'fell'] as const).find((role) => has(role));
  const asked: Asked = { by, rows, change, isOrdered, has, used, base, terms };
  return RANKS.find(([, test]) => test(asked))?.[2](asked);
}

function rankBy({ by, rows, used, base, has }: Asked, order: Rank['order']): Rank {
  const nth = used.find(({ meaning }) => meaning.nth)?.meaning.nth;
  const countAt = used.findIndex(({ meaning: { role } }) => role === 'count');
  const counted = used.slice(countAt + 1).find(({ meaning: { role } }) => role !== 'filler')?.meaning;
  const isNumber = countAt >= 0 && counted?.by !== undefined && counted.how !== 'each' && !has('most');
  // of `which month of 2015`, that of the year
  const isYearly = by === 'calendar' || (by === 'month' && rows.some(({ how }) => how === 'which'));
  const isOfYears = isYearly && order !== 'trend' && (base.filed_from === '' || !isOneYear(base));
  return {
    by: isOfYears ? 'calendar' : by === 'calendar' ? 'month' : by!,
    order,
    ...(nth && { nth }),
    ...(isNumber && { isNumber }),
  };
}

/** Finds the rows that a question names: years, or more than two places, kinds or words that it compares or counts. */
export function findNamed({
  years = [],
  steps,
  base,
  terms,
  items,
}: Searched): Pick<Rank, 'by' | 'values'> | undefined {
  if (years.length > 0) return { by: 'year', values: years };
  const isCounted = hasRole(steps, 'count') && items.filter((item) => item.join === 'and').length > 1;
  if (!isCounted && !hasRole(steps, ...COMPARED)) return undefined;
  const isNamed = (by: 'neighborhood' | 'category') =>
    base[by].filter((value) => !isExcluded(value)).length > 2;
  const by = (['neighborhood', 'category'] as const).find(isNamed);
  const [words, other] = terms;
  if (by !== undefined) return { by };
  const alternatives = other === undefined ? (words?.alternatives ?? []) : [];
  return alternatives.length > 2
    ? { by: 'q', values: alternatives.map((some) => textOf(some, '-')) }
    : undefined;
}

/** Chooses how a search is answered: by a comparison, a ranking, a number or a list. */

import { isOneYear } from '../../../../shared/periods.ts';
import { isExcluded } from '../../../../shared/question.ts';
import { type Claim, isTime, type RankBy, type Reading } from '../../../../shared/reading.ts';
import {
  COMPARED,
  type Draft,
  dimensionOf,
  dropSteps,
  hasRole,
  isOfStock,
  isOpening,
  isRole,
  isWhether,
  join,
  RANKED,
  type Role,
  type Searched,
  type Step,
  stepsOf,
  textOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { findUnlike } from './sides.ts';

type Rank = NonNullable<Reading['rank']>;

type Answered = Searched & Pick<Draft, 'answer' | 'rank' | 'claim' | 'unlike'>;

export function chooseAnswer(searched: Searched, sources: ReadingSources): Draft {
  const rank = findRows(searched, sources);
  const isUntold = asksUntold(searched, rank);
  const answered = isUntold ? refuse(searched) : answer(searched, rank, sources);
  const isAll =
    hasRole(answered.steps, 'newest', 'near', 'home', 'count', 'oldest') || answered.rank !== undefined;
  return {
    ...answered,
    hasContent: answered.items.length > 0 || isAll,
    isOldest: hasRole(answered.steps, 'oldest') && !answered.rank && !answered.against,
    isUntold,
  };
}

function answer(searched: Searched, rank: Rank | undefined, sources: ReadingSources): Answered {
  const { steps, against, isUnion } = searched;
  // what no filing says is answered by no number
  const isUnanswered = ({ meaning: { role, isWhy } }: Step) => role === 'unused' || isWhy;
  const isNumber = hasRole(steps, 'count') && !steps.some(isUnanswered);
  if (against === undefined)
    return { ...searched, rank, answer: rank ? 'rank' : isNumber ? 'count' : 'list' };
  if (isUnion) return { ...searched, answer: 'compare' };
  const unlike = findUnlike(searched, sources);
  const ranked = rank && rankBoth(searched, rank);
  return ranked
    ? { ...ranked, unlike }
    : { ...dropTimes(searched, rank), answer: 'compare', claim: findClaim(searched), unlike };
}

/** Finds the rows that a question asks for or names. */
function findRows(searched: Searched, sources: ReadingSources): Rank | undefined {
  const { sides, against, steps, row } = searched;
  if (row) return row;
  const ranked = against && !sides ? undefined : findRank(searched, sources);
  const named = findNamed(searched);
  if (named === undefined || (ranked && ranked.by !== named.by)) return ranked;
  const order = hasRole(steps, 'fewest') ? 'fewest' : hasRole(steps, ...COMPARED, 'count') ? 'most' : 'trend';
  return { order, ...ranked, ...named };
}

/** Returns whether it asks how many closed in some days, or how many there were or were lost: filings have the days of openings only. */
function asksUntold({ base, against, steps }: Searched, rank: Rank | undefined): boolean {
  const isDated = [base, against?.base].some((side) => side && (side.filed_from || side.filed_to) !== '');
  const isTimed = isDated || steps.some(({ why }) => why === 'closings');
  const isClosed = base.status.some((status) => !/^(?:open$|-)/.test(status));
  const isChange = rank?.order === 'grew' || rank?.order === 'fell';
  return steps.some(isOfStock) || (isClosed && (isTimed || isTime(rank?.by) || isChange));
}

/** Drops what it compares and ranks, of which nothing is told. */
function refuse(searched: Searched): Answered {
  const { sides, used, fates, steps } = searched;
  const ranking = used.filter((step) => isRole(step, 'by', ...RANKED));
  const why = steps.some(isOfStock) ? 'filings' : 'closings';
  const dropped = dropSteps(fates, [...ranking, ...stepsOf(sides?.against ?? [])], why);
  return { ...searched, fates: dropped, against: undefined, answer: 'list' };
}

/** Ranks rows by how much the one side exceeds the other: `more bars than restaurants by neighborhood`. */
function rankBoth(searched: Searched, { by }: Rank): Answered | undefined {
  // of `fewer bars than restaurants`, the rows with more restaurants
  const isLess = searched.used.some(({ meaning }) => meaning.extent === 'less');
  const [more, fewer] = isLess ? [searched.against!, searched] : [searched, searched.against!];
  if (isTime(by) || String(more.base[by]) !== String(fewer.base[by])) return undefined;
  const { base, terms, excluded } = more;
  const rank: Rank = { by, order: 'than', than: join(fewer) };
  return { ...searched, base, terms, excluded, rank, against: undefined, answer: 'rank' };
}

/** Drops the years or months whose rows two sides do not have. */
function dropTimes(searched: Searched, rank: Rank | undefined): Searched {
  const { fates, used } = searched;
  const rows = used.filter(({ meaning }) => meaning.how);
  return isTime(rank?.by) ? { ...searched, fates: dropSteps(fates, rows, 'unread') } : searched;
}

/**
 * Finds whether it asks if the first side has more or fewer: `did more bars open in 2015 than in 2014`, and not `more bars or cafes`. Of what
 * there is, be it now or in another period, filings tell only how many registered.
 */
function findClaim({ asked, steps, base }: Searched): Claim | undefined {
  const isTold = steps.some(isOpening) || base.status.length > 0;
  if (!isWhether(asked.q) || hasRole(steps, 'or') || !isTold) return undefined;
  const isFewer = hasRole(steps, 'fell') || steps.some(({ meaning }) => meaning.extent === 'less');
  // the Spanish `más` is `more` and `most`
  const isMore = hasRole(steps, 'more', 'grew') || (hasRole(steps, 'most') && hasRole(steps, 'than'));
  return isFewer ? 'fewer' : isMore ? 'more' : undefined;
}

/** What a question says about rows. */
type Asked = {
  by: RankBy | undefined;
  /** Whether it asks for each of them, or for rows in an order. */
  isEach: boolean;
  isOrdered: boolean;
  has(...roles: Role[]): boolean;
};

/** How rows are ordered, by an example, if any are asked for; the first rule that applies counts. */
const ORDERS: readonly (readonly [
  example: string,
  order: Rank['order'] | undefined,
  test: (asked: Asked) => boolean,
])[] = [
  ['is downtown growing', 'trend', ({ by, has }) => has('grew', 'fell') && by === undefined && has('ask')],
  ['which areas grew most', 'grew', ({ has }) => has('grew')],
  ['which areas fell most', 'fell', ({ has }) => has('fell')],
  ['bars over time', 'trend', ({ by, has }) => has('trend') && (by === undefined || isTime(by))],
  ['most bars', undefined, ({ by }) => by === undefined],
  // the first bars, with their days
  [
    'what year the first bar opened',
    undefined,
    ({ by, isOrdered, has }) => isTime(by) && !isOrdered && has('oldest'),
  ],
  ['which area has the fewest bars', 'fewest', ({ has }) => has('fewest')],
  ['bars per year', 'trend', ({ by, isEach, has }) => isTime(by) && isEach && !has('most')],
  ['which area has the most bars', 'most', () => true],
];

/** Returns whether it asks where most or fewest of a kind are without naming rows: `most bars`, and not `do most bars close`. */
function isPlain({ steps, base, against }: Searched, { meanings }: ReadingSources): boolean {
  const at = steps.findIndex((step) => isRole(step, 'most', 'fewest'));
  const first = steps.slice(at + 1).find((step) => !isRole(step, 'filler', 'newest', 'days'));
  const isOfKind = isRole(first, 'trade') || first?.meaning.filter === 'category';
  // what else it asks is no matter of neighborhoods: `which day had the most bars`
  const isOther = ({ why, meaning: { role, extent } }: Step) =>
    why !== undefined || role === 'unused' || extent === 'busy';
  if (at < 0 || !isOfKind || against || steps.some(isOther)) return false;
  if (isRole(steps[0], 'ask') || hasRole(steps, 'count', 'or')) return false;
  return [...base.status, ...base.neighborhood].length === 0 && meanings.values.neighborhood.length > 1;
}

/** Finds the rows that a question asks for, and their order. */
function findRank(searched: Searched, sources: ReadingSources): Rank | undefined {
  const { used, base, terms } = searched;
  const has = (...roles: Role[]) => hasRole(used, ...roles);
  const isOrdered = has(...RANKED);
  const rows = used
    .map(({ meaning }) => meaning)
    .filter(({ by, how }) => by && (how || isOrdered || has('count')));
  const by =
    (rows.find(({ how }) => how) ?? rows[0])?.by ?? (isPlain(searched, sources) ? 'neighborhood' : undefined);
  const isEach = rows.some(({ how }) => how === 'each');
  const order = ORDERS.find(([, , test]) => test({ by, isEach, isOrdered, has }))?.[1];
  if (order === undefined) return undefined;
  const isNarrow = terms.length > 0 || base.category.length > 0;
  if (order === 'grew' || order === 'fell')
    return { by: by ?? (isNarrow ? 'neighborhood' : 'category'), order };
  const nth = used.find(({ meaning }) => meaning.nth)?.meaning.nth;
  const countAt = used.findIndex(({ meaning: { role } }) => role === 'count');
  const counted = used.slice(countAt + 1).find(({ meaning: { role } }) => role !== 'filler')?.meaning;
  const isNumber = countAt >= 0 && counted?.by !== undefined && counted.how !== 'each' && !has('most');
  // of `which month of 2015`, that of the year
  const isYearly = by === 'calendar' || (by === 'month' && rows.some(({ how }) => how === 'which'));
  const isOfYears = isYearly && order !== 'trend' && (base.filed_from === '' || !isOneYear(base));
  return {
    by: isOfYears ? 'calendar' : by === 'calendar' ? 'month' : (by ?? 'year'),
    order,
    ...(nth && { nth }),
    ...(isNumber && { isNumber }),
  };
}

/** Finds the rows that a question names: years, or more than two places, kinds or words that it compares or counts. */
export function findNamed(searched: Searched): Pick<Rank, 'by' | 'values'> | undefined {
  const { years = [], steps, base, terms, items } = searched;
  if (years.length > 0) return { by: 'year', values: years };
  const isCounted = hasRole(steps, 'count') && items.filter((item) => item.join === 'and').length > 1;
  if (!isCounted && !hasRole(steps, ...COMPARED)) return undefined;
  // `shops` are several kinds, of which none is named
  const isNamed = (by: 'neighborhood' | 'category') =>
    base[by].filter((value) => !isExcluded(value)).length > 2 &&
    items.filter((item) => dimensionOf(item) === (by === 'category' ? 'kind' : by)).length > 2;
  const by = (['neighborhood', 'category'] as const).find(isNamed);
  const [words, other] = terms;
  if (by !== undefined) return { by };
  const alternatives = other === undefined ? (words?.alternatives ?? []) : [];
  return alternatives.length > 2
    ? { by: 'q', values: alternatives.map((some) => textOf(some, '-')) }
    : undefined;
}

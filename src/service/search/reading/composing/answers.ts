/** Chooses how a search is answered: by a comparison, a ranking, a number or a list. */

import { type Claim, isTime } from '../../../../shared/reading.ts';
import {
  COMPARED,
  type Draft,
  dropSteps,
  hasRole,
  isOfStock,
  isOpening,
  isRole,
  isWhether,
  join,
  RANKED,
  type Searched,
  type Step,
  stepsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { findUnlike } from './comparable.ts';
import { findNamed, findRank, type Rank } from './ranks.ts';

type Answered = Searched & Pick<Draft, 'answer' | 'rank' | 'claim' | 'unlike'>;

export function chooseAnswer(searched: Searched, sources: ReadingSources): Draft {
  const rank = findRows(searched);
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
  const isUnanswered = ({ meaning: { role, isWhy, extent } }: Step) =>
    role === 'unused' || isWhy || extent === 'hours';
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
function findRows(searched: Searched): Rank | undefined {
  const { sides, against, steps } = searched;
  const ranked = against && !sides ? undefined : findRank(searched);
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
  if (!isTime(rank?.by)) return searched;
  return {
    ...searched,
    fates: dropSteps(
      fates,
      used.filter(({ meaning }) => meaning.how),
      'unread',
    ),
  };
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

/** Makes two sides of a question comparable, and puts the one first that is listed. */

import type { Day } from '../../../../shared/day.ts';
import { evenDays, findDaysBefore, findYearTo, isSameDays } from '../../../../shared/periods.ts';
import type { Question } from '../../../../shared/question.ts';
import { type Draft, dimensionOf, join, type Searched, textOf, wordsOf } from '../draft.ts';
import type { ReadingSources } from '../sources.ts';

/** Makes two periods comparable: of days without one end, the last year; and none has days after the data. */
export function evenSides(draft: Draft, { dataEnd }: ReadingSources): Draft {
  const { base, against, isUnion, sides } = draft;
  if (against === undefined || isUnion) return draft;
  if (isSameDays(base, against.base)) {
    // `this summer vs last summer`, and not two places or kinds since a year
    const isTwice = sides?.against.some((item) => dimensionOf(item) === 'days');
    const older = { ...against.base, ...findDaysBefore(base) };
    return isTwice ? { ...draft, against: { ...against, base: older } } : draft;
  }
  const [one, other] = [base, against.base].map((side) => closeDays(side, dataEnd)) as [Question, Question];
  const isLater = one.filed_to > other.filed_to;
  const [newer, older] = isLater ? evenDays(one, other, dataEnd) : evenDays(other, one, dataEnd);
  return { ...draft, base: isLater ? newer : older, against: { ...against, base: isLater ? older : newer } };
}

function closeDays(side: Question, dataEnd: Day): Question {
  if ((side.filed_from === '') === (side.filed_to === '')) return side;
  return { ...side, ...findYearTo(side.filed_to || dataEnd) };
}

/**
 * Puts the part of a sum or the side of a comparison that has listings first: these are listed. Of two places or kinds of the same days,
 * the larger one is first, whatever was asked first.
 */
export function putLarger(draft: Draft, { countMatches }: ReadingSources): Draft {
  const { against, isUnion, base, terms, excluded } = draft;
  if (against === undefined) return draft;
  const own = countMatches(join(draft));
  const isInOrder = own > 0 && (isUnion || !isSameDays(base, against.base));
  if (isInOrder || countMatches(join(against)) <= own) return draft;
  const claim = draft.claim && (draft.claim === 'more' ? 'fewer' : 'more');
  return { ...draft, ...against, claim, against: { base, terms, excluded } };
}

/**
 * Finds the side of a comparison that only names and types tell, beside one that is a whole kind, as in `coffee vs restaurants`, or the one that
 * only names tell, beside one that has a type.
 */
export function findUnlike(
  { base, terms, against }: Searched,
  { meanings, findMixed }: ReadingSources,
): Draft['unlike'] {
  const sides = [{ base, terms }, against!];
  const all = sides.flatMap((side) => side.terms);
  const mixed = all.filter(({ steps }) => findMixed(wordsOf(steps).join(' ')) !== undefined);
  const isMixed = all.length === 2 && mixed.length === 1;
  const isWhole = sides.some((side) => side.terms.length === 0 && side.base.category.length > 0);
  const [{ steps: named } = { steps: [] }] = isMixed ? mixed : all;
  const [first] = named;
  const kind = (isWhole || isMixed) && first && (first.meaning.values ?? meanings.findKind(first))?.[0];
  return kind ? { word: textOf(named), kind } : undefined;
}

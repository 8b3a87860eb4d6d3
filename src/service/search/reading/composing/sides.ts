/** Finds what a comparison or a sum is of: two periods, two places, two kinds, or kinds with a place of their own. Makes both sides comparable. */

import { addDays, type Day } from '../../../../shared/day.ts';
import {
  ALL_TIME,
  type Days,
  evenDays,
  findDaysBefore,
  findYearTo,
  isSameDays,
} from '../../../../shared/periods.ts';
import type { Question } from '../../../../shared/question.ts';
import { subtractDays } from '../days/calendar.ts';
import {
  type Draft,
  dimensionOf,
  dropSteps,
  hasRole,
  type Item,
  type Items,
  isRole,
  join,
  type Searched,
  type Sided,
  type Sides,
  type Stated,
  type Step,
  type Steps,
  stepsOf,
  textOf,
  wordsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';

/** Returns the conditions without some. What was joined to one of these is joined to nothing. */
export function leaveOut(items: Items, some: Items): Item[] {
  return items.flatMap((item, i) => {
    if (some.includes(item)) return [];
    const before = items[i - 1];
    return before !== undefined && some.includes(before) ? { ...item, join: 'none' as const } : item;
  });
}

/** Reads what one negation excludes together, as in `restaurants in Downtown but not bars in Naples`: what no listing of the search is. */
export function dropExcludedPair(draft: Stated): Stated {
  const { used, items, fates } = draft;
  const at = items.findIndex(({ isNot }) => isNot);
  const main = items.slice(0, Math.max(at, 0));
  const pair = items.slice(at, at + 2);
  const kind = pair.find((item) => dimensionOf(item) === 'kind');
  const value = pair.find((item) => dimensionOf(item) !== 'kind');
  if (!kind || !value || main.length === 0 || pair[1]!.join !== 'none') return draft;
  const others = items.filter((item) => !pair.includes(item));
  // `bars but not bars in Naples`
  if (main.some((item) => textOf(item.steps) === textOf(kind.steps)))
    return { ...draft, items: [...others, { ...value, isNot: true, join: 'none' }] };
  const from = used.indexOf(pair[0]!.steps[0]!);
  // `bars but not cafes in Naples`: all in Naples, and `but not downtown bars`, and not `not in downtown, bars`
  const isOwn =
    main.some((item) => dimensionOf(item) === dimensionOf(value)) ||
    fates.values().some(({ why }) => why === 'place');
  if (kind === pair[0] ? !isOwn : !isRole(used[from - 1], 'not')) return draft;
  const to = used.indexOf(pair[1]!.steps.at(-1)!);
  const why = dimensionOf(value) === 'days' ? 'unread' : 'together';
  return { ...draft, items: others, fates: dropSteps(fates, used.slice(from, to + 1), why) };
}

/** Reads days that are excluded as those before and after them: `bars not opened in 2015`, `since 2010 but not in 2015`. */
export function splitExcludedDays(draft: Stated): Stated {
  const dated = draft.items.filter((item) => dimensionOf(item) === 'days');
  const [without, another] = dated.filter(({ isNot }) => isNot);
  const [within = without, ...others] = dated.filter(({ isNot }) => !isNot);
  const [step] = within?.steps ?? [];
  if (!without || another || others.length > 0 || without.steps[0]!.meaning.isYearly) return draft;
  const all = within === without ? ALL_TIME : step!.meaning.days!;
  const left = subtractDays(all, without.steps[0]!.meaning.days!).map((days, i): Item => {
    const steps = [{ ...step!, meaning: { ...step!.meaning, days } }];
    return { steps, isNot: false, join: i > 0 ? 'or' : within!.join };
  });
  if (left.length === 0) return draft;
  const items = draft.items.flatMap((item) => (item === within ? left : item === without ? [] : [item]));
  return { ...draft, items };
}

/** Finds the two sides of a comparison: around `vs` or `than`, after `compare`, or joined by `or` after `more`. */
export function findSides(stated: Stated): Sided {
  const { used, items, fates } = stated;
  const told = items.filter(({ isNot, steps: [first] }) => !isNot && fates.get(first!)?.fate !== 'not-used');
  const joints = listJoints(used, told);
  const [, ...others] = findSeveral(joints, told);
  const joined = items.map((item) => (others.includes(item) ? { ...item, join: 'or' as const } : item));
  if (others.length > 0) return { ...stated, items: joined };
  const at = joints[0] ?? used.findIndex(isComparing);
  const sides = findPair(used, told, at) ?? findTwo(used, told, at);
  return { ...stated, sides, fates: dropSteps(fates, stepsOf(sides?.rest ?? []), 'unread') };
}

const isComparing = (step: Step) => isRole(step, 'compare', 'than');

/** Lists the places of `vs` and `than` behind what they join: `compare` at the beginning is none. */
function listJoints(steps: Steps, items: Items): number[] {
  const least = Math.min(...items.map((item) => placeOf(steps, item)));
  return [...steps.keys()].filter((at) => isComparing(steps[at]!) && at > least);
}

function placeOf(steps: Steps, item: Item): number {
  return steps.findIndex(({ tokens }) => tokens === item.steps[0]!.tokens);
}

/** Finds kinds, places or days with others of their own: `dentists in Downtown or cafes in Wrigley`. `at`: the position of `vs` or `than`. */
function findPair(steps: Steps, items: Items, at: number): Sides | undefined {
  const listDimensions = (some: Items) => new Set(some.map(dimensionOf));
  const isCut = (item: Item, before: Item) =>
    item.join !== 'none' || (placeOf(steps, before) < at && at < placeOf(steps, item));
  const cuts = items.flatMap((item, i) => {
    const isAlike = i > 0 && dimensionOf(item) === dimensionOf(items[0]!) && isCut(item, items[i - 1]!);
    const both = listDimensions(items.slice(0, i)).intersection(listDimensions(items.slice(i)));
    return isAlike && both.size > 1 ? [i] : [];
  });
  const [first, second = items.length] = cuts;
  if (first === undefined) return undefined;
  const [one, other] = [items.slice(0, first), items.slice(first, second)];
  // what only one side says, such as a year, is of both
  const keepOwn = (some: Items, others: Items) =>
    some.filter((item) => others.some((another) => dimensionOf(another) === dimensionOf(item)));
  return { main: keepOwn(one, other), against: keepOwn(other, one), rest: items.slice(second) };
}

/** Finds more than two places, years, kinds or words that are compared, which are rows: `downtown vs naples vs wrigley`. */
function findSeveral(joints: readonly number[], items: Items): Items {
  for (const dimension of ['days', 'neighborhood', 'kind'] as const) {
    const some = items.filter((item) => dimensionOf(item) === dimension);
    if (some.length > 2 && joints.length === some.length - 1) return some;
  }
  return [];
}

function findTwo(steps: Steps, items: Items, at: number): Sides | undefined {
  // `the most bars, downtown or naples`, and not `which area has the most bars or restaurants`
  const isOfRows = steps.some(({ meaning }) => meaning.how);
  const isMore = hasRole(steps, 'more') || (!isOfRows && hasRole(steps, 'most', 'fewest'));
  const dimensions = (['days', 'neighborhood', 'kind', 'status'] as const).map((dimension) => {
    const some = items.filter((item) => dimensionOf(item) === dimension);
    const before = some.filter((item) => placeOf(steps, item) < at);
    return { dimension, some, before, after: some.filter((item) => !before.includes(item)) };
  });
  // `more bars than cafes in Downtown or Naples`: what stands on both sides
  const around = dimensions.find(({ before, after }) => at >= 0 && before.length > 0 && after.length > 0);
  if (around) {
    const { dimension, before, after } = around;
    return dimension === 'days'
      ? { main: [before.at(-1)!], against: [after[0]!] }
      : { main: before, against: after };
  }
  for (const { dimension, some, before } of dimensions) {
    const isTimed = dimension === 'days';
    const isKind = dimension === 'kind';
    const [first, second] = some;
    if (first === undefined || second === undefined || some.length > 2) continue;
    // `2010 and 2016`: no search has both without the years between
    const [one, other] = [first, second].map(({ steps: [step] }) => step!.meaning.days);
    const isListed = at >= 0 && (!isKind || (before.length === 0 && second.join !== 'none'));
    const isGap = one && other && second.join !== 'none' && isApart(one, other);
    const isCounted = !isTimed && second.join === 'and' && !second.isNot && hasRole(steps, 'count');
    if (isListed || isGap || isCounted || (at < 0 && isMore && second.join === 'or'))
      return { main: [first], against: [second] };
  }
  return undefined;
}

function isApart(one: Days, other: Days): boolean {
  const [early, late] = one.filed_from <= other.filed_from ? [one, other] : [other, one];
  if (early.filed_to === '' || late.filed_from === '') return false;
  const next = addDays(early.filed_to, 1);
  if (next === late.filed_from) return early.filed_from === '' && late.filed_to === '';
  return next < late.filed_from;
}

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

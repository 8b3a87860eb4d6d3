/** Finds what a comparison or a sum is of: two periods, two places, two kinds, or kinds with a place of their own. */

import { addDays, type Day } from '../../../shared/day.ts';
import type { ReadWord, Why } from '../../../shared/reading.ts';
import { hasRole, type Step, type Steps, textOf } from './meanings.ts';

/** What becomes of each step. */
export type Fate = Pick<ReadWord, 'fate' | 'why'>;
export type Fates = Map<Step, Fate>;

/** Days of which an open end is `''`. */
export type Span = { from: Day | ''; to: Day | '' };
/** Says why steps are not used. */
export function dropSteps(fates: Fates, steps: Steps, why: Why): void {
  for (const step of steps) fates.set(step, { fate: 'not-used', why });
}

export type Item = { steps: Step[]; isNot: boolean; join: 'none' | 'and' | 'or' };
export type Items = readonly Item[];

type Dimension = 'days' | 'neighborhood' | 'kind';

export function dimensionOf({ steps: [first] }: Item): Dimension | undefined {
  const { role, filter } = first!.meaning;
  if (role === 'days') return 'days';
  if (filter === 'neighborhood') return 'neighborhood';
  return filter === 'status' ? undefined : 'kind';
}

export function stepsOf(items: Items): Step[] {
  return items.flatMap(({ steps }) => steps);
}

/** Returns the conditions without some. What was joined to one of these is joined to nothing. */
export function leaveOut(items: Items, some: Items): Item[] {
  return items.flatMap((item, i) => {
    if (some.includes(item)) return [];
    const before = items[i - 1];
    return before !== undefined && some.includes(before) ? { ...item, join: 'none' as const } : item;
  });
}

/** Reads what one negation excludes together, as in `restaurants in Downtown but not bars in Naples`: what no listing of the search is. */
export function readExcludedPair(steps: Steps, items: Items, fates: Fates): Items {
  const at = items.findIndex(({ isNot }) => isNot);
  const [one, other] = [items[at], items[at + 1]];
  const main = items.slice(0, Math.max(at, 0));
  if (one === undefined || other === undefined || main.length === 0 || other.join !== 'none') return items;
  const isKind = (item: Item) => dimensionOf(item) === 'kind';
  const [kind, value] = isKind(one) ? [one, other] : [other, one];
  if (!isKind(kind) || isKind(value)) return items;
  const others = items.filter((item) => item !== one && item !== other);
  // `bars but not bars in Naples`
  if (main.some((item) => textOf(item.steps) === textOf(kind.steps)))
    return [...others, { ...value, isNot: true, join: 'none' }];
  const { role, filter } = value.steps[0]!.meaning;
  const isAlike = ({ steps: [first] }: Item) =>
    first!.meaning.role === role && first!.meaning.filter === filter;
  const isElsewhere = filter === 'neighborhood' && fates.values().some(({ why }) => why === 'place');
  // `but not downtown bars`, and not `not in downtown, bars`
  const from = steps.indexOf(one.steps[0]!);
  const isPair = steps[from - 1]!.meaning.role === 'not' && main.some(isKind);
  if (kind === one ? !main.some(isAlike) && !isElsewhere : !isPair) return items;
  const why = role === 'days' ? 'unread' : 'together';
  dropSteps(fates, steps.slice(from, steps.indexOf(other.steps.at(-1)!) + 1), why);
  return others;
}

type Sides = { main: Item[]; against: Item[]; rest?: Item[] };

/** Finds kinds with a place of their own: `dentists in Downtown or cafes in Wrigley`. Of more than two, the `rest` is not read. */
function findPair(items: Items, isCut: (item: Item, before: Item) => boolean): Required<Sides> | undefined {
  const isWhole = (some: Items) =>
    ['kind', 'neighborhood'].every((one) => some.some((item) => dimensionOf(item) === one));
  const cuts = items.flatMap((item, i) => {
    const isAlike = i > 0 && dimensionOf(item) === dimensionOf(items[0]!) && isCut(item, items[i - 1]!);
    return isAlike && isWhole(items.slice(0, i)) && isWhole(items.slice(i)) ? [i] : [];
  });
  const [first, second = items.length] = cuts;
  if (first === undefined) return undefined;
  const [one, other] = [items.slice(0, first), items.slice(first, second)];
  // what only one side says, such as a year, is of both
  const keepOwn = (some: Items, others: Items) =>
    some.filter((item) => others.some((another) => dimensionOf(another) === dimensionOf(item)));
  return { main: keepOwn(one, other), against: keepOwn(other, one), rest: items.slice(second) };
}

/** Finds the two sides of a comparison: around `vs` or `than`, after `compare`, or joined by `or` after `more`. */
export function findSides(steps: Steps, items: Items, fates: Fates): Sides | undefined {
  const at = steps.findIndex(({ meaning: { role } }) => role === 'compare' || role === 'than');
  // `the most bars, downtown or naples`, and not `which area has the most bars or restaurants`
  const isOfRows = steps.some(({ meaning }) => meaning.how);
  const isMore = hasRole(steps, 'more') || (!isOfRows && hasRole(steps, 'most', 'fewest'));
  const place = (item: Item) => steps.indexOf(item.steps[0]!);
  const told = items.filter(({ isNot, steps: [first] }) => !isNot && fates.get(first!)?.fate !== 'not-used');
  const isCut = (item: Item, before: Item) =>
    item.join !== 'none' || (place(before) < at && at < place(item));
  const pair = findPair(told, isCut);
  if (pair) {
    dropSteps(fates, stepsOf(pair.rest), 'unread');
    return pair;
  }
  for (const dimension of ['days', 'neighborhood', 'kind'] as const) {
    const some = told.filter((item) => dimensionOf(item) === dimension);
    const before = some.filter((item) => place(item) < at);
    const after = some.filter((item) => place(item) > at);
    const isKind = dimension === 'kind';
    if (at >= 0 && before.length > 0 && after.length > 0)
      return isKind ? { main: before, against: after } : { main: [before.at(-1)!], against: [after[0]!] };
    const [first, second] = some;
    if (first === undefined || second === undefined || some.length > 2) continue;
    // `2010 and 2016`: no search has both without the years between
    const [one, other] = [first, second].map(({ steps: [step] }) => step!.meaning.days);
    const isListed = at >= 0 && (!isKind || (before.length === 0 && second.join !== 'none'));
    const isGap = one && other && second.join !== 'none' && isApart(one, other);
    if (isListed || isGap || (at < 0 && isMore && second.join === 'or'))
      return { main: [first], against: [second] };
  }
  return undefined;
}

function isApart(one: Span, other: Span): boolean {
  const [early, late] = one.from <= other.from ? [one, other] : [other, one];
  if (early.to === '' || late.from === '') return false;
  const next = addDays(early.to, 1);
  return next < late.from || (next === late.from && early.from === '' && late.to === '');
}

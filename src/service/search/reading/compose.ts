/** Composes the search that the steps of a question state: conditions, their joints and exclusions, days, and the kind of answer. */

import { addDays, countDays, type Day, monthOf } from '../../../shared/day.ts';
import {
  type Days,
  findDaysBefore,
  findUsualDays,
  findYearTo,
  isWholeMonths,
  isWholeYears,
  listMonths,
  moveByMonths,
  yearOf,
} from '../../../shared/periods.ts';
import { isExcluded, type Question, type ValueFilter } from '../../../shared/question.ts';
import { isTime, type Reading, type ReadWord, type Why } from '../../../shared/reading.ts';
import {
  hasRole,
  isWord,
  type Meanings,
  RANKED,
  type Role,
  type Step,
  type Steps,
  textOf,
} from './meanings.ts';
import {
  dimensionOf,
  dropSteps,
  type Fate,
  type Fates,
  findSides,
  type Item,
  type Items,
  leaveOut,
  readExcludedPair,
  type Span,
  stepsOf,
} from './sides.ts';

/** A condition on words: its text in `q`. `steps` are those of one alternative. */
export type Term = {
  text: string;
  steps: Steps;
  /** The steps of each, if it is any of several. */
  alternatives?: readonly Steps[];
};

/** A search: its filters, its words, and those that are excluded, with their sign. */
export type Parts = { base: Question; terms: readonly Term[]; excluded: readonly Term[] };
export type Draft = Parts &
  Pick<Reading, 'answer' | 'against' | 'rank' | 'isUnion'> & {
    fates: Fates;
    /** Whether something is asked for, be it all listings. */
    hasContent: boolean;
    isOldest: boolean;
    /** Whether it asks when businesses closed, which no filing says. */
    isUntold: boolean;
  };

const CONTENT = new Set<Role>(['name', 'trade', 'value', 'days', 'street', 'road']);
/** Words of which one asks which of several is more. */
const COMPARED = ['more', 'most', 'compare', 'than'] as const;
const WHY: Partial<Record<Role, Why>> = { unused: 'filings', area: 'place', spare: 'together' };

/** `dropped`: steps that are not used, with the reason. */
export function compose(
  steps: Steps,
  asked: Question,
  { findKind, lastDay }: Pick<Meanings, 'findKind' | 'lastDay'>,
  dropped: ReadonlyMap<Step, Why>,
): Draft {
  const has = (...roles: Role[]) => hasRole(steps, ...roles);
  const fates: Fates = new Map();
  for (const step of steps) fates.set(step, fateOf(step, dropped));
  const used = steps.filter((step) => !dropped.has(step));
  const items = readExcludedPair(used, listItems(used, asked), fates);
  const sides = findSides(used, items, fates);
  const resolveWithout = (some: Items = []) => resolve(leaveOut(items, some), asked, findKind, fates);
  const rest = sides?.rest ?? [];
  const against = sides && resolveWithout([...sides.main, ...rest]);
  const main = resolveWithout([...(sides?.against ?? []), ...rest]);
  const years = sides ? [] : [...new Set(listYears(items))].sort();
  const isListed = years.length > 2;
  const left = excludeDays(items, main.base, { lastDay, fates, isPlain: sides === undefined && !isListed });
  if (left.length > 0) main.base = { ...main.base, ...left[0] };
  // more than two that are named are rows
  const isNamed = (by: 'neighborhood' | 'category') =>
    main.base[by].filter((value) => !isExcluded(value)).length > 2;
  const places = has(...COMPARED) ? (['neighborhood', 'category'] as const).find(isNamed) : undefined;
  const named = isListed ? 'year' : places;
  const periods = sides || named || left.length > 0 ? undefined : findPeriods(used, main.base, lastDay);
  if (periods) main.base = { ...main.base, ...periods.main };
  // years side by side replace each other
  if (isListed)
    main.base = { ...main.base, filed_from: `${years[0]}-01-01`, filed_to: `${years.at(-1)}-12-31` };
  const other = periods?.against ?? left[1];
  const isUnion = sides ? !has(...COMPARED, 'fewest') : left.length > 1;
  const ranked = other ? undefined : findRank(used, main);
  const order = has('fewest') ? 'fewest' : has(...COMPARED) ? 'most' : 'trend';
  const asksRank: Reading['rank'] =
    named && (ranked === undefined || ranked.by === named)
      ? { by: named, order, ...ranked, ...(isListed && { values: years }) }
      : ranked;
  // filings have the days of openings only: no number says how many closed in a year
  const isTimed = [main, against].some((side) => side && (side.base.filed_from || side.base.filed_to) !== '');
  const isClosed = main.base.status.some((status) => !/^(?:open$|-)/.test(status));
  const isUntold = isClosed && (isTimed || isTime(asksRank?.by));
  if (isUntold) {
    const ranking = used.filter(({ meaning: { role } }) => role === 'by' || RANKED.has(role));
    dropSteps(fates, [...ranking, ...stepsOf(sides?.against ?? [])], 'closings');
  }
  // of `fewer bars than restaurants`, the rows with more restaurants
  const isLess = used.some(({ meaning }) => meaning.extent === 'less');
  const [more, fewer] = isLess && against ? [against, main] : [main, against];
  const each = fewer && !isUntold && !isUnion ? rankBoth(used, ranked, [more, fewer], fates) : undefined;
  const compared =
    isUntold || each ? undefined : (against ?? (other && { ...main, base: { ...main.base, ...other } }));
  const rank = isUntold || compared ? undefined : (each ?? asksRank);
  // what no filing says is answered by no number
  const isUnanswered = ({ meaning: { role, isWhy, extent } }: Step) =>
    role === 'unused' || isWhy || extent === 'hours';
  const isNumber = has('count') && !isUntold && !steps.some(isUnanswered);
  const isAll = has('newest', 'near', 'home', 'count', 'oldest') || rank !== undefined;
  return {
    ...(each ? more : main),
    fates,
    answer: compared ? 'compare' : rank ? 'rank' : isNumber ? 'count' : 'list',
    ...(compared && { against: join(compared), isUnion }),
    ...(rank && { rank }),
    hasContent: items.length > 0 || isAll,
    isOldest: has('oldest') && !rank && !compared,
    isUntold,
  };
}

/** Returns the search with these words. */
export function join({ base, terms, excluded }: Parts): Question {
  return { ...base, q: [...new Set([...terms, ...excluded].map(({ text }) => text))].join(' ') };
}

function fateOf(step: Step, dropped: ReadonlyMap<Step, Why>): Fate {
  const { role, filter, isWhy } = step.meaning;
  const isReason = role === 'home' || role === 'near' || role === 'unread';
  const why = dropped.get(step) ?? (isWhy ? 'filings' : isReason ? role : WHY[role]);
  if (why !== undefined) return { fate: 'not-used', why };
  if (filter !== undefined)
    return { fate: filter === 'category' ? 'kind' : filter === 'neighborhood' ? 'place' : 'status' };
  if (role === 'days' || role === 'oldest') return { fate: 'days' };
  if (role === 'newest') return { fate: 'newest' };
  return { fate: isWord(role) ? 'name' : 'left-out' };
}

/** Returns whether the words of a step are looked for: those of names and kinds, and of a place beside one that is chosen. */
function isSearched({ meaning: { role, filter, extent } }: Step, asked: Question): boolean {
  if (filter === 'neighborhood') return asked.neighborhood.length > 0;
  return isWord(role) || (filter === 'category' && extent === undefined);
}

/** Groups steps into conditions. Words side by side are one, and a negation counts until something is not joined to it. */
export function listItems(steps: Steps, asked: Question): Item[] {
  const items: Item[] = [];
  let isNot = false;
  let negated = 0;
  let joint: Item['join'] = 'none';
  let isSide = false;
  for (const step of steps) {
    const { role } = step.meaning;
    const { gap, isExcluded: isMinus } = step.tokens[0]!;
    if (role === 'not') [isNot, negated, isSide] = [true, items.length, false];
    else if (role === 'or' || role === 'and')
      joint = role === 'and' ? (joint === 'none' ? 'and' : joint) : 'or';
    else if (CONTENT.has(role)) {
      if (/[/|]/.test(gap)) joint = 'or';
      else if (/[,;]/.test(gap) && joint === 'none') joint = 'and';
      const last = items.at(-1);
      // `except the loop, restaurants`
      const isOther = last && dimensionOf(last) !== dimensionOf({ steps: [step], isNot, join: joint });
      if (isOther && isNot && items.length > negated && /[,;]/.test(gap)) [isNot, joint] = [false, 'none'];
      if (joint === 'none' && isNot && items.length > negated && !isMinus && !(isSide && isWord(role)))
        isNot = false;
      const isSame = last !== undefined && last.isNot === (isNot || isMinus) && joint === 'none' && !isMinus;
      if (isSide && isSame && isSearched(step, asked)) last.steps.push(step);
      else items.push({ steps: [step], isNot: isNot || isMinus, join: items.length === 0 ? 'none' : joint });
      isSide = isSearched(step, asked);
      joint = 'none';
    } else if (role !== 'filler') isSide = false;
  }
  return items;
}

/** Returns the one or two periods of `days` that are left without those that a question excludes, if it excludes one. */
function excludeDays(
  items: Items,
  { filed_from, filed_to }: Days,
  { lastDay, fates, isPlain }: { lastDay: Day; fates: Fates; isPlain: boolean },
): Days[] {
  const excluded = items.filter(({ isNot, steps: [first] }) => isNot && first!.meaning.role === 'days');
  const whole = { filed_from, filed_to };
  const left = excluded
    .flatMap(({ steps: [first] }) => listTimes(first!.meaning, whole))
    .reduce((kept, one) => kept.flatMap((days) => cutDays(days, one, lastDay)), [whole]);
  // `not in july` excludes the july of each year, which no search does
  const isOpen = filed_from === '' || filed_to === '';
  const isEvery = isOpen && excluded.some(({ steps: [first] }) => first!.meaning.isYearly);
  const isRead = isPlain && !isEvery && left.length > 0 && left.length <= 2;
  for (const { steps } of excluded)
    fates.set(steps[0]!, isRead ? { fate: 'days' } : { fate: 'not-used', why: 'unread' });
  return isRead && left[0] !== whole ? left : [];
}

/** Lists the days that are meant within others: `july` of each of their years. */
function listTimes({ days, isYearly }: Step['meaning'], { filed_from, filed_to }: Days): Span[] {
  const { from, to } = days!;
  if (!isYearly || from === '' || to === '' || filed_from === '' || filed_to === '') return [days!];
  const first = Number(yearOf(filed_from)) - 1;
  return Array.from({ length: Number(yearOf(filed_to)) - first + 1 }, (_, i) => {
    const months = 12 * (first + i - Number(yearOf(from)));
    return { from: moveByMonths(from, months), to: addDays(moveByMonths(addDays(to, 1), months), -1) };
  });
}

/** Returns what others leave of days: what is before these, and what is after. */
function cutDays(days: Days, { from, to }: Span, lastDay: Day): Days[] {
  const { filed_from, filed_to } = days;
  // `in 2014, not in 2015`
  if ((filed_to !== '' && from > filed_to) || (to !== '' && to < filed_from)) return [days];
  const isAfter = to !== '' && to < (filed_to || lastDay);
  return [
    ...(from > filed_from ? [{ filed_from, filed_to: addDays(from as Day, -1) }] : []),
    ...(isAfter ? [{ filed_from: addDays(to, 1), filed_to }] : []),
  ];
}

/** Lists the years that a question names one by one. */
function listYears(items: Items): string[] {
  return items.flatMap(({ isNot, steps: [first] }) => {
    const { from, to } = first!.meaning.days ?? { from: '', to: '' };
    const isYear = !isNot && isWholeYears({ filed_from: from, filed_to: to }) && yearOf(from) === yearOf(to);
    return isYear ? [yearOf(from)] : [];
  });
}

/** Finds both periods of a comparison that names at most one: `more bars than in 2010`, `are fewer bars opening this month`. */
function findPeriods(steps: Steps, asked: Days, lastDay: Day): { main: Days; against: Days } | undefined {
  const isThan = hasRole(steps, 'compare', 'than');
  const isNow = hasRole(steps, 'usual') || (hasRole(steps, 'ask') && hasRole(steps, 'more') && !isThan);
  const isEarlier = hasRole(steps, 'earlier');
  if (!isNow && !isThan && !isEarlier) return undefined;
  const { filed_from, filed_to } = asked;
  // `fewer than before 2010`, `more since 2010 than before`: the newest year, and the last one before
  const pivot = isThan
    ? filed_to
    : hasRole(steps, 'usual') && filed_from !== ''
      ? addDays(filed_from, -1)
      : '';
  if ((filed_from === '') !== (filed_to === '') && pivot !== '' && pivot < lastDay)
    return { main: findYearTo(lastDay), against: findYearTo(pivot) };
  if (filed_from === '' || filed_to === '') {
    const usual = findUsualDays(lastDay);
    return isNow ? { main: usual, against: findDaysBefore(usual) } : undefined;
  }
  const days = countDays(filed_from, filed_to) + 1;
  const months = listMonths(monthOf(filed_from), monthOf(filed_to)).length;
  const move = (to: (day: Day) => Day): Days => ({ filed_from: to(filed_from), filed_to: to(filed_to) });
  const moveBy = (sign: number) =>
    move((day) => (isWholeMonths(asked) ? moveByMonths(day, sign * months) : addDays(day, sign * days)));
  if (isEarlier) return { main: asked, against: findDaysBefore(asked) };
  if (isNow) return { main: asked, against: moveBy(-1) };
  const years = Number(yearOf(lastDay)) - Number(yearOf(filed_to));
  const isNewest = isWholeYears(asked) && years > 0;
  return { main: isNewest ? move((day) => moveByMonths(day, 12 * years)) : moveBy(1), against: asked };
}

function findRank(steps: Steps, { base, terms }: Parts): Reading['rank'] {
  const has = (...roles: Role[]) => hasRole(steps, ...roles);
  const isOrdered = has(...RANKED);
  const rows = steps
    .map(({ meaning }) => meaning)
    .filter(({ by, how }) => by && (how || isOrdered || has('count')));
  const asked = (rows.find(({ how }) => how) ?? rows[0])?.by;
  const change = (['grew', 'fell'] as const).find((role) => has(role));
  const isNarrow = terms.length > 0 || base.category.length > 0;
  // `is downtown growing`
  if (change && asked === undefined && has('ask')) return { by: 'year', order: 'trend' };
  if (change) return { by: asked ?? (isNarrow ? 'neighborhood' : 'category'), order: change };
  if (has('trend') && (asked === undefined || isTime(asked))) return { by: asked ?? 'year', order: 'trend' };
  // `in what year did the first bar open`: the first bars, with their days
  if (asked === undefined || (isTime(asked) && !isOrdered && has('oldest'))) return undefined;
  const isEach = isTime(asked) && !has('most') && rows.some(({ how }) => how === 'each');
  const nth = steps.find(({ meaning }) => meaning.nth)?.meaning.nth;
  const countAt = steps.findIndex(({ meaning: { role } }) => role === 'count');
  const counted = steps.slice(countAt + 1).find(({ meaning: { role } }) => role !== 'filler')?.meaning;
  const isNumber = countAt >= 0 && counted?.by !== undefined && counted.how !== 'each' && !has('most');
  const order = has('fewest') ? 'fewest' : isEach ? 'trend' : 'most';
  return { by: asked, order, ...(nth && { nth }), ...(isNumber && { isNumber }) };
}

/** Ranks rows by how much the one side exceeds the other: `more bars than restaurants by neighborhood`. Names years, which have no such rows. */
function rankBoth(
  steps: Steps,
  ranked: Reading['rank'],
  [more, fewer]: readonly Parts[],
  fates: Fates,
): Reading['rank'] {
  const { by } = ranked ?? {};
  const rows = steps.filter(({ meaning }) => meaning.how);
  if (isTime(by)) dropSteps(fates, rows, 'unread');
  else if (by && String(more!.base[by]) === String(fewer!.base[by]))
    return { by, order: 'than', than: join(fewer!) };
  return undefined;
}

type Kinds = Pick<Meanings, 'findKind'>['findKind'];

/** Turns conditions into filters and terms. What is joined becomes alternatives. */
function resolve(items: Items, asked: Question, findKind: Kinds, fates: Fates): Parts {
  let base: Question = { ...asked, q: '', offset: 0 };
  const terms: Term[] = [];
  const excluded: Term[] = [];
  const add = (filter: ValueFilter, values: readonly string[], sign = '') => {
    base = { ...base, [filter]: [...new Set([...base[filter], ...values.map((value) => sign + value)])] };
  };
  const setFate = (steps: Steps, fate: Fate) => {
    for (const step of steps) fates.set(step, fate);
  };
  const kindOf = ({ steps: [only, other] }: Item) => {
    const { filter, values } = only!.meaning;
    if (other || (filter && filter !== 'category')) return undefined;
    return filter ? values : findKind(only!);
  };
  for (let at = 0; at < items.length; ) {
    const first = items[at]!;
    let end = at + 1;
    while (end < items.length && items[end]!.join !== 'none' && items[end]!.isNot === first.isNot) end++;
    const chain = items.slice(at, end);
    at = end;
    // what a chain joins that is no kind, as in `pizza or burgers, downtown`, is a condition of its own
    const some = first.isNot ? chain : chain.filter((item) => dimensionOf(item) === 'kind');
    const kinds = some.map(kindOf);
    const isKnown = ({ steps }: Item, i: number) =>
      kinds[i] !== undefined || steps.every(({ meaning }) => meaning.role === 'trade');
    const isOr = chain.some(({ join }) => join === 'or');
    if (first.isNot) {
      for (const [i, item] of chain.entries()) {
        const { filter, values = [], others = [], role } = item.steps[0]!.meaning;
        if (role === 'days') continue;
        if (kinds[i] !== undefined && (filter === 'category' || chain.length > 1))
          add('category', kinds[i], '-');
        else if (others.length > 0) add('status', others);
        else if (filter !== undefined && filter !== 'category') add(filter, values, '-');
        else excluded.push({ text: `-${textOf(item.steps, '-')}`, steps: item.steps });
        const fate = filter === 'neighborhood' ? 'place' : filter === 'status' ? 'status' : 'kind';
        setFate(item.steps, { fate });
      }
      continue;
    }
    const isKinds = some.length > 1 && kinds.every((kind) => kind !== undefined);
    const isJoined = isKinds || (some.length > 1 && (isOr || some.every(isKnown)));
    if (isKinds) {
      add('category', kinds.flat() as string[]);
      setFate(stepsOf(some), { fate: 'kind' });
    } else if (isJoined)
      terms.push({
        text: some.map(({ steps }) => textOf(steps, '-')).join(' OR '),
        steps: stepsOf(some),
        alternatives: some.map(({ steps }) => steps),
      });
    for (const { steps } of isJoined ? chain.filter((item) => !some.includes(item)) : chain) {
      const { filter, values = [], days } = steps[0]!.meaning;
      if (days !== undefined) base = { ...base, ...mergeDays(base, days, isOr || chain.length > 1) };
      else if (filter !== undefined && !isSearched(steps[0]!, asked)) add(filter, values);
      else for (const step of steps) terms.push({ text: textOf([step]), steps: [step] });
    }
  }
  return { base, terms, excluded };
}

/** Adds days to those of the search: both edges, or periods that are joined. Others replace those given before. */
function mergeDays(before: Days, { from, to }: Span, isJoined: boolean): Partial<Question> {
  const { filed_from, filed_to } = before;
  if (from === '') return { filed_to: to };
  if (to === '') return { filed_from: from };
  if (isJoined && filed_from !== '' && filed_to !== '')
    return { filed_from: from < filed_from ? from : filed_from, filed_to: to > filed_to ? to : filed_to };
  return { filed_from: from, filed_to: to };
}

/** Joins phrases that were not used for one reason. */
export function joinUnused(words: readonly ReadWord[]): ReadWord[] {
  const joined: ReadWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (last?.fate === 'not-used' && word.fate === 'not-used' && last.why === word.why)
      joined[joined.length - 1] = { ...last, text: `${last.text} ${word.text}` };
    else joined.push(word);
  }
  return joined;
}

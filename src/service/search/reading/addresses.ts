/** Finds the words of a question that listings cannot answer: streets, landmarks, phone numbers and places that are no neighborhood. */

import { EVERYTHING, type Question } from '../../../shared/question.ts';
import type { Why } from '../../../shared/reading.ts';
import { compose } from './composing/compose.ts';
import {
  COMPARING,
  hasRole,
  isClosing,
  isPlace,
  isRole,
  isWord,
  join,
  leaveUnused,
  type Step,
  type Steps,
  takeAs,
  textOf,
  wordsOf,
} from './draft.ts';
import type { ReadingSources } from './sources.ts';

const PHONE = /^(?:[\s().+-]*\d){7,}[\s)]*$/;
/** A ZIP code, or one or both halves of a Canadian postal code. */
const ZIP = /^(?:\d{5}|[a-z]\d[a-z](?:\d[a-z]\d)?|\d[a-z]\d)$/;
const COMPASS = /^(?:[nsew]|north|south|east|west)$/;
/** Maximum words of a street before its type: `Martin Luther King Drive`. */
const MOST_OF_STREET = 3;

/** Finds steps that name a street, a landmark or a place that is no neighborhood, which listings cannot tell. */
export function findAddresses(sources: ReadingSources, steps: Steps, asked: Question): Map<Step, Why> {
  const { countMatches, countWord, findName } = sources;
  const dropped = new Map<Step, Why>();
  const roleAt = (at: number) => steps[at]?.meaning.role;
  const wordAt = (at: number) => steps[at]?.tokens[0]?.word ?? '';
  const isName = (at: number) => isRole(steps[at], 'name', 'street', 'road');
  // `mcdonalds long beach blvd`
  const isOfStreet = (at: number) =>
    roleAt(at) === 'name' || steps[at]?.meaning.extent === 'town' || isPlace(steps[at]);
  const isPlaced = (at: number) => isRole(steps[at], 'at', 'close', 'in');
  const isNumber = (at: number) => /^\d/.test(wordAt(at));
  const isPhone = PHONE.test(asked.q.trim()) && steps.every(({ meaning }) => meaning.role === 'name');
  for (const [i, step] of steps.entries()) {
    if (isPhone) dropped.set(step, 'address');
    else if (isName(i) && ZIP.test(wordAt(i)) && countWord(wordAt(i)) === 0) dropped.set(step, 'zip');
    if (roleAt(i) === 'street' && !dropped.has(step)) {
      let from = i;
      while (isOfStreet(from - 1) && i - from < MOST_OF_STREET && !isNumber(from)) from--;
      const isLed = isNumber(from) || isPlaced(from - 1);
      // as many words as names have side by side before its type: `starbucks long beach blvd`
      const isNamed = (at: number) => at === i - 1 || findName(wordsOf(steps.slice(at, i + 1)));
      while (!isLed && from < i && !isNamed(from)) from++;
      if (COMPASS.test(wordAt(from - 1)) && isName(from - 1)) from--;
      const some = steps.slice(from, i + 1);
      const head = steps.slice(steps.slice(0, from).findLastIndex((one) => !isSubject(one)) + 1, from);
      const isEnd = !isName(i + 1) && !(steps[i + 1] && isSubject(steps[i + 1]!));
      const isNone = (all: Steps) => countMatches({ ...EVERYTHING, q: textOf(all) }) === 0;
      const isStreet = head.length > 0 ? isNone([...head, ...some]) : findName(wordsOf(some)) === undefined;
      if (some.length > 1 && (isLed || (isEnd && isStreet)))
        for (const one of some) dropped.set(one, 'address');
    }
    if (roleAt(i) === 'road' && (isName(i + 1) || roleAt(i + 1) === 'filler')) {
      let end = i + 1;
      while (isName(end) || roleAt(end) === 'filler') end++;
      for (const one of steps.slice(isNumber(i - 1) ? i - 1 : i, end)) dropped.set(one, 'address');
    }
    // `before the war` cannot be read as days, and says nothing about names
    for (let at = i + 1; roleAt(i) === 'unread' && (isName(at) || roleAt(at) === 'filler'); at++)
      if (isName(at)) dropped.set(steps[at]!, 'unread');
    if (!isPlaced(i)) continue;
    // `in Hyde Park or Bronzeville`, of which one is no neighborhood
    const isJoint = (at: number) => isRole(steps[at], 'and', 'or') && isName(at + 1);
    const isList = isPlace(steps[i + 1]) && isRole(steps[i + 2], 'and', 'or');
    const from = isList && isName(i + 3) && countWord(wordAt(i + 3)) === 0 ? i + 3 : i + 1;
    let end = from;
    const isOver = (at: number) => at > from && /[,;]/.test(steps[at]?.tokens[0]?.gap ?? '');
    // `bars near a theater`
    const isBeside = roleAt(i) === 'close' && steps.slice(0, i).some(isSubject);
    const isOf = (at: number) => isName(at) || (isBeside && steps[at] !== undefined && isSubject(steps[at]));
    while (!isOver(end) && (isOf(end) || roleAt(end) === 'filler' || isJoint(end))) end++;
    const some = steps.slice(from, end).filter(isSubject);
    const isNegated = hasRole(steps.slice(0, i), 'not');
    const isIn = roleAt(i) === 'in' && some.every(({ meaning }) => meaning.role === 'name');
    if (some.length === 0 || roleAt(end) === 'trade') continue;
    // where something is not says nothing about words of names
    if (isIn && !isNegated && countMatches(join(compose(sources, steps, asked, dropped))) > 0) continue;
    // `in 1492`, and `within 5 miles`
    const why = !isNumber(i + 1) ? 'place' : end === i + 2 ? 'unread' : 'address';
    for (const one of some) if (!dropped.has(one)) dropped.set(one, isIn ? why : 'address');
  }
  return dropped;
}

function isSubject({ meaning: { role, filter } }: Step): boolean {
  return isWord(role) || filter === 'category';
}

/** Leaves out what no listing tells, before a search is composed. */
export function dropUnusable(sources: ReadingSources, steps: Steps, asked: Question): Steps {
  return dropClosingDays(dropEvents(dropPlaces(sources, steps, asked)));
}

/** Drops streets, landmarks, places that are no neighborhood, and homes that are rented out unless some listing has their words. */
function dropPlaces(sources: ReadingSources, steps: Steps, asked: Question): Steps {
  const isLet = (step: Step) =>
    step.meaning.extent === 'lets' && sources.countMatches({ ...EVERYTHING, q: textOf([step]) }) === 0;
  const lets = steps.filter(isLet).map((step) => [step, 'lets'] as const);
  const places = findAddresses(sources, steps, asked);
  // `which has more bars, springfield or shelbyville`
  const names = steps.filter((step) => isRole(step, 'name'));
  const isCompared =
    hasRole(steps, 'more', 'most', 'fewest', 'unread') && hasRole(steps, 'or', 'than', 'compare');
  const isNone = isCompared && wordsOf(names).every((word) => sources.countWord(word) === 0);
  const unknown = isNone ? names.map((step) => [step, 'unknown'] as const) : [];
  const isOfTwo = isCompared || hasRole(steps, 'compare');
  const rivals = isOfTwo ? findRivals(steps) : [];
  const told = steps.map((step) => (rivals.includes(step) ? takeAs(step, 'area') : step));
  return leaveUnused(told, new Map<Step, Why>([...unknown, ...places, ...lets]));
}

/** Finds names that are compared with a neighborhood, as if they were one: `old town vs springfield`. */
function findRivals(steps: Steps): Steps {
  const said = steps.filter((step) => !isRole(step, 'filler', 'in', 'at'));
  const isPlain = (step: Step | undefined) => isRole(step, 'name') && step!.meaning.extent === undefined;
  const takeNames = (from: number, by: 1 | -1): Step[] =>
    isPlain(said[from]) ? [said[from]!, ...takeNames(from + by, by)] : [];
  return said.flatMap((step, at) => {
    if (!isRole(step, 'and', 'or', 'than', 'compare')) return [];
    if (isPlace(said[at - 1])) return takeNames(at + 1, 1);
    return isPlace(said[at + 1]) ? takeNames(at - 1, -1) : [];
  });
}

const isPeriod = ({ meaning: { days } }: Step) => days?.filed_from && days.filed_to;

/** Drops an event whose days are stated: `in the pandemic, from may 2020 to may 2021`. */
function dropEvents(steps: Steps): Steps {
  const periods = steps.filter(isPeriod);
  const events = periods.filter(({ meaning }) => meaning.isEvent);
  if (events.length === periods.length || hasRole(steps, 'or', 'and', ...COMPARING)) return steps;
  return leaveUnused(steps, new Map(events.map((step) => [step, 'unread'])));
}

/** Drops the days of closings: `bars that closed in 2012`, `opened in 2010 and closed in 2012`. */
function dropClosingDays(steps: Steps): Steps {
  const isBetween = (step: Step) => isPlace(step) || isRole(step, 'filler', 'in', 'at');
  const closing = steps.findIndex(isClosing);
  const behind = steps.slice(closing + 1).find((step) => !isBetween(step));
  if (closing < 0 || !behind?.meaning.days) return steps;
  const isLater = steps.slice(0, closing).some(isPeriod);
  const days = isLater ? [behind] : steps.filter(({ meaning }) => meaning.days);
  return leaveUnused(steps, new Map(days.map((step) => [step, 'closings'])));
}

/** Leaves out what no listing tells of a question, before its search is composed. */

import { EVERYTHING, type Question } from '../../../../shared/question.ts';
import type { Why } from '../../../../shared/reading.ts';
import { findAddresses } from '../addresses.ts';
import {
  COMPARING,
  hasRole,
  isClosing,
  isPlace,
  isRole,
  leaveUnused,
  type Step,
  type Steps,
  takeAs,
  textOf,
  wordsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';

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

/** Drops an event whose days are stated: `in the pandemic, from may 2020 to may 2021`. */
function dropEvents(steps: Steps): Steps {
  const periods = steps.filter(({ meaning: { days } }) => days?.from && days.to);
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
  const isLater = steps.slice(0, closing).some(({ meaning: { days: other } }) => other?.from && other.to);
  const days = isLater ? [behind] : steps.filter(({ meaning }) => meaning.days);
  return leaveUnused(steps, new Map(days.map((step) => [step, 'closings'])));
}

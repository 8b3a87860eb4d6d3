/** The edges of a period, such as `since`, and the kinds of words that are about days. */

import { addDays } from '../../../../shared/day.ts';
import type { Span } from './calendar.ts';

/** The days that an edge, or what stands after a period, makes of it. */
export const EDGES: Readonly<Record<string, (days: Span) => Span>> = {
  from: (days) => days,
  between: (days) => days,
  during: (days) => days,
  onward: ({ from }) => ({ from, to: '' }),
  younger: ({ from }) => ({ from, to: '' }),
  after: ({ to }) => ({ from: addDays(to, 1), to: '' }),
  to: ({ to }) => ({ from: '', to }),
  backward: ({ to }) => ({ from: '', to }),
  before: ({ from }) => ({ from: '', to: addDays(from, -1) }),
  older: ({ from }) => ({ from: '', to: addDays(from, -1) }),
};
export const EDGE_KINDS = Object.keys(EDGES);
/** Edges that say both ends, whatever stands after the period. */
export const WHOLE_EDGES = new Set(['after', 'before', 'younger', 'older', 'to']);
const PARTS =
  /^(?:last|latest|whole|this|ago|unit|number|date|season|part|slice|decade|event|began|ended|now|age)$/;

export function isDayWord(meaning: string): boolean {
  return EDGE_KINDS.includes(meaning) || PARTS.test(meaning);
}

export function isAge(edge: string | undefined): boolean {
  return edge === 'younger' || edge === 'older';
}

/** Returns whether an edge has a beginning and an end behind it. */
export function isOfEnds(edge: string | undefined): boolean {
  return edge === 'between' || edge === 'from';
}

/** The edges of a period, such as `since`, and the kinds of words that are about days. */

import { addDays } from '../../../../shared/day.ts';
import type { Days } from '../../../../shared/periods.ts';

/** The days that an edge, or what stands after a period, makes of it. */
export const EDGES: Readonly<Record<string, (days: Days) => Days>> = {
  from: (days) => days,
  between: (days) => days,
  during: (days) => days,
  onward: (days) => ({ ...days, filed_to: '' }),
  younger: (days) => ({ ...days, filed_to: '' }),
  after: ({ filed_to }) => ({ filed_from: addDays(filed_to, 1), filed_to: '' }),
  to: (days) => ({ ...days, filed_from: '' }),
  backward: (days) => ({ ...days, filed_from: '' }),
  before: ({ filed_from }) => ({ filed_from: '', filed_to: addDays(filed_from, -1) }),
  older: ({ filed_from }) => ({ filed_from: '', filed_to: addDays(filed_from, -1) }),
};
export const EDGE_KINDS = Object.keys(EDGES);
/** Edges that say both ends, whatever stands after the period. */
const WHOLE_EDGES = new Set(['after', 'before', 'younger', 'older', 'to']);
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

/** Returns the edge that a phrase has by the words before it and behind it. `isCounted`: whether it is a number of days or years. */
export function pickEdge(
  edge: string | undefined,
  suffix: string | undefined,
  { isCounted, isOpen }: { isCounted: boolean; isOpen: boolean },
): string {
  if (edge === 'after' && isCounted) return 'younger'; // `newer than 5 years`
  if (edge !== undefined && WHOLE_EDGES.has(edge)) return edge;
  return suffix ?? (isOpen ? 'onward' : 'during');
}

/** Counts listings for programs: by each dimension, and by two of them together. */

import { DIMENSIONS, type Dimension, type Stats } from '../../shared/answers.ts';
import type { Counts } from '../../shared/listing.ts';
import {
  EVERYTHING,
  formatAlternatives,
  type OtherParameter,
  type Question,
  type ReadQuestion,
  type Warning,
} from '../../shared/question.ts';
import type { ListingIndex } from './index/open.ts';
import type { Pairs } from './index/tally.ts';
import { completeWarnings } from './warnings.ts';

/** Defines the parameter `by`: from `least` to two different dimensions, separated by a comma. */
export function dimensions(
  least: 1 | 2,
  { usual, description }: { usual: readonly Dimension[]; description: string },
): OtherParameter<readonly Dimension[]> {
  const one = `(${DIMENSIONS.join('|')})`;
  const example = least === 1 ? 'month, or month,category' : 'month,category';
  const which = least === 1 ? 'one or two' : 'two different ones';
  return {
    schema: {
      type: 'string',
      pattern: `^${one}${least === 1 ? `(,${one})?` : `,${one}`}$`,
      ...(usual.length > 0 && { default: usual.join(',') }),
      description,
      examples: ['month,category'],
    },
    isList: false,
    read([text]) {
      if (text === undefined) return { value: usual };
      const names = text.split(',').map((name) => name.trim());
      const value = DIMENSIONS.filter((name) => names.includes(name)).toSorted(
        (a, b) => names.indexOf(a) - names.indexOf(b),
      );
      if (value.length === names.length && value.length >= least && value.length <= 2) return { value };
      return { problem: `by must be ${which} of ${formatAlternatives(DIMENSIONS)}, such as ${example}.` };
    },
  };
}

export type ListingCounts = Stats & { warnings: readonly Warning[] };

/** Counts the listings that match, with warnings and with suggestions if they are few. */
export function countListings(index: ListingIndex, { question, warnings }: ReadQuestion): ListingCounts {
  const { warnings: found, ...stats } = index.stats(question);
  return {
    ...stats,
    byMonth: selectMonths(index, question, stats.byMonth),
    warnings: [...completeWarnings(index, question, { found, total: stats.total }), ...warnings],
  };
}

/**
 * Selects months, newest first. Without a first date, omits months without listings that are older than the city's first
 * busy month, so the counts always add up to the total.
 */
export function selectMonths(index: ListingIndex, { filed_from }: Question, byMonth: Counts): Counts {
  if (filed_from !== '') return byMonth;
  const first = firstMonths.getOrInsertComputed(index, findFirstMonth);
  return byMonth.filter(({ value, count }) => count > 0 || value >= first);
}

const firstMonths = new WeakMap<ListingIndex, string>();

/** The most listings before the first busy month. Some registers have single filings of a century ago. */
export const EARLY_SHARE = 0.01;

/** Returns the first month of a city before which it has at most 1 % of its listings. */
function findFirstMonth(index: ListingIndex): string {
  const { byMonth, total } = index.stats(EVERYTHING);
  let early = 0;
  const first = byMonth.findLast(({ count }) => {
    early += count;
    return early > total * EARLY_SHARE;
  });
  return first?.value ?? '';
}

/** Counts by two dimensions. Returns `tooMany` if more than `most` cells have listings. */
export function countPairs(
  index: ListingIndex,
  question: Question,
  [outer, inner]: readonly Dimension[],
  most: number,
): { pairs: Pairs; cells: number; singles: number } | { tooMany: string } {
  const pairs = index.countPairs(question, outer!, inner!);
  const counts = pairs.flatMap((pair) => pair.counts.map(({ count }) => count));
  const cells = counts.length;
  const singles = counts.filter((count) => count === 1).length;
  if (cells <= most) return { pairs, cells, singles };
  const tooMany = `These are ${cells} counts, and an answer has at most ${most}. Narrow the query, for example with filed_from.`;
  return { tooMany };
}

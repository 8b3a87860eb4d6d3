/** Adds to warnings the complete query that was probably meant, and formats them for programs. */

import { formatAddress, type Question, VALUE_FILTERS, type Warning } from '../../shared/question.ts';
import type { ListingIndex } from './listing-index.ts';

/** Adds the query with a suggestion in place of each unknown value that has one, if it finds something. */
export function completeWarnings(index: ListingIndex, question: Question, found: readonly Warning[]) {
  if (!found.some(isCorrectable)) return found;
  const corrected: Question = { ...question, offset: 0 };
  for (const filter of VALUE_FILTERS)
    corrected[filter] = question[filter].map((value) => {
      const isMeant = ({ parameter, word }: Warning) => parameter === filter && word === value.trim();
      return found.find((one) => isCorrectable(one) && isMeant(one))?.didYouMean ?? value;
    });
  if (index.search({ ...corrected, limit: 0 }).total === 0) return found;
  return found.map((one) => (isCorrectable(one) ? { ...one, meant: corrected } : one));
}

function isCorrectable({ code, didYouMean }: Warning): boolean {
  return code === 'unknown-value' && didYouMean !== undefined;
}

/** Formats warnings as fields of an answer. Their links lead to `path` and repeat the `other` parameters. */
export function formatWarnings(warnings: readonly Warning[], path: string, other = '') {
  return warnings.map(({ code, parameter, detail, didYouMean, meant }) => ({
    code,
    parameter,
    detail,
    did_you_mean: didYouMean,
    href: meant && formatAddress(path, meant, other),
  }));
}

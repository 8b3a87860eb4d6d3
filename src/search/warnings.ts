/** Formats warnings for programs: a code, a sentence, and the complete query that was probably meant. */

import type { ListingIndex, SearchWarning, WarningCause } from './listing-index.ts';
import { formatAddress, type Question, VALUE_FILTERS, type Warning, type WarningCode } from './parameters.ts';

/** Codes never change, because programs act on them. */
const CODES: Readonly<Record<WarningCause, WarningCode>> = {
  value: 'unknown-value',
  words: 'no-words',
  dates: 'reversed-dates',
  newest: 'after-latest-filing',
  future: 'in-the-future',
  few: 'misspelled',
  kind: 'category-name',
  meant: 'filter-words',
  place: 'unknown-place',
  unknown: 'no-match',
  other: 'other-words',
  address: 'address',
};

/** Formats the warnings of a query. Their links lead to `path`, repeat the `other` parameters, and find something. */
export function formatWarnings(
  index: ListingIndex,
  question: Question,
  found: readonly SearchWarning[],
  { path, other = '' }: { path: string; other?: string },
): readonly Warning[] {
  if (found.length === 0) return NONE;
  const corrected = correctValues(question, found);
  const isUnknown = found.some(({ cause, didYouMean }) => cause === 'value' && didYouMean !== undefined);
  const values = isUnknown && index.search({ ...corrected, limit: 0 }).total > 0 ? corrected : undefined;
  return found.map(({ parameter, cause, detail, didYouMean, meant }) => {
    const whole = meant ?? (cause === 'value' && didYouMean !== undefined ? values : undefined);
    const href = whole && formatAddress(path, whole, other);
    return { code: CODES[cause], parameter, detail, did_you_mean: didYouMean, href };
  });
}

const NONE: readonly Warning[] = [];

/** Returns the query with the suggestion in place of each unknown value that has one. */
function correctValues(question: Question, found: readonly SearchWarning[]): Question {
  const corrected: Question = { ...question, offset: 0 };
  for (const filter of VALUE_FILTERS)
    corrected[filter] = question[filter].map(
      (value) =>
        found.find(
          ({ cause, parameter, word, didYouMean }) =>
            cause === 'value' && parameter === filter && word === value.trim() && didYouMean !== undefined,
        )?.didYouMean ?? value,
    );
  return corrected;
}

/** Days as registers write them. The calendar date as written: no time zone ever moves it, no two-digit year is guessed. */

import { type Day, dayFrom } from '../listings/day.ts';

/** How a source writes its days: the order of the parts. A time of day may follow the first two; it is ignored. */
export type DayFormat = 'YYYY-MM-DD' | 'M/D/YYYY' | 'YYYYMMDD';

const TIME = String.raw`(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AP]M)?(?:Z|[+-]\d\d:?\d\d)?)?`;

const PATTERNS: Record<DayFormat, RegExp> = {
  'YYYY-MM-DD': new RegExp(`^(?<y>\\d{4})-(?<m>\\d\\d)-(?<d>\\d\\d)${TIME}$`, 'i'),
  'M/D/YYYY': new RegExp(`^(?<m>\\d{1,2})/(?<d>\\d{1,2})/(?<y>\\d{4})${TIME}$`, 'i'),
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
};

/**
 * The day in `text`, or `undefined` where it is none: empty, in another format, or a day that does not exist.
 * `2016-07-25T00:00:00.000Z` is 25 July: publishers' stamps are local wall time whatever letter follows them
 * (filings.md 7). Days before 1900 or far ahead are days here; ingest rejects them for every city alike.
 */
export function parseDay(text: string, format: DayFormat): Day | undefined {
  const parts = PATTERNS[format].exec(text.trim())?.groups;
  return parts && dayFrom(Number(parts.y), Number(parts.m), Number(parts.d));
}

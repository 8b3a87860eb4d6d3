/** Lists the words among which a profile chooses: places, findings and weekdays. */

/** A file or folder, relative to the profile or absolute, or an http(s) URL. */
export type Place = { file: string } | { url: string };

/** The codes of findings, which are signs that a profile misreads its register (docs/findings.md). */
export const FINDING_CODES = [
  'personal-names',
  'dropped-businesses',
  'repeated-businesses',
  'outside-city',
  'coarse-neighborhoods',
  'unplaced',
  'date-choice',
  'current-licences',
  'no-first-date',
  'ambiguous-dates',
  'one-status',
  'kinds-from-text',
  'not-storefronts',
  'registered-offices',
  'ragged-rows',
  'unread-sheet',
  'merged-cells',
  'placeholders',
  'stale',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

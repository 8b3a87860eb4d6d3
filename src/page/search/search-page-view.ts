/** Defines the data of the page at `/`: the listings of a search or, without results, similar searches. */

import type { Facets } from '../../shared/answers.ts';
import type { WeekInContext } from '../../shared/edition/week.ts';
import type { Counts, Listing } from '../../shared/listing.ts';
import type { Days, Row } from '../../shared/periods.ts';
import type { Question, ReadQuestion } from '../../shared/question.ts';
import type { Comparison, Ranking } from '../../shared/reading.ts';
import type { LeftOut } from '../../shared/report.ts';
import type { Undecided } from '../../shared/undecided.ts';
import type { Doubt, SearchView } from '../search-view.ts';

export type SearchPageView = SearchView & {
  total: number;
  listings: readonly Listing[];
  /** The identities of these listings. */
  identities: Uint32Array;
  doubts: readonly Doubt[];
  /** The statuses of the search that the register never records. */
  unrecorded: readonly string[];
  /** The values that answer a comparison or a question for the most or the fewest. */
  comparison: Comparison | undefined;
  /** The earliest business of each side, if a question asks which of two is older. */
  ages?: readonly (Listing | undefined)[] | undefined;
  /** Both sides of an answer that compares, by neighborhood, unless they are neighborhoods themselves. */
  difference: { now: Question; before: Question; rows: readonly Row[] } | undefined;
  /** The rows of both sides that their status leaves out, if that biases the comparison or the ranking. */
  undecided?: Undecided | undefined;
  ranking: Ranking | undefined;
  /** The sides of a comparison, or the kinds of a search for two or three, unless they differ in days or statuses. */
  sides: readonly { question: Question; byMonth: Counts; n: number }[] | undefined;
  /** The days of the list, if it has only those of the number above it. */
  listed: Days | undefined;
  /**
   * For a search without results: similar searches that have some, the smallest change first. For words that no listing has
   * together: those for each alone, the rarest first.
   */
  similar: readonly SimilarSearch[];
  /** For a search without results: the counts of a similar search without its words or its place. */
  widened: Facets & { question: Question };
  /**
   * The newest week that looks complete, a usual one, and the twelve weeks to it, oldest first. `isLate`: newer days are
   * incomplete. Only without a search, and never of an archive.
   */
  week: (Pick<WeekInContext, 'weeks' | 'usual'> & { days: Days; n: number; isLate: boolean }) | undefined;
  /**
   * The year of one neighborhood or of an archive, or the days of a number that is asked for, and the same days a year before.
   * `cityChange`: by what share the whole city changed, beside a neighborhood.
   */
  years: Years | undefined;
  /** Questions with an answer. Only without a search. */
  examples: readonly string[];
  /** What stands beside the listings of a search with no words, status or period: the newest year or, without a search, a busy newest week. */
  beside: { days: Days; question: Question; facets: Facets } | undefined;
  /** What the newest kept runs left out of the register, if known. */
  leftOut: LeftOut | undefined;
};

type YearCount = { days: Days; count: number };

type Years = {
  now: YearCount;
  /** Unless the data begins after it. */
  before: YearCount | undefined;
  cityChange?: number;
};

/** A similar search with fewer filters. */
export type SimilarSearch = { question: Question; count: number };

/**
 * A search as a page reads it. `isTyped`: search for the words as typed. `whole`: all its words. `undated`: what stands for a
 * date and is none.
 */
export type TypedQuestion = ReadQuestion & { isTyped: boolean; whole: string; undated?: readonly string[] };

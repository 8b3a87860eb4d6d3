/** What a question means: the value that pages, programs, agents, feeds and pictures share. */

import type { Day } from './day.ts';
import type { Days } from './periods.ts';
import type { Question } from './question.ts';

/** Why words of a question were not used. */
export type Why =
  | 'unknown' // no listing has them
  | 'together' // no listing has them beside the others
  | 'place' // a place that is no neighborhood
  | 'address' // a street, a landmark, a ZIP code or a phone number
  | 'home' // whether a business is run from home
  | 'near' // the place of the person who asks
  | 'filings' // what no filing says, such as opening hours
  | 'unread'; // an edge of days without days, or an exclusion of nothing that can be excluded

/** What became of words of a question, in their order. */
export type ReadWord = {
  text: string;
  fate:
    | ('name' | 'synonym' | 'kind' | 'place' | 'status' | 'days' | 'newest' | 'left-out')
    | ('corrected' | 'not-used');
  why?: Why;
  /** Other words of names that are found as well: `cafe` for `coffee`. */
  others?: readonly string[];
  /** The other spelling. */
  to?: string;
};

/** What rows a ranking has. */
export type RankBy = 'neighborhood' | 'category' | 'year' | 'month';

export type Reading = {
  /** What is looked for, completely: its address states it. */
  search: Question;
  answer: 'list' | 'count' | 'compare' | 'rank' | 'status';
  /** The other side of a comparison. */
  against?: Question;
  /** `values`: the years that are asked for, if these are some. */
  rank?: { by: RankBy; order: 'most' | 'fewest' | 'grew' | 'fell' | 'trend'; values?: readonly string[] };
  words: readonly ReadWord[];
  /** What may be meant instead, which is only offered: another spelling of a short or a known word. */
  offer?: { word: string; search: Question };
  /** Whether the search lacks words of the question, because it may have only so many. */
  isCut?: boolean;
  /** Set if days were counted back from this newest filing, because the data is late. */
  countedFrom?: Day;
};

/** A row of a ranking. `before`: its number a year before, if rows are ranked by change. */
export type RankRow = { value: string; count: number; before?: number; isChance?: boolean };

export type Comparison = { count: number; against: number; isChance: boolean };
export type Ranking = {
  by: RankBy;
  rows: readonly RankRow[];
  total: number;
  /** How many other rows have the number of the first one. */
  tied: number;
  days?: Days;
  before?: Days;
};

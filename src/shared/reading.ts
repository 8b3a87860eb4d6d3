/** What a question means: the value that pages, programs, agents, feeds and pictures share. */

import type { Day } from './day.ts';
import type { Days } from './periods.ts';
import type { Question } from './question.ts';

/** Why words of a question were not used. */
export type Why =
  | 'unknown' // no listing has them
  | 'together' // no listing has them beside the others
  | 'place' // a place that is no neighborhood
  | 'town' // all but the city, which is all that the register has
  | 'address' // a street, a landmark or a phone number
  | 'zip' // a ZIP code
  | 'lets' // homes that are rented out, which are left out
  | 'home' // whether a business is run from home
  | 'near' // the place of the person who asks
  | 'closings' // the other days of a question about closings, which have no day
  | 'filings' // what no filing says, such as opening hours
  | 'statuses' // a status that no listing has, such as denied
  | 'names' // how often or how long names are
  | 'rank' // an order without rows that can have it
  | 'idle' // an exclusion of what none of the others has
  | 'unread'; // an edge of days without days, or an exclusion that cannot be read

/** What became of words of a question, in their order. */
export type ReadWord = {
  text: string;
  fate:
    | ('name' | 'synonym' | 'kind' | 'place' | 'status' | 'days' | 'newest' | 'left-out')
    | ('corrected' | 'excluded' | 'not-used');
  why?: Why;
  /** Other words of names that are found as well: `cafe` for `coffee`. */
  others?: readonly string[];
  /** An official type or a kind that has the word together with other trades: only names find its listings by it. */
  mixed?: string;
  /** The other spelling, the neighborhood that is called so too or begins so, or the kind if no listing found has the word. */
  to?: string;
};

/** What rows a ranking has. `calendar`: the months of all years. `q`: searches for words that a question names, as `pizza`, `sushi` and `burgers`. */
export type RankBy = 'neighborhood' | 'category' | 'year' | 'month' | 'calendar' | 'q';

export function isTime(by: RankBy | undefined): by is 'year' | 'month' | 'calendar' {
  return by === 'year' || by === 'month' || by === 'calendar';
}

export type Claim = 'more' | 'fewer' | 'open' | 'closed' | 'older' | 'newer';

export type Reading = {
  /** What is looked for, completely: its address states it. */
  search: Question;
  answer: 'list' | 'count' | 'compare' | 'rank' | 'status';
  /** The other side of a comparison. */
  against?: Question;
  /** What it asserts, to be answered by yes or no: that the first side has more or fewer, or is older or newer, or what is open or closed. */
  claim?: Claim;
  /** The words of a comparison that names and types tell, if the other side is a whole kind, and the kind that these belong to. */
  unlike?: { word: string; kind: string };
  /** The words of what was asked for, if nothing tells it, so that all of a place or of some days is listed. */
  untold?: string;
  /** Whether both sides are asked for together, and not compared: `before 1990 or after 2022`. */
  isUnion?: boolean;
  /**
   * `values`: the years or words that are asked for, if these are some. `nth`: the row that is asked for, 2 of the second most. `isNumber`: whether
   * it asks how many rows there are. `row`: the row than which others have more or fewer: `which area has more bars than Downtown`.
   */
  rank?: {
    by: RankBy;
    order: 'most' | 'fewest' | 'grew' | 'fell' | 'trend' | 'than';
    /** The search that each row has fewer of, for `than`. */
    than?: Question;
    values?: readonly string[];
    nth?: number;
    row?: string;
    isNumber?: boolean;
  };
  /** Whether it says what somebody needs, such as a plumber for a leaking pipe. */
  isNeed?: boolean;
  /** The businesses of which it asks which is older: the earliest filings of both are the answer. */
  ages?: readonly [Question, Question];
  /** Whether it asks for the oldest, which are then listed first. */
  isOldest?: boolean;
  words: readonly ReadWord[];
  /** What may be meant instead, which is only offered: another spelling of a short or a known word. */
  offer?: { word: string; search: Question };
  /** Whether the search lacks words of the question, because it may have only so many. */
  isCut?: boolean;
  /** Set if days were counted back from this end of the data, because it is late. */
  countedFrom?: Day;
};

/** A row of a ranking. `before`: its number a year before, if rows are ranked by change, or of the other search. */
export type RankRow = { value: string; count: number; before?: number; isChance?: boolean };

/** Returns whether a row has risen, fallen or exceeds the other, as the order of its ranking asks. */
export function hasMoved(order: string, { count, before = 0 }: RankRow): boolean {
  return order === 'fell' ? count < before : count > before;
}

/** `whole`: how many there are of the kind that one side is only a part of, if the other is a whole kind. `shared`: how many both have, if most. */
export type Comparison = {
  count: number;
  against: number;
  isChance: boolean;
  whole?: Whole;
  shared?: number;
};
export type Whole = { question: Question; count: number };
export type Ranking = {
  by: RankBy;
  rows: readonly RankRow[];
  /** How many rows there are; if their number is asked for, those with filings or, of the fewest, without. */
  total: number;
  /** The whole years whose months are added up. */
  years?: Days;
  /** Whether the first or the last period of the data is left out. */
  isPart?: boolean;
  /** How many other rows have the number of the first one, or of the one that is asked for. */
  tied: number;
  /** The row that others are asked to exceed, or to be below, and those that do. */
  beyond?: { row: RankRow; rows: readonly RankRow[] };
  /** How many listings have no known value of these rows, of all. */
  unknown?: { n: number; total: number };
  days?: Days;
  before?: Days;
};

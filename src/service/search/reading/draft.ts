/** The steps of a question, its words that belong together, and the draft of a reading, which each step of reading takes and returns. */

import type { Days } from '../../../shared/periods.ts';
import type { Question, ValueFilter } from '../../../shared/question.ts';
import type { RankBy, Reading, ReadWord, Why } from '../../../shared/reading.ts';
import type { Tokens } from './tokens.ts';

export type Role =
  | ('trade' | 'name' | 'value' | 'days' | 'unread' | 'spare')
  | ('newest' | 'unused' | 'home' | 'near' | 'area' | 'street' | 'road' | 'in' | 'at' | 'close' | 'filler')
  | ('not' | 'or' | 'and' | 'ask' | 'about' | 'count' | 'beyond')
  | ('compare' | 'earlier' | 'than' | 'usual' | 'more' | 'elder')
  | ('most' | 'fewest' | 'grew' | 'fell' | 'trend' | 'oldest' | 'by');

/** How words are meant, by their role, if not in the usual way. */
type Extents = {
  /**
   * `name`: what it is called itself; `called`: what else; `beginning`: the first words of it; `generic`: only where no other kind
   * is before it; `question`: only at the end of a question about a business; `like`: of a business that others are like.
   */
  value: 'name' | 'called' | 'beginning' | 'generic' | 'question' | 'like';
  /** `style`: how a kind of food is, as `vegan`; `lets`: a home that is rented out; `trouble`: what something has or needs, as `broken`; `license`: what kinds need a license for. */
  name: 'generic' | 'style' | 'lets' | 'trouble' | 'license';
  /** A negation that asks whether there is one (`any`), asks that if a place or days follow (`bare`), begins a question (`ask`), is of one word (`next`), or is of a business whose kind is meant (`like`). */
  not: 'any' | 'bare' | 'ask' | 'next' | 'like';
  /**
   * `only`: before what is not excluded; `place`: only before a place; `all`: a noun of all listings, as `businesses`; `town`: a name
   * of the town; `self`, `request` and `rival`: `I`, `want to know` and `my competitors`; `verb` and `opening`: that it opened; `stock`: how
   * many there were.
   */
  filler:
    | ('only' | 'place' | 'all' | 'town' | 'self' | 'request' | 'rival' | 'like')
    | ('verb' | 'opening' | 'stock');
  /**
   * `by`: before who it is; `rest`: before what says nothing more; `verb`: what a business did; `stock` and `change`: how many there were,
   * or fewer or more; `open`: at some hour; `rank`: an order without rows; `like`: what others are like.
   */
  unused:
    | ('by' | 'rest' | 'verb' | 'hours' | 'question' | 'stock' | 'change' | 'names')
    | ('open' | 'rank' | 'like' | 'statuses' | 'license');
  /** `part`: also a share; `less`: fewer; `busy`: what only the rows of a ranking tell, as `busiest`. */
  most: 'part' | 'less' | 'busy' | 'verb';
  elder: 'newer';
  by: 'street';
};

export type Meaning = {
  role: Role;
  /** A value: its filter, and what it is called. */
  filter?: ValueFilter;
  values?: readonly string[];
  /** The other statuses, which say readably what is not open. */
  others?: readonly string[];
  extent?: Extents[keyof Extents];
  days?: Days;
  isRelative?: boolean | undefined;
  /** Whether days recur each year, as `july` does without its year, and whether they are those of a named event. */
  isYearly?: boolean;
  isEvent?: boolean | undefined;
  /** Whether a verb follows: `open` after `did`. */
  isVerb?: boolean;
  /** Whether it asks for a reason, which no filing tells. */
  isWhy?: boolean;
  by?: RankBy;
  /** How it asks for rows: of which kind the most is, or each of them. A noun alone asks only beside another word of rankings. */
  how?: 'which' | 'each';
  /** Which row is asked for: 2 of the second most. */
  nth?: number;
};

/** Words of a question that belong together, with their meaning, and why they are not used. */
export type Step = { tokens: Tokens; meaning: Meaning; why?: Why | undefined };
export type Steps = readonly Step[];

const WORDS = new Set<Role>(['name', 'trade', 'street', 'road']);
/** Words that ask for rows in an order. */
export const RANKED: readonly Role[] = ['most', 'fewest', 'grew', 'fell', 'trend'];
/** Words of comparisons and rankings. */
export const COMPARING: readonly Role[] = 'compare earlier than usual more most fewest by'.split(
  ' ',
) as Role[];
/** Words of which one asks which of several is more. */
export const COMPARED: readonly Role[] = ['more', 'most', 'compare', 'than'];

/** Returns whether steps in this role are words to look for. */
export function isWord(role: Role): boolean {
  return WORDS.has(role);
}

/** Returns whether a step is a neighborhood. */
export function isPlace(step: Step | undefined): boolean {
  return step?.meaning.filter === 'neighborhood';
}

/** Returns whether a step says that businesses closed. */
export function isClosing({ meaning: { filter, values } }: Step): boolean {
  return filter === 'status' && String(values) !== 'open';
}

/** Returns whether a step says that businesses opened, which is what filings tell. */
export function isOpening({ meaning: { role, extent } }: Step): boolean {
  return role === 'newest' || (role === 'filler' && (extent === 'verb' || extent === 'opening'));
}

/** Returns whether a step asks how many there were, or were lost, which no filing tells. */
export function isOfStock({ meaning: { role, extent } }: Step): boolean {
  return role === 'unused' && (extent === 'stock' || extent === 'change');
}

/** Returns whether the words are known, as trades and values are. */
export function isKnownWord(step: Step): boolean {
  return !isRole(step, 'name', 'street', 'road');
}

/** Returns whether a noun of all listings is what is asked for. */
export function asksAll(steps: Steps): boolean {
  return steps.some(({ meaning }) => meaning.extent === 'all');
}

export function textOf(steps: Steps, separator = ' '): string {
  return steps.flatMap(({ tokens }) => tokens.map(({ typed }) => typed)).join(separator);
}

export function wordsOf(steps: readonly Pick<Step, 'tokens'>[]): string[] {
  return steps.flatMap(({ tokens }) => tokens.flatMap(({ word }) => word.split(' ')));
}

export function takeAs(step: Step, role: Role): Step {
  return { ...step, meaning: { role } };
}

/** Says of some steps why they are not used. */
export function leaveUnused(steps: Steps, reasons: ReadonlyMap<Step, Why>): Steps {
  return steps.map((step) => ({ ...step, why: reasons.get(step) ?? step.why }));
}

/** Returns whether words have one of these roles. */
export function hasMeaning(meaning: Meaning | undefined, ...roles: readonly Role[]): boolean {
  return meaning !== undefined && roles.includes(meaning.role);
}

export function isRole(step: Step | undefined, ...roles: readonly Role[]): boolean {
  return hasMeaning(step?.meaning, ...roles);
}

/** Returns whether any step has one of these roles. */
export function hasRole(steps: Steps, ...roles: readonly Role[]): boolean {
  return steps.some((step) => isRole(step, ...roles));
}

/** Returns whether punctuation that separates names stands before a step. */
export function isApart({ tokens: [first] }: Pick<Step, 'tokens'>): boolean {
  return /[,;|/]/.test(first!.gap);
}

/** What becomes of each step. */
export type Fate = Pick<ReadWord, 'fate' | 'why' | 'to' | 'mixed'>;
export type Fates = ReadonlyMap<Step, Fate>;

/** A condition: words side by side, a value or days. */
export type Item = { steps: Step[]; isNot: boolean; join: 'none' | 'and' | 'or' };
export type Items = readonly Item[];

/** A condition on words: its text in `q`. `steps` are those of one alternative. */
export type Term = {
  text: string;
  steps: Steps;
  /** The steps of each, if it is any of several. */
  alternatives?: readonly Steps[];
};

/** A search: its filters, its words, and those that are excluded, with their sign. */
export type Parts = { base: Question; terms: readonly Term[]; excluded: readonly Term[] };

/** What was made of conditions: a search, and what became of their steps. */
export type Resolved = Parts & { fates: Fates };

/** What a comparison is of. Of more than two, the `rest` is not read. */
export type Sides = { main: Items; against: Items; rest?: Items };

/** The conditions of a question, one by one. */
export type Stated = {
  asked: Question;
  steps: Steps;
  /** The steps that are used. */
  used: Steps;
  fates: Fates;
  items: Items;
};

/** Its conditions, and what it compares or adds up. */
export type Sided = Stated & { sides?: Sides | undefined; row?: Row | undefined };

/** The row than which others have more or fewer, and how its rows are ordered. */
export type Row = { by: RankBy; order: 'most' | 'fewest'; row: string };

/** The search that it states. */
export type Searched = Sided &
  Parts & {
    /** The other search of a comparison or of a sum. */
    against?: Parts | undefined;
    isUnion?: boolean;
    /** The years that are named one by one, if these are the rows. */
    years?: readonly string[];
  };

/** Its search, and the kind of its answer. */
export type Draft = Searched &
  Pick<Reading, 'answer' | 'rank' | 'claim' | 'unlike'> & {
    /** Whether something is asked for, be it all listings. */
    hasContent: boolean;
    isOldest: boolean;
    /** Whether it asks when businesses closed, which no filing says. */
    isUntold: boolean;
    /** Whether nothing of the question can be used. */
    isEmpty?: boolean;
  };

/** Returns whether yes or no answers a question. */
export function isWhether(q: string): boolean {
  return /^(?:so |and )?(?:is|are|was|were|did|do|does|has|have|est[- ]ce|y a[- ]t[- ]il|¿?hay)\b/i.test(
    q.trim(),
  );
}

/** Returns the search with these words. */
export function join({ base, terms, excluded }: Parts): Question {
  return { ...base, q: [...new Set([...terms, ...excluded].map(({ text }) => text))].join(' ') };
}

/** Adds values to a filter. */
export function addValues(base: Question, filter: ValueFilter, values: readonly string[]): Question {
  return { ...base, [filter]: [...new Set([...base[filter], ...values])] };
}

export function setFates(fates: Fates, steps: Steps, fate: Fate): Fates {
  return steps.length === 0 ? fates : new Map([...fates, ...steps.map((step) => [step, fate] as const)]);
}

/** Says why steps are not used. */
export function dropSteps(fates: Fates, steps: Steps, why: Why): Fates {
  return setFates(fates, steps, { fate: 'not-used', why });
}

export function stepsOf(items: Items): Step[] {
  return items.flatMap(({ steps }) => steps);
}

export function dimensionOf({ steps: [first] }: Item): 'days' | 'neighborhood' | 'kind' | 'status' {
  const { role, filter } = first!.meaning;
  if (role === 'days') return 'days';
  return filter === 'neighborhood' || filter === 'status' ? filter : 'kind';
}

/** Joins phrases that were not used for one reason or are excluded, as they are typed: `7-eleven`. */
export function joinUnused(words: readonly ReadWord[], steps: Steps): ReadWord[] {
  const joined: ReadWord[] = [];
  for (const [i, word] of words.entries()) {
    const gap = steps[i]!.tokens[0]!.gap === '-' ? '-' : ' ';
    const last = joined.at(-1);
    const isJoined = word.fate === 'not-used' || word.fate === 'excluded';
    if (isJoined && last?.fate === word.fate && last.why === word.why)
      joined[joined.length - 1] = { ...last, text: last.text + gap + word.text };
    else joined.push(word);
  }
  return joined;
}

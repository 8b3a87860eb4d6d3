/** Finds words that are meant otherwise than the search that they state: they are read again in other roles. */

import { LEAST_SHARED } from '../../../../shared/listing.ts';
import { findUsualDays } from '../../../../shared/periods.ts';
import { EVERYTHING } from '../../../../shared/question.ts';
import { isTime } from '../../../../shared/reading.ts';
import {
  COMPARING,
  type Draft,
  hasRole,
  isKnownWord,
  isPlace,
  isRole,
  join,
  type Meaning,
  type Step,
  type Steps,
  takeAs,
  textOf,
  wordsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { compose } from './compose.ts';
import { findIdle, hasSubject, isFound } from './keeping.ts';

/** What the search of some words shows about them; the first rule that applies counts. */
const RESTATING: readonly ((draft: Draft, sources: ReadingSources) => Steps | undefined)[] = [
  dateNewest,
  restateLikened,
  restateLicense,
  restateIdle,
  restateNots,
  restateUnfound,
  restateNear,
];

/** Returns the words in other roles, to read again. */
export function restate(draft: Draft, sources: ReadingSources): Steps | undefined {
  for (const rule of RESTATING) {
    const steps = rule(draft, sources);
    if (steps) return steps.map(({ tokens, meaning }) => ({ tokens, meaning }));
  }
  return undefined;
}

/** Counts only what is new of this year, or in its first months of a year: `which area has the most new bars`. Lists show the newest first. */
function dateNewest(
  { steps, answer, rank, base, isUntold }: Draft,
  { dataEnd }: ReadingSources,
): Steps | undefined {
  const isOwn = isTime(rank?.by) || rank?.order === 'grew' || rank?.order === 'fell';
  const isDated = isUntold || isOwn || base.filed_from !== '' || base.filed_to !== '';
  if (answer === 'list' || isDated || !hasRole(steps, 'newest')) return undefined;
  const days: Meaning = { role: 'days', days: findUsualDays(dataEnd), isRelative: true };
  const [first, ...others] = steps.filter((step) => isRole(step, 'newest'));
  const restate = (step: Step) => (others.includes(step) ? takeAs(step, 'filler') : step);
  return steps.map((step) => (step === first ? { ...step, meaning: days } : restate(step)));
}

/** Looks for the kind of a business beside which nothing is asked for: `somewhere nicer than starbucks`, `alternatives to starbucks`. */
function restateLikened(draft: Draft, { countMatches, meanings }: ReadingSources): Steps | undefined {
  const { steps, excluded } = draft;
  const isLiked = ({ meaning }: Step) => meaning.extent === 'like';
  if (hasSubject(draft) || !steps.some(isLiked)) return undefined;
  const said = [
    ...steps.filter((step) => isRole(step, 'unused') && isLiked(step)),
    ...excluded.flatMap((term) => term.steps),
  ];
  const count = (some: Steps, ...category: string[]) =>
    countMatches({ ...EVERYTHING, q: textOf(some), category });
  // of `nicer than starbucks`, the last words
  const named = said.map((_, i) => said.slice(i)).find((some) => count(some) > 0) ?? [];
  const kind = meanings.values.category.find((one) => 2 * count(named, one) > count(named));
  const meaning: Meaning = { role: 'value', filter: 'category', values: [kind!], extent: 'like' };
  return named[0] && kind ? [{ tokens: named[0].tokens, meaning }, ...steps] : undefined;
}

/** Looks for what kinds need a license for where a type of the register says it: `grocery with alcohol`. */
function restateLicense({ steps, ...draft }: Draft, { countMatches }: ReadingSources): Steps | undefined {
  const isOf = ({ meaning: { role, extent } }: Step) => role === 'unused' && extent === 'license';
  const licenses = steps.filter(isOf);
  const search = join(draft);
  const isTold = () => countMatches({ ...search, q: `${search.q} ${textOf(licenses)}` }) >= LEAST_SHARED;
  // a negation is not used either
  const isNegated = steps.some((step) => isRole(step, 'not', 'unused') && !isOf(step));
  if (licenses.length === 0 || isNegated || !isTold()) return undefined;
  return steps.map((step) => (isOf(step) ? takeAs(step, 'name') : step));
}

/** Reads words of comparisons that compare nothing as words: `less` in `food for less`. */
function restateIdle({ steps, answer, isUntold }: Draft, sources: ReadingSources): Steps | undefined {
  const isAnswered = isUntold || answer === 'compare' || answer === 'rank';
  if (isAnswered || !hasRole(steps, ...COMPARING)) return undefined;
  const last = steps.at(-1);
  // `do most bars close`, `which day had the most`
  const isShare =
    isRole(steps[0], 'ask') ||
    steps.some(({ meaning }) => meaning.role === 'unused' || meaning.filter === 'status');
  return steps.map((step) => {
    if (!isRole(step, ...COMPARING)) return step;
    return isShare && step.meaning.extent === 'part'
      ? takeAs(step, 'filler')
      : takeAsIdle(sources, step, step === last);
  });
}

/** Takes a word of comparisons that compares nothing as a word of names, or says that no filing tells it: `busiest`. */
function takeAsIdle({ countWord }: ReadingSources, step: Step, isLast: boolean): Step {
  const { role, by, extent } = step.meaning;
  const isPhrase = step.tokens.length > 1;
  if (by === 'neighborhood' || (by && isPhrase)) return takeAs(step, 'filler');
  const isOrder = role === 'by' || role === 'most' || role === 'fewest';
  if (!isOrder && !(role === 'more' && isLast)) return takeAs(step, 'unread');
  const isInNames = extent !== 'part' && !isPhrase && wordsOf([step]).every((word) => countWord(word) > 0);
  if (isInNames) return takeAs(step, 'name');
  if (!isRole(step, 'most', 'fewest') || extent === 'busy') return takeAs(step, 'unused');
  return { ...step, meaning: { role: 'unused', extent: 'rank' } };
}

/** Reads `no` before words that no name has behind it as one of them: `no frills pizza`. */
function restateNots(draft: Draft, sources: ReadingSources): Steps | undefined {
  const { steps, excluded } = draft;
  const isName = (step: Step) => step.meaning.extent === 'bare';
  const isIdle = excluded.length > 0 && findIdle(draft, sources).length === excluded.length;
  if (hasSubject(draft) || !isIdle || !steps.some(isName)) return undefined;
  return steps.map((step) => (isName(step) ? takeAs(step, 'name') : step));
}

/** If nothing is found, reads what is joined as any of it, or nouns as idle. */
function restateUnfound(draft: Draft, sources: ReadingSources): Steps | undefined {
  return isFound(draft, sources) ? undefined : (joinAny(draft, sources) ?? dropNouns(draft, sources));
}

/** Looks everywhere for what is not near a place: `laundromat near wrigleyville`. */
function restateNear(draft: Draft, { countMatches }: ReadingSources): Steps | undefined {
  const { steps, answer } = draft;
  const isSaid = (step: Step) => !isRole(step, 'filler');
  const isNear = (step: Step, at: number) =>
    isPlace(step) && isRole(steps.slice(0, at).findLast(isSaid), 'close');
  if (answer !== 'list' || !steps.some(isNear) || countMatches(join(draft)) > 0) return undefined;
  return steps.map((step, at) => (isNear(step, at) ? takeAs(step, 'spare') : step));
}

/** Drops the noun of a place of business, and what is broken, that no name has beside the others: `snack shops`, `who fixes guitars`. */
function dropNouns({ steps, terms, excluded }: Draft, { countMatches }: ReadingSources): Steps | undefined {
  // `rapid repair` is a name, and `who repairs woks` is a sentence
  const idle = hasRole(steps, 'filler') ? ['generic', 'trouble'] : ['generic'];
  const isNoun = (step: Step) => isRole(step, 'name') && idle.includes(step.meaning.extent ?? '');
  const isFound = countMatches(join({ base: EVERYTHING, terms, excluded })) > 0;
  if (isFound || terms.length < 2 || !steps.some(isNoun)) return undefined;
  return steps.map((step) =>
    isNoun(step) ? takeAs(step, step.meaning.extent === 'trouble' ? 'spare' : 'filler') : step,
  );
}

/** Joins by `or` what nothing is together: `target and home depot`. */
function joinAny({ steps, asked, terms }: Draft, sources: ReadingSources): Steps | undefined {
  if (!hasRole(steps, 'and') || terms.length < 2 || hasRole(steps, 'or')) return undefined;
  const any = steps.map((step) => (isRole(step, 'and') ? takeAs(step, 'or') : step));
  const all = compose(sources, any, asked).terms.flatMap(({ alternatives = [] }) => alternatives);
  const hasTrade = all.some((some) => some.every(isKnownWord));
  const isNamed = (some: Steps) =>
    some.every(isKnownWord) ||
    sources.findName(wordsOf(some)) === 'whole' ||
    (hasTrade && sources.countMatches({ ...EVERYTHING, q: textOf(some) }) > 0);
  return all.every(isNamed) ? any : undefined;
}

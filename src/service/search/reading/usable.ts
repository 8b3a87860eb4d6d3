/** Chooses what of a question can be used if nothing has all of its words. */

import { EVERYTHING, type Question } from '../../../shared/question.ts';
import { type Draft, join, type Term } from './compose.ts';
import { isTrade, wordsOf } from './meanings.ts';
import type { ReadingSources } from './sources.ts';

/**
 * Chooses the terms that can be used together where all find nothing: the rarest trade, then what is found with it. Returns
 * `undefined` if only ordinary words are left, which say nothing without the others.
 */
export function keepUsable(
  sources: ReadingSources,
  { base, terms, excluded, fates }: Draft,
): Pick<Draft, 'base' | 'terms' | 'excluded' | 'fates'> | undefined {
  const { countMatches, countWord } = sources;
  const all = new Map(fates);
  // each word is known: the filters leave nothing, and the page says so
  if (countMatches(join({ base: EVERYTHING, terms, excluded })) > 0)
    return { base, terms, excluded, fates: all };
  const { filters: ofPhrases, rest } = findPhraseKinds(sources, base, { terms, fates: all });
  const ranked = rest.map((term) => {
    const counts = term.alternatives ? [] : wordsOf(term.steps).map(countWord);
    return {
      term,
      isTrade: term.alternatives !== undefined || term.steps.every(isTrade),
      count: Math.min(...counts, Number.MAX_SAFE_INTEGER),
    };
  });
  ranked.sort((a, b) => Number(b.isTrade) - Number(a.isTrade) || a.count - b.count);
  const hasTrade = ranked.some(({ isTrade }) => isTrade);
  const kept = new Set<Term>();
  let filters = ofPhrases;
  for (const { term, isTrade, count } of ranked) {
    const some = terms.filter((one) => kept.has(one) || one === term);
    const isFound = () => countMatches(join({ base: filters, terms: some, excluded })) > 0;
    const kind = hasTrade || count > 0 ? undefined : sources.findKind(wordsOf(term.steps)[0]!);
    if (kind !== undefined) {
      filters = addKind(filters, kind);
      for (const step of term.steps) all.set(step, { fate: 'kind' });
    } else if (isTrade ? kept.size === 0 || isFound() : count > 0 && isFound()) kept.add(term);
    else
      for (const step of term.steps)
        all.set(step, { fate: 'not-used', why: count === 0 ? 'unknown' : 'together' });
  }
  const words = wordsOf([...kept].flatMap((term) => term.steps));
  const isUnderstood =
    ranked.some(({ term, isTrade }) => isTrade && kept.has(term)) ||
    words.some((word) => word.length > 2 && !sources.isOrdinary(word)) ||
    filters.category.length + filters.neighborhood.length > 0;
  return isUnderstood
    ? { base: filters, terms: terms.filter((term) => kept.has(term)), excluded, fates: all }
    : undefined;
}

/** Finds the categories of phrases side by side that nothing has, such as `tienda de ropa`, and the terms that are left. */
function findPhraseKinds(
  sources: ReadingSources,
  base: Question,
  { terms, fates }: Pick<Draft, 'terms' | 'fates'>,
) {
  let filters = base;
  const rest: Term[] = [];
  for (let at = 0; at < terms.length; ) {
    let length = terms.length - at;
    const kindAt = (n: number) => {
      const some = terms.slice(at, at + n);
      return some.some(({ alternatives }) => alternatives)
        ? undefined
        : sources.findKind(wordsOf(some.flatMap(({ steps }) => steps)).join(' '));
    };
    while (length > 1 && kindAt(length) === undefined) length--;
    const kind = length > 1 ? kindAt(length) : undefined;
    if (kind === undefined) rest.push(terms[at]!);
    else {
      filters = addKind(filters, kind);
      for (const { steps } of terms.slice(at, at + length))
        for (const step of steps) fates.set(step, { fate: 'kind' });
    }
    at += length;
  }
  return { filters, rest };
}

function addKind(question: Question, kind: string): Question {
  return { ...question, category: [...new Set([...question.category, kind])] };
}

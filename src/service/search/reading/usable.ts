/** Chooses what of a question can be used if nothing has all of its words. */

import { EVERYTHING, type Question } from '../../../shared/question.ts';
import { type Draft, join, type Parts, type Term } from './compose.ts';
import { isTrade, wordsOf } from './meanings.ts';
import type { ReadingSources } from './sources.ts';

/** Chooses what can be used of terms that find nothing together: the rarest trade, then what is found with it. Never only ordinary words. */
export function keepUsable(
  sources: ReadingSources,
  { base, terms, excluded, fates, against }: Draft,
): (Parts & Pick<Draft, 'fates'>) | undefined {
  const { countMatches, countWord } = sources;
  const all = new Map(fates);
  // each word is known: the filters leave nothing, and the page says so. Both sides of a comparison hardly lack the same name
  const hasKind = base.category.length > 0 || terms.some(({ steps }) => steps.every(isTrade));
  const isWordy = hasKind && terms.some(({ steps }) => !steps.every(isTrade));
  if (!(against && isWordy) && countMatches(join({ base: EVERYTHING, terms, excluded })) > 0)
    return { base, terms, excluded, fates: all };
  // all words may be one phrase: `tienda de ropa`
  const isPhrase = terms.length > 1 && terms.every(({ alternatives }) => alternatives === undefined);
  const phrase = wordsOf(terms.flatMap(({ steps }) => steps)).join(' ');
  const ofPhrase = isPhrase ? sources.findKind(phrase) : undefined;
  if (ofPhrase !== undefined) {
    for (const step of terms.flatMap(({ steps }) => steps)) all.set(step, { fate: 'kind' });
    return { base: addKind(base, ofPhrase), terms: [], excluded, fates: all };
  }
  const ranked = terms.map((term) => {
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
  let filters = base;
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
  const isKnown = ranked.some(({ term, isTrade }) => isTrade && kept.has(term));
  const isRare = words.some((word) => word.length > 2 && !sources.isOrdinary(word));
  if (!isKnown && !isRare && filters.category.length + filters.neighborhood.length === 0) return undefined;
  return { base: filters, terms: terms.filter((term) => kept.has(term)), excluded, fates: all };
}

function addKind(question: Question, kind: string): Question {
  return { ...question, category: [...new Set([...question.category, kind])] };
}

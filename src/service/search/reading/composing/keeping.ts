/** Keeps what can be used of a composed search. */

import { ALL_TIME, intersectDays, spanYear, yearOf } from '../../../../shared/periods.ts';
import { asksAnything, EVERYTHING, isExcluded } from '../../../../shared/question.ts';
import { findHead, isSurelyNamed } from '../business.ts';
import {
  addValues,
  asksAll,
  type Draft,
  dropSteps,
  hasRole,
  isKnownWord,
  isRole,
  join,
  type Parts,
  type Resolved,
  type Step,
  type Steps,
  setFates,
  stepsOf,
  type Term,
  wordsOf,
} from '../draft.ts';
import type { ReadingSources } from '../sources.ts';
import { compose } from './compose.ts';
import { evenSides, putLarger } from './sides.ts';

/** Keeps what can be used of a question, and chooses which side of it is listed. */
export function keepContent(draft: Draft, sources: ReadingSources): Draft {
  if (isNothing(draft, sources)) return { ...draft, isEmpty: true };
  const kept = useSome(keepStyles(dropIdleNots(draft, sources), sources), sources);
  return kept.isEmpty ? kept : putLarger(evenSides(findOldest(kept, sources), sources), sources);
}

function isNothing(draft: Draft, { countMatches }: ReadingSources): boolean {
  const { steps, terms, answer, hasContent, used, asked } = draft;
  const isWhole = used.length === steps.length;
  const isAll = !asksAnything({ ...join(draft), offset: 0 }) && terms.length === 0;
  const isAsked = answer !== 'list' || hasRole(steps, 'newest', 'near', 'home', 'oldest');
  const isEmpty = !hasContent || (isAll && !(isAsked && isWhole));
  // `what opened near the mission`: not what has these words in its name
  const isLed = steps.findIndex((step) => isRole(step, 'in', 'at', 'close')) > 0;
  const isElsewhere = isLed ? !isWhole : hasRole(steps, 'area') && countMatches(asked) === 0;
  return isEmpty && !asksAll(steps) && !isElsewhere;
}

/** Drops what excludes nothing: words that nothing has beside the others, as in `without alcohol`, and kinds beside the one that is asked for. */
function dropIdleNots(draft: Draft, sources: ReadingSources): Draft {
  const { steps, excluded, base, fates, items } = draft;
  const { meanings } = sources;
  const others = base.category.filter(isExcluded);
  const asked = base.category.filter((kind) => !isExcluded(kind));
  const idle = hasSubject(draft) ? findIdle(draft, sources) : [];
  const isOther = asked.length > 0 && others.length > 0;
  if (idle.length === 0 && !isOther) return draft;
  const kept = excluded.filter((term) => !idle.includes(term));
  // `food businesses that are not food trucks`: no name has these words, but a kind is called so
  const kinds = idle.flatMap(({ steps: [one] }) => meanings.findKind(one!) ?? []);
  const left = asked.filter((kind) => !kinds.includes(kind));
  if (left.length > 0 && left.length < asked.length)
    return { ...draft, base: { ...base, category: left }, excluded: kept };
  const nots = stepsOf(items.filter(({ isNot }) => isNot)).filter(
    (step) =>
      idle.some((term) => term.steps.includes(step)) ||
      (isOther && meanings.findKind(step)?.some((kind) => others.includes(`-${kind}`))),
  );
  // with its negation: `don't serve alcohol`
  const isSaid = (step: Step, i: number) =>
    nots.includes(steps.slice(isRole(step, 'not') ? i + 1 : i).find((one) => !isRole(one, 'filler'))!);
  return {
    ...draft,
    base: { ...base, category: isOther ? asked : base.category },
    fates: dropSteps(fates, steps.filter(isSaid), 'idle'),
    excluded: kept,
  };
}

/** Returns whether words or kinds are asked for, and not only what is excluded. */
export function hasSubject({ terms, base }: Draft): boolean {
  return terms.length > 0 || base.category.some((kind) => !isExcluded(kind));
}

/** Finds the exclusions whose words nothing has beside the others. */
export function findIdle(draft: Draft, { countMatches }: ReadingSources): readonly Term[] {
  return draft.excluded.filter(
    ({ steps: [one], text }) =>
      !one!.tokens[0]!.isExcluded &&
      countMatches({ ...join(draft), q: text.slice(1).replaceAll('-', ' ') }) === 0,
  );
}

/** Returns whether something has all of the words. */
export function isFound(
  { terms, against, base, isUnion, excluded }: Draft,
  { countMatches }: ReadingSources,
): boolean {
  // two searches with places of their own are complete, even if one finds nothing
  const isApart = isUnion || String(against?.base.neighborhood) !== String(base.neighborhood);
  const isComplete = against !== undefined && isApart && countMatches(join(against)) > 0;
  return isComplete || terms.length === 0 || countMatches(join({ base, terms, excluded })) > 0;
}

/** Looks for a style beside a kind only where a name says it, if any does: of `halal grocery`, not for groceries with `falafel`. */
function keepStyles(draft: Draft, { countMatches }: ReadingSources): Draft {
  const terms = quoteStyles(draft.terms);
  const isSaid = draft.against === undefined && countMatches(join({ ...draft, terms })) > 0;
  return isSaid ? { ...draft, terms } : draft;
}

/** Quotes the styles beside other words, so that they are found as they are spelled. */
function quoteStyles(terms: readonly Term[]): readonly Term[] {
  return terms.length < 2
    ? terms
    : terms.map((term) => (isStyle(term) ? { ...term, text: `"${term.text}"` } : term));
}

function isStyle({ steps: [first], alternatives }: Term): boolean {
  return alternatives === undefined && first!.meaning.extent === 'style';
}

/** If nothing is found, uses what can be used. */
function useSome(draft: Draft, sources: ReadingSources): Draft {
  const { steps, asked, against } = draft;
  if (isFound(draft, sources))
    return isOfOthers(draft, sources) ? { ...draft, ...widenKind(sources, draft) } : draft;
  const kept = keepUsable(sources, draft);
  if (kept === undefined) return { ...draft, isEmpty: true };
  if (against === undefined) return { ...draft, ...kept };
  // what one side lacks the other lacks too: `twice as many bars in 2015 than in 2014`
  const unused = steps.map((step) => ({ ...step, why: kept.fates.get(step)?.why }));
  return { ...compose(sources, unused, asked), steps, fates: kept.fates };
}

/** Chooses what can be used of terms that find nothing together: the rarest trade, then what is found with it. Never only ordinary words. */
function keepUsable(sources: ReadingSources, draft: Draft): Resolved | undefined {
  const { base, excluded, fates, against, used } = draft;
  const { countMatches, countWord, findKind } = sources;
  const terms = quoteStyles(draft.terms);
  const wider = widenKind(sources, draft);
  if (wider) return wider;
  // each word is known: the filters leave nothing, and the page says so. Both sides of a comparison hardly lack the same name
  const hasKind = base.category.length > 0 || terms.some(isKnown);
  const isWordy = hasKind && !terms.every(({ steps }) => steps.every(isKnownWord));
  const isFound = (parts: Parts) => countMatches(join(parts)) > 0;
  if (!(against && isWordy) && isFound({ base: EVERYTHING, terms: draft.terms, excluded }))
    return { base, terms: draft.terms, excluded, fates };
  // all words may be one phrase: `tienda de ropa`
  const steps = terms.flatMap((term) => term.steps);
  const none: Resolved = { base, terms: [], excluded, fates };
  const isPhrase = terms.length > 1 && terms.every(({ alternatives }) => alternatives === undefined);
  const ofPhrase = isPhrase ? findKind(wordsOf(steps).join(' ')) : undefined;
  if (ofPhrase !== undefined) return takeKind(none, steps, ofPhrase);
  const ranked = terms.map((term) => {
    const words = term.alternatives ? [] : wordsOf(term.steps);
    const isBrand = words.length === 1 && isSurelyNamed(sources, words[0]!);
    const count = Math.min(...words.map(countWord), Number.MAX_SAFE_INTEGER);
    return { term, isTrade: isKnown(term), isBrand, count };
  });
  const head = terms.some(isKnown) ? [] : findHead(sources, terms);
  // `mexican bakery or donut shop`: of both, one has to be
  // a style is less than the kind beside it
  const orderOf = ({ term, isTrade, isBrand }: (typeof ranked)[number]) =>
    head.includes(term) ? 3 : isBrand || term.alternatives ? 2 : Number(isTrade && !isStyle(term));
  ranked.sort((a, b) => orderOf(b) - orderOf(a) || a.count - b.count);
  const hasTrade = ranked.some((one) => one.isTrade);
  // `hill` of `signal hill dentists` is not meant alone
  const isBesideDropped = (kept: Resolved, term: Term) => {
    const at = terms.indexOf(term);
    const isOfName = (from: number) =>
      sources.findName(wordsOf(terms.slice(from, from + 2).flatMap((one) => one.steps))) !== undefined;
    const isDropped = (one: Term | undefined) =>
      one?.steps.every((step) => kept.fates.get(step)?.fate === 'not-used') === true;
    return (isDropped(terms[at - 1]) && isOfName(at - 1)) || (isDropped(terms[at + 1]) && isOfName(at));
  };
  const use = (kept: Resolved, { term, isTrade, count }: (typeof ranked)[number]): Resolved => {
    if (hasTrade && !isTrade && isBesideDropped(kept, term))
      return { ...kept, fates: dropSteps(kept.fates, term.steps, 'together') };
    const kind = hasTrade || count > 0 ? undefined : findKind(wordsOf(term.steps)[0]!);
    if (kind !== undefined) return takeKind(kept, term.steps, kind);
    const more = { ...kept, terms: terms.filter((one) => kept.terms.includes(one) || one === term) };
    if (isTrade ? kept.terms.length === 0 || isFound(more) : count > 0 && isFound(more)) return more;
    return { ...kept, fates: dropSteps(kept.fates, term.steps, count === 0 ? 'unknown' : 'together') };
  };
  const usable = ranked.reduce(use, none);
  const words = wordsOf(usable.terms.flatMap((term) => term.steps));
  const isRare = words.some((word) => word.length > 2 && !sources.isOrdinary(word));
  const { category, neighborhood, filed_from, filed_to } = usable.base;
  const isFiltered = category.length + neighborhood.length > 0 || filed_from !== '' || filed_to !== '';
  if (usable.terms.some(isKnown) || head.length > 0 || isRare || isFiltered) return usable;
  // `businesses of 2015 that fail to thrive`: those of 2015
  const isNarrow = asksAnything({ ...base, offset: 0 }) || used.length < draft.steps.length;
  const unused = dropSteps(usable.fates, steps, 'unknown');
  return asksAll(draft.steps) && isNarrow ? { ...usable, terms: [], fates: unused } : undefined;
}

/** Takes words as a kind, which is said. */
function takeKind(kept: Resolved, steps: Steps, kind: string): Resolved {
  const fates = setFates(kept.fates, steps, { fate: 'kind', to: kind });
  return { ...kept, base: addValues(kept.base, 'category', [kind]), fates };
}

/** Returns whether only names of other kinds have the word of a trade: `Weed Pullers`. */
function isOfOthers({ terms, base, excluded }: Draft, { countMatches }: ReadingSources): boolean {
  const [term, other] = terms;
  const kinds = term?.steps[0]?.meaning.values ?? [];
  if (other || kinds.length === 0 || term!.alternatives || base.category.length > 0) return false;
  return countMatches(join({ base: { ...base, category: kinds }, terms, excluded })) === 0;
}

/** Takes the kinds of trades that nothing here has, of each the first that something has: `liquor stores in Naples`. */
function widenKind({ countMatches, meanings }: ReadingSources, draft: Draft): Resolved | undefined {
  const { base, excluded, fates, against, terms, answer } = draft;
  const [term, other] = terms;
  // of days without any, the page says when there were some, and what excludes all of them leaves none
  const category = term!.steps[0]!.meaning.values ?? [];
  const isDated = () => countMatches({ ...join({ base, terms, excluded: [] }), ...ALL_TIME, category }) > 0;
  if (other || against || base.category.length > 0 || isDated()) return undefined;
  const none: Resolved = { base, terms: [], excluded, fates };
  const trades = term!.alternatives ?? [term!.steps];
  return trades.reduce<Resolved | undefined>((kept, steps) => {
    const kinds = steps.length === 1 ? meanings.findWider(steps[0]!, answer === 'list') : [];
    const kind = kinds.find((one) => countMatches(join(takeKind(none, steps, one))) > 0);
    return kind === undefined ? kept : takeKind(kept ?? none, steps, kind);
  }, undefined);
}

/** Returns whether a term is of trades, or of alternatives. */
function isKnown({ steps, alternatives }: Term): boolean {
  return alternatives !== undefined || steps.every(isKnownWord);
}

/** Finds all of the years that have as many as are asked for: `the 3 oldest bars`. */
function findOldest(draft: Draft, { findYear, dataEnd }: ReadingSources): Draft {
  if (!draft.isOldest) return draft;
  const asked = draft.steps.flatMap(({ meaning }) => (meaning.role === 'oldest' ? meaning : []));
  const statuses = asked.flatMap(({ values = [] }) => values);
  const base = addValues(draft.base, 'status', statuses);
  const search = join({ ...draft, base });
  const oldest = findYear(search, 1);
  if (oldest === undefined) return { ...draft, isOldest: false };
  const nth = Math.max(...asked.map((one) => one.nth ?? 1));
  const { filed_to } = spanYear(findYear(search, nth) ?? yearOf(dataEnd));
  const days = { filed_from: search.filed_from, filed_to: search.filed_to || filed_to };
  const years = intersectDays({ ...spanYear(oldest), filed_to }, days);
  return { ...draft, base: { ...base, ...years } };
}

/** Reads the conditions of a question: what can be used of its words, and the search that these state. */

import { formatQuestion, type Question } from '../../../shared/question.ts';
import type { Reading, ReadWord } from '../../../shared/reading.ts';
import { dropUnusable } from './addresses.ts';
import { readAges, readBusiness } from './business.ts';
import { compose } from './composing/compose.ts';
import { keepContent } from './composing/keeping.ts';
import { restate } from './composing/restating.ts';
import {
  asksAll,
  type Draft,
  type Fate,
  type Fates,
  hasRole,
  isRole,
  join,
  joinUnused,
  type Step,
  type Steps,
  takeAs,
  textOf,
  wordsOf,
} from './draft.ts';
import { hasContent } from './language.ts';
import type { ReadingSources } from './sources.ts';

/** A reading, and whether nothing in it is used. */
export type Try = { reading: Reading; isEmpty: boolean };

export function readConditions(sources: ReadingSources, steps: Steps, asked: Question): Try {
  const business = readAges(sources, steps, asked) ?? readBusiness(sources, steps, asked);
  if (business !== undefined) return { reading: business, isEmpty: false };
  if (hasRole(steps, 'elder')) return readConditions(sources, restateAges(steps), asked);
  const composed = compose(sources, dropUnusable(sources, steps, asked), asked);
  const again = restate(composed, sources);
  if (again) return readConditions(sources, again, asked);
  const draft = keepContent(composed, sources);
  const read = draft.isEmpty ? { search: asked, answer: 'list' as const } : formatReading(draft, sources);
  const words = listWords(sources, draft.steps, draft.fates, read);
  const untold = findUntold(draft, words);
  if (untold === '') return { reading: { ...read, words }, isEmpty: draft.isEmpty === true };
  // numbers of all would be taken for those of what nothing tells
  return { reading: { search: read.search, answer: 'list', words, untold }, isEmpty: draft.isEmpty === true };
}

/** Returns the words of what is asked for, if nothing tells it and only a place, days or a whole kind are left: `airbnbs in naples`. */
function findUntold(draft: Draft, words: readonly ReadWord[]): string {
  const { base, terms, excluded, steps, asked, answer, against } = draft;
  const isAskedAll = asksAll(steps) || hasRole(steps, 'newest', 'oldest', 'home');
  if (isAskedAll || excluded.length > 0) return '';
  const isOfSome = base.neighborhood.length > 0 || base.filed_from !== '' || base.filed_to !== '';
  const isNarrow = terms.length + base.category.length + base.status.length > 0;
  if (isNarrow) return answer === 'list' && against === undefined ? findUntoldOfKind(draft) : '';
  const isAsked = formatQuestion(asked) !== formatQuestion({ ...base, q: asked.q });
  const untold = words
    .filter(({ why = '' }) => /^(?:unknown|together|lets)$/.test(why))
    .map(({ text }) => text);
  return isOfSome && isAsked && hasContent(untold.join(' ')) ? untold.join(' ') : '';
}

/** Returns the words before a kind, with it, if nothing has both: `zeppelin factory`. */
function findUntoldOfKind({ steps, fates }: Draft): string {
  const fateOf = (step: Step): Partial<Fate> => fates.get(step) ?? {};
  const isTelling = (step: Step) => isRole(step, 'name') || step.meaning.extent === 'style';
  const kind = steps.findIndex((step) => !isTelling(step) && /^(?:name|kind)$/.test(fateOf(step).fate ?? ''));
  const isUntold = (step: Step) => isTelling(step) && /^(?:unknown|together)$/.test(fateOf(step).why ?? '');
  const from = steps.findIndex(isUntold);
  const isAsked = 0 <= from && from < kind && hasContent(textOf(steps.slice(from, kind)));
  return isAsked ? textOf(steps.slice(from, kind + 1)) : '';
}

/** Returns the search for the words as they are typed. */
export function readAsTyped(sources: ReadingSources, asked: Question, steps: Steps): Reading {
  const fates: Fates = new Map(steps.map((step) => [step, { fate: 'name' }]));
  const read = { search: asked, answer: 'list' as const };
  return { ...read, words: listWords(sources, steps, fates, read) };
}

/** Lists what became of each phrase. Phrases that were not used for one reason are one. */
function listWords(
  { countWord, listOthers, findMixed, findName, findWider, isOrdinary }: ReadingSources,
  steps: Steps,
  fates: Fates,
  { search, against }: Pick<Reading, 'search' | 'against'>,
): ReadWord[] {
  const searches = against ? [search, against] : [search];
  const words = steps.map((step, i): ReadWord => {
    const [text, parts] = [textOf([step]), wordsOf([step])];
    const found = fates.get(step) ?? { fate: 'left-out' };
    // names have a word of a place that is no neighborhood
    const isPlaceName =
      isRole(steps[i - 1], 'in') && isRole(step, 'name') && !isRole(steps[i + 1], 'name', 'trade');
    if (found.fate === 'name' && isPlaceName) return { text, ...found, why: 'place' };
    // `coffee -starbucks` asks for no more than names tell
    const isSure =
      step.tokens.some(({ isExcluded: isMinus }) => isMinus) ||
      (!parts.every((word) => isOrdinary(word) || /^\d+$/.test(word)) && findName(parts) !== undefined);
    if (found.fate === 'excluded' && isSure) return { text, fate: 'kind' };
    const phrase = parts.join(' ');
    const wider = found.fate === 'kind' ? (found.to ?? findWider(phrase)) : found.to;
    if (found.fate !== 'name' || !isRole(step, 'trade'))
      return { text, ...found, ...(wider && { to: wider }) };
    const others = searches.flatMap((one) => listOthers(phrase, one));
    const mixed = found.mixed ?? findMixed(phrase);
    const isOther = others.length > 0 && parts.some((word) => countWord(word) === 0);
    return {
      text,
      fate: isOther ? 'synonym' : 'name',
      ...(others.length > 0 && { others: [...new Set(others)] }),
      ...(mixed && { mixed }),
    };
  });
  return joinUnused(words, steps);
}

function formatReading(
  draft: Draft,
  { countedFrom, dataEnd, meanings }: ReadingSources,
): Omit<Reading, 'words'> {
  const { answer, against, isUnion, rank, isOldest, steps } = draft;
  const isInferred = steps.some(({ meaning }) => meaning.isRelative || meaning.isYearly);
  const isRelative = isInferred && steps[0]!.why === undefined;
  const search = join(draft);
  const { filed_from, filed_to } = search;
  const isAtEnd = filed_from <= dataEnd && dataEnd <= filed_to && filed_to < meanings.lastDay;
  const from = countedFrom ?? (isAtEnd ? dataEnd : undefined);
  return {
    search,
    answer,
    ...(against && { against: join(against), ...(isUnion && { isUnion }) }),
    ...(rank && { rank }),
    ...(draft.claim && { claim: draft.claim }),
    ...(draft.unlike && { unlike: draft.unlike }),
    ...(isOldest && { isOldest }),
    ...(isRelative && from !== undefined && { countedFrom: from }),
  };
}

/** Reads words of ages where no two businesses are named: `which bar opened first`. The number of two kinds tells nothing about their age. */
function restateAges(steps: Steps): Steps {
  const isOfTwo = hasRole(steps, 'than', 'or');
  return steps.map((step) => {
    if (isRole(step, 'than')) return takeAs(step, 'or');
    if (!isRole(step, 'elder')) return step;
    if (isOfTwo || step.tokens.length === 1) return takeAs(step, isOfTwo ? 'unused' : 'name');
    return takeAs(step, step.meaning.extent === 'newer' ? 'newest' : 'oldest');
  });
}

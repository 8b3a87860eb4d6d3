/** Reads the conditions of a question: what can be used of its words, and the search that these state. */

import { ALL_TIME, findUsualDays, intersectDays, spanYear, yearOf } from '../../../shared/periods.ts';
import {
  asksAnything,
  EVERYTHING,
  formatQuestion,
  isExcluded,
  type Question,
} from '../../../shared/question.ts';
import { isTime, type Reading, type ReadWord, type Why } from '../../../shared/reading.ts';
import { findAddresses } from './addresses.ts';
import { COMPARING, findHead, isSurelyNamed, readAges, readBusiness } from './business.ts';
import { evenSides, putLarger } from './comparable.ts';
import { beginDraft, compose } from './compose.ts';
import {
  addValues,
  type Draft,
  dropSteps,
  type Fates,
  hasRole,
  isClosing,
  isPlace,
  isRole,
  isTrade,
  join,
  joinUnused,
  leaveUnused,
  type Meaning,
  type Parts,
  type Resolved,
  type Step,
  type Steps,
  setFates,
  stepsOf,
  type Term,
  takeAs,
  textOf,
  wordsOf,
} from './draft.ts';
import { hasContent } from './language.ts';
import type { Drafting, ReadingSources } from './sources.ts';

/** What is done in turn, until nothing can be used or reading begins again with the words in other roles. */
const READING: readonly Drafting[] = [
  restateAges,
  dropPlaces,
  dropEvents,
  dropClosingDays,
  ({ steps, asked }, sources) => compose(sources, steps, asked),
  dateNewest,
  restateIdle,
  findContent,
  dropIdleNots,
  useSome,
  findOldest,
  evenSides,
  putLarger,
];

/** A reading, and whether nothing in it is used. */
export type Try = { reading: Reading; isEmpty: boolean };

export function readConditions(sources: ReadingSources, steps: Steps, asked: Question): Try {
  const business = readAges(sources, steps, asked) ?? readBusiness(sources, steps, asked);
  if (business !== undefined) return { reading: business, isEmpty: false };
  const draft = READING.reduce(
    (before, read) => (before.isEmpty || before.again ? before : read(before, sources)),
    beginDraft(steps, asked),
  );
  const again = draft.again?.map(({ tokens, meaning }) => ({ tokens, meaning }));
  if (again) return readConditions(sources, again, asked);
  const read = draft.isEmpty ? { search: asked, answer: 'list' as const } : formatReading(draft, sources);
  const words = listWords(sources, draft.steps, draft.fates, read);
  const untold = findUntold(draft, words);
  if (untold === '') return { reading: { ...read, words }, isEmpty: draft.isEmpty === true };
  // numbers of all would be taken for those of what nothing tells
  return { reading: { search: read.search, answer: 'list', words, untold }, isEmpty: draft.isEmpty === true };
}

/** Returns the words of what is asked for, if nothing tells it and only a place or days are left: `airbnbs in naples`. */
function findUntold({ base, terms, excluded, steps, asked }: Draft, words: readonly ReadWord[]): string {
  const isOfSome = base.neighborhood.length > 0 || base.filed_from !== '' || base.filed_to !== '';
  const isNarrow = terms.length + excluded.length + base.category.length + base.status.length > 0;
  if (!isOfSome || isNarrow || asksAll(steps) || hasRole(steps, 'newest', 'oldest', 'home')) return '';
  const isAsked = formatQuestion(asked) !== formatQuestion({ ...base, q: asked.q });
  const untold = words.filter(({ why = '' }) => /^(?:unknown|lets)$/.test(why)).map(({ text }) => text);
  return isAsked && hasContent(untold.join(' ')) ? untold.join(' ') : '';
}

/** Returns the search for the words as they are typed. */
export function readAsTyped(sources: ReadingSources, asked: Question, steps: Steps): Reading {
  const fates: Fates = new Map(steps.map((step) => [step, { fate: 'name' }]));
  const read = { search: asked, answer: 'list' as const };
  return { ...read, words: listWords(sources, steps, fates, read) };
}

/** Lists what became of each phrase. Phrases that were not used for one reason are one. */
function listWords(
  { countWord, listOthers, findMixed, findWider, isOrdinary }: ReadingSources,
  steps: Steps,
  fates: Fates,
  { search, against }: Pick<Reading, 'search' | 'against'>,
): ReadWord[] {
  const searches = against ? [search, against] : [search];
  const words = steps.map((step): ReadWord => {
    const [text, parts] = [textOf([step]), wordsOf([step])];
    const found = fates.get(step) ?? { fate: 'left-out' };
    // `coffee -starbucks` asks for no more than names tell
    const isSure =
      step.tokens.some(({ isExcluded: isMinus }) => isMinus) ||
      !parts.every((word) => isOrdinary(word) || /^\d+$/.test(word));
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
function restateAges(draft: Draft): Draft {
  const { steps } = draft;
  if (!hasRole(steps, 'elder')) return draft;
  const isOfTwo = hasRole(steps, 'than', 'or');
  const again = steps.map((step) => {
    if (isRole(step, 'than')) return takeAs(step, 'or');
    if (!isRole(step, 'elder')) return step;
    return takeAs(step, isOfTwo ? 'unused' : step.tokens.length > 1 ? 'oldest' : 'name');
  });
  return { ...draft, again };
}

/** Drops streets, landmarks, places that are no neighborhood, and homes that are rented out unless some listing has their words. */
function dropPlaces(draft: Draft, sources: ReadingSources): Draft {
  const { steps, asked } = draft;
  const isLet = (step: Step) =>
    step.meaning.extent === 'lets' && sources.countMatches({ ...EVERYTHING, q: textOf([step]) }) === 0;
  const lets = steps.filter(isLet).map((step) => [step, 'lets'] as const);
  const places = findAddresses(sources, steps, asked);
  // `which has more bars, springfield or shelbyville`
  const names = steps.filter((step) => isRole(step, 'name'));
  const isCompared =
    hasRole(steps, 'more', 'most', 'fewest', 'unread') && hasRole(steps, 'or', 'than', 'compare');
  const isNone = isCompared && wordsOf(names).every((word) => sources.countWord(word) === 0);
  const unknown = isNone ? names.map((step) => [step, 'unknown'] as const) : [];
  return { ...draft, steps: leaveUnused(steps, new Map<Step, Why>([...unknown, ...places, ...lets])) };
}

/** Drops an event whose days are stated: `in the pandemic, from may 2020 to may 2021`. */
function dropEvents(draft: Draft): Draft {
  const { steps } = draft;
  const periods = steps.filter(({ meaning: { days } }) => days?.from && days.to);
  const events = periods.filter(({ meaning }) => meaning.isEvent);
  if (events.length === periods.length || hasRole(steps, 'or', 'and', ...COMPARING)) return draft;
  return { ...draft, steps: leaveUnused(steps, new Map(events.map((step) => [step, 'unread']))) };
}

/** Drops the days of closings: `bars that closed in 2012`, `opened in 2010 and closed in 2012`. */
function dropClosingDays(draft: Draft): Draft {
  const { steps } = draft;
  const isBetween = (step: Step) => isPlace(step) || isRole(step, 'filler', 'in', 'at');
  const closing = steps.findIndex(isClosing);
  const behind = steps.slice(closing + 1).find((step) => !isBetween(step));
  if (closing < 0 || !behind?.meaning.days) return draft;
  const isLater = steps.slice(0, closing).some(({ meaning: { days: other } }) => other?.from && other.to);
  const days = isLater ? [behind] : steps.filter(({ meaning }) => meaning.days);
  return { ...draft, steps: leaveUnused(steps, new Map(days.map((step) => [step, 'closings']))) };
}

/** Counts only what is new of this year, or in its first months of a year: `which area has the most new bars`. Lists show the newest first. */
function dateNewest(draft: Draft, { dataEnd }: ReadingSources): Draft {
  const { steps, answer, rank, base, isUntold } = draft;
  const isOwn = isTime(rank?.by) || rank?.order === 'grew' || rank?.order === 'fell';
  const isDated = isUntold || isOwn || base.filed_from !== '' || base.filed_to !== '';
  if (answer === 'list' || isDated || !hasRole(steps, 'newest')) return draft;
  const { filed_from, filed_to } = findUsualDays(dataEnd);
  const days: Meaning = { role: 'days', days: { from: filed_from, to: filed_to }, isRelative: true };
  const [first, ...others] = steps.filter((step) => isRole(step, 'newest'));
  const restate = (step: Step) => (others.includes(step) ? takeAs(step, 'filler') : step);
  return {
    ...draft,
    again: steps.map((step) => (step === first ? { ...step, meaning: days } : restate(step))),
  };
}

/** Reads words of comparisons that compare nothing as words: `less` in `food for less`. */
function restateIdle(draft: Draft, sources: ReadingSources): Draft {
  const { steps, answer, isUntold } = draft;
  if (isUntold || answer === 'compare' || answer === 'rank' || !hasRole(steps, ...COMPARING)) return draft;
  const last = steps.at(-1);
  const again = steps.map((step) =>
    isRole(step, ...COMPARING) ? takeAsIdle(sources, step, step === last) : step,
  );
  return { ...draft, again };
}

/** Takes a word of comparisons that compares nothing as a word of names, or says that no filing tells it: `busiest`. */
function takeAsIdle({ countWord }: ReadingSources, step: Step, isLast: boolean): Step {
  const { role, by, extent } = step.meaning;
  const isPhrase = step.tokens.length > 1;
  // `do most bars close`
  if (extent === 'part' || by === 'neighborhood' || (by && isPhrase)) return takeAs(step, 'filler');
  const isUntold = role === 'by' || (role === 'more' && isLast) || extent === 'busy';
  if (!isUntold && role !== 'most' && role !== 'fewest') return takeAs(step, 'unread');
  const isInNames = !isPhrase && wordsOf([step]).every((word) => countWord(word) > 0);
  return takeAs(step, isInNames ? 'name' : isUntold ? 'unused' : 'unread');
}

function findContent(draft: Draft, { countMatches }: ReadingSources): Draft {
  const { steps, terms, answer, hasContent, used, asked } = draft;
  const isWhole = used.length === steps.length;
  const isAll = !asksAnything({ ...join(draft), offset: 0 }) && terms.length === 0;
  const isAsked = answer !== 'list' || hasRole(steps, 'newest', 'near', 'home', 'oldest');
  const isNothing = !hasContent || (isAll && !(isAsked && isWhole));
  // `what opened near the mission`: not what has these words in its name
  const isLed = steps.findIndex((step) => isRole(step, 'in', 'at', 'close')) > 0;
  const isElsewhere = isLed ? !isWhole : hasRole(steps, 'area') && countMatches(asked) === 0;
  return { ...draft, isEmpty: isNothing && !asksAll(steps) && !isElsewhere };
}

/** Drops what excludes nothing: words that nothing has beside the others, as in `without alcohol`, and kinds beside the one that is asked for. */
function dropIdleNots(draft: Draft, { countMatches, meanings }: ReadingSources): Draft {
  const { steps, terms, excluded, base, fates, items } = draft;
  const others = base.category.filter(isExcluded);
  const asked = base.category.filter((kind) => !isExcluded(kind));
  const hasSubject = terms.length > 0 || asked.length > 0;
  const isIdle = ({ steps: [one], text }: Term) =>
    !one!.tokens[0]!.isExcluded &&
    countMatches({ ...join(draft), q: text.slice(1).replaceAll('-', ' ') }) === 0;
  const idle = excluded.filter(isIdle);
  // `no frills pizza`: no name has these words behind `no`, which may be one
  const isName = (step: Step) => step.meaning.extent === 'bare';
  if (!hasSubject && idle.length > 0 && idle.length === excluded.length && steps.some(isName))
    return { ...draft, again: steps.map((step) => (isName(step) ? takeAs(step, 'name') : step)) };
  const isOther = asked.length > 0 && others.length > 0;
  if (!(idle.length > 0 && hasSubject) && !isOther) return draft;
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

/** If nothing is found, reads what is joined as any of it, or uses what can be used. */
function useSome(draft: Draft, sources: ReadingSources): Draft {
  const { countMatches } = sources;
  const { steps, asked, terms, against, base, isUnion } = draft;
  // two searches with places of their own are complete, even if one finds nothing
  const isApart = isUnion || String(against?.base.neighborhood) !== String(base.neighborhood);
  const isComplete = against !== undefined && isApart && countMatches(join(against)) > 0;
  if (isComplete || terms.length === 0 || countMatches(join(draft)) > 0) return draft;
  const again = joinAny(draft, sources) ?? dropNouns(draft, sources);
  if (again) return { ...draft, again };
  const kept = keepUsable(sources, draft);
  if (kept === undefined) return { ...draft, isEmpty: true };
  if (against === undefined) return { ...draft, ...kept };
  // what one side lacks the other lacks too: `twice as many bars in 2015 than in 2014`
  const unused = steps.map((step) => ({ ...step, why: kept.fates.get(step)?.why }));
  return { ...compose(sources, unused, asked), steps, fates: kept.fates };
}

/** Chooses what can be used of terms that find nothing together: the rarest trade, then what is found with it. Never only ordinary words. */
function keepUsable(sources: ReadingSources, draft: Draft): Resolved | undefined {
  const { base, terms, excluded, fates, against, used } = draft;
  const { countMatches, countWord, findKind } = sources;
  const wider = widenKind(sources, draft);
  if (wider) return wider;
  // each word is known: the filters leave nothing, and the page says so. Both sides of a comparison hardly lack the same name
  const hasKind = base.category.length > 0 || terms.some(isKnown);
  const isWordy = hasKind && !terms.every(({ steps }) => steps.every(isTrade));
  const isFound = (parts: Parts) => countMatches(join(parts)) > 0;
  if (!(against && isWordy) && isFound({ base: EVERYTHING, terms, excluded }))
    return { base, terms, excluded, fates };
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
  const orderOf = ({ term, isTrade: isOfTrade, isBrand }: (typeof ranked)[number]) =>
    head.includes(term) ? 3 : isBrand || term.alternatives ? 2 : Number(isOfTrade);
  ranked.sort((a, b) => orderOf(b) - orderOf(a) || a.count - b.count);
  const hasTrade = ranked.some((one) => one.isTrade);
  const use = (kept: Resolved, { term, isTrade: isOfTrade, count }: (typeof ranked)[number]): Resolved => {
    const kind = hasTrade || count > 0 ? undefined : findKind(wordsOf(term.steps)[0]!);
    if (kind !== undefined) return takeKind(kept, term.steps, kind);
    const more = { ...kept, terms: terms.filter((one) => kept.terms.includes(one) || one === term) };
    if (isOfTrade ? kept.terms.length === 0 || isFound(more) : count > 0 && isFound(more)) return more;
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

/** Takes the kinds of trades that nothing here has, of each the first that something has: `liquor stores in Naples`. */
function widenKind({ countMatches, meanings }: ReadingSources, draft: Draft): Resolved | undefined {
  const { base, excluded, fates, against, terms, answer } = draft;
  const [term, other] = terms;
  // of days without any, the page says when there were some, and what excludes all of them leaves none
  const isDated = () => countMatches({ ...join({ base, terms, excluded: [] }), ...ALL_TIME }) > 0;
  if (other || against || base.category.length > 0 || isDated()) return undefined;
  const none: Resolved = { base, terms: [], excluded, fates };
  const trades = term!.alternatives ?? [term!.steps];
  return trades.reduce<Resolved | undefined>((kept, steps) => {
    const kinds = steps.length === 1 ? meanings.findWider(steps[0]!, answer === 'list') : [];
    const kind = kinds.find((one) => countMatches(join(takeKind(none, steps, one))) > 0);
    return kind === undefined ? kept : takeKind(kept ?? none, steps, kind);
  }, undefined);
}

/** Returns whether a noun of all listings is what is asked for. */
function asksAll(steps: Steps): boolean {
  return steps.some(({ meaning }) => meaning.extent === 'all');
}

/** Returns whether a term is of trades, or of alternatives. */
function isKnown({ steps, alternatives }: Term): boolean {
  return alternatives !== undefined || steps.every(isTrade);
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
  const hasTrade = all.some((some) => some.every(isTrade));
  const isNamed = (some: Steps) =>
    some.every(isTrade) ||
    sources.findName(wordsOf(some)) === 'whole' ||
    (hasTrade && sources.countMatches({ ...EVERYTHING, q: textOf(some) }) > 0);
  return all.every(isNamed) ? any : undefined;
}

/** Finds all of the years that have as many as are asked for: `the 3 oldest bars`. */
function findOldest(draft: Draft, { findYear, dataEnd }: ReadingSources): Draft {
  if (!draft.isOldest) return draft;
  const asked = draft.steps.flatMap(({ meaning }) => (meaning.role === 'oldest' ? meaning : []));
  const base = addValues(
    draft.base,
    'status',
    asked.flatMap(({ values = [] }) => values),
  );
  const search = join({ ...draft, base });
  const oldest = findYear(search, 1);
  if (oldest === undefined) return { ...draft, isOldest: false };
  const nth = Math.max(...asked.map((one) => one.nth ?? 1));
  const { filed_to } = spanYear(findYear(search, nth) ?? yearOf(dataEnd));
  const days = { filed_from: search.filed_from, filed_to: search.filed_to || filed_to };
  const years = intersectDays({ ...spanYear(oldest), filed_to }, days);
  return { ...draft, base: { ...base, ...years } };
}

/** Reads a question: names first, then conditions, days and the kind of answer; then corrections, and what can be used if not all can. */

import type { Day } from '../../../shared/day.ts';
import {
  evenDays,
  findYearTo,
  intersectDays,
  isSameDays,
  spanYear,
  yearOf,
} from '../../../shared/periods.ts';
import {
  asksAnything,
  EVERYTHING,
  fitToQ,
  formatQuestion,
  MOST_WORDS,
  PAGE_LIMIT,
  type Question,
} from '../../../shared/question.ts';
import type { Reading, ReadWord, Why } from '../../../shared/reading.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { findAddresses } from './addresses.ts';
import { COMPARING, readAges, readBusiness } from './business.ts';
import { compose, join, joinUnused, type Term } from './compose.ts';
import { FEW, findCorrections, keepNames } from './corrections.ts';
import {
  hasRole,
  isTrade,
  isWord,
  type Step,
  type Steps,
  takeAge,
  takeAs,
  textOf,
  wordsOf,
} from './meanings.ts';
import { dropSteps, type Fates } from './sides.ts';
import type { ReadingSources } from './sources.ts';
import type { Token, Tokens } from './tokens.ts';
import { keepUsable } from './usable.ts';

/** A word with listings is corrected only to one this many times as frequent, and offered at the second. */
const SURE_TIMES = 100;
/** Words of at most this many letters are corrected only by asking. */
const SHORT = 4;
/** The beginning of a neighborhood stands for it if it finds this share of what the word finds. */
const NEARLY_ALL = 0.95;
/** Maximum phrases of a name to look for within a question. */
const MOST_OF_NAME = 6;
const MOST_REMEMBERED = 10_000;
/** Maximum readings that an index remembers. */
const MOST_READINGS = 1_000;
/** Maximum words of a question to correct, the rarest first. */
const MOST_CORRECTED = 3;

/** A reading, and whether nothing in it is used. */
type Try = { reading: Reading; isEmpty: boolean };
/** The other spellings of words. */
type Spelled = ReadonlyMap<Token, string>;

/** Returns a function that reads a question. */
export function openReading(sources: ReadingSources): (asked: Question) => Reading {
  const { meanings, countMatches, findName, countWord, listOthers } = sources;
  const findNear = rememberTexts((word) => findCorrections(sources, word), MOST_REMEMBERED);

  const literal = (asked: Question, steps: Steps): Reading => ({
    search: asked,
    answer: 'list',
    words: listWords(steps, new Map(steps.map((step) => [step, { fate: 'name' }]))),
  });

  /** Lists what became of each phrase. Phrases that were not used for one reason are one. */
  function listWords(steps: Steps, fates: Fates): ReadWord[] {
    return joinUnused(
      steps.map((step): ReadWord => {
        const [text, words] = [textOf([step]), wordsOf([step])];
        const found = fates.get(step) ?? { fate: 'left-out' };
        const isTold = found.fate === 'name' && step.meaning.role === 'trade';
        const others = isTold ? listOthers(words.join(' ')) : [];
        if (others.length === 0) return { text, ...found };
        return { text, others, fate: words.some((word) => countWord(word) === 0) ? 'synonym' : 'name' };
      }),
    );
  }

  /** Reads steps. Of many words, the trades and the rarest ones count: each costs several lookups. */
  function readSteps(tokens: Tokens): Step[] {
    const steps = meanings.readSteps(tokens);
    const words = steps.filter(({ meaning }) => isWord(meaning.role));
    if (words.length <= MOST_WORDS) return steps;
    const distinct = new Map(words.map((step) => [wordsOf([step]).join(' '), step]));
    const ranked = Array.from(distinct.values())
      .map((step) => ({ step, isKnown: isTrade(step), count: Math.min(...wordsOf([step]).map(countWord)) }))
      .filter(({ isKnown, count }) => isKnown || count > 0)
      .sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.count - b.count);
    const kept = new Set(ranked.slice(0, MOST_WORDS).map(({ step }) => step));
    return steps.map((step) => (isWord(step.meaning.role) && !kept.has(step) ? takeAs(step, 'spare') : step));
  }

  /** `whole`: the text of the question, of which `asked` has as much as a search may have. */
  function read(asked: Question, whole: string): Reading {
    let steps = readSteps(meanings.split(whole));
    if (steps.length === 0) return literal(asked, []);
    const isPlain = steps.every(
      ({ meaning: { role, extent }, tokens: [first] }) =>
        isWord(role) && !first!.isExcluded && !/[/|]/.test(first!.gap) && extent === undefined,
    );
    const words = wordsOf(steps);
    // words of several listings that are found together are looked for as they are: most questions are of this kind
    const isBeside = steps.every(({ tokens: [one] }) => !/[,;]/.test(one!.gap));
    const isUsual = isPlain && isBeside && !hasRole(steps, 'street', 'road');
    if (isUsual && words.every((word) => countWord(word) >= FEW) && countMatches(asked) > 0)
      return literal(asked, steps);
    const bare = words.length > 1 && words[0] === 'the' ? words.slice(1) : words;
    const named = isPlain && words.length === 1 ? undefined : findName(bare);
    if (named !== undefined && (isPlain || !steps.every(isTrade) || (named === 'whole' && steps.length > 1)))
      return readName(asked, steps);
    steps = takeNames(steps);
    const first = readWith(steps, asked);
    // the beginning of a neighborhood alone may as well be in names
    const isBeginning = steps.length === 1 && steps[0]!.meaning.extent === 'beginning';
    if (isBeginning && countMatches(first.reading.search) < NEARLY_ALL * countMatches(asked))
      return literal(asked, steps);
    if (named !== undefined && first.isEmpty) return readName(asked, steps);
    return readNeed(steps, asked, first) ?? correct(steps, asked, first.reading);
  }

  /** Reads a name that is typed with an article or with a minus sign, as in `Stone LLC -DBA: Wok`, if nothing is found with it. */
  function readName(asked: Question, steps: Steps): Reading {
    const bare = { ...asked, q: fitToQ(textOf(steps).replace(/^the /i, '')) };
    return literal(countMatches(asked) > 0 || countMatches(bare) === 0 ? asked : bare, steps);
  }

  /** Takes as words what is a whole name within a question, whatever its words mean: `did No Name Deli close`. */
  function takeNames(steps: Steps): Step[] {
    const tokens = steps.flatMap((step) => step.tokens);
    const stepOf = steps.flatMap((step) => step.tokens.map(() => step));
    const isSaying = (at: number) => {
      const { role, filter = 'status' } = stepOf[at]!.meaning;
      return isWord(role) || filter !== 'status';
    };
    const isRule = (at: number) => !isWord(stepOf[at]!.meaning.role) && stepOf[at]!.meaning.role !== 'newest';
    const findWords = (from: number, to: number) => findName(wordsOf([{ tokens: tokens.slice(from, to) }]));
    // of most spans some neighbors are in no name side by side
    const pairs = tokens.map((_, at) =>
      lazy(() => at > 0 && !/[,;|/]/.test(tokens[at]!.gap) && findWords(at - 1, at + 1) !== undefined),
    );
    const names = new Set<Token>();
    for (let length = Math.min(MOST_OF_NAME, tokens.length); length > 1; length--)
      for (let from = 0; from + length <= tokens.length; from++) {
        const span = Array.from({ length }, (_, i) => from + i);
        if (span.some((at) => tokens[at]!.isLiteral || names.has(tokens[at]!))) continue;
        if (stepOf[from] === stepOf[from + length - 1] || !span.some(isRule)) continue;
        if (!(length > 2 || span.some(isSaying)) || !span.slice(1).every((at) => pairs[at]!())) continue;
        if (findWords(from, from + length) === 'whole') for (const at of span) names.add(tokens[at]!);
      }
    return names.size === 0
      ? [...steps]
      : readSteps(tokens.map((token) => (names.has(token) ? { ...token, isLiteral: true } : token)));
  }

  /** Reads steps as they are. Without all terms where these find nothing together. */
  function readWith(steps: Steps, asked: Question): Try {
    const business = readAges(sources, steps, asked) ?? readBusiness(sources, steps, asked);
    if (business !== undefined) return { reading: business, isEmpty: false };
    const aged = steps.map((step) => takeAge(step, steps));
    if (hasRole(steps, 'elder')) return readWith(aged, asked);
    const dropped = findAddresses(sources, steps, asked);
    dropUnknownSides(steps, dropped);
    // days that are stated replace those of an event: `in the pandemic, from may 2020 to may 2021`
    const isDays = ({ meaning: { role, days } }: Step) => role === 'days' && days?.from && days.to;
    if (
      steps.some((one) => isDays(one) && !one.meaning.isEvent) &&
      !hasRole(steps, 'or', 'and', ...COMPARING)
    )
      for (const step of steps) if (isDays(step) && step.meaning.isEvent) dropped.set(step, 'unread');
    let draft = compose(steps, asked, meanings, dropped);
    // words of comparisons that compare nothing are words: `less` in `food for less`
    const isIdle = ({ meaning: { role } }: Step) => COMPARING.includes(role);
    if (!draft.isUntold && !/^(?:compare|rank)$/.test(draft.answer) && steps.some(isIdle)) {
      const last = steps.at(-1);
      return readWith(
        steps.map((step) => (isIdle(step) ? takeAsIdle(step, step === last) : step)),
        asked,
      );
    }
    const findNothing = () => ({
      reading: { ...literal(asked, steps), words: listWords(steps, draft.fates) },
      isEmpty: true,
    });
    let search = join(draft);
    const isAll = !asksAnything({ ...search, offset: 0 }) && draft.terms.length === 0;
    const isAsked = draft.answer !== 'list' || hasRole(steps, 'newest', 'near', 'home', 'oldest');
    if (!draft.hasContent || (isAll && !(isAsked && dropped.size === 0))) return findNothing();
    // `without alcohol`, where nothing has the word beside the others, excludes nothing
    const isIdleNot = ({ steps: [one], text }: Term) =>
      !one!.tokens[0]!.isExcluded && countMatches({ ...search, q: text.slice(1).replaceAll('-', ' ') }) === 0;
    const hasSubject = draft.terms.length > 0 || draft.base.category.some((one) => !one.startsWith('-'));
    const idle = hasSubject ? draft.excluded.filter(isIdleNot) : [];
    if (idle.length > 0) {
      // with its negation: `don't serve alcohol`
      const isNext = (from: number) => {
        const next = steps.slice(from).find(({ meaning }) => meaning.role !== 'filler');
        return idle.some((term) => next !== undefined && term.steps.includes(next));
      };
      const isSaid = ({ meaning: { role } }: Step, i: number) => isNext(role === 'not' ? i + 1 : i);
      dropSteps(draft.fates, steps.filter(isSaid), 'unread');
      draft = { ...draft, excluded: draft.excluded.filter((term) => !idle.includes(term)) };
      search = join(draft);
    }
    // two searches with places of their own are complete, even if one finds nothing
    const isComplete =
      draft.against !== undefined &&
      (draft.isUnion || String(draft.against.neighborhood) !== String(search.neighborhood)) &&
      countMatches(draft.against) > 0;
    if (!isComplete && draft.terms.length > 0 && countMatches(search) === 0) {
      // nothing is both, so any is meant: `target and home depot`
      if (hasRole(steps, 'and') && draft.terms.length > 1 && !hasRole(steps, 'or')) {
        const any = steps.map((step) => (step.meaning.role === 'and' ? takeAs(step, 'or') : step));
        const { terms } = compose(any, asked, meanings, dropped);
        const all = terms.flatMap(({ alternatives = [] }) => alternatives);
        const hasTrade = all.some((some) => some.every(isTrade));
        const isNamed = (some: Steps) =>
          some.every(isTrade) ||
          findName(wordsOf(some)) === 'whole' ||
          (hasTrade && countMatches({ ...EVERYTHING, q: textOf(some) }) > 0);
        if (all.every(isNamed)) return readWith(any, asked);
      }
      const kept = keepUsable(sources, draft);
      if (kept === undefined) return findNothing();
      search = join(kept);
      draft = { ...draft, fates: kept.fates };
      // what one side lacks the other lacks too: `twice as many bars in 2015 than in 2014`
      const unused = new Map(dropped);
      for (const [step, { why }] of kept.fates) if (why) unused.set(step, why);
      if (draft.against) {
        draft = { ...compose(steps, asked, meanings, unused), fates: kept.fates };
        search = join(draft);
      }
    }
    // all of the years that have as many as are asked for: `the 3 oldest bars`
    const nth = Math.max(...steps.map(({ meaning }) => (meaning.role === 'oldest' && meaning.nth) || 1));
    const oldest = draft.isOldest ? sources.findYear(search, 1) : undefined;
    if (oldest !== undefined) {
      const { filed_to } = spanYear(sources.findYear(search, nth) ?? yearOf(sources.dataEnd));
      const years = { ...spanYear(oldest), filed_to };
      search = { ...search, ...intersectDays(years, { ...search, filed_to: search.filed_to || filed_to }) };
    }
    const isRelative = steps.some(({ meaning }) => meaning.isRelative) && !dropped.has(steps[0]!);
    const { countedFrom } = sources;
    const { answer, rank, isUnion } = draft;
    let { against } = draft;
    if (against !== undefined && !isUnion) [search, against] = evenSides(search, against, sources.dataEnd);
    // the listings are those of the first part of a sum: of one that has some
    if (against !== undefined && isUnion && countMatches(search) === 0) [search, against] = [against, search];
    const reading: Reading = {
      search,
      answer,
      ...(against && { against, ...(isUnion && { isUnion }) }),
      ...(rank && { rank }),
      ...(oldest !== undefined && { isOldest: true }),
      words: listWords(steps, draft.fates),
      ...(isRelative && countedFrom !== undefined && { countedFrom }),
    };
    return { reading, isEmpty: false };
  }

  /** Takes a word of comparisons that compares nothing as a word of names, or says that no filing tells it: `busiest`. */
  function takeAsIdle(step: Step, isLast: boolean): Step {
    const { role, by, extent } = step.meaning;
    const isPhrase = step.tokens.length > 1;
    // `do most bars close`
    if (extent === 'part' || by === 'neighborhood' || (by && isPhrase)) return takeAs(step, 'filler');
    if (role !== 'by' && !(role === 'more' && isLast) && role !== 'most' && role !== 'fewest')
      return takeAs(step, 'unread');
    const isInNames = !isPhrase && wordsOf([step]).every((word) => countWord(word) > 0);
    return takeAs(step, isInNames ? 'name' : 'unused');
  }

  /** Reads a need whose words are not used as the trade that does it: `leaking pipe` as `plumber`. */
  function readNeed(steps: Steps, asked: Question, first: Try): Reading | undefined {
    const tokens = steps.flatMap((step) => step.tokens);
    const need = sources.findNeed(tokens.map(({ word }) => word));
    if (need === undefined) return undefined;
    const isOut = ({ fate }: ReadWord) => /^(?:left-out|not-used)$/.test(fate);
    const unused = new Set(first.reading.words.filter(isOut).flatMap(({ text }) => text.split(' ')));
    const used = tokens.filter((_, i) => need.used.has(i));
    const isFound = () => countMatches({ ...EVERYTHING, q: used.map(({ typed }) => typed).join(' ') }) > 0;
    if (!first.isEmpty && (!used.some(({ typed }) => unused.has(typed)) || isFound())) return undefined;
    const [shown, ...others] = used;
    const spelled = new Map(others.map((token) => [token, '']));
    const reading = readSpelled(steps, asked, spelled.set(shown!, need.trade));
    return countMatches(reading.search) > 0 ? reading : undefined;
  }

  /** Corrects words that few listings have, if that finds more. What is uncertain is only offered. */
  function correct(steps: Steps, asked: Question, reading: Reading): Reading {
    const isOut = ({ why }: ReadWord) => why !== undefined && /^(?:unknown|together|place)$/.test(why);
    const isUnused = ({ words }: Reading) => words.some(isOut);
    const total = isUnused(reading) ? 0 : countMatches(reading.search);
    const isBeginning = ({ word }: Token) =>
      total > 0 && countWord(word) === 0 && countMatches({ ...EVERYTHING, q: word }) >= FEW;
    const rare = steps
      .filter(({ meaning, tokens: [token] }) => meaning.role === 'name' && !token!.isLiteral)
      .filter((step) => step !== steps.at(-1) || !isBeginning(step.tokens[0]!))
      .map((step) => ({ step, count: countWord(step.tokens[0]!.word) }))
      .sort((a, b) => a.count - b.count);
    const doubtful = rare.slice(0, MOST_CORRECTED).flatMap(({ step, count }) => {
      const [token] = step.tokens;
      const near = keepNames(sources, token!.typed, findNear(token!.word));
      return near.length > 0 ? [{ token: token!, near, count }] : [];
    });
    const [first, ...others] = doubtful;
    if (first === undefined) return reading;
    let best: Reading | undefined;
    for (const word of first.near) {
      const spelled = new Map(others.map(({ token, near }) => [token, near[0]!]));
      const corrected = readSpelled(steps, asked, spelled.set(first.token, word));
      // with the other spelling, perhaps only the filters leave nothing
      const isMore = countMatches(corrected.search) > total;
      const isElsewhere = reading.words.some(({ why }) => why === 'place');
      if (isElsewhere && corrected.search.neighborhood.length <= reading.search.neighborhood.length) continue;
      const isUsed = isUnused(reading) && !isUnused(corrected);
      if (!isMore && !(isUsed && countMatches({ ...EVERYTHING, q: corrected.search.q }) > 0)) continue;
      const isSure = ({ token, count }: (typeof doubtful)[number]) =>
        token.word.normalize('NFC').length > SHORT &&
        (count === 0 || findName([token.word]) !== 'whole') &&
        (count === 0 || countWord(spelled.get(token)!) >= SURE_TIMES * count);
      const found = doubtful.every(isSure)
        ? corrected
        : { ...reading, offer: { word: first.token.typed, search: corrected.search } };
      if (!isUnused(corrected)) return found;
      best ??= found;
    }
    return best ?? reading;
  }

  /** Reads a question with other spellings of some words. */
  function readSpelled(steps: Steps, asked: Question, spelled: Spelled): Reading {
    const tokens = steps.flatMap((step) => step.tokens);
    const typed = tokens.map((token) => token.gap + (spelled.get(token) ?? token.typed));
    const q = typed.join('').trim().normalize('NFC');
    const again = readSteps(meanings.split(q));
    const { reading, isEmpty } = readWith(again, { ...asked, q: fitToQ(q) });
    // a trade stands for all words of a need
    const others = Array.from(spelled, ([{ typed: one }, text]) => (text === '' ? ` ${one}` : '')).join('');
    const before = new Map(
      Array.from(spelled, ([token, text]) => [text.normalize('NFC'), token.typed + others]),
    );
    const words = reading.words.map((one): ReadWord => {
      const parts = one.text.split(' ').map((text) => before.get(text) ?? text);
      const text = before.get(one.text) ?? parts.join(' ');
      return text === one.text ? one : { text, fate: 'corrected', to: one.text };
    });
    return { ...(isEmpty ? literal({ ...asked, q: fitToQ(q) }, again) : reading), words };
  }

  function readFirstPage(question: Question): Reading {
    const asked = { ...question, q: fitToQ(question.q) };
    const found = read(asked, question.q);
    const isNone = found.answer === 'list' && found.search !== asked && countMatches(found.search) === 0;
    const reading = isNone && countMatches(asked) > 0 ? literal(asked, []) : found;
    const q = fitToQ(reading.search.q);
    const isCut = q !== reading.search.q || (q === asked.q && q !== question.q);
    return isCut ? { ...reading, search: { ...reading.search, q }, isCut } : reading;
  }

  // a page, its feed and its picture are about one question
  const known = new Map<string, Reading>();
  return (asked) => {
    const { q, limit, offset } = asked;
    if (q.trim() === '') return literal(asked, []);
    if (known.size >= MOST_READINGS) known.clear();
    const first = { ...asked, limit: PAGE_LIMIT, offset: 0 };
    const reading = known.getOrInsertComputed(formatQuestion(first), () => readFirstPage(first));
    return { ...reading, search: { ...reading.search, limit, offset: reading.search.q === q ? offset : 0 } };
  };
}

/** Drops a comparison of a neighborhood with a name that is none: `Bixby Knolls vs Cal Heights`. */
function dropUnknownSides(steps: Steps, dropped: Map<Step, Why>): void {
  const said = steps.filter(({ meaning: { role } }) => !/^(?:filler|in)$/.test(role));
  const at = said.findIndex(({ meaning: { role } }) => role === 'compare');
  if (at < 0) return;
  const sides = [said.slice(0, at).reverse(), said.slice(at + 1)];
  for (const [i, side] of sides.entries()) {
    const end = side.findIndex(({ meaning: { role } }) => role !== 'name');
    const names = end < 0 ? side : side.slice(0, end);
    if (names.length === 0 || sides[1 - i]![0]?.meaning.filter !== 'neighborhood') continue;
    for (const step of [...names, said[at]!]) dropped.set(step, 'unread');
  }
}

/** Makes two periods comparable: of days without one end, the last year; and none has days after the data. */
function evenSides(search: Question, against: Question, dataEnd: Day): [Question, Question] {
  // of two places or kinds since a year
  if (isSameDays(search, against)) return [search, against];
  const close = (side: Question) =>
    (side.filed_from === '') === (side.filed_to === '')
      ? side
      : { ...side, ...findYearTo(side.filed_to || dataEnd) };
  const [one, other] = [close(search), close(against)];
  if (one.filed_to > other.filed_to) return evenDays(one, other, dataEnd);
  const [newer, older] = evenDays(other, one, dataEnd);
  return [older, newer];
}

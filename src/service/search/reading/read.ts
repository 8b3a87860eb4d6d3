/** Reads a question: names first, then conditions, days and the kind of answer; then corrections, and what can be used if not all can. */

import { fitToQ, formatQuestion, PAGE_LIMIT, type Question } from '../../../shared/question.ts';
import type { Reading } from '../../../shared/reading.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { readAsTyped, readConditions } from './conditions.ts';
import { type Corrector, findCorrections, readBrand, readCorrected, readNeed } from './corrections.ts';
import {
  COMPARING,
  isApart,
  isKnownWord,
  isRole,
  isWord,
  RANKED,
  type Step,
  type Steps,
  textOf,
  wordsOf,
} from './draft.ts';
import { hasContent } from './language.ts';
import type { ReadingSources } from './sources.ts';
import type { Token } from './tokens.ts';

/** The beginning of a neighborhood stands for it if it finds this share of what the word finds. */
const NEARLY_ALL = 0.95;
const MOST_REMEMBERED = 10_000;
/** Maximum phrases of a name to look for within a question. */
const MOST_OF_NAME = 6;
/** Maximum readings that an index remembers. */
const MOST_READINGS = 1_000;

/** Reasons that need no saying for words without content. */
const SCRAPPED = /^(?:unread|unknown|together)$/;

/** Returns a function that reads a question. */
export function openReading(sources: ReadingSources): (asked: Question) => Reading {
  const listCorrections = rememberTexts((word) => findCorrections(sources, word), MOST_REMEMBERED);
  const corrector = { ...sources, listCorrections };
  // a page, its feed and its picture are about one question
  const known = new Map<string, Reading>();
  return (asked) => {
    const { q, limit, offset } = asked;
    if (q.trim() === '') return readAsTyped(sources, asked, []);
    if (known.size >= MOST_READINGS) known.clear();
    const first = { ...asked, limit: PAGE_LIMIT, offset: 0 };
    const reading = known.getOrInsertComputed(formatQuestion(first), () => readFirstPage(corrector, first));
    return { ...reading, search: { ...reading.search, limit, offset: reading.search.q === q ? offset : 0 } };
  };
}

function readFirstPage(sources: Corrector, question: Question): Reading {
  const { countMatches } = sources;
  const asked = { ...question, q: fitToQ(question.q) };
  const found = readWhole(sources, asked, question.q);
  const isNone = found.answer === 'list' && found.search !== asked && countMatches(found.search) === 0;
  const reading = isNone && countMatches(asked) > 0 ? readAsTyped(sources, asked, []) : found;
  const words = reading.words.filter(({ why = '', text }) => !SCRAPPED.test(why) || hasContent(text));
  const q = fitToQ(reading.search.q);
  const isCut = q !== reading.search.q || (q === asked.q && q !== question.q);
  return { ...reading, words, search: { ...reading.search, q }, ...(isCut && { isCut }) };
}

/** `whole`: the text of the question, of which `asked` has as much as a search may have. */
function readWhole(sources: Corrector, asked: Question, whole: string): Reading {
  const { countMatches, meanings } = sources;
  const typed = meanings.readSteps(meanings.split(whole));
  if (typed.length === 0) return readAsTyped(sources, asked, typed);
  const named = findWhole(sources, typed);
  const isSurelyNamed = !typed.every(isKnownWord) || (named === 'whole' && typed.length > 1);
  if (named !== undefined && isSurelyNamed) return readName(sources, asked, typed);
  const steps = takeNames(sources, typed);
  const first = readConditions(sources, steps, asked);
  // the beginning of a neighborhood alone may as well be in names
  const isBeginning = steps.length === 1 && steps[0]!.meaning.extent === 'beginning';
  if (isBeginning && countMatches(first.reading.search) < NEARLY_ALL * countMatches(asked))
    return readAsTyped(sources, asked, steps);
  if (named !== undefined && first.isEmpty) return readName(sources, asked, steps);
  return (
    readNeed(sources, steps, asked, first) ??
    readBrand(sources, steps, asked) ??
    readCorrected(sources, steps, asked, first.reading)
  );
}

/** Finds how names have all of the words. */
function findWhole({ findName }: ReadingSources, steps: Steps): ReturnType<ReadingSources['findName']> {
  const words = wordsOf(steps);
  return words.length === 1 ? undefined : findName(words[0] === 'the' ? words.slice(1) : words);
}

/** Reads a name that is typed with an article or with a minus sign, as in `Stone LLC -DBA: Wok`, if nothing is found with it. */
function readName(sources: ReadingSources, asked: Question, steps: Steps): Reading {
  const { countMatches } = sources;
  const bare = { ...asked, q: fitToQ(textOf(steps).replace(/^the /i, '')) };
  const isAsked = countMatches(asked) > 0 || countMatches(bare) === 0;
  return readAsTyped(sources, isAsked ? asked : bare, steps);
}

/** Takes as words what is a whole name within a question, whatever its words mean: `did No Name Deli close`. */
function takeNames(sources: ReadingSources, steps: Steps): Steps {
  const tokens = steps.flatMap((step) => step.tokens);
  const stepOf = steps.flatMap((step) => step.tokens.map(() => step));
  const findWords = (from: number, to: number) =>
    sources.findName(wordsOf([{ tokens: tokens.slice(from, to) }]));
  // of most spans some neighbors are in no name side by side
  const pairs = tokens.map((token, at) =>
    lazy(() => at > 0 && !isApart({ tokens: [token] }) && findWords(at - 1, at + 1) !== undefined),
  );
  const names = new Set<Token>();
  for (let length = Math.min(MOST_OF_NAME, tokens.length); length > 1; length--)
    for (let from = 0; from + length <= tokens.length; from++) {
      const some = tokens.slice(from, from + length);
      if (some.some((token) => token.isLiteral || names.has(token))) continue;
      // `downtown and naples and`
      if (from + length < tokens.length && isRole(stepOf[from + length - 1], 'and', 'or')) continue;
      // `starbucks long beach blvd`
      if (from > 0 && isRole(stepOf[from + length - 1], 'street')) continue;
      const mayBeName = isNamed(stepOf.slice(from, from + length));
      if (!mayBeName || !some.slice(1).every((_, i) => pairs[from + 1 + i]!())) continue;
      const found = findWords(from, from + length);
      const span = stepOf.slice(from, from + length);
      const isBegun = found === 'beginning' && span.some(isLost);
      if (found === 'whole' || isBegun || (found !== undefined && isDayOfName(span)))
        for (const token of some) names.add(token);
    }
  if (names.size === 0) return steps;
  const literal = tokens.map((token) => (names.has(token) ? { ...token, isLiteral: true } : token));
  return sources.meanings.readSteps(literal);
}

/** Returns whether no search has the words of a step, so that names that begin with them are likelier: `home run inn`. */
function isLost(step: Step): boolean {
  return isRole(step, 'home', 'near', 'not', ...RANKED, ...COMPARING);
}

/** Returns whether a day that no number tells stands behind a name, so that names with both are likelier: `children today`, and not `restaurants today`. */
function isDayOfName([first, second, other]: Steps): boolean {
  const isPlainDay = isRole(second, 'days') && !/\d/.test(textOf([second!]));
  return isRole(first, 'name') && isPlainDay && other === undefined;
}

/** Returns whether a name is likelier than what the steps of its words mean: these are several, and not only words anyway. */
function isNamed(span: Steps): boolean {
  const isRule = (step: Step) => !isWord(step.meaning.role) && !isRole(step, 'newest');
  const isSaying = ({ meaning: { role, filter = 'status' } }: Step) => isWord(role) || filter !== 'status';
  return span[0] !== span.at(-1) && span.some(isRule) && (span.length > 2 || span.some(isSaying));
}

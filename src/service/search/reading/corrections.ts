/** Reads a question with other words: other spellings of words that few or no listings have, or the trade that people need. */

import { readPhrases } from '../../../shared/city/categories.ts';
import { isSameDays } from '../../../shared/periods.ts';
import { EVERYTHING, fitToQ, type Question } from '../../../shared/question.ts';
import type { Reading, ReadWord } from '../../../shared/reading.ts';
import { lazy } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';
import { packTexts } from '../index-buffers.ts';
import { openNearWords } from '../words/spelling.ts';
import { readSynonyms } from '../words/synonyms.ts';
import { readAsTyped, readConditions, type Try } from './conditions.ts';
import { isRole, type Step, type Steps, takeAs, wordsOf } from './draft.ts';
import type { ReadingSources } from './sources.ts';
import type { Token } from './tokens.ts';

/** What the index tells, and the other spellings of a word. */
export type Corrector = ReadingSources & { listCorrections(word: string): readonly string[] };

/** A word with fewer listings than this may be a mistake. */
const FEW = 5;
const LIKELY_TIMES = 20;
/** That of a word of trades: `acupunture` of some names is seldom meant. */
const LIKELY_TRADE = 5;
const BRANDS = [...readPhrases('brand-words.csv').keys()];
const listNearBrands = lazy(() => openNearWords(packTexts(BRANDS)));
/** Maximum words of a brand to look for. */
const MOST_OF_BRAND = 4;
/** Words of brands, which are right also in a city that has none of the brand: `costco`, and `peets` of coffee. */
const BRAND_WORDS = new Set([
  ...BRANDS.flatMap((name) => name.split(' ')),
  ...[...readSynonyms().byPhrase.values()]
    .flat()
    .flatMap(({ names }) => names.flat().map(({ word }) => word)),
]);
/** A word with listings is corrected only to one this many times as frequent, and offered at `LIKELY_TIMES`. */
const SURE_TIMES = 100;
/** Words of at most this many letters are corrected only by asking. */
const SHORT = 4;
/** Maximum words of a question to correct, the rarest first. */
const MOST_CORRECTED = 3;
const GIVEN_NAMES = openWordLists('person-words.csv')('given');

/** Lists corrections of a word. Ordinary words, numbers, trades and words of several listings have none. */
export function findCorrections(
  { countWord, countMatches, findNear, isOrdinary, meanings }: ReadingSources,
  word: string,
): readonly string[] {
  if (/\p{N}/u.test(word) || isOrdinary(word) || BRAND_WORDS.has(word)) return [];
  const count = countWord(word);
  if (count >= FEW) return [];
  const parts = count === 0 ? splitInTwo(word, { countWord, countMatches }) : undefined;
  if (parts !== undefined) return [parts];
  const asked = count === 0 ? meanings.findAsked(word) : [];
  const near = findNear(word, count).filter(
    (other) => countWord(other) >= (meanings.isTrade(other) ? LIKELY_TRADE : LIKELY_TIMES) * count,
  );
  // `lawyer` is meant by `lawer`, and not `later` or `laser` of more names
  const isMeant = (other: string) => meanings.isKind(other) || BRAND_WORDS.has(other);
  const { true: meant = [], false: others = [] } = Object.groupBy(near, (other) => `${isMeant(other)}`);
  const weigh = (other: string) => countMatches({ ...EVERYTHING, q: other });
  meant.sort((a, b) => weigh(b) - weigh(a));
  const found = [...meant, ...asked, ...others];
  return found.map((other) => (isOrdinary(other) ? other : meanings.spellKind(other)));
}

/** Splits a word where most names have both parts side by side: `icecream`. */
function splitInTwo(
  word: string,
  { countWord, countMatches }: Pick<ReadingSources, 'countWord' | 'countMatches'>,
): string | undefined {
  if (!/^\p{L}{5,}$/u.test(word)) return undefined;
  const found = Array.from({ length: word.length - 3 }, (_, i) => {
    const text = `${word.slice(0, i + 2)} ${word.slice(i + 2)}`;
    const isFound = text.split(' ').every((part) => countWord(part) > 0);
    return { text, count: isFound ? countMatches({ ...EVERYTHING, q: `"${text}"` }) : 0 };
  });
  const best = found.reduce((most, one) => (one.count > most.count ? one : most));
  return best.count > 0 ? best.text : undefined;
}

/** Drops trades from the corrections of a possessive name: `Carl's` is not `cars`. */
function keepNames(
  { isOrdinary }: ReadingSources,
  typed: string,
  near: readonly string[],
): readonly string[] {
  const [, owner] = /^(.+?)['’]?s$/i.exec(typed) ?? [];
  const isPossessive = owner !== undefined && (/['’]s$/i.test(typed) || GIVEN_NAMES.has(owner.toLowerCase()));
  return isPossessive ? near.filter((other) => !isOrdinary(toSingular(other))) : near;
}

/** Reads a need whose words no name or hardly one has as the trade that does it: `leaking pipe` as `plumber`. */
export function readNeed(
  sources: ReadingSources,
  steps: Steps,
  asked: Question,
  { reading, isEmpty }: Try,
): Reading | undefined {
  const { countMatches, findNeed } = sources;
  const tokens = steps.flatMap((step) => step.tokens);
  const need = findNeed(tokens.map(({ word }) => word));
  if (need === undefined) return undefined;
  const isOut = ({ fate }: ReadWord) => fate === 'left-out' || fate === 'not-used';
  const unused = new Set(reading.words.filter(isOut).flatMap(({ text }) => text.split(' ')));
  const used = tokens.filter((_, i) => need.used.has(i));
  const count = (q: string) => countMatches({ ...EVERYTHING, q });
  const named = count(used.map(({ typed }) => typed).join(' '));
  const isRare = named > 0 && count(need.trade) >= LIKELY_TIMES * named; // one name says `fixes computers`
  if (!isEmpty && !isRare && (named > 0 || !used.some(({ typed }) => unused.has(typed)))) return undefined;
  // `a lawyer for a divorce` says it itself
  const said = steps.find((step) => toSingular(wordsOf([step]).join(' ')) === need.trade);
  const isOfNeed = ({ tokens: some }: Step) => some.some((token) => used.includes(token));
  if (said !== undefined) {
    const again = steps.map((step) => (step !== said && isOfNeed(step) ? takeAs(step, 'unused') : step));
    return readConditions(sources, again, asked).reading;
  }
  const [shown, ...others] = used;
  const spelled = new Map(others.map((token) => [token, '']));
  const found = readSpelled(sources, steps, asked, spelled.set(shown!, need.trade));
  if (countMatches(found.search) === 0) return undefined;
  return { ...(readOpenKind(sources, found) ?? found), isNeed: true };
}

/** Reads several words that no name has as a brand that is one letter away: `chik fil a`. */
export function readBrand(sources: ReadingSources, steps: Steps, asked: Question): Reading | undefined {
  const tokens = steps.flatMap((step) => step.tokens);
  const isFound = (words: string) => sources.findName(words.split(' ')) !== undefined;
  for (let length = Math.min(MOST_OF_BRAND, tokens.length); length > 1; length--)
    for (let from = 0; from + length <= tokens.length; from++) {
      const some = tokens.slice(from, from + length);
      const typed = wordsOf([{ tokens: some }]).join(' ');
      const brand = listNearBrands()(typed, 1).find(({ word }) => isFound(word))?.word;
      if (brand === undefined || some.some(({ isLiteral }) => isLiteral) || isFound(typed)) continue;
      const words = brand.split(' ');
      const spelled = some.flatMap((token, i) =>
        token.word === words[i] ? [] : [[token, words[i]!] as const],
      );
      if (words.length === length) return readSpelled(sources, steps, asked, new Map(spelled));
    }
  return undefined;
}

/** Takes the whole kind of a trade of which all are closed: who needs something needs one that is not. */
function readOpenKind({ countMatches }: ReadingSources, found: Reading): Reading | undefined {
  const kind = found.words.find(({ mixed }) => mixed !== undefined)?.mixed;
  const isOpen = (search: Question) => countMatches({ ...search, status: ['open'] }) > 0;
  const search = { ...found.search, q: `"${kind}"`, status: ['open'] };
  if (kind === undefined || isOpen(found.search) || !isOpen(search)) return undefined;
  const words = found.words.map(
    (word): ReadWord => (word.mixed === kind ? { text: word.text, fate: 'kind', to: kind } : word),
  );
  return { ...found, search, words };
}

/** A word that may be a mistake, with the number of its listings and its other spellings. */
type Doubtful = { token: Token; count: number; near: readonly string[] };

/** Corrects words that few listings have if that finds more. What is uncertain is only offered. */
export function readCorrected(sources: Corrector, steps: Steps, asked: Question, reading: Reading): Reading {
  const { countMatches } = sources;
  const total = countUnused(reading) > 0 ? 0 : countMatches(reading.search);
  const doubtful = listDoubtful(sources, steps, total);
  const [first, ...others] = doubtful;
  if (first === undefined) return reading;
  const placed = reading.words.flatMap(({ why, text }) => (why === 'place' ? text.split(' ') : []));
  let best: { found: Reading; rank: number } | undefined;
  for (const word of first.near) {
    const spelled = new Map([
      ...others.map(({ token, near }) => [token, near[0]!] as const),
      [first.token, word],
    ]);
    const corrected = readSpelled(sources, steps, asked, spelled);
    // a short word is right if it names a place
    // `from` for `fromm` before no date
    const isIdle = ({ text, fate }: ReadWord) =>
      fate === 'not-used' && text.split(' ').includes(first.token.typed);
    if (corrected.words.some(isIdle)) continue;
    const isPlaced = corrected.search.neighborhood.length > reading.search.neighborhood.length;
    const isSure = doubtful.every((one) => isSurelyWrong(sources, one, spelled.get(one.token)!, isPlaced));
    // a place that is unknown is not corrected to words of names, but to those of days
    const isDated = !isSameDays(corrected.search, reading.search);
    const isElsewhere = placed.length > 0 && !isPlaced && !isDated;
    if (isElsewhere && (!isSure || placed.includes(first.token.typed))) continue;
    // with the other spelling, perhaps only the filters leave nothing
    const isUnheard = total === 0 && first.count === 0;
    const isUsed = isUnheard || countUnused(corrected) < countUnused(reading);
    const isFound = isUsed && (isDated || countMatches({ ...EVERYTHING, q: corrected.search.q }) > 0);
    if (countMatches(corrected.search) <= total && !isFound) continue;
    const found = isSure
      ? corrected
      : { ...reading, offer: { word: first.token.typed, search: corrected.search } };
    // `nail salns` is a known phrase in `nail salons`, and not in `nail sales`
    const isPhrase = corrected.words.some(({ fate, text }) => fate === 'corrected' && text.includes(' '));
    const isMore = countUnused(corrected) === 0 && countMatches(corrected.search) > total;
    const rank = isMore ? (isPhrase ? 2 : 1) : 0;
    if (best === undefined || rank > best.rank) best = { found, rank };
    if (isMore && (isPhrase || steps.length === 1)) break;
  }
  return best?.found ?? reading;
}

/** Counts the words that may be mistakes. */
function countUnused({ words }: Reading): number {
  const unused = words.filter(
    ({ fate, why = '' }) => fate === 'not-used' && /^(?:unknown|together|place|address)$/.test(why),
  );
  return unused.flatMap(({ text }) => text.split(' ')).length;
}

/** Lists the rarest words that may be mistakes. `total`: the number of listings that the question finds as it is typed. */
function listDoubtful(sources: Corrector, steps: Steps, total: number): Doubtful[] {
  const { countWord, countMatches, listCorrections } = sources;
  const isBeginning = (word: string) =>
    total > 0 && countWord(word) === 0 && countMatches({ ...EVERYTHING, q: word }) >= FEW;
  return steps
    .filter((step) => isRole(step, 'name') && !step.tokens[0]!.isLiteral)
    .filter((step) => step !== steps.at(-1) || !isBeginning(step.tokens[0]!.word))
    .map(({ tokens: [token] }) => ({ token: token!, count: countWord(token!.word) }))
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST_CORRECTED)
    .map((one) => ({ ...one, near: keepNames(sources, one.token.typed, listCorrections(one.token.word)) }))
    .filter(({ near }) => near.length > 0);
}

function isSurelyWrong(
  { countWord, findName }: ReadingSources,
  { token, count }: Doubtful,
  to: string,
  isPlaced: boolean,
): boolean {
  if (token.word.normalize('NFC').length <= SHORT && !(isPlaced && count === 0)) return false;
  return count === 0 || (findName([token.word]) !== 'whole' && countWord(to) >= SURE_TIMES * count);
}

/** Reads a question with other spellings of some words. A trade stands for all words of a need: the spelling of the others is `''`. */
function readSpelled(
  sources: ReadingSources,
  steps: Steps,
  question: Question,
  spelled: ReadonlyMap<Token, string>,
): Reading {
  const tokens = steps.flatMap((step) => step.tokens);
  const typed = tokens.map((token) => token.gap + (spelled.get(token) ?? token.typed));
  const q = typed.join('').trim().normalize('NFC');
  const asked = { ...question, q: fitToQ(q) };
  const again = sources.meanings.readSteps(sources.meanings.split(q));
  const { reading, isEmpty } = readConditions(sources, again, asked);
  const others = Array.from(spelled, ([{ typed: one }, text]) => (text === '' ? ` ${one}` : '')).join('');
  const before = new Map(
    Array.from(spelled, ([token, text]) => [text.normalize('NFC'), token.typed + others]),
  );
  const words = reading.words.map((one): ReadWord => {
    const parts = one.text.split(' ').map((text) => before.get(text) ?? text);
    const text = before.get(one.text) ?? parts.join(' ');
    if (text === one.text || one.fate === 'not-used') return { ...one, text };
    return { ...one, text, fate: 'corrected', to: one.text };
  });
  return { ...(isEmpty ? readAsTyped(sources, asked, again) : reading), words };
}

/** Reads what the words of a question mean, by the vocabulary of the city. */

import KIND_GROUPS from '../../../data/kind-groups.json' with { type: 'json' };
import { MOST_WORDS } from '../../../shared/question.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { splitWords } from '../../../shared/words.ts';
import { packTexts } from '../index-buffers.ts';
import { openNearWords } from '../words/spelling.ts';
import { toPhraseKey } from '../words/synonyms.ts';
import { openDays } from './days/days.ts';
import {
  hasMeaning,
  isKnownWord,
  isWord,
  type Meaning,
  type Step,
  type Steps,
  takeAs,
  wordsOf,
} from './draft.ts';
import { readInContext } from './in-context.ts';
import { isAccented, listAsked, listFillers } from './language.ts';
import { splitTokens, type Tokens } from './tokens.ts';
import {
  indexKinds,
  indexPhrases,
  isVerb,
  placeOf,
  SHORTEST_BEGINNING,
  type Vocabulary,
} from './vocabulary.ts';

const NAME: Meaning = { role: 'name' };
const FILLER: Meaning = { role: 'filler' };
const UNREAD: Meaning = { role: 'unread' };
export type Meanings = ReturnType<typeof openMeanings>;

/** `countWord`: counts the listings with any form of a word. */
export function openMeanings(vocabulary: Vocabulary, countWord: (word: string) => number) {
  const { values, lastDay, dataEnd, language } = vocabulary;
  const { meanings, dayWords, relative } = indexPhrases(vocabulary);
  /** Categories that words of people mean as a whole: restaurants, and not what is done for beauty. */
  const wholes = new Set(
    meanings
      .values()
      .flatMap(({ filter, extent, values = [] }) =>
        filter === 'category' && extent === undefined ? values : [],
      ),
  );
  const kinds = indexKinds(meanings, values.category);
  for (const part of kinds.keys()) meanings.getOrInsert(part, { role: 'trade' });
  /** The words of the longest phrase that begins with a word. */
  const longest = new Map<string, number>();
  for (const words of Array.from(meanings.keys(), (key) => key.split(' ')))
    longest.set(words[0]!, Math.max(longest.get(words[0]!) ?? 0, words.length));
  const listNear = openNearWords(packTexts(listAsked(language)));
  const isElided = /^(?:fr|it|ca)\b/.test(language);
  const isIdle = (word: string) => {
    const { role, extent } = meanings.get(word) ?? NAME;
    return role === 'in' || (role === 'filler' && extent === undefined);
  };
  const daysOf = openDays({ phrases: dayWords, relative, lastDay, dataEnd, language, isIdle });
  /** The meanings of the words before, and the reader of days. */
  type Known = { said: readonly Meaning[]; days: ReturnType<typeof daysOf> };

  /** Finds the neighborhood that begins with these letters after `in`: `sushi in kits`. */
  function findPlace(part: string): Meaning | undefined {
    const found = values.neighborhood.filter((one) => splitWords(one).join(' ').startsWith(part));
    return part.length >= SHORTEST_BEGINNING && found.length === 1 ? placeOf(found, 'beginning') : undefined;
  }

  /** Returns whether the end of a phrase is about days: `opened last month`, `open late 2015`, `did it open today`. */
  function isOfDays({ role, extent }: Meaning, some: Tokens, { said, days: readAt }: Known, at: number) {
    const mayEnd = role === 'usual' || extent === 'open';
    if (!mayEnd && role !== 'earlier' && role !== 'elder') return false;
    const isOpening = mayEnd && said.some((one) => one.isVerb || one.role === 'newest');
    const days = some.map((_, i) => (i > 0 && readAt(at + i, true)?.length) || 0);
    return days.some((length, i) => length > 0 && (isOpening || i + length > some.length));
  }

  /** Returns whether a word says what became of something, as `fall` in `did bars fall in 2019`, and not in `opened last fall`. */
  function isChange(word: string, said: readonly Meaning[]): boolean {
    if (!isVerb(meanings.get(word)) || !said.some((one) => one.role === 'ask' || one.how)) return false;
    const [last = FILLER, before] = [said.at(-1), said.at(-2)];
    const isNamed = last.filter === 'category' || last.filter === 'neighborhood';
    const isSubject = isNamed || hasMeaning(last, 'name', 'trade', 'ask');
    return (isSubject && said.length > 1) || last.by !== undefined || (last.role === 'or' && isVerb(before));
  }

  function stepAt(tokens: Tokens, at: number, known: Known): Step {
    const { said, days: readAt } = known;
    const [before, earlier] = [said.at(-1), said.at(-2)];
    const isOfChange = isChange(tokens[at]!.word, said);
    const isLast = at === tokens.length - 1; // `except march`, and not `no spring rolls`
    const isLed =
      (before?.role === 'not' && (isLast || said.some(({ role }) => role === 'days'))) ||
      hasMeaning(before, 'in', 'at', 'compare', 'than') ||
      (hasMeaning(before, 'and', 'or') && earlier?.role === 'days'); // `in june or july`
    const days = isOfChange ? undefined : readAt(at, isLed);
    const { word: first, isLiteral: isPhrase } = tokens[at]!;
    const lengths = isPhrase ? [] : [first, toSingular(first)].map((one) => longest.get(one) ?? 0);
    const most = Math.min(Math.max(0, ...lengths), tokens.length - at);
    for (let length = most; length > 0 && length >= (days?.length ?? 0); length--) {
      const some = tokens.slice(at, at + length);
      const words = some.map(({ word }) => word);
      const meaning = meanings.get(words.join(' ')) ?? meanings.get(toPhraseKey(words));
      // `Doe's` asks nothing
      const isBroken =
        (meaning?.role === 'ask' && /['’]s$/i.test(some.at(-1)!.typed)) ||
        some.some(({ gap, isLiteral }, i) => isLiteral || (i > 0 && /[,;|]/.test(gap)));
      // `una` is an article, and `uñas`, which is folded to its plural, are nails
      const isArticle =
        (meaning?.role === 'trade' || meaning?.filter === 'category') &&
        listFillers().has(some.map(({ typed }) => typed.toLowerCase()).join(' '));
      const isIdle = isVerb(meaning) && !isOfChange;
      if (meaning && !isBroken && !isIdle && !isOfDays(meaning, some, known, at))
        return {
          tokens: some,
          meaning: isArticle
            ? FILLER
            : hasMeaning(meaning, 'filler') && isAccented(some[0]!.typed)
              ? UNREAD
              : meaning,
        };
    }
    if (days === undefined) {
      const { word, isLiteral } = tokens[at]!;
      const kind = isLiteral ? undefined : dayWords.get(word)?.kind;
      // `to` is most often no edge of days, nor is the French `de`: `somewhere to get a dress altered`
      const isIdleEdge = /^(?:to|during)$/.test(kind ?? '') || listFillers().has(word);
      // `in week 23`, `on christmas`
      const isTime = /^(?:unit|time)$/.test(kind ?? '') && hasMeaning(before, 'in', 'at');
      const meaning =
        isTime || /^(?:after|before|from|between|event|to|during)$/.test(kind ?? '')
          ? { role: isIdleEdge ? ('filler' as const) : ('unread' as const) }
          : (before?.role === 'in' && findPlace(word)) || NAME;
      return { tokens: [tokens[at]!], meaning };
    }
    return { tokens: tokens.slice(at, at + days.length), meaning: days.meaning };
  }

  return {
    lastDay,
    values,
    split: (text: string) => splitTokens(text, isElided),
    /** Groups the words of a question into phrases with their meanings. */
    readSteps(tokens: Tokens): Steps {
      const steps: Step[] = [];
      const said: Meaning[] = [];
      const days = daysOf(tokens);
      for (let at = 0; at < tokens.length; at += steps.at(-1)!.tokens.length) {
        const step = stepAt(tokens, at, { said, days });
        steps.push(step);
        if (step.meaning.role !== 'filler') said.push(step.meaning);
      }
      return spareWords(
        readInContext(steps, (word) => dayWords.get(word)?.kind),
        countWord,
      );
    },
    /** Returns how the kind is called that a word is another spelling of: `restaurants` for `restraunt`. */
    spellKind(word: string): string {
      const { filter, values: [kind = ''] = [] } = meanings.get(toSingular(word)) ?? NAME;
      const name = kind.toLowerCase();
      return filter === 'category' && name.startsWith(word.slice(0, SHORTEST_BEGINNING)) ? name : word;
    },
    /** Returns whether a word means a trade or a kind. */
    isKind(word: string): boolean {
      const { role, filter } = meanings.get(toSingular(word)) ?? NAME;
      return role === 'trade' || filter === 'category';
    },
    isTrade: (word: string) => meanings.get(toSingular(word))?.role === 'trade',
    /** Lists the words of questions that a word may be a misspelling of: `since` for `sinse`. */
    findAsked: (word: string) => listNear(word, 1).map((near) => near.word),
    /** Lists the categories of the group of the one that a word means alone: what people eat and drink, for `bars`. */
    listLike({ tokens }: Step): readonly string[] {
      const [kind = ''] = kinds.get(toPhraseKey(tokens.map(({ word }) => word))) ?? [];
      const group = Object.values(KIND_GROUPS).find(({ categories }) => categories.includes(kind));
      return values.category.filter((one) => group?.categories.includes(one));
    },
    /** Lists the categories of a trade, to the first that is neither called after it nor, if they are only shown, has a name for all of its trades. */
    findWider({ tokens, meaning: { role, values: own } }: Step, isShown: boolean): readonly string[] {
      const [first] = tokens;
      const values = own ?? kinds.get(toPhraseKey(tokens.map(({ word }) => word))) ?? [];
      const isCalled = (kind: string) => splitWords(kind).map(toSingular).includes(toSingular(first!.word));
      const end = values.findIndex((kind) => !isCalled(kind) && !(isShown && wholes.has(kind)));
      return role === 'trade' ? values.slice(0, end < 0 ? values.length : end) : [];
    },
    /** Returns the categories that a phrase means beside another one: `bars` in `restaurants and bars`. */
    findKind: ({ tokens }: Step): readonly string[] | undefined =>
      kinds.get(toPhraseKey(tokens.map(({ word }) => word))),
  };
}

/** Spares words of many: the trades and the rarest ones count. Each costs several lookups. */
function spareWords(steps: Steps, countWord: (word: string) => number): Steps {
  const words = steps.filter(({ meaning }) => isWord(meaning.role));
  if (words.length <= MOST_WORDS) return steps;
  const distinct = new Map(words.map((step) => [wordsOf([step]).join(' '), step]));
  const ranked = Array.from(distinct.values())
    .map((step) => ({ step, isKnown: isKnownWord(step), count: Math.min(...wordsOf([step]).map(countWord)) }))
    .filter(({ isKnown, count }) => isKnown || count > 0)
    .sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.count - b.count);
  const kept = new Set(ranked.slice(0, MOST_WORDS).map(({ step }) => step));
  return steps.map((step) => (isWord(step.meaning.role) && !kept.has(step) ? takeAs(step, 'spare') : step));
}

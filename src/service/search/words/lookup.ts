/**
 * Finds the rows that match the words of a query (section "Words" of docs/api.md): whole words in all their forms, in
 * names and in the words of values, and synonyms of categories. Prefixes match before `*`, or if nothing else does.
 */

import { isUnknown } from '../../../shared/city/value-names.ts';
import { LEAST_SHARED } from '../../../shared/listing.ts';
import type { Warning } from '../../../shared/question.ts';
import { lazy, rememberTexts } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { splitWords } from '../../../shared/words.ts';
import { firstSetOf, type IndexBuffers, readText } from '../index-buffers.ts';
import { type Range, type RowSet, type RowSets, takeRows } from '../sets.ts';
import {
  findAdjacent,
  listTypes,
  listValues,
  openNameWords,
  openTextWords,
  toRanges,
  type WordRanges,
} from './index-words.ts';
import { parseQuery, type QueryClause, type QueryTerm, splitPairs } from './query-terms.ts';
import { type NameWord, readSynonyms, type Synonym, toPhraseKey } from './synonyms.ts';
import { listActivityForms, listTradeForms } from './trade-forms.ts';

export type Lookup = ReturnType<typeof openLookup>;

/** Maximum words whose ranges an index caches. Each word takes a few dozen bytes. */
const MOST_REMEMBERED = 20_000;
/** Maximum names to read for a phrase. Of more, such as those with `and` and `inc`, some has its words side by side. */
const MOST_READ = 300;
/** Maximum adjacent words that are also searched as one: `h e b`, `mc donalds`. */
const MOST_JOINED = 3;

type Parts = Pick<IndexBuffers, 'words' | 'values' | 'types' | 'names' | 'size'>;
type SearchedWords = ReturnType<typeof openWords>;

function openWords(parts: Parts, sets: RowSets) {
  const names = openNameWords(parts);
  const types = openTextWords(listTypes(parts));
  return {
    parts,
    sets,
    names,
    values: openTextWords(listValues(parts)),
    types,
    /** Returns the sets of types with a word, in any of its forms. */
    typesOf: rememberTexts((word) => listTradeForms(word).flatMap(types.find), MOST_REMEMBERED),
    synonyms: openSynonymRows(parts, names, sets),
  };
}

export function openLookup(parts: Parts, sets: RowSets) {
  const words = openWords(parts, sets);
  const { names, values, types, typesOf, synonyms } = words;
  const matchTerm = openTermMatch(words);
  const findRows = rememberRows((q) => {
    const clauses = parseQuery(q);
    return clauses.length === 0 ? undefined : matchClauses(words, clauses, matchTerm);
  });
  return {
    rows(q: string, warnings: Warning[]): RowSet | undefined {
      if (q.trim() === '') return undefined;
      const rows = findRows(q);
      if (rows === undefined)
        warnings.push({ parameter: 'q', code: 'no-words', detail: 'q contains no words to search for' });
      return rows;
    },
    /** Counts the rows with any form of a folded word in their name or a value, without its synonyms. */
    countWord(word: string): number {
      sets.begin();
      const pairs = splitPairs(word);
      const inPairs =
        pairs.length === 0 ? [] : [sets.intersection(pairs.map((pair) => sets.union(names.find(pair))))];
      return sets.union([...findWholeWord(words, word), ...typesOf(word)], inPairs).count;
    },
    /** Counts the rows with a word or its synonyms. */
    countMeant(word: string): number {
      sets.begin();
      return matchTerm({ words: [word], joined: undefined, begins: 'never', isPhrase: false }).count;
    },
    /** Returns how names have these adjacent words: as a whole name, as its beginning, as another part of it, or not at all. */
    findName(phrase: readonly string[]): 'whole' | 'beginning' | 'part' | undefined {
      sets.begin();
      const rows = sets.intersection(phrase.map((word) => sets.union(names.find(word))));
      let found: 'beginning' | 'part' | undefined = rows.count > MOST_READ ? 'part' : undefined;
      for (const row of found ? [] : listRows(rows)) {
        const name = splitWords(readText(parts.names, row));
        const at = findAdjacent(name, phrase);
        if (at >= 0 && isWhole(name, at, phrase.length)) return 'whole';
        if (at >= 0 && found !== 'beginning') found = at === 0 ? 'beginning' : 'part';
      }
      return found;
    },
    listOthers: synonyms.listOthers,
    findMixed: synonyms.findMixed,
    findWider: synonyms.findWider,
    /** Words of categories, neighborhoods and types, and synonyms of categories. */
    valueWords: [...new Set([...values.words, ...types.words, ...synonyms.words])],
  };
}

/** Words around a name that people leave out: articles, legal forms, and numbers of branches. */
const AROUND =
  /^(?:the|a|le|la|les|el|los|inc|incorporated|llc|l|c|corp|corporation|co|company|ltd|limited|llp|lp|pllc|pc|pa|dba|\d+)$/;

function isWhole(name: readonly string[], at: number, length: number): boolean {
  return [...name.slice(0, at), ...name.slice(at + length)].every((word) => AROUND.test(word));
}

/** Returns a function that finds rows with all words of a term, its joined form, or the meaning of a synonym. */
function openTermMatch(searched: SearchedWords): TermMatch {
  const { names, values, synonyms, sets } = searched;
  const namesOf = (word: string): readonly Range[] => listActivityForms(word).flatMap(names.find);
  const rangesOf = rememberTexts(
    (word): readonly Range[] =>
      synonyms.has([word]) ? namesOf(word) : findWholeWord({ names, values }, word),
    MOST_REMEMBERED,
  );
  const beginningsOf = rememberTexts(
    (word): readonly Range[] => [...values.findBeginnings(word), ...names.findBeginnings(word)],
    MOST_REMEMBERED,
  );
  const matchWith = ({ words, joined }: QueryTerm, lastRanges: typeof beginningsOf): RowSet => {
    const last = words.length - 1;
    const each = words.map((word, i) => sets.union(i === last ? lastRanges(word) : rangesOf(word)));
    const all = sets.intersection(each);
    return joined === undefined ? all : sets.union(lastRanges(joined), [all]);
  };
  return (term, isBare = false) => {
    if (term.isPhrase) return matchPhrase(searched, term.words);
    if (term.begins === 'always') return matchWith(term, beginningsOf);
    if (isBare) return matchWith(term, namesOf);
    const whole = synonyms.widen(term.words, matchWith(term, rangesOf));
    return term.begins === 'otherwise' && whole.count === 0 ? matchWith(term, beginningsOf) : whole;
  };
}

function findWholeWord({ names, values }: Pick<SearchedWords, 'names' | 'values'>, word: string): Range[] {
  return listTradeForms(word).flatMap((form) => [...values.find(form), ...names.find(form)]);
}

/**
 * Finds the rows whose type and values have all words. A word of a type beside one of a name would find too much: `mobile` is in
 * types, and `t mobile` is a name. Nor would a trade alone, which has types of its own: `plumbing` is not `plumbing materials`.
 */
function matchTypes(words: SearchedWords, terms: readonly QueryTerm[]): RowSet[] {
  const { values, typesOf, sets, synonyms } = words;
  const all = terms.flatMap((term) => term.words);
  if (synonyms.has(all)) return [];
  const inTypes = all.map(typesOf);
  if (inTypes.every((some) => some.length === 0)) return [];
  if (terms.some(({ isPhrase, begins }) => isPhrase || begins === 'always')) return [];
  const ranges = all.map((word, i) => [...inTypes[i]!, ...listTradeForms(word).flatMap(values.find)]);
  return ranges.every((some) => some.length > 0)
    ? [sets.intersection(ranges.map((some) => sets.union(some)))]
    : [];
}

/** Finds the rows of a term, of a bare one those that say it in their name. */
type TermMatch = (term: QueryTerm, isBare?: boolean) => RowSet;
type Phrase = { words: string[]; joined: readonly Range[] };
/** Terms of a query that belong together, or one term without a phrase. */
type QueryPart = { terms: readonly QueryTerm[]; phrase: Phrase | undefined };

/** Finds rows that have these words side by side in their name or in a value, as they are spelled. */
function matchPhrase(
  { names, values, types, sets, parts }: SearchedWords,
  phrase: readonly string[],
): RowSet {
  const inValues = [...values.findPhrase(phrase), ...types.findPhrase(phrase)];
  const inNames = sets.intersection(phrase.map((word) => sets.union(names.find(word))));
  if (phrase.length === 1) return sets.union(inValues, [inNames]);
  const rows = listRows(inNames).filter(
    (row) => findAdjacent(splitWords(readText(parts.names, row)), phrase) >= 0,
  );
  return sets.union(inValues, [{ count: rows.length, rows }]);
}

function listRows(rows: RowSet): Uint32Array {
  return takeRows(rows, 0, rows.count);
}

function matchClauses(words: SearchedWords, clauses: readonly QueryClause[], matchTerm: TermMatch): RowSet {
  const { sets, parts, typesOf, values } = words;
  const { findMeanings } = words.synonyms;
  const isSingle = ({ any, isExcluded }: QueryClause) => !isExcluded && any.length === 1;
  const terms = clauses.flatMap((clause) => (isSingle(clause) ? clause.any : []));
  const phrases = splitPhrases(words, terms);
  const found = phrases.map((part) => matchPart(words, part, matchTerm));
  const ofTypes = matchTypes(words, terms);
  if (found.length > 0 && ofTypes.length > 0) {
    const inNames = sets.intersection(found.splice(0));
    found.push(sets.union([], [inNames, ...ofTypes]));
  }
  // of `caterers but not catering`, and of `hotels but no motels` where one type has both, nothing would be left
  const several = clauses.flatMap((clause) => (isSingle(clause) || clause.isExcluded ? [] : clause.any));
  const asked = [...phrases.map(({ terms: [one], phrase }) => phrase ?? one!), ...several];
  const listTexts = (some: readonly string[]) =>
    some.flatMap((word) => [...typesOf(word), ...listTradeForms(word).flatMap(values.find)]);
  const meant = lazy(() => new Set(asked.flatMap((one) => findMeanings(one.words))));
  const texts = lazy(() => new Set(asked.flatMap((one) => listTexts(one.words)).map(({ from }) => from)));
  const isShared = (term: QueryTerm) =>
    findMeanings(term.words).some((one) => meant().has(one)) ||
    listTexts(term.words).some(({ from }) => texts().has(from));
  // `vegan*` of `vegetarian but not vegan`, and not `cater*` of `caterers but not catering`
  const listOwn = ({ words: of }: QueryTerm) =>
    findMeanings(of)
      .flatMap((one) => one.names.flatMap((some) => (some.length === 1 ? some : [])))
      .filter((name) => isOwn(name, of) && !asked.some((one) => isOwn(name, one.words)))
      .flatMap(({ word, isBeginning }) => words.names[isBeginning ? 'findBeginnings' : 'find'](word));
  const matchAny = ({ any, isExcluded }: QueryClause) => {
    const rows = any.map((term) =>
      isExcluded && isShared(term)
        ? [matchTerm(term, true), sets.union(listOwn(term))]
        : [matchTerm(term), ...matchTypes(words, [term])],
    );
    return sets.union([], rows.flat());
  };
  for (const clause of clauses) if (!clause.isExcluded && !isSingle(clause)) found.push(matchAny(clause));
  const excluded = clauses.flatMap((clause) => (clause.isExcluded ? matchAny(clause) : []));
  const rows = found.length === 0 ? sets.range(0, parts.size) : sets.intersection(found);
  return excluded.length === 0 ? rows : sets.difference(rows, sets.union([], excluded));
}

function splitPhrases(words: SearchedWords, terms: readonly QueryTerm[]): QueryPart[] {
  const parts: QueryPart[] = [];
  for (let at = 0; at < terms.length; at += parts.at(-1)!.terms.length) {
    const phrase = findPhrase(words, terms.slice(at));
    parts.push({ terms: terms.slice(at, at + (phrase?.words.length ?? 1)), phrase });
  }
  return parts;
}

function matchPart(
  { names, synonyms, sets }: SearchedWords,
  { terms, phrase }: QueryPart,
  matchTerm: TermMatch,
): RowSet {
  if (phrase === undefined) return matchTerm(terms[0]!);
  if (!synonyms.has(phrase.words))
    return sets.union(phrase.joined, [sets.intersection(terms.map((term) => matchTerm(term)))]);
  const inNames = phrase.words.map((word) => sets.union(listActivityForms(word).flatMap(names.find)));
  return synonyms.widen(phrase.words, sets.union(phrase.joined, [sets.intersection(inNames)]));
}

/** Finds the longest phrase at the beginning of the terms that is one word in names, or that means a category. */
function findPhrase({ names, synonyms }: SearchedWords, terms: readonly QueryTerm[]): Phrase | undefined {
  const most = Math.min(terms.length, Math.max(MOST_JOINED, synonyms.mostWords));
  for (let length = most; length > 1; length--) {
    const some = terms.slice(0, length);
    if (some.some(({ joined, isPhrase }) => joined !== undefined || isPhrase)) continue;
    const words = some.flatMap((term) => term.words);
    const joined = length <= MOST_JOINED ? names.find(words.join('')) : [];
    if (joined.length > 0 || synonyms.has(words)) return { words, joined };
  }
  return undefined;
}

/** Caches the rows of the last text. A page needs them up to six times, for listings, counts and suggestions. */
function rememberRows(find: (q: string) => RowSet | undefined): (q: string) => RowSet | undefined {
  let last: { q: string; rows: RowSet | undefined } | undefined;
  let copy = new Uint32Array(0);
  return (q) => {
    if (q === last?.q) return last.rows;
    const rows = find(q);
    if (rows?.bits === undefined) last = { q, rows };
    else {
      // copies the bits, because the next query overwrites their memory
      if (copy.length !== rows.bits.length) copy = new Uint32Array(rows.bits.length);
      copy.set(rows.bits);
      last = { q, rows: { count: rows.count, bits: copy } };
    }
    return last.rows;
  };
}

/** Returns whether a word of names is one of a phrase, or its beginning. */
function isOwn({ word, isBeginning }: NameWord, phrase: readonly string[]): boolean {
  const known = toSingular(word);
  return phrase.map(toSingular).some((one) => (isBeginning ? one.startsWith(known) : one === known));
}

/** Words of names, and the ranges of each. */
type OtherWords = { text: string; ranges: readonly (readonly Range[])[] };

function openSynonymRows(parts: Parts, names: WordRanges, sets: RowSets) {
  const { byPhrase, mostWords } = readSynonyms();
  const first = firstSetOf(parts, 'category');
  const setOf = new Map(parts.values.category.map((category, i) => [category, first + i]));
  const setsOf = ({ categories }: Synonym) => categories.flatMap((category) => setOf.get(category) ?? []);
  const isKnown = (synonym: Synonym) => setsOf(synonym).length > 0;
  const findKnown = rememberTexts(
    (phrase) => byPhrase.get(toPhraseKey(phrase.split(' ')))?.filter(isKnown) ?? [],
    MOST_REMEMBERED,
  );
  const findMeanings = (phrase: readonly string[]) => findKnown(phrase.join(' '));
  /** Of listings without a category, the type alone tells what they are. */
  const unknown = parts.values.category.flatMap((category, i) => (isUnknown(category) ? [first + i] : []));
  const types = listTypes(parts).map((type) => ({ ...type, key: ` ${toPhraseKey(splitWords(type.text))} ` }));
  const narrow = [...new Set([...byPhrase.values()].flat())].filter((one) => one.names.length > 0);
  /** Types with a phrase of a synonym: its own, of these the ones without trades of other categories, and those with others of its own. */
  const typesIn = new Map<
    Synonym,
    { own: readonly Range[]; sure: readonly Range[]; mixed: readonly string[] }
  >();
  const typesOf = (synonym: Synonym) =>
    typesIn.getOrInsertComputed(synonym, () => {
      const { phrases, names: some, categories } = synonym;
      const has = (key: string, others: readonly string[]) => others.some((one) => key.includes(` ${one} `));
      const others = narrow.filter((one) => one !== synonym && one.categories[0] === categories[0]);
      const rivals = [toPhraseKey(splitWords(categories[0]!)), ...others.flatMap((one) => one.phrases)];
      const longest = phrases.toSorted((a, b) => b.length - a.length);
      const found = types
        .filter(({ key }) => has(key, phrases))
        .map((type) => ({
          ...type,
          rest: longest.reduce((left, phrase) => left.replaceAll(` ${phrase} `, ' | '), type.key),
        }));
      const [mixed, own] = [true, false].map((isMixed) =>
        found.filter(({ rest }) => (some.length > 0 && has(rest, rivals)) === isMixed),
      );
      const foreign = narrow.flatMap((one) => (one === synonym ? [] : one.phrases));
      const sure = own!.filter(({ rest }) => !has(rest, foreign));
      return {
        own: toRanges(own!.map(({ set }) => set)),
        sure: toRanges(sure.map(({ set }) => set)),
        mixed: mixed!.map(({ text }) => text),
      };
    });
  const rangesIn = new Map<Synonym, readonly (readonly Range[])[][]>();
  const findRanges = (synonym: Synonym) =>
    rangesIn.getOrInsertComputed(synonym, () =>
      synonym.names.map((words) =>
        words.map(({ word, isBeginning }) => (isBeginning ? names.findBeginnings(word) : names.find(word))),
      ),
    );

  /** Finds the listings in a synonym's categories whose names or types match. */
  function rowsOf(synonym: Synonym): RowSet {
    const inCategories = toRanges(setsOf(synonym));
    const { own, sure } = typesOf(synonym);
    const ofTypes = sets.union(
      [],
      [
        sets.intersection([sets.union(inCategories), sets.union(own)]),
        sets.intersection([sets.union(toRanges(unknown)), sets.union(sure)]),
      ],
    );
    if (synonym.isWider && own.length > 0) return ofTypes;
    if (synonym.names.length === 0) return sets.union(inCategories, [ofTypes]);
    const single: Range[] = [];
    const several: RowSet[] = [];
    for (const words of findRanges(synonym))
      if (words.length === 1) single.push(...words[0]!);
      else several.push(sets.intersection(words.map((ranges) => sets.union(ranges))));
    return sets.union(
      [],
      [ofTypes, sets.intersection([sets.union(inCategories), sets.union(single, several)])],
    );
  }

  /** Returns the most common word of names with a beginning: `beauty` for `beaut`. */
  function completeWord(beginning: string): string {
    sets.begin();
    const [{ from, to } = { from: 0, to: 0 }] = names.findBeginnings(beginning);
    const words = Array.from({ length: to - from }, (_, i) => ({
      word: readText(parts.words, from + i),
      count: sets.union([{ from: from + i, to: from + i + 1 }]).count,
    }));
    return words.sort((a, b) => b.count - a.count)[0]?.word ?? beginning;
  }

  return {
    mostWords,
    words: [...byPhrase].flatMap(([phrase, some]) =>
      phrase.includes(' ') || !some.some(isKnown) ? [] : [phrase],
    ),
    findMeanings,
    has: (phrase: readonly string[]) => findMeanings(phrase).length > 0,
    /** Lists the other words of names by which a phrase finds listings, each with its ranges: `cafe` for `coffee`. */
    listOthers: rememberTexts((phrase): readonly OtherWords[] => {
      const asked = phrase.split(' ');
      // `nail` finds more names than `nail salon`
      const isAsked = (words: readonly NameWord[]) =>
        words.every((one) => isOwn(one, asked)) &&
        asked.every((one) => words.some((word) => isOwn(word, [one])));
      const format = ({ word, isBeginning }: NameWord) => (isBeginning ? completeWord(word) : word);
      const found = findMeanings(asked).flatMap((synonym) =>
        synonym.names.flatMap((words, i) =>
          isAsked(words) ? [] : [[words.map(format).join(' '), findRanges(synonym)[i]!] as const],
        ),
      );
      return Array.from(new Map(found), ([text, ranges]) => ({ text, ranges }));
    }, MOST_REMEMBERED),
    /**
     * Finds a type that has a phrase together with other trades, so that its listings are not found by it: `Barber/Beauty Shop`. If no type
     * has it, finds its category, of which names alone tell the listings apart.
     */
    findMixed: rememberTexts((phrase): string | undefined => {
      const meant = findMeanings(phrase.split(' '));
      if (meant.some((one) => one.names.length === 0 || typesOf(one).sure.length > 0)) return undefined;
      const kind = meant.flatMap(({ categories }) => categories).find((one) => setOf.has(one));
      sets.begin();
      const found = sets.union([], meant.map(rowsOf)).count;
      const all = kind === undefined ? 0 : sets.union(toRanges([setOf.get(kind)!])).count;
      const isMore = all > found && all >= LEAST_SHARED;
      return meant.flatMap((one) => typesOf(one).mixed)[0] ?? (isMore ? kind : undefined);
    }, MOST_REMEMBERED),
    /** Finds the category whose listings all stand for a phrase, although it is more: names do not tell, nor does a type. */
    findWider: (phrase: string): string | undefined =>
      findMeanings(phrase.split(' ')).find((one) => one.isWider && typesOf(one).own.length === 0)
        ?.categories[0],
    /** Adds the rows of the phrase's synonyms to `rows`. */
    widen(phrase: readonly string[], rows: RowSet): RowSet {
      const meant = findMeanings(phrase);
      return meant.length === 0 ? rows : sets.union([], [rows, ...meant.map(rowsOf)]);
    },
  };
}

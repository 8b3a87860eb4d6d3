/** Finds the trade that people need: a plumber for a leaking pipe (`src/data/needs*.csv`). */

import { baseLanguageOf, nameTables } from '../../../shared/city/languages.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { listSplits } from '../../../shared/words.ts';

/** A need: its trade, and the positions of its words. */
export type Need = { trade: string; used: ReadonlySet<number> };
type Phrase = readonly string[];
/** What people need or, beside words of what is done, what it is done to: `leaking` and `pipe`. `role`: of which words. */
type Line = { trade: string; role: string; phrases: readonly Phrase[] };

/** `done`: words of what is done, by their role. */
type Needs = { done: ReadonlyMap<string, readonly Phrase[]>; lines: readonly Line[] };

/** Reads the tables of English and of a language, once for all indexes. */
export const readNeeds = rememberTexts((language): Needs => {
  const rows = nameTables('needs', [baseLanguageOf(language)])
    .flatMap(readDataLines)
    .map(([trade = '', role = '', words = '']) => ({
      trade,
      role,
      phrases: words
        .split('|')
        .flatMap(listSplits)
        .map((phrase) => phrase.map(toSingular)),
    }));
  const { true: done = [], false: lines = [] } = Object.groupBy(rows, ({ trade }) => `${trade === ''}`);
  const byRole = Map.groupBy(done, ({ role }) => role);
  return {
    done: new Map([...byRole].map(([role, some]) => [role, some.flatMap((one) => one.phrases)])),
    lines,
  };
});

/** Returns a function that finds the need with the most of these folded words. */
export function openNeeds(language: string): (words: readonly string[]) => Need | undefined {
  const { done, lines } = readNeeds(language);
  const byWord = new Map<string, Set<Line>>();
  for (const line of lines)
    for (const word of line.phrases.flat()) byWord.getOrInsertComputed(word, () => new Set()).add(line);

  return (asked) => {
    const words = asked.map(toSingular);
    const known = new Set(words.flatMap((word) => [...(byWord.get(word) ?? [])]));
    if (known.size === 0) return undefined;
    const verbs = new Map(Array.from(done, ([role, some]) => [role, findAdjacent(words, some)]));
    let best: Need | undefined;
    for (const { trade, role, phrases } of known) {
      const verb = verbs.get(role);
      const things = verb ? findAdjacent(words, phrases).filter((at) => !verb.includes(at)) : [];
      const isBoth = verb !== undefined && verb.length > 0 && things.length > 0;
      const ways = verb
        ? isBoth
          ? [[...things, ...verb]]
          : []
        : phrases.map((phrase) => phrase.map((word) => words.indexOf(word)));
      for (const way of ways)
        if (!way.includes(-1) && way.length > (best?.used.size ?? 0)) best = { trade, used: new Set(way) };
    }
    return best;
  };
}

/** Lists the positions of phrases whose words are adjacent. */
function findAdjacent(words: readonly string[], phrases: readonly Phrase[]): number[] {
  const found = phrases.flatMap((phrase) =>
    words.flatMap((_, at) =>
      phrase.every((word, i) => words[at + i] === word) ? phrase.map((_, i) => at + i) : [],
    ),
  );
  return [...new Set(found)];
}

/** Finds the trade that people need: a plumber for a leaking pipe (`src/data/needs*.csv`). */

import { baseLanguageOf, nameTables } from '../../../shared/city/languages.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { toSingular } from '../../../shared/text/word-forms.ts';
import { readDataLines } from '../../../shared/text/word-table.ts';
import { listSplits } from '../../../shared/words.ts';

/** A need: its trade, and the positions of its words. */
export type Need = { trade: string; used: ReadonlySet<number> };
type Phrase = readonly string[];
/** What breaks (`thing`), or what people need. */
type Line = { trade: string; role: string; phrases: readonly Phrase[] };

type Needs = { trouble: readonly Phrase[]; lines: readonly Line[] };

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
  const isTrouble = ({ role }: Line) => role === 'trouble';
  return {
    trouble: rows.filter(isTrouble).flatMap(({ phrases }) => phrases),
    lines: rows.filter((row) => !isTrouble(row)),
  };
});

/** Returns a function that finds the need with the most of these folded words. */
export function openNeeds(language: string): (words: readonly string[]) => Need | undefined {
  const { trouble, lines } = readNeeds(language);
  const byWord = new Map<string, Set<Line>>();
  for (const line of lines)
    for (const word of line.phrases.flat()) byWord.getOrInsertComputed(word, () => new Set()).add(line);

  return (asked) => {
    const words = asked.map(toSingular);
    const known = new Set(words.flatMap((word) => [...(byWord.get(word) ?? [])]));
    if (known.size === 0) return undefined;
    const wrong = findAdjacent(words, trouble);
    let best: Need | undefined;
    for (const { trade, role, phrases } of known) {
      const broken = role === 'thing' ? findAdjacent(words, phrases).filter((at) => !wrong.includes(at)) : [];
      const ways =
        role === 'thing'
          ? broken.length > 0 && wrong.length > 0
            ? [[...broken, ...wrong]]
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

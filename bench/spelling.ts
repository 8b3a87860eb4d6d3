/**
 * Spelling suggestions: how often the word that was meant is suggested first, for misspellings made by rule of the most frequent words, and
 * what a suggestion costs beside the same search of the word as it is spelled.
 */

import { random } from '../cities/sample/random.ts';
import { openService } from '../src/app/operations/service.ts';
import { readConfig } from '../src/config.ts';
import { kindOf } from '../src/register/profile/categories/kind.ts';
import { openIndexBuilder } from '../src/service/search/index/build.ts';
import { openIndex } from '../src/service/search/index/open.ts';
import { EVERYTHING, type Question } from '../src/shared/question.ts';
import { CITY, storeOf } from './data.ts';
import { median, type Result } from './report.ts';

const WORDS = 500;
const MISSPELLINGS = 200;
const SEED = 20261122;
const ROUNDS = 5;
const KEYS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

export async function benchSpelling(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  const { index, words } = await readIndex(folder);
  const next = random(SEED);
  const made = misspell(words, next);
  const ask = (q: string): Question => ({ ...EVERYTHING, q });
  const results = made.map(({ word, typed }) => {
    const { total } = index.search(ask(typed));
    const spelled = index.read(ask(typed)).words.find(({ fate }) => fate === 'corrected');
    return { word, typed, meant: spelled?.to, total };
  });
  const right = results.filter(({ word, meant }) => meant === word).length;
  const silent = results.filter(({ meant }) => meant === undefined);
  const costs = Array.from({ length: ROUNDS }, () =>
    made.map(({ typed }) => {
      const from = performance.now();
      index.read(ask(typed));
      return performance.now() - from;
    }),
  );
  const perQuery = made.map((_, i) => Math.min(...costs.map((round) => round[i]!))); // a busy machine only adds
  return {
    bench: 'spelling',
    listings,
    rows: [
      {
        what: `first suggestion is the word, of ${MISSPELLINGS}`,
        value: `${((100 * right) / made.length).toFixed(1)} %`,
      },
      {
        what: '  without a suggestion, because the misspelling is a frequent word or too short',
        value: String(silent.length),
      },
      { what: 'a suggestion, median', value: `${median(perQuery).toFixed(3)} ms` },
      { what: 'a suggestion, at most', value: `${Math.max(...perQuery).toFixed(3)} ms` },
      {
        what: 'not right',
        value: results
          .filter(({ word, meant }) => meant !== word)
          .map(
            ({ word, typed, meant, total }) => `${typed} (${word}, ${total} found) -> ${meant ?? 'nothing'}`,
          )
          .join('; '),
      },
    ],
    figures: { right: right / made.length, worstMs: Math.max(...perQuery) },
  };
}

async function readIndex(dataFolder: string) {
  const service = await openService({ ...readConfig({}), city: CITY, dataFolder });
  const builder = openIndexBuilder({ version: 'bench', day: '2016-10-07', suppressed: [] });
  const counts = new Map<string, number>();
  for await (const batch of service.store.listings.listings()) {
    builder.add(batch);
    for (const listing of batch)
      for (const word of new Set(listing.name.toLowerCase().match(/[a-z]{4,}/g)))
        counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  await service.close();
  const words = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, WORDS);
  const index = openIndex(builder.finish(), { kindOfWord: (name) => kindOf({ name }) });
  return { index, words: words.map(([word]) => word) };
}

/** Transposed, dropped, doubled and neighboring letters, in turns. */
function misspell(words: readonly string[], next: () => number): { word: string; typed: string }[] {
  const ways = [transpose, drop, double, hitNeighbor];
  const made: { word: string; typed: string }[] = [];
  while (made.length < MISSPELLINGS) {
    const word = words[Math.floor(next() * words.length)]!;
    const at = Math.floor(next() * (word.length - 1));
    const typed = ways[made.length % ways.length]!(word, at, next);
    if (typed !== word) made.push({ word, typed });
  }
  return made;
}

function transpose(word: string, at: number): string {
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
}

function drop(word: string, at: number): string {
  return word.slice(0, at) + word.slice(at + 1);
}

function double(word: string, at: number): string {
  return word.slice(0, at) + word[at] + word.slice(at);
}

function hitNeighbor(word: string, at: number, next: () => number): string {
  const row = KEYS.find((keys) => keys.includes(word[at]!))!;
  const place = row.indexOf(word[at]!);
  const key = row[place + (next() < 0.5 ? -1 : 1)] ?? row[place === 0 ? 1 : place - 1]!;
  return word.slice(0, at) + key + word.slice(at + 1);
}

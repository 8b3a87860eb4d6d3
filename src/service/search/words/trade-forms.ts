/** Lists the forms of a word that a search finds alike: its numbers, and the other words for one trade, such as `plumber` and `plumbing`. */

import { CATEGORIES, ROMANCE, STRONG, WEAK } from '../../../shared/city/categories.ts';
import { lazy } from '../../../shared/remember.ts';
import { listForms, listPlurals, toSingular } from '../../../shared/text/word-forms.ts';

/** Endings of trades and of people who have them. */
const ENDING =
  /(?:ician|icien|icite|istry|urist|erie|ier|eur|age|ure|euse|ical|ian|ery|ing|ist|ial|al|ant|er|or|ic|ry|y|e|shop)$/;
/** Endings of activities and places, which no person is called. */
const ACTIVITY = /(?:ing|erie|eria|age|ure|y)$/;
const SHORTEST_STEM = 4;
/** Endings of what shops sell, which Spanish and French call after it: `paleta`, `paletería`. */
const SOLD = /[aeo]$/;

/** Words of trades in the singular, by each of them. Words of one stem are alike only if both mean the same category. */
const readTrades = lazy((): ReadonlyMap<string, ReadonlySet<string>> => {
  const groups = new Map<string, Set<string>>();
  const named = CATEGORIES.map((category) => [category.toLowerCase(), category] as const);
  const grouped = [...STRONG, ...WEAK, ...ROMANCE, ...named].flatMap(([word, category]) => {
    if (!/^[a-z]+$/.test(word)) return [];
    const singular = toSingular(word);
    const group = groups.getOrInsertComputed(`${category} ${toStem(singular)}`, () => new Set());
    return [[singular, group.add(singular)] as const];
  });
  return new Map(grouped);
});

/** Lists the forms of a word of a trade and of its activity, which names have whatever their kind: `plumbing` for `plumber`, and no `Baker` for `bakery`. */
export function listActivityForms(word: string): string[] {
  return [...listTrades(word), ...listShops(word)].flatMap((one) =>
    one === word || ACTIVITY.test(one) ? listPlurals(one) : [],
  );
}

/** Lists a word and the other words of its trade, in the singular. */
export function listTrades(word: string): string[] {
  return [word, ...(readTrades().get(toSingular(word)) ?? [])];
}

/** Lists the forms of a word, the word itself first. */
export function listTradeForms(word: string): string[] {
  return [...new Set([...listTrades(word), ...listShops(word)].flatMap(listForms))];
}

/** Lists what a shop may be called after a word that it sells: `taqueria` for `tacos`, `creperie` for `crepe`. */
function listShops(word: string): string[] {
  const sold = toSingular(word);
  if (!SOLD.test(sold) || sold.length < SHORTEST_STEM) return [];
  const stem = sold.slice(0, -1).replace(/c$/, 'qu').replace(/g$/, 'gu');
  return [`${stem}eria`, `${stem}erie`];
}

function toStem(word: string): string {
  const shorter = [ENDING, /(?:ian|y|al)$/].map((ending) => word.replace(ending, ''));
  const stem = shorter.find((one) => one !== word && one.length >= SHORTEST_STEM);
  return stem === undefined ? word : toStem(stem);
}

/**
 * The kind that an official type text means: a licence's description, a class, the title of a NAICS code. Official texts are
 * not names: they list several things, say what is not meant, and put how a trade is carried on before what with. Where a text
 * could mean two kinds it means none, because a wrong kind is worse than `Uncategorized`.
 */

import { UNCATEGORIZED } from '../listings/listing.ts';
import { type Category, isBroadCode, naicsCategory } from './categories.ts';
import { splitWords } from './kind-words.ts';
import { NAICS_TITLES } from './naics-titles.ts';
import { TRADE_FORMS, TYPE_WORDS } from './type-words.ts';

const LONGEST = 5; // words of a phrase

/**
 * The kind, or `undefined` where the text tells none. A NAICS code in it goes first (`722511 - Full-Service Restaurants`), the
 * longest of several; what follows `except`, `without`, `excluding`, `no` or `non-` is not read (`Restaurant, no liquor service`).
 */
export function kindOfType(text: string): Category | undefined {
  const title = TITLE_KINDS.get(typeWords(text).join(' '));
  if (title !== undefined) return title === UNCATEGORIZED ? undefined : title;
  const words = typeWords(cutExceptions(text));
  return kindOfCode(text, words) ?? kindOfWords(words);
}

/**
 * Whether a text says no more than a sector in which trades of many kinds are: `Finance and Insurance`, `Consultant`. A name is
 * asked before it.
 */
export function isBroadType(text: string): boolean {
  const words = typeWords(text);
  return (
    BROAD.has(words.filter((word) => !FILLERS.has(word)).join(' ')) ||
    isBroadCode(/^\s*(\d\d)\b/.exec(text)?.[1] ?? '')
  );
}

/** Codes of five or six digits are believed; shorter ones (they may be SIC's) unless the words say another kind. */
function kindOfCode(text: string, words: readonly string[]): Category | undefined {
  const codes = [...text.matchAll(CODE)]
    .map((found) => found[1] ?? found[2]!)
    .toSorted((a, b) => b.length - a.length);
  for (const code of codes) {
    const category = naicsCategory(code);
    if (category === undefined) continue;
    if (code.length >= 5) return category;
    const said = kindOfWords(words);
    if (said === undefined || said === category) return category;
  }
  return undefined;
}

/** A code stands at the beginning, alone or before a separator, or in brackets; before mere words only a long one does. */
const CODE =
  /(?:^\s*(?:NAICS\b\W*)?|[([]\s*(?:NAICS\b\W*)?)(?:(\d{2,6})(?=\s*(?:$|[)\]]|[-–:|,]\s*\D))|(\d{5,6})(?=\s\p{L}))/giu;

/** To the end of the clause, but for `non-`, which takes its own word. Non-profits are no exception. */
const EXCEPTIONS = [
  /\b(?:except(?:ing)?|excluding|excl|without|w\/o|not including|other than|but not|not)\b(?![- ]for[- ]profit)(?! (?:else|other)where)[^();]*/gi,
  /\bno\b(?!\.? ?\d)[^(),;]*/gi,
  /\bnon(?:[- ](?!profit|store)\p{L}+|food)/giu,
  // where, for whom or with what: `Behavioral services in schools`, `Restaurant with liquor service`
  /\b(?:in|at|with|from|for)\b(?![- ](?:profit|hire|the elderly)\b)[^-–,;()/]*/gi,
];

function cutExceptions(text: string): string {
  return EXCEPTIONS.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
}

/** The words as the lists have them: `and` for `&`, singulars for plurals. */
function typeWords(text: string): string[] {
  return splitWords(text.replace(/[&+]/g, ' and ')).map(singular);
}

/** Enough for the lists; `securities` are not `security`. */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|[^a]us|is|securities)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(?<=[sx]|ch|sh)es$|s$/, '');
}

const FORMS = Object.entries(TRADE_FORMS).map(([category, list]) => indexOf({ [category]: list }, ', '));
const THINGS = indexOf(TYPE_WORDS, ', ');
const TITLE_KINDS = indexOf(NAICS_TITLES, '; ');

const setOf = (words: string) => new Set(words.split(' '));
/** Sectors, without the fillers. */
const BROAD = new Set([
  'finance insurance',
  'scientific technical',
  'consulting',
  'consultant',
  'information',
  'transportation warehousing',
]);
/** A maker or wholesaler who also sells to the public is a shop. */
const SHOP = setOf('retail retailer store');
const FILLERS = setOf(
  'a all an and at by company corp dba each establishment etc facility firm for from general home in inc including independent industry international license licensed local major mobile nec new of office on only operation operator or other own permit private product professional provider public related residential retail retailer sale service shop similar small special specialty store supply the to type used with commercial based business center class agency agent dealer misc miscellaneous activity',
);
/** Where a permit is often one beside another trade (`Tobacco Permit`). */
const SHOPS: ReadonlySet<Category> = new Set<Category>([
  'Bars & Nightlife',
  'Clothing & Jewelry',
  'Home & Garden Stores',
  'Health & Beauty Stores',
  'Specialty Retail',
  'Liquor & Tobacco',
  'Grocery & Convenience',
]);
/** Work on things, which their own phrases name where it is meant (`furniture repair`). */
const WORK = setOf(
  'cleaning consulting delivery design installation instruction management permit renovation rental repair repairing refinishing restoration training upholster',
);
/** What a shop for a trade sells. */
const GOODS = setOf('car cart equipment machine machinery material part product supply');
const OTHER_THINGS = new Set([...WORK, ...GOODS].filter((word) => word !== 'permit'));
/** Trades that install, repair and design as a matter of course. */
const TRADES: ReadonlySet<Category> = new Set<Category>([
  'Auto Repair',
  'Construction & Trades',
  'Home Services',
  'Cleaning',
  'Landscaping',
  'Technology',
  'Architecture & Engineering',
  'Marketing & Design',
]);

function indexOf(lists: Partial<Record<string, string>>, separator: string): ReadonlyMap<string, Category> {
  return new Map(
    Object.entries(lists).flatMap(([category, phrases = '']) =>
      phrases
        .split(separator)
        .map((phrase): [string, Category] => [
          splitWords(phrase).map(singular).join(' '),
          category as Category,
        ]),
    ),
  );
}

type Found = { category: Category; start: number; end: number };

function kindOfWords(words: readonly string[]): Category | undefined {
  const things = findPhrases(THINGS, words);
  const form = words.some((word) => SHOP.has(word)) ? undefined : findForm(words, things);
  const found = form === undefined ? things : [...things, form];
  const kinds = new Set(things.map((thing) => thing.category));
  const category = form?.category ?? (kinds.size === 1 ? [...kinds][0] : undefined);
  if (category === undefined || !isMostly(words, found, form)) return undefined;
  return form !== undefined || isPlain(category, wordsBeside(words, found)) ? category : undefined;
}

/** How the trade is carried on, unless a longer phrase of a thing holds it (`Landscape Contractor`). */
function findForm(words: readonly string[], things: readonly Found[]): Found | undefined {
  for (const phrases of FORMS) {
    const form = findPhrases(phrases, words).find(
      (one) => !things.some((thing) => thing.start < one.start && thing.end >= one.end),
    );
    if (form !== undefined) return form;
  }
  return undefined;
}

/**
 * Whether the phrases are at least half of what the text says: a sentence with one known word in it is not read. A form at
 * either end is enough (`Tire Manufacturing`, `Contractor - Awnings`).
 */
function isMostly(words: readonly string[], found: readonly Found[], form: Found | undefined): boolean {
  if (form?.start === 0 || form?.end === words.length) return true;
  const known = found.flatMap(({ start, end }) => words.slice(start, end));
  const rest = wordsBeside(words, found).filter((word) => !FILLERS.has(word) && !/\d/.test(word));
  return known.filter((word) => !FILLERS.has(word)).length >= rest.length;
}

/** Not a permit beside a trade, a shop for what a trade needs, or work on what a place is or sells. */
function isPlain(category: Category, beside: readonly string[]): boolean {
  const ill = TRADES.has(category) ? GOODS : SHOPS.has(category) ? WORK : OTHER_THINGS;
  return !beside.some((word) => ill.has(word));
}

function wordsBeside(words: readonly string[], found: readonly Found[]): string[] {
  return words.filter((_, i) => !found.some(({ start, end }) => i >= start && i < end));
}

/** The phrases of the list in the text from left to right, each the longest that begins there. */
function findPhrases(list: ReadonlyMap<string, Category>, words: readonly string[]): Found[] {
  const found: Found[] = [];
  for (let start = 0; start < words.length; start++) {
    for (let end = Math.min(words.length, start + LONGEST); end > start; end--) {
      const category = list.get(words.slice(start, end).join(' '));
      if (category === undefined) continue;
      found.push({ category, start, end });
      start = end - 1;
      break;
    }
  }
  return found;
}

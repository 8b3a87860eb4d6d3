/**
 * Finds the category of an official text: the description of a license or class, or the title of a NAICS code. Unlike
 * names, official texts list several things and exceptions, and the form of trade matters more than the goods
 * (`Furniture Manufacturing`). An ambiguous text has no category, because a wrong category is worse than
 * `Uncategorized`.
 */

import {
  type Category,
  type FoundPhrase,
  isBroadCode,
  naicsCategory,
  openPhraseFinder,
  type Phrases,
  readPhrases,
  splitNameWords,
} from '../../../shared/city/categories.ts';
import { UNCATEGORIZED } from '../../../shared/listing.ts';
import { lazy } from '../../../shared/remember.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';

const LONGEST_TEXT = 300; // characters; the rest of a text is ignored

/**
 * Returns the category of a type text, or `undefined` if the text gives none. The longest NAICS code in the text takes
 * precedence (`722511 - Full-Service Restaurants`). Ignores the words after `except`, `without`, `excluding`, `no` or
 * `non-` (`Restaurant, no liquor service`).
 */
export function kindOfType(given: string): Category | undefined {
  const text = given.slice(0, LONGEST_TEXT);
  const title = readTypePhrases().titles.get(typeWords(text.replace(OWN_NUMBER, '')).join(' '));
  if (title !== undefined) return title === UNCATEGORIZED ? undefined : title;
  return kindOfCode(text) ?? kindOfWords(cutExceptions(text));
}

/** Returns whether a text is only a sector with several categories (`Finance and Insurance`). */
export function isBroadType(text: string): boolean {
  const words = typeWords(text);
  return (
    SECTORS.has(words.filter((word) => !FILLERS.has(word)).join(' ')) ||
    isBroadCode(/^\s*(\d\d)\b/.exec(text)?.[1] ?? '')
  );
}

/** Returns whether a type is so general that the name is more specific: `Retail Sales`, `Finance and Insurance`. */
export function isGeneralType(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return isBroadType(text) || words.every((word) => GENERAL.has(word));
}

/** Finds the category of a code. Ignores shorter codes before words, which are the publisher's numbers or SIC codes. */
function kindOfCode(text: string): Category | undefined {
  if (!/\d\d/.test(text)) return undefined;
  return [...text.matchAll(CODE)]
    .map((found) => found[1] ?? found[2]!)
    .toSorted((a, b) => b.length - a.length)
    .filter((code) => code.length >= 5 || !/\p{L}{2}/u.test(text))
    .map(naicsCategory)
    .find((category) => category !== undefined);
}

/** Matches the publisher's own number before a title: `1126 - Drinking Places (Alcoholic Beverages)`. */
const OWN_NUMBER = /^\s*\d{2,4}\s*[-–:|]\s*(?=\p{L})/u;

/** Matches a code at the beginning or in brackets. A code directly before words must have at least five digits. */
const CODE =
  /(?:^\s*(?:NAICS\b\W*)?|[([]\s*(?:NAICS\b\W*)?)(?:(\d{2,6})(?=\s*(?:$|[)\]]|[-–:|,]\s*\D))|(\d{5,6})(?=\s\p{L}))/giu;

/**
 * Match exceptions up to the end of the clause. `non-` excludes only the word after it. `non-profit` is not an
 * exception.
 */
const EXCEPTIONS = [
  /\b(?:except(?:ing)?|excluding|excl|without|w\/o|not including|other than|but not|not|(?<=\()exc?)\b(?![- ]for[- ]profit)(?! (?:else|other)where)[^();]*/gi,
  /\bno\b(?!\.? ?\d)[^(),;]*/gi,
  /\bnon(?:[- ](?!profit|store)\p{L}+|food)/giu,
  /\bindependent(?:ly)? contract(?:ors?|ed)\b/gi,
  // phrases that name a place, customers or extras: `Behavioral services in schools`, `Restaurant with liquor service`
  /\b(?:in|at|with|from|for)\b(?![- ](?:profit|hire|the elderly)\b)[^-–,;()/]*/gi,
];

/** Removes what a type excludes, and the place, customers or extras that it names. */
export function cutExceptions(text: string): string {
  return EXCEPTIONS.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
}

/**
 * Splits a text into words, spelled as in the lists: `and` for `&`, singular for plural, `service` for `svcs`.
 */
function typeWords(text: string): string[] {
  return splitNameWords(text.replace(/[&+]/g, ' and ').replace(/\bsvcs?\b/gi, 'service')).map(singular);
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|[^a]us|is|securities)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(?<=[sx]|ch|sh)es$|s$/, '');
}

const listOf = openWordLists('type-words.csv');
/** Reads the phrases at the first text: a service that only serves needs none. */
const readTypePhrases = lazy(() => {
  /** By category, in the order of the file: earlier categories take precedence. */
  const forms = [...Map.groupBy(listOf('form'), ([, category]) => category).values()].map(indexPhrases);
  const things = indexPhrases(listOf('thing'));
  const titles = indexPhrases(readPhrases('activity-words.csv'));
  return { forms, things, titles, find: openPhraseFinder([things, ...forms], 'first') };
});

const SECTORS = listOf('sector');
const SHOP = listOf('shop');
const FILLERS = listOf('filler');
const GENERAL = listOf('general');
/** Categories of shops. Other trades often hold their permits as well, such as a tobacco permit. */
const SHOPS = listOf('shop-category');
/** Words for work on goods, which does not belong to the category of shops that sell the goods (`furniture repair`). */
const WORK = listOf('work');
const GOODS = listOf('goods');
const OTHER_THINGS: ReadonlySet<string> = new Set(
  [...WORK.keys(), ...GOODS.keys()].filter((word) => word !== 'permit'),
);
const TRADES = listOf('trade-category');

function indexPhrases(phrases: Iterable<[string, string]>): Phrases {
  return new Map(
    Array.from(phrases, ([phrase, category]) => [typeWords(phrase).join(' '), category as Category]),
  );
}

function kindOfWords(text: string): Category | undefined {
  const words = typeWords(text);
  const { things: phrases, find } = readTypePhrases();
  const things = find(phrases, words);
  const form = words.some((word) => SHOP.has(word)) ? undefined : findForm(words, things);
  const found = form === undefined ? things : [...things, form];
  const kinds = new Set(things.map((thing) => thing.category));
  const category = form?.category ?? (kinds.size === 1 ? [...kinds][0] : undefined);
  const isAbout = form === undefined ? isMostly(words, found) : isHead(form, words, text);
  if (category === undefined || !isAbout) return undefined;
  return form !== undefined || isPlain(category, wordsBeside(words, found)) ? category : undefined;
}

function findForm(words: readonly string[], things: readonly FoundPhrase[]): FoundPhrase | undefined {
  const { forms, find } = readTypePhrases();
  for (const phrases of forms) {
    const form = find(phrases, words).findLast(
      (one) => !things.some((thing) => thing.start < one.start && thing.end >= one.end),
    );
    if (form !== undefined) return form;
  }
  return undefined;
}

/** Returns whether a form of trade begins or ends the text: `Contractor - Awnings`, `Manufacturer of tires`. */
function isHead(form: FoundPhrase, words: readonly string[], text: string): boolean {
  const end = words.findLastIndex((word) => !FILLERS.has(word)) + 1;
  if (form.end >= end) return words.length <= LONGEST_TITLE;
  return form.start === 0 && HEAD.test(text);
}

const LONGEST_TITLE = 16; // in words; longer texts are sentences
const HEAD = /^[^\p{L}]*\p{L}+(?:\s*[-–,:;(/]|\s+of\b)/iu;

/** Returns whether at least half of the words belong to known phrases. One known word in a sentence is not enough. */
function isMostly(words: readonly string[], found: readonly FoundPhrase[]): boolean {
  const known = found.flatMap(({ start, end }) => words.slice(start, end));
  const rest = wordsBeside(words, found).filter((word) => !FILLERS.has(word) && !/\d/.test(word));
  return known.filter((word) => !FILLERS.has(word)).length >= rest.length;
}

/** Returns whether a text means the category itself, and not another trade's permit, a supplier, or work on goods. */
function isPlain(category: Category, beside: readonly string[]): boolean {
  const ill = TRADES.has(category) ? GOODS : SHOPS.has(category) ? WORK : OTHER_THINGS;
  return !beside.some((word) => ill.has(word));
}

function wordsBeside(words: readonly string[], found: readonly FoundPhrase[]): string[] {
  return words.filter((_, i) => !found.some(({ start, end }) => i >= start && i < end));
}

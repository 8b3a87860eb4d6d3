/** Recognizes the headers of registers in several languages. All header words are in `src/data/header-words.csv`. */

import { openWordLists, readDataLines, toPattern } from '../../shared/text/word-table.ts';
import { foldWords } from '../../shared/words.ts';
import { isOrdinaryWord } from '../profile/people/name-words.ts';

/** Roles that headers name. Some only qualify others: `elsewhere` marks a mailing address, `part` a part of a name. */
export type HeaderRole =
  | ('filed' | 'term' | 'application' | 'expires' | 'ended' | 'status' | 'paper' | 'key' | 'form' | 'naics')
  | ('type' | 'name' | 'owner' | 'part' | 'town' | 'state' | 'county' | 'country' | 'zip' | 'area' | 'ward')
  | (
      | 'inside'
      | 'outside'
      | 'elsewhere'
      | 'premises'
      | 'address'
      | 'house'
      | 'street'
      | 'unit'
      | 'before'
      | 'after'
    )
  | ('suffix' | 'latitude' | 'longitude');

const LINES = readDataLines('header-words.csv').map(([role = '', weight, language = '', words = '']) => ({
  role,
  weight: Number(weight),
  language,
  words,
  pattern: toPattern(words),
}));
const BY_ROLE = Map.groupBy(LINES, ({ role }) => role);

function listWeights(header: string, role: HeaderRole): number[] {
  const lines = BY_ROLE.get(role)!.filter(({ pattern }) => pattern.test(` ${header} `));
  return lines.map(({ weight }) => weight);
}

/** Rates how well a header names a role, 0 to 12, by its best match. Returns 0 if one of its words forbids the role. */
export function weighHeader(header: string, role: HeaderRole): number {
  const weights = listWeights(header, role);
  return weights.includes(0) ? 0 : Math.max(0, ...weights);
}

/** Returns whether a header has a word for a role, even if another word forbids the role. */
export function mentionsRole(header: string, role: HeaderRole): boolean {
  return listWeights(header, role).some((weight) => weight > 0);
}

/** The weight of words such as "date", which say nothing of what happened on it. */
const DATE_WEIGHT = 2;

export function saysDate(header: string): boolean {
  return listWeights(header, 'filed').includes(DATE_WEIGHT);
}

export function forbidsRole(header: string, role: HeaderRole): boolean {
  return listWeights(header, role).includes(0);
}

/** Full forms of abbreviations in headers, and standard forms of alternative spellings. */
const listOf = openWordLists('header-spellings.csv');
const SPELLED_OUT = listOf('spelling');

const LONGEST_GLUED = 60;
const SHORTEST_PART = 4;
const SHORT_PARTS = listOf('short');
/** Words for splitting headers such as `dbaname`, `siteaddress` and `dateCreationEtablissement`. */
const KNOWN_WORDS: ReadonlySet<string> = new Set(
  [...SPELLED_OUT.keys(), ...LINES.flatMap(({ words }) => listWords(words))].filter(
    (word) => word.length >= SHORTEST_PART || SHORT_PARTS.has(word),
  ),
);

/** Matches words that a list has with any ending: `renovacion`, `actualizacion`. */
const INFLECTED = new RegExp(
  `^(?:${LINES.flatMap(({ words }) => words.match(/(?<![*\p{L}])\p{L}{5,}(?=\*)/gu) ?? []).join('|')})`,
  'u',
);

function listWords(phrases: string): string[] {
  return phrases.match(/(?<![\p{L}\d])\p{L}+(?![\p{L}\d])/gu) ?? [];
}

/** Splits a header into words: lower case, without accents, abbreviations expanded, joined by spaces. */
export function splitHeader(name: string): string {
  const apart = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{L})(?=\d)/gu, '$1 ')
    .replace(/#/g, ' number ');
  return foldWords(apart)
    .split(' ')
    .flatMap(splitGluedWord)
    .map((word) => SPELLED_OUT.get(word) ?? word)
    .join(' ');
}

/** Matches "date" and its short forms behind a word, as in `hsisdate`, `statusdttm` and `begdt`, but not in `Hauptstadt`. */
const DATE_END = /(?<=\p{L}{2})(?:dttm|(?<!a)dt|date)$/u;

/**
 * Splits a word into those of headers or, with at least one of them, into them and ordinary words: `mostrecentlicensedate`. An
 * ordinary word stays whole.
 */
function splitGluedWord(word: string): string[] {
  if (word.length > LONGEST_GLUED) return [word];
  const known = splitInto(word, (part) => KNOWN_WORDS.has(part));
  if (known !== undefined || isOrdinaryWord(word)) return known ?? [word];
  const isPart = (part: string) =>
    KNOWN_WORDS.has(part) || (part.length >= SHORTEST_PART && isOrdinaryWord(part));
  const parts = splitInto(word, isPart) ?? splitInto(word, (part) => isPart(part) || INFLECTED.test(part));
  if (parts?.some((part) => KNOWN_WORDS.has(part))) return parts;
  const stem = word.replace(DATE_END, '');
  return stem === word ? [word] : [...splitGluedWord(stem), 'date'];
}

/** Splits a word into parts, the first ones as long as possible. */
function splitInto(word: string, isPart: (part: string) => boolean): string[] | undefined {
  const failed = new Set<number>();
  const split = (rest: string): string[] | undefined => {
    if (rest === '') return [];
    if (rest === 's' && rest !== word) return []; // a plural: `LICENCETYPES`
    if (failed.has(rest.length)) return undefined; // this end of the word was already tried
    for (let length = rest.length; length > 1; length--) {
      const others = isPart(rest.slice(0, length)) ? split(rest.slice(length)) : undefined;
      if (others !== undefined) return [rest.slice(0, length), ...others];
    }
    failed.add(rest.length);
    return undefined;
  };
  return split(word);
}

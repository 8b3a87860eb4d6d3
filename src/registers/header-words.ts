/** What the headers of registers say, in several languages: `src/data/header-words.csv`. The only list of header words. */

import { readDataLines, toPattern } from '../data/word-table.ts';
import { foldWords } from '../listings/words.ts';

/** What a header may name. Some only qualify others: `elsewhere` is a mailing or an owner's address, `part` a part of a person's name. */
export type HeaderRole =
  | (
      | 'filed'
      | 'term'
      | 'application'
      | 'expires'
      | 'ended'
      | 'name'
      | 'owner'
      | 'part'
      | 'form'
      | 'status'
      | 'paper'
    )
  | ('naics' | 'type' | 'address' | 'house' | 'street' | 'unit' | 'before' | 'after' | 'suffix' | 'elsewhere')
  | ('town' | 'state' | 'county' | 'zip' | 'area' | 'latitude' | 'longitude' | 'inside' | 'outside' | 'key');

const LINES = readDataLines('header-words.csv');
const LABELS = Map.groupBy(
  LINES.map(([role = '', weight, , words = '']) => ({
    role,
    weight: Number(weight),
    pattern: toPattern(words),
  })),
  ({ role }) => role,
);

const LANGUAGE_WORDS = LINES.map(([, , language = '', words = '']) => ({
  language,
  pattern: toPattern(words),
}));

/** How well a header names a role: 0 to 12, the best of what it matches; 0 if a word of it forbids the role. */
export function weighHeader(header: string, role: HeaderRole): number {
  let best = 0;
  for (const { weight, pattern } of LABELS.get(role) ?? []) {
    if (weight <= best && weight > 0) continue;
    if (!pattern.test(` ${header} `)) continue;
    if (weight === 0) return 0;
    best = weight;
  }
  return best;
}

/** Whether a word of a header forbids a role. */
export function forbidsRole(header: string, role: HeaderRole): boolean {
  return (LABELS.get(role) ?? []).some(({ weight, pattern }) => weight === 0 && pattern.test(` ${header} `));
}

/** Short forms of headers, and how the same word is spelled elsewhere. */
const SPELLED_OUT = new Map(
  'lic=license licence=license licenses=license licences=license bus=business cat=category desc=description descr=description dt=date dttm=date nbr=number no=number nr=number exp=expiration eff=effective loc=location addr=address iss=issued stat=status naic=naics tp=taxpayer nm=name cd=code lat=latitude lng=longitude lon=longitude long=longitude neighbourhood=neighborhood nbhd=neighborhood nhood=neighborhood appl=application app=application biz=business acct=account lgl=legal own=owner inactv=inactive licns=license lics=license strt=start mun=municipality organisation=organization reg=registration'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const LONGEST_GLUED = 60;
const SHORTEST_PART = 4;
/** Shorter parts that are no chance. */
const SHORT_PARTS = new Set(
  'id no of on dt nm cd lic bus dba zip dir day end lat lng num key tax own reg naics'.split(' '),
);
/** All words of the file, for headers such as `dbaname`, `siteaddress` and `dateCreationEtablissement`, the longest first. */
const KNOWN_WORDS = [
  ...new Set([...SPELLED_OUT.keys(), ...LINES.flatMap(([, , , words = '']) => listWords(words))]),
]
  .filter((word) => word.length >= SHORTEST_PART || SHORT_PARTS.has(word))
  .sort((a, b) => b.length - a.length);

function listWords(phrases: string): string[] {
  return phrases.match(/(?<![\p{L}\d])\p{L}+(?![\p{L}\d])/gu) ?? [];
}

/** The words of a header in lower case without accents, short forms written out, a space between. */
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

/** The known words that a word is glued of; the word itself if it is not made of them. */
function splitGluedWord(word: string): string[] {
  const failed = new Set<number>();
  const split = (rest: string): string[] | undefined => {
    if (rest === '') return [];
    if (failed.has(rest.length)) return undefined; // each end of the word is tried once
    for (const known of KNOWN_WORDS) {
      const others = rest.startsWith(known) ? split(rest.slice(known.length)) : undefined;
      if (others !== undefined) return [known, ...others];
    }
    failed.add(rest.length);
    return undefined;
  };
  return word.length > LONGEST_GLUED ? [word] : (split(word) ?? [word]);
}

/** Whether headers are in English, as far as their words are known: most of those that say something do. */
export function areEnglish(headers: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const header of headers)
    for (const language of listLanguages(header)) counts.set(language, (counts.get(language) ?? 0) + 1);
  const english = counts.get('en') ?? 0;
  return [...counts.values()].every((count) => count <= english);
}

function listLanguages(header: string): ReadonlySet<string> {
  const found = LANGUAGE_WORDS.filter(({ pattern }) => pattern.test(` ${header} `));
  return new Set(found.map(({ language }) => language));
}

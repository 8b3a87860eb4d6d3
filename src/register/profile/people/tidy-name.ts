/** Makes names readable. Registers often write them in capitals, and with damaged characters. */

import { rememberTexts } from '../../../shared/remember.ts';
import { openWordLists } from '../../../shared/text/word-table.ts';

const listOf = openWordLists('person-words.csv');
/** Words to keep in capitals although they have a vowel. Words without a vowel (LLC, BBQ, JMS) need no list. */
const CAPITALS = listOf('capitals');
const SPOKEN = listOf('spoken');
const SMALL = listOf('small');
const ROMAN = /^(?:II|III|IV|VI|VII|VIII|IX|XI|XII|XIII|XIV|XV)$/;
const CLEAN = /^[!-~]+(?: [!-~]+)*$/; // most names are printable ASCII with single spaces
const SITES = /^(?:COM|NET|ORG|BIZ|INFO|GOV)$/;

/**
 * Makes a name readable: single spaces, no control or bidi characters, and title case if the source used only capitals
 * (`MCDONALD'S #12 OF LA` -> `McDonald's #12 of LA`). Idempotent. Keeps every letter and digit.
 */
export function tidyName(text: string): string {
  const clean = cleanName(text);
  if (/\p{Ll}/u.test(clean)) return clean;
  const words = clean.split(' ');
  return words.map((word, i) => caseWord(word, words, i)).join(' ');
}

function cleanName(text: string): string {
  if (CLEAN.test(text) && !text.includes('??')) return text;
  return restoreCharacters(text)
    .replace(/[\p{Cf}]/gu, '')
    .replace(/[\p{Cc}\p{Cs}\p{Co}\uFFFD\s]+/gu, ' ')
    .replace(/\?{2,}/g, ' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Restores lost characters where they are certain. Each lost byte of UTF-8 is a question mark: the two in `99?? STORE` were
 * a cent sign, and the three in `JOE???S` and `Rental ??? Residential` an apostrophe and a dash.
 */
export function restoreCharacters(text: string): string {
  return text
    .replace(/(?<=\d) ?\?\?(?!\?)/g, '¢')
    .replace(/(?<=\s)\?\?\?(?=\s)/g, '–')
    .replace(/(?<=\p{L})\?\?\?(?=\p{L})/gu, '’');
}

function caseWord(word: string, words: readonly string[], i: number): string {
  const isInside = i > 0 && i < words.length - 1;
  if (isInside && SMALL.has(word) && /[\p{L}\p{N}.,&]$/u.test(words[i - 1]!)) return word.toLowerCase();
  if (word === 'LA') return isCity(words[i + 1]) ? word : 'La';
  return i === 0 ? caseFirstWord(word) : caseLaterWord(word);
}

const MOST_WORDS = 50_000; // maximum words to cache; each word needs several regular expressions
const caseFirstWord = rememberTexts((word) => casePieces(word, 0), MOST_WORDS);
const caseLaterWord = rememberTexts((word) => (ROMAN.test(word) ? word : casePieces(word, 1)), MOST_WORDS);

function casePieces(word: string, i: number): string {
  if (CAPITALS.has(word)) return word;
  return word.replace(/[\p{L}\p{M}\p{N}'’]+/gu, (piece, at: number) =>
    casedPiece(piece, word[at - 1] ?? '', i),
  );
}

/**
 * Returns whether `LA` means Los Angeles. It does at the end of a name and before an English word. Elsewhere it is an
 * article, as in `La Mer`.
 */
function isCity(next: string | undefined): boolean {
  if (next === undefined || !/^\p{L}/u.test(next)) return true;
  return /(?:[BCFGHKLMPTWXY]|ER|[^AEIO]S|(?:AUTO|MOBILE|STYLE|HOME|CAFE|LIMO|PHOTO|VIDEO|GROUP)S?)$/.test(
    next,
  );
}

function casedPiece(piece: string, before: string, i: number): string {
  if (before === '.' && SITES.test(piece)) return piece.toLowerCase();
  if (/^\d+(?:ST|ND|RD|TH|S)$/.test(piece)) return piece.toLowerCase();
  if (piece === 'PHD') return 'PhD';
  if (CAPITALS.has(piece) || (piece === 'US' && i === 0)) return piece;
  return piece.replace(/[\p{L}\p{M}'’]+/gu, casedLetters);
}

/** Corrects the case of letters and apostrophes: `O'Brien's`, `McDonald`, `JMS`, `Z`. */
function casedLetters(run: string): string {
  if (run.length === 1 || isInitials(run)) return run;
  const title = run.toLowerCase().replace(/\p{L}/u, (first) => first.toUpperCase());
  if (!/^(?:Mc|.['’])/.test(title)) return title;
  return title
    .replace(/^Mc(\p{L})(?=\p{L}{2})/u, (_, next: string) => `Mc${next.toUpperCase()}`)
    .replace(/^([ODL]['’])(\p{L})(?=\p{L})/u, (_, o: string, next: string) => o + next.toUpperCase());
}

/** Returns whether letters are initials: two to five without a vowel, except abbreviations written like words. */
function isInitials(run: string): boolean {
  return /^[B-DF-HJ-NP-TV-XZ]{2,5}$/.test(run) && !SPOKEN.has(run);
}

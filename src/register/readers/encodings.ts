/** Finds the encoding of a text from its bytes: UTF-8, UTF-16, or the one in which its words look like words. */

import { isAscii, isUtf8 } from 'node:buffer';
import ENCODINGS from '../../data/encodings.json' with { type: 'json' };

/** Encodings to try where a text is not UTF-8, the most usual first, with the names that people know. */
export const ENCODING_NAMES: Readonly<Record<string, string>> = ENCODINGS;

/** The upper half of code page 850, which `TextDecoder` does not know. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

export type Decoder = { encoding: string; decode(part?: Buffer): string };

/** Opens a decoder of a stream. A call without a part ends it. Damage becomes U+FFFD. Throws for an unknown label. */
export function openDecoder(label: string): Decoder {
  if (/^(?:cp|ibm|dos)-?850$/i.test(label)) return { encoding: 'cp850', decode: (part) => decode850(part) };
  const decoder = new TextDecoder(label);
  return {
    encoding: decoder.encoding,
    decode: (part) => decoder.decode(part, { stream: part !== undefined }),
  };
}

function decode850(part: Buffer = Buffer.alloc(0)): string {
  return part.toString('latin1').replace(/[\x80-\xff]/g, (one) => CP850[one.charCodeAt(0) - 128]!);
}

const LEAST_ZEROS = 3;

/** Returns UTF-16 if a text begins with its mark, or has its zeros on one side of its characters. */
export function findWideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (!head.includes(0)) return undefined;
  let [even, odd] = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) at % 2 === 0 ? even++ : odd++;
  const [few, many] = [head.length * 0.01, head.length * 0.1];
  if (odd + even < LEAST_ZEROS) return undefined;
  if (odd > many && even <= few) return 'utf-16le';
  return even > many && odd <= few ? 'utf-16be' : undefined;
}

export type FoundEncoding = {
  encoding: string;
  /** Words that show the encoding. */
  words: readonly string[];
  /** Other encodings in which the same words look like words, too. */
  others: readonly { encoding: string; words: readonly string[] }[];
};

const MOST_WORDS = 400;
const WORDS_SHOWN = 3;
const LONGEST_WORD = 40;
const SEQUENCES = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const HIGH = /[\x80-\xff]/g;
/** A word from its first byte beyond ASCII, and what may stand before. The second byte of a character may be a delimiter. */
const WORD = /[\x80-\xff](?:[^\s,;|"]|(?<=[\x81-\xfe])[|@\\]){0,40}/g;
const WORD_START = /[^\s,;|"]{0,12}$/;
/** Scores closer than this cannot decide between encodings. */
const DOUBT = 0.12;
/** Bytes that score less are damage in any encoding. */
const LEAST_SCORE = 0.3;

/** Opens a finder that sees the parts of a text that is not sound UTF-8, and then says what it is. */
export function openEncodingFinder() {
  const words = new Set<string>();
  let [sequences, stray] = [0, 0];
  return {
    see(part: Buffer, isSound: boolean): void {
      if (isSound) {
        // more than one byte for each unit of UTF-16
        if (!isAscii(part)) sequences += (part.length - part.toString('utf8').length) / 2;
        return;
      }
      const text = part.toString('latin1');
      const found = text.match(SEQUENCES) ?? [];
      const inside = found.reduce((sum, one) => sum + one.length, 0);
      sequences += found.length;
      stray += (text.match(HIGH)?.length ?? 0) - inside;
      for (const { 0: end, index } of text.matchAll(WORD)) {
        if (words.size >= MOST_WORDS) break;
        const word = WORD_START.exec(text.slice(Math.max(0, index - 12), index))![0] + end;
        if (!isUtf8(Buffer.from(word, 'latin1'))) words.add(word);
      }
    },
    /** Returns `undefined` for UTF-8 with damaged characters: most of its bytes beyond ASCII make characters of UTF-8. */
    find(): FoundEncoding | undefined {
      if (sequences >= stray) return undefined;
      const bytes = [...words].map((word) => Buffer.from(word, 'latin1'));
      const [best, ...rest] = Object.keys(ENCODING_NAMES)
        .filter((encoding) => !encoding.startsWith('utf-16'))
        .map((encoding) => ({
          encoding,
          score: scoreEncoding(encoding, bytes),
          ...showWords(encoding, bytes),
        }))
        .toSorted((a, b) => b.score - a.score);
      if (best === undefined || best.score < LEAST_SCORE) return undefined;
      const others = rest.filter(
        ({ score, shown }) => score > 0 && score >= best.score - DOUBT && shown !== best.shown,
      );
      return { encoding: best.encoding, words: best.words, others: others.slice(0, 2) };
    },
  };
}

/** Matches up to the last character that a word may end with. */
const WORD_PART = /^.*[\p{L}\p{M}\p{N}'’&.-]/su;

function showWords(encoding: string, bytes: readonly Buffer[]) {
  const words = bytes
    .slice(0, WORDS_SHOWN)
    .map((word) => (WORD_PART.exec(decodeWord(encoding, word))?.[0] ?? '').slice(0, LONGEST_WORD));
  return { words: words.filter((word) => word !== ''), shown: words.join(' ') };
}

function decodeWord(encoding: string, word: Buffer): string {
  const decoder = openDecoder(encoding);
  return decoder.decode(word) + decoder.decode();
}

/** Scores an encoding by how much words look like words, from about -3 to 1 for each byte beyond ASCII. */
function scoreEncoding(encoding: string, words: readonly Buffer[]): number {
  const zone = ZONES[encoding];
  let [score, bytes] = [0, 0];
  for (const word of words) {
    const count = word.filter((byte) => byte >= 128).length;
    bytes += count;
    const text = decodeWord(encoding, word);
    score +=
      zone === undefined ? scoreLetters(text) : text.includes('\ufffd') ? -3 * count : scorePairs(word, zone);
    if (zone !== undefined && /[a-z]\p{Script=Han}|\p{Script=Han}[a-z]/u.test(text)) score -= count;
  }
  return bytes === 0 ? 0 : score / bytes;
}

/** How usual a character of two bytes is, by its bytes: 1 for the characters that make up most of a text. */
const ZONES: Readonly<Record<string, (lead: number, trail: number) => number>> = {
  shift_jis: (lead) =>
    lead === 0x82 || lead === 0x83 ? 1.05 : lead >= 0x88 && lead <= 0x97 ? 1 : lead === 0x81 ? 0.8 : 0.3,
  'euc-jp': (lead) =>
    lead === 0xa4 || lead === 0xa5 ? 1.05 : lead >= 0xb0 && lead <= 0xcf ? 1 : lead === 0xa1 ? 0.8 : 0.3,
  'euc-kr': (lead, trail) =>
    lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1 ? 1.05 : lead === 0xa1 ? 0.8 : 0.2,
  gb18030: (lead, trail) =>
    lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1 ? 1 : lead === 0xa1 || lead === 0xa3 ? 0.8 : 0.3,
  big5: (lead) => (lead >= 0xa4 && lead <= 0xc6 ? 1 : lead === 0xa1 ? 0.8 : 0.3),
};

function scorePairs(word: Buffer, zone: (lead: number, trail: number) => number): number {
  const hasHalfWidth = zone === ZONES.shift_jis;
  let score = 0;
  for (let at = 0; at < word.length; at++) {
    const lead = word[at]!;
    if (lead < 128) continue;
    if (hasHalfWidth && lead >= 0xa1 && lead <= 0xdf) {
      score += 0.2;
      continue;
    }
    const trail = word[++at] ?? 0;
    score += zone(lead, trail) * (trail < 128 ? 1 : 2);
  }
  return score;
}

const USUAL = new Set('éèêëàâçîïôûùñáíóúüöäßøåæãõÉÈÊÀÂÇÎÔÑÁÍÓÚÜÖÄØÅÆÃÕºª');
const RARE = new Set('þðýÞÐÝţđŢĐ');
const PUNCTUATION = new Set('“”‘’–—…•™®©°«»¡¿€£·´\u00a0');
const LATIN = /\p{Script=Latin}/u;

function scoreLetters(text: string): number {
  let score = 0;
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!;
    if (one < '\x80') continue;
    const [before = ' ', after = ' '] = [text[at - 1], text[at + 1]];
    if (/\p{L}/u.test(one)) score += scoreLetter(one, before, after);
    else if (one === '’' || one === 'º' || one === 'ª') score += 0.6;
    else if (/\p{L}/u.test(before) && /\p{L}/u.test(after)) score -= 2;
    else score += PUNCTUATION.has(one) ? 0.6 : -1;
  }
  return score;
}

function scoreLetter(one: string, before: string, after: string): number {
  const isLatin = LATIN.test(one);
  const near = [before, after].filter((other) => /\p{L}/u.test(other));
  if (near.some((other) => LATIN.test(other) !== isLatin)) return -2;
  const isUpper = /\p{Lu}/u.test(one);
  if (isUpper && /\p{Ll}/u.test(before)) return -2;
  if (!isUpper && /\p{Lu}/u.test(before) && /\p{Lu}/u.test(after)) return -2;
  if (isLatin && near.length === 2 && near.every((other) => other >= '\x80')) return -1;
  if (RARE.has(one)) return 0.4;
  return !isLatin ? 0.95 : USUAL.has(one) ? 1 : 0.7;
}

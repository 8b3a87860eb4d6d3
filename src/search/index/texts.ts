/**
 * Packs texts as bytes into one column, and finds them in it. Texts are sorted by UTF-16 code unit, as in JavaScript.
 */

import type { Texts } from './index-buffers.ts';

const NEEDS_JSON = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Escapes a text for a JSON string. Returns it without quotes. */
export function escapeJson(text: string): string {
  return NEEDS_JSON.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Packs texts unchanged. They must be well-formed. */
export function packTexts(texts: readonly string[]): Texts {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  return { bytes: new TextEncoder().encode(texts.join('')), ends };
}

/** Finds the first of `count` sorted texts for which `at(i)` is not below zero. */
export function findFirst(count: number, at: (i: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares text `i` with `word`. Returns 0 if the text begins with the word. */
export function compareBeginning({ bytes, ends }: Texts, i: number, word: Uint8Array): number {
  const start = ends[i]!;
  const length = Math.min(word.length, ends[i + 1]! - start);
  for (let k = 0; k < length; k++) {
    const difference = bytes[start + k]! - word[k]!;
    if (difference !== 0) return rank(bytes[start + k]!) - rank(word[k]!);
  }
  return length - word.length;
}

/** Ranks lead bytes in UTF-16 order: U+E000 to U+FFFF (EE, EF) after the astral planes (F0 to F4), unlike in UTF-8. */
function rank(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 16 : byte;
}

/**
 * Stores texts as bytes in a column that grows while an index is built, and compares them. Sorts by UTF-16 code unit,
 * as JavaScript compares strings, without creating strings.
 */

import type { Texts } from './index-buffers.ts';

const NEEDS_JSON = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Opens a column for texts, added one by one, escaped as in a JSON string. */
export function openTextColumn() {
  let bytes = Buffer.from(new ArrayBuffer(1 << 16));
  let ends = new Uint32Array(1 << 10);
  let length = 0;
  let used = 0;
  const escaped = new Set<number>();

  return {
    add(text: string): void {
      const json = jsonOf(text);
      if (json !== text) escaped.add(length);
      if (used + json.length * 3 > bytes.length) {
        bytes = Buffer.from(bytes.buffer.transfer(bytes.length * 2 + json.length * 3) as ArrayBuffer);
      }
      used += bytes.write(json, used);
      if (++length === ends.length) ends = new Uint32Array(ends.buffer.transfer(ends.byteLength * 2));
      ends[length] = used;
    },
    /** Compares texts `a` and `b` by code unit. Returns a number below, above or equal to zero. */
    compare(a: number, b: number): number {
      if (escaped.size > 0 && (escaped.has(a) || escaped.has(b)))
        return compareDecoded({ bytes, ends }, a, b);
      return compareBytes({ bytes, ends }, a, b);
    },
    /** Returns the texts in this order, in buffers of their exact size. */
    inOrder: (order: Uint32Array): Texts => reorderTexts({ bytes, ends }, order),
  };
}

/** Packs texts unchanged. They must be well-formed. */
export function packTexts(texts: readonly string[]): Texts {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  return { bytes: new TextEncoder().encode(texts.join('')), ends };
}

function jsonOf(text: string): string {
  return NEEDS_JSON.test(text) ? JSON.stringify(text).slice(1, -1) : text;
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

/** Compares text `i` with the texts that begin with `word`. Returns 0 if it is among them. */
export function compareBeginning({ bytes, ends }: Texts, i: number, word: Uint8Array): number {
  const start = ends[i]!;
  const length = Math.min(word.length, ends[i + 1]! - start);
  for (let k = 0; k < length; k++) {
    const difference = bytes[start + k]! - word[k]!;
    if (difference !== 0) return rank(bytes[start + k]!) - rank(word[k]!);
  }
  return length - word.length;
}

function compareBytes(texts: { bytes: Uint8Array; ends: Uint32Array }, a: number, b: number): number {
  const { bytes, ends } = texts;
  let i = ends[a]!;
  let j = ends[b]!;
  const aLength = ends[a + 1]! - i;
  const bLength = ends[b + 1]! - j;
  for (const end = i + Math.min(aLength, bLength); i < end; i++, j++) {
    if (bytes[i] !== bytes[j]) return rank(bytes[i]!) - rank(bytes[j]!);
  }
  return aLength - bLength;
}

/** Ranks lead bytes in UTF-16 order: U+E000 to U+FFFF (EE, EF) after the astral planes (F0 to F4), unlike in UTF-8. */
function rank(byte: number): number {
  return byte === 0xee || byte === 0xef ? byte + 16 : byte;
}

function compareDecoded(texts: { bytes: Buffer; ends: Uint32Array }, a: number, b: number): number {
  const text = (i: number): string =>
    JSON.parse(`"${texts.bytes.toString('utf8', texts.ends[i]!, texts.ends[i + 1]!)}"`);
  const [left, right] = [text(a), text(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function reorderTexts(from: { bytes: Buffer; ends: Uint32Array }, order: Uint32Array): Texts {
  const ends = new Uint32Array(order.length + 1);
  let length = 0;
  let i = 0;
  for (const text of order) {
    length += from.ends[text + 1]! - from.ends[text]!;
    ends[++i] = length;
  }
  const bytes = new Uint8Array(length);
  i = 0;
  for (const text of order) from.bytes.copy(bytes, ends[i++]!, from.ends[text]!, from.ends[text + 1]!);
  return { bytes, ends };
}

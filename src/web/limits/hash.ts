/** Makes fast 64-bit hashes of texts, for rate limits and ETags. Not cryptographic: do not use them for secrets. */

/** Returns the hash of a text with two seeds as two numbers below 2^32. */
export function hash64(text: string, seeds: readonly [number, number]): [number, number] {
  let a = seeds[0] | 0;
  let b = seeds[1] | 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15; // lets high bits affect low ones, which choose the cells
    b ^= b >>> 13;
  }
  return [mixBits(a ^ (b >>> 7)), mixBits(b)];
}

function mixBits(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The seeds of ETags, which are the same in every process, so that all instances agree. */
export const ETAG_SEEDS = [0x51ed270b, 0x2545f491] as const;

/** Makes a strong ETag for a response that depends only on `text` and the input of the seeds. */
export function makeEtag(text: string, seeds: readonly [number, number] = ETAG_SEEDS): string {
  const [a, b] = hash64(text, seeds);
  return `"${a.toString(36)}-${b.toString(36)}"`;
}

/** Returns whether an If-None-Match header (a list, `*`, weak tags) contains this ETag. */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

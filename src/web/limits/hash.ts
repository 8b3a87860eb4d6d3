/** Makes fast 64-bit hashes of texts, for rate limits and ETags. Do not use them for secrets. */

export function hash64(text: string, seeds: readonly [number, number]): [number, number] {
  let a = seeds[0] | 0;
  let b = seeds[1] | 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15; // spreads high bits to the low ones, which choose the cells
    b ^= b >>> 13;
  }
  return [mixBits(a ^ (b >>> 7)), mixBits(b)];
}

function mixBits(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The seeds of ETags. They are constant, so that all instances make the same ETags. */
export const ETAG_SEEDS = [0x51ed270b, 0x2545f491] as const;

/** Makes a strong ETag for a response that depends only on `text` and on the data that the seeds represent. */
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

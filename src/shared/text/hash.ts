/** Hashes texts to 32 bits: FNV-1a over UTF-16. */

const BASIS = 0x811c9dc5;
const SECOND_BASIS = 0x9e3779b9;
const PRIME = 0x01000193;

export function hashUnits(text: string, basis = BASIS): number {
  let hash = basis;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash >>> 0;
}

/** Hashes a text. Never returns 0, which stands for an empty one. */
export const hashCell = (text: string): number => hashUnits(text) || 1;

/** Opens a set of texts that keeps 53 bits of each, so that millions fit into memory. */
export function openTextSet() {
  const numbers = new Set<number>();
  const numberOf = (text: string) => hashUnits(text) * 2 ** 21 + (hashUnits(text, SECOND_BASIS) >>> 11);
  return {
    has: (text: string): boolean => numbers.has(numberOf(text)),
    add: (text: string) => void numbers.add(numberOf(text)),
    size: () => numbers.size,
  };
}

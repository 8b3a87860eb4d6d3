/** Hashes texts to 32 bits: FNV-1a over UTF-16. */

export const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Continues a hash with a code unit. */
export const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, HASH_PRIME);

/** Hashes a text, or continues a hash with it. */
export function hashUnits(text: string, basis = HASH_BASIS): number {
  let hash = basis;
  for (let at = 0; at < text.length; at++) hash = addToHash(hash, text.charCodeAt(at));
  return hash >>> 0;
}

/** Hashes a text. Never returns 0, which stands for an empty one. */
export const hashCell = (text: string): number => hashUnits(text) || 1;

const SECOND_PRIME = 0x85ebca6b;
const LEAST_SLOTS = 1_024;

/** Opens a set of texts that keeps 64 bits of each, so that millions fit into memory. */
export function openTextSet() {
  let slots = new Uint32Array(2 * LEAST_SLOTS);
  let size = 0;
  /** Finds the place of a text, or the empty one where it belongs, and its hashes. */
  const find = (text: string) => {
    let [first, second] = [HASH_BASIS, 1];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      first = addToHash(first, unit);
      second = Math.imul(second ^ unit, SECOND_PRIME);
    }
    return locate(first >>> 0, second >>> 0 || 1);
  };
  const locate = (first: number, second: number) => {
    const last = slots.length - 2;
    let at = (2 * first) & last;
    while (slots[at + 1] !== 0 && (slots[at] !== first || slots[at + 1] !== second)) at = (at + 2) & last;
    return { at, first, second };
  };
  const put = ({ at, first, second }: ReturnType<typeof locate>) => {
    slots[at] = first;
    slots[at + 1] = second;
  };
  return {
    has: (text: string): boolean => slots[find(text).at + 1] !== 0,
    add(text: string): void {
      const place = find(text);
      if (slots[place.at + 1] !== 0) return;
      put(place);
      if (4 * ++size < slots.length) return;
      const before = slots;
      slots = new Uint32Array(2 * before.length);
      for (let at = 0; at < before.length; at += 2)
        if (before[at + 1] !== 0) put(locate(before[at]!, before[at + 1]!));
    },
    size: () => size,
  };
}

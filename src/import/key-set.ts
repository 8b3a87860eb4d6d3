/** Stores a register's distinct keys as 53-bit hashes, in 8 to 32 bytes each. Two keys in 10^12 collide. */

const FIRST_SLOTS = 1024;
const MOST_FULL = 0.7;

export type KeySet = ReturnType<typeof openKeySet>;

export function openKeySet() {
  let slots = new Float64Array(FIRST_SLOTS); // 0 is an empty slot
  let size = 0;
  const place = (hash: number, into: Float64Array): boolean => {
    let at = hash % into.length;
    while (into[at] !== 0 && into[at] !== hash) at = (at + 1) % into.length;
    const isNew = into[at] === 0;
    into[at] = hash;
    return isNew;
  };
  return {
    /** Adds a key. Returns whether it is new. */
    add(key: string): boolean {
      if (!place(hashKey(key), slots)) return false;
      size++;
      if (size < slots.length * MOST_FULL) return true;
      const larger = new Float64Array(slots.length * 2);
      for (const hash of slots) if (hash !== 0) place(hash, larger);
      slots = larger;
      return true;
    },
    has(key: string): boolean {
      const hash = hashKey(key);
      for (let at = hash % slots.length; slots[at] !== 0; at = (at + 1) % slots.length)
        if (slots[at] === hash) return true;
      return false;
    },
    size: (): number => size,
  };
}

/** Combines two 32-bit hashes (FNV-1a) into a whole number up to 2^53, never 0. */
function hashKey(key: string): number {
  let [a, b] = [0x811c9dc5, 0x9e3779b1];
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + i), 0x85ebca6b);
    b ^= b >>> 13;
  }
  return (a >>> 0) * 0x200000 + ((b >>> 11) & 0x1fffff) || 1;
}

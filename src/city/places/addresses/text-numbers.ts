/** Numbers for the few texts that many rows share, such as ZIP codes. */

const MOST_TEXTS = 65_535; // fits two bytes

/** `''` is 0. */
export type TextNumbers = {
  /** The number of a text, which is new if need be; 0 where there are too many. */
  add(text: string): number;
  find(text: string): number | undefined;
};

export function openTextNumbers(): TextNumbers {
  const numbers = new Map([['', 0]]);
  return {
    add(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      if (numbers.size > MOST_TEXTS) return 0;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    find: (text) => numbers.get(text),
  };
}

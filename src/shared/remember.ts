/** Caches results by text or number, because those of registers, names, queries and pages repeat. */

/** Maximum characters of a cached text. Longer texts rarely repeat. */
const LONGEST_TEXT = 200;

/**
 * Returns a function that computes a result once for each text. Clears the cache after `most` texts to limit memory.
 */
export function rememberTexts<Result, Text extends string | number = string>(
  compute: (text: Text) => Result,
  most = 5_000,
): (text: Text) => Result {
  const known = new Map<Text, Result>();
  return (text) => {
    if (typeof text === 'string' && text.length > LONGEST_TEXT) return compute(text);
    if (known.size >= most && !known.has(text)) known.clear();
    return known.getOrInsertComputed(text, compute);
  };
}

/** Returns a function that computes a value at its first call. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

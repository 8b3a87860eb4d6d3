/** Caches results by text or number, because those of registers, names, queries and pages repeat. */

/** Maximum characters of a cached text. Longer texts rarely repeat. */
const LONGEST_TEXT = 200;

/**
 * Returns a function that computes a result once for each text, also from what the text stands for (`more`). Clears the
 * cache after `most` texts to limit memory.
 */
export function rememberTexts<Result, Text extends string | number = string, More extends unknown[] = []>(
  compute: (text: Text, ...more: More) => Result,
  most = 5_000,
): (text: Text, ...more: More) => Result {
  const known = new Map<Text, Result>();
  return (text, ...more) => {
    if (typeof text === 'string' && text.length > LONGEST_TEXT) return compute(text, ...more);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Result;
    if (known.size >= most) known.clear();
    const result = compute(text, ...more);
    known.set(text, result);
    return result;
  };
}

const LAST_TEXTS = 8;

/** Returns a function that computes a result once for a text that is asked about several times in a row. */
export function rememberLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  const texts: string[] = [];
  const results: Result[] = [];
  let next = 0;
  return (text) => {
    for (let at = 0; at < texts.length; at++) if (texts[at] === text) return results[at]!;
    const result = compute(text);
    texts[next] = text;
    results[next] = result;
    next = (next + 1) % LAST_TEXTS;
    return result;
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

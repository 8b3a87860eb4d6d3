/** Fills in and starts sentences. */

/** Replaces the placeholders of a text, such as `{run}`, with values. One without a value stays as it is. */
export function fillIn(
  text: string,
  values: Readonly<Record<string, string | number | null | undefined>>,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

export function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Keeps a date or a number with its unit on one line. */

/** Replaces the spaces of a short text, such as `October 9, 2026`, with spaces that never break a line. */
export function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

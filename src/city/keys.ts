/** Keys made of what may not be kept. What goes in cannot be read back out; nothing here keeps it. */

import { hash } from 'node:crypto';

/**
 * A key of 22 characters (132 bits of SHA-256) over the parts: equal whenever they differ only in case, accents,
 * spacing or punctuation. `''` where no part says anything, so that ingest rejects the row as having no key.
 */
export function keyOf(...parts: string[]): string {
  const folded = parts.map(fold);
  if (folded.every((part) => part === '')) return '';
  return hash('sha256', folded.join('\n'), 'base64url').slice(0, 22);
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

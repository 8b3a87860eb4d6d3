/** Makes keys from data that must not be stored. A key does not reveal the data. */

import { hash } from 'node:crypto';
import { removeAccents } from '../../shared/words.ts';

/**
 * Makes a key of 22 characters (132 bits of SHA-256). Parts that differ only in case, accents, spacing or punctuation
 * make the same key. Returns `''` if all parts are empty. Ingest rejects rows without a key.
 */
export function keyOf(...parts: string[]): string {
  const folded = parts.map(fold);
  if (folded.every((part) => part === '')) return '';
  return hash('sha256', folded.join('\n'), 'base64url').slice(0, 22);
}

/** Folds a part. This must never change, because keys are stored, so it shares no code with search or comparison. */
function fold(text: string): string {
  const lower = removeAccents(text).replace(/['’`]/g, '').toLowerCase().replace(/&/g, ' and ');
  // the same for ASCII, in a third of the time
  return lower.replace(/^[\0-\x7f]*$/.test(lower) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, ' ').trim();
}

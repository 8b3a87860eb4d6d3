/** Hashes what was read of a row, with a secret key, so that a hash tells nobody what the row says. */

import { hash } from 'node:crypto';
import type { Row, Source } from '../profile/define.ts';

const LENGTH = 22; // characters of 6 bits: with 128 bits and more, no two rows have the same hash by chance

/** Returns a function that hashes the declared columns of a row. What other columns say does not affect verdicts. */
export function openRowHash({ columns, optional = [] }: Pick<Source, 'columns' | 'optional'>, key: string) {
  const declared = [...columns, ...optional];
  // no cell has the character between cells, because `tidyText` removes it
  return (row: Row): string => hashText(key, declared.map((column) => row[column] ?? '').join('\x1f'));
}

export function hashText(key: string, text: string): string {
  return hash('sha256', `${key}\x1f${text}`, 'base64url').slice(0, LENGTH);
}

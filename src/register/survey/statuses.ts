/** Reads the words of status columns, and recognizes renewals of businesses already in the register. */

import type { Status } from '../../shared/listing.ts';
import { openWordTable } from '../../shared/text/word-table.ts';
import type { RegisterMapping } from '../profile/mapping/mapping.ts';
import { type Column, HALF, type Ranked, rankColumns, shareOf } from './columns.ts';

/** The meaning of a status text. `never`: the business never opened. */
export type StatusWord = Status | 'never';

const meaningOf = openWordTable('status-words.csv');

/** Returns the meaning of a status text in any of several languages, or `unknown`. */
export function readStatusWord(text: string): StatusWord {
  return (meaningOf(text) as StatusWord | undefined) ?? 'unknown';
}

export function toStatusMapping({ name, values }: Column): NonNullable<RegisterMapping['status']> {
  const meanings = Map.groupBy(values, ([text]) => readStatusWord(text));
  const words = [...meanings]
    .toSorted(([a], [b]) => Number(b === 'open') - Number(a === 'open'))
    .map(([meaning, texts]) => [meaning, texts.map(([text]) => text)] as const);
  return { column: name, ...Object.fromEntries(words) };
}

/** Returns for each row whether its business opened. */
export function listRowsThatOpened({ texts, codes }: Column): boolean[] {
  const opened = texts.map((text) => readStatusWord(text) !== 'never');
  return Array.from(codes, (code) => opened[code]!);
}

const MOSTLY_KNOWN = 0.9;
const SURE_HEADER = 8;

export function rankStatuses(columns: readonly Column[]): Ranked {
  return rankColumns(columns, 'status', (column, weight) => {
    const { filled, length, values } = column;
    if (values.every(([text]) => /^[A-Z]{2}$/.test(text))) return 0;
    const known = shareOf(column, (text) => readStatusWord(text) !== 'unknown');
    const tells = values.length > 1 ? 1 : 0.9; // all applications were approved, beside a column of what became of them
    // without a known word, its businesses have an unknown status: to call all of them open would be a guess
    if (weight >= SURE_HEADER || (weight > 0 && known > HALF))
      return filled * (known > 0 ? weight * (0.5 + known) : 0.1) * tells;
    const meanings = new Set(values.map(([text]) => readStatusWord(text)));
    return known > MOSTLY_KNOWN && meanings.size > 1 && length > 2 ? filled * known : 0;
  });
}

/** Returns what a text says of a business: `first`, `renewal`, `change` or `none`, or `undefined`. */
const readStep = openWordTable('renewal-words.csv');

/** Ranks columns that separate first filings from renewals. Uses statuses only if the date is that of a license. */
export function rankRenewals(columns: readonly Column[], isFirstDay: boolean): Ranked {
  return rankColumns(columns, 'paper', ({ header, values }, weight) => {
    const isStage = /\bstatus\b/.test(header);
    if (/\b(date|number)\b/.test(header) || (weight === 0 && (!isStage || isFirstDay))) return 0;
    if (!values.some(([text]) => isRenewal(header, text))) return 0;
    return isStage ? 1 : 2;
  });
}

/** Lists the texts that mean an existing business. Changes count only if another text means a new business. */
export function listRenewalTexts({ header, values }: Column): string[] {
  const texts = values.map(([text]) => text);
  const tellsBoth = texts.some((text) => readStep(text) === 'first');
  return texts.filter((text) => isRenewal(header, text) || (tellsBoth && readStep(text) === 'change'));
}

/** Returns whether a text has a word for renewals, or is a "yes" under a header that asks about renewals. */
function isRenewal(header: string, text: string): boolean {
  return readStep(text) === 'renewal' || (/renewal/.test(header) && /^(?:y|yes|true|1)$/i.test(text));
}

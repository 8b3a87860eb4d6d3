/** Reads the words of status columns, and recognizes renewals of businesses already in the register. */

import { openWordTable } from '../data/word-table.ts';
import type { Status } from '../listings/listing.ts';
import { type Column, type Ranked, rankColumns, shareOf } from './survey.ts';

/** The meaning of a status text. `never`: the business never opened. */
export type StatusWord = Status | 'never';

const meaningOf = openWordTable('status-words.csv');

/** Returns the meaning of a status text in any of several languages, or `unknown`. */
export function readStatusWord(text: string): StatusWord {
  return (meaningOf(text) as StatusWord | undefined) ?? 'unknown';
}

const MOSTLY_KNOWN = 0.9;

export function rankStatuses(columns: readonly Column[]): Ranked {
  return rankColumns(columns, 'status', (column, weight) => {
    const { filled, length, values } = column;
    if (values.every(([text]) => /^[A-Z]{2}$/.test(text))) return 0;
    const known = shareOf(column, (text) => readStatusWord(text) !== 'unknown');
    if (weight > 0) return known > 0 ? filled * weight * (0.5 + known) : 0;
    const meanings = new Set(values.map(([text]) => readStatusWord(text)));
    return known > MOSTLY_KNOWN && meanings.size > 1 && length > 2 ? filled * known : 0;
  });
}

const RENEWAL =
  /\brenew\w*|^ren(?:ew)?\b|\brefil\w*|\bre-?issu\w*|\breinstat\w*|\brenovaci|\brenouvel|\brenova[cç]|\bverl[aä]nger|\brinnov/i;
const CHANGE =
  /\b(?:change of (?:address|location|name|officers?)|(?:address|location|name) change|chg|move[ds]?|relocat\w*|amend\w*|correct\w*|duplicate|replacement|modif\w*|expansion|transfer|c_\w+|cambio|traslado|changement|transfert|altera[cç][aã]o|[aä]nderung\w*|ummeldung\w*|variazione)\b|^c_/i;
const FIRST =
  /\b(?:new|initial|original|first|issue|issued|start\w*|opening|nuev[oa]|alta|apertura|constituci[oó]n|cr[eé]ation|nouve\w+|immatriculation|nov[oa]|abertura|neu\w*|anmeldung\w*|er[oö]ffnung\w*)\b|^iss$/i;

/** Ranks columns that separate first filings from renewals. Uses statuses only if the date is that of a license. */
export function rankRenewals(columns: readonly Column[], isFirstDay: boolean): Ranked {
  return rankColumns(columns, 'paper', ({ header, values }, weight) => {
    const isStage = /\bstatus\b/.test(header);
    if (/\b(date|number)\b/.test(header) || (weight === 0 && (!isStage || isFirstDay))) return 0;
    if (!values.some(([text]) => isRenewal(header, text))) return 0;
    return isStage ? 1 : 2;
  });
}

export function listRenewalTexts({ header, values }: Column): string[] {
  const texts = values.map(([text]) => text);
  const tellsBoth = texts.some((text) => FIRST.test(text));
  return texts.filter((text) => isRenewal(header, text) || isRepeat(text, tellsBoth));
}

/** Returns whether a text has a word for renewals, or is a "yes" under a header that asks about renewals. */
function isRenewal(header: string, text: string): boolean {
  return isRepeat(text, false) || (/renewal/.test(header) && /^(?:y|yes|true|1)$/i.test(text));
}

/**
 * Returns whether a text means an existing business. A text for a change also counts if the column has another text for
 * new businesses.
 */
function isRepeat(text: string, tellsBoth: boolean): boolean {
  if (/non.?renew|not renew/i.test(text) || /\bnew\b|ownership/i.test(text.replace(RENEWAL, '')))
    return false;
  return RENEWAL.test(text) || (tellsBoth && CHANGE.test(text));
}

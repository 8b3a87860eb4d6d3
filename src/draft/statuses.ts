/** What the words of a status column mean, and which rows are renewals of businesses that a register had before. */

import { type Column, describeFill, rankColumns } from './columns.ts';

export type StatusWord = 'open' | 'closed' | 'expired' | 'abandoned' | 'unknown' | 'never';

export type StatusGuess = {
  column: Column;
  values: readonly (readonly [string, number, StatusWord])[];
  evidence: string;
};

export type RenewalGuess = {
  column: Column;
  values: readonly (readonly [string, number])[];
  evidence: string;
};

const STATUS_WORDS: readonly (readonly [RegExp, StatusWord])[] = [
  [
    /pending|denied|void|applied|application|in (review|process|progress)|incomplete|rejected|deleted|draft|not issued|submitted|awaiting|on hold|withdrawn/i,
    'never',
  ],
  [/abandon/i, 'abandoned'],
  [/expired?|lapsed|delinquent|^exp$/i, 'expired'],
  [
    /inactive|not active|clos|cancel|revok|out of (business|bus)|terminat|dissol|surrender|withdr|ceased|suspend|non.?renew|discontinu|gone|^(c|aac|rev|inact|i)$/i,
    'closed',
  ],
  [
    /active|current|open|issued|good standing|licen[cs]ed|valid|approved|renew|registered|operating|existence|filed|in business|^(a|aai|act|y|yes)$/i,
    'open',
  ],
];

export function guessStatus(columns: readonly Column[]): StatusGuess | undefined {
  const found = columns
    .filter(({ header }) => /status|standing|\bactive\b|\bstate\b|disposition/.test(header))
    .filter(({ distinct, numeric }) => distinct > 0 && distinct <= 40 && numeric < 0.5)
    .filter(({ values }) => values.some(([value]) => wordFor(value) !== 'unknown'))
    .filter(({ values }) => !values.every(([value]) => /^[A-Z]{2}$/.test(value)));
  const [column] = rankColumns(found, ({ filled, header }) => filled * (/status/.test(header) ? 2 : 1));
  if (column === undefined) return undefined;
  const values = column.values.map(([value, count]) => [value, count, wordFor(value)] as const);
  return { column, values, evidence: describeFill(column) };
}

function wordFor(value: string): StatusWord {
  return STATUS_WORDS.find(([words]) => words.test(value))?.[1] ?? 'unknown';
}

/** Words of rows that renew or change a business that the register has already. */
const RENEWAL = /\brenew\w*|^ren(?:ew)?\b|\brefil\w*|\bre-?issu\w*|\breinstat\w*/i;
const CHANGE =
  /\b(?:change of (?:address|location|name|officers?)|(?:address|location|name) change|chg|move[ds]?|relocat\w*|amend\w*|correct\w*|duplicate|replacement|modif\w*|expansion|transfer|c_\w+)\b|^c_/i;
const FIRST = /\b(?:new|initial|original|first|issue|issued|start\w*|opening)\b|^iss$/i;
const KIND_OF_PAPER =
  /\b(application|transaction|filing|statement|action|reason|instrument|license|permit|record|registration|request|process|certificate|document|case)\b.*\b(type|subtype|reason|kind|desc|description|action|code|class|category)\b|^(type|action|reason|transaction|new or renewal|new renewal|renewal|application|is renewal)$|renewal/;
const STAGE = /status/;

/**
 * The column that tells a first filing from a renewal. A status of "renewed" tells it only where the day beside it is that of
 * a paper: beside the day on which a business was created it says how things stand.
 */
export function guessRenewals(columns: readonly Column[], isFirstDay: boolean): RenewalGuess | undefined {
  const found = columns
    .filter(
      ({ header, distinct }) =>
        distinct <= 100 && (KIND_OF_PAPER.test(header) || (STAGE.test(header) && !isFirstDay)),
    )
    .filter((one) => !/date|number/.test(one.header) && one.values.some(([text]) => isRenewal(one, text)));
  const [column] = found.sort((a, b) => Number(STAGE.test(a.header)) - Number(STAGE.test(b.header)));
  if (column === undefined) return undefined;
  const tellsBoth = column.values.some(([text]) => FIRST.test(text));
  const values = column.values.filter(([text]) => isRenewal(column, text) || isRepeat(text, tellsBoth));
  return { column, values, evidence: describeFill(column) };
}

/** By its words, or a "yes" under a header that asks for renewals. */
function isRenewal({ header }: Column, text: string): boolean {
  return isRepeat(text, false) || (/renewal/.test(header) && /^(?:y|yes|true|1)$/i.test(text));
}

/** Changes of a business that goes on; where a column says "new" as well, its coded changes too. */
function isRepeat(text: string, tellsBoth: boolean): boolean {
  if (/non.?renew|not renew/i.test(text) || /\bnew\b|ownership/i.test(text.replace(RENEWAL, '')))
    return false;
  return RENEWAL.test(text) || (tellsBoth && CHANGE.test(text));
}

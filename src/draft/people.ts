/** Which columns name the business and which its owner, and where a person's name may stand for a business's. */

import type { Category } from '../city/kinds/categories.ts';
import { looksPersonal } from '../city/persons.ts';
import { textAt } from '../registers/table.ts';
import {
  type Column,
  describeFill,
  formatShare,
  rankColumns,
  scoreColumn,
  shareOf,
  type Weighted,
} from './columns.ts';

export type NameGuess = {
  column: Column;
  /** Names the business where `column` is empty. */
  fallback: Column | undefined;
  /** Where the owner's name stands, in one column or in its parts. */
  owners: readonly Column[];
  /** Says that the owner is one person, with the values that say so. */
  ownerType: { column: Column; values: readonly string[] } | undefined;
  /** Texts that say that there is no trade name. */
  placeholders: readonly string[];
  /** How many of the names look like only a person's. */
  personal: number;
  evidence: string;
};

const TRADE_NAME = 12;
const NAMES: Weighted = [
  [/\b(dba|doing business|trade|trading|fictitious|assumed|storefront)\b/, TRADE_NAME],
  [
    /\b(business|company|establishment|firm|outlet|location|store|facility|organization)\b.*\bname\b|\bname of (business|company|firm)\b/,
    9,
  ],
  [/^(name|business|company|bname)$|^(business|trade|company) na?m?$/, 8],
  [
    /\b(licensee|account|entity|customer|permittee)\b.*\bname\b|^(licensee|permittee|establishment|facility|firm|organization)$/,
    6,
  ],
  [
    /\b(legal|corporate|corporation|taxpayer|registrant|applicant|ownership|full)\b.*\bname\b|^legal entity$/,
    5,
  ],
  [/\bname\b|name$/, 3],
];
const NOT_NAME =
  /\b(first|last|middle|contact|agent|street|road|city|town|county|neighborhood|category|officer|file|district|area|center|parcel|code|phone|manager|mail\w*|address|plan|user|dataset|event|inspector|spouse|emergency|type|date|number|id|status|class|license type)\b/;
const OWNER =
  /\b(owner|ownership|legal|taxpayer|registrant|applicant|licensee|full|proprietor|permittee|account holder)\b.*\bname\b|^(owner|owners|registrant|applicant|licensee|ownership|proprietor|legal name|business owner)( \d)?$|^owner\b/;
const OWNER_PART = /\b(first|last|middle|given|family)\b.*\bname\b|^(surname|forename)$/;
const NOT_OWNER =
  /\b(type|date|address|city|state|zip|phone|email|number|id|mail\w*|county|agent|contact|form)\b/;

/** Ways to leave a trade name out. */
const PLACEHOLDER =
  /^(?:n\/?a|n\.a\.|none|no|same|same as above|null|nil|unknown|tbd|not applicable|not provided|-+|\.+|x+)$/i;

export function guessNames(columns: readonly Column[]): NameGuess | undefined {
  const texts = columns.filter(
    ({ header, letters, length, filled }) =>
      !NOT_NAME.test(header) && letters > 0.8 && length > 4 && filled > 0.02,
  );
  const ranked = rankColumns(texts, (column) => nameScore(column, columns) * (isVaried(column) ? 1 : 0.1));
  const [best] = ranked;
  if (best === undefined) return undefined;
  const owners = ownerColumns(columns, best);
  const hasPlaceholders = best.values.some(([text]) => PLACEHOLDER.test(text));
  const fallback =
    best.filled < 1 || hasPlaceholders
      ? [...ranked.slice(1), ...owners.filter(({ header }) => !OWNER_PART.test(header))].find(
          (one) => one !== best && one.filled > 0.02 && fillsGaps(best, one),
        )
      : undefined;
  const names = best.values.length === 0 ? 0 : shareOf(best, looksPersonal);
  return {
    column: best,
    fallback,
    owners,
    ownerType: ownerTypeColumn(columns),
    placeholders: best.values.map(([text]) => text).filter((text) => PLACEHOLDER.test(text)),
    personal: names,
    evidence: `${describeFill(best)}; ${formatShare(names)} of the names look like only a person's`,
  };
}

/** `Business Name 2` beside `Business Name` is the trade name beside the legal one. */
function nameScore(column: Column, columns: readonly Column[]): number {
  const first = column.header.replace(/ 2$/, '');
  const isSecond = first !== column.header && columns.some(({ header }) => header === first);
  return isSecond && /business|company/.test(first) ? TRADE_NAME - 1 : scoreColumn(column, NAMES);
}

function isVaried({ distinct, filled, rows }: Column): boolean {
  return rows < 30 || distinct > rows * filled * 0.1;
}

function fillsGaps(best: Column, other: Column): boolean {
  const step = Math.ceil(best.rows / 5_000);
  let [gaps, filled] = [0, 0];
  for (let row = 0; row < best.rows; row += step) {
    if (textAt(best, row) !== '' && !PLACEHOLDER.test(textAt(best, row))) continue;
    gaps++;
    if (textAt(other, row) !== '') filled++;
  }
  return gaps > 0 && filled / gaps > 0.3;
}

function ownerColumns(columns: readonly Column[], name: Column): Column[] {
  const texts = columns.filter(
    (one) => one !== name && one.letters > 0.5 && one.filled > 0.02 && !NOT_OWNER.test(one.header),
  );
  const whole = texts.filter(
    ({ header, distinct }) => distinct > 5 && OWNER.test(header) && !OWNER_PART.test(header),
  );
  const parts = texts.filter(({ header }) => OWNER_PART.test(header));
  return [...whole, ...(parts.length > 1 ? parts : [])].slice(0, 5);
}

const OWNER_TYPE = /\b(type|entity|ownership|organization|form|structure|legal|class|kind)\b/;
const ONE_PERSON =
  /\b(?:individual|sole|proprietor(?:ship)?|natural person|person|self employed|husband|married)\b|^IS$/i;
const PARTNERS = /\b(?:partner(?:s|ship)?)\b/i;
const COMPANIES =
  /\b(?:corp(?:oration)?|llc|l\.l\.c|inc|company|limited|trust|non.?profit|business|association|s corp)\b/i;

/** A column of a few values of which one says "individual", "sole proprietor" and another "corporation", "business". */
function ownerTypeColumn(columns: readonly Column[]): NameGuess['ownerType'] {
  const [found] = columns
    .filter(({ header, distinct, filled }) => OWNER_TYPE.test(header) && distinct <= 60 && filled > 0.3)
    .filter(({ values }) => values.some(([text]) => ONE_PERSON.test(text)))
    .filter(({ values }) => values.some(([text]) => COMPANIES.test(text)))
    .sort((a, b) => a.distinct - b.distinct);
  if (found === undefined) return undefined;
  const values = found.values.map(([text]) => text);
  const isOne = (text: string) =>
    ONE_PERSON.test(text) || (PARTNERS.test(text) && !COMPANIES.test(text) && !/limited|^ll?p$/i.test(text));
  return {
    column: found,
    // Where nothing is stated, it may be a person.
    values: [...values.filter(isOne), ...(found.filled < 1 ? [''] : [])],
  };
}

export type PeopleRule =
  /** Nothing shows whose name it is: a name that looks like a person's is one, under types where people file their own names. */
  | 'by shape'
  /** As `by shape`, where the owner is one person. */
  | 'by type'
  /** A name that is the owner's, and whatever looks like a person's where there is no trade name. */
  | 'by owner'
  /** Hardly more names look like a person's than trade names do. */
  | 'none';

/** The share of trade names that look like a person's: 6 %. A register with fewer of them than that shows no people. */
const MISTAKEN = { inTradeNames: 0.06, inNames: 0.04 };

/** How a draft tells people's names from businesses'. */
export function choosePeopleRule({ column, owners, ownerType, fallback, personal }: NameGuess): PeopleRule {
  if (owners.some((owner) => owner !== column) || fallback !== undefined) return 'by owner';
  if (ownerType !== undefined) return 'by type';
  const isTrade = scoreColumn(column, NAMES) >= TRADE_NAME;
  return personal > (isTrade ? MISTAKEN.inTradeNames : MISTAKEN.inNames) ? 'by shape' : 'none';
}

const PERSONAL_SHARE = 0.25;
/** Kinds in which people work under their own names. */
const PROFESSIONS: ReadonlySet<Category> = new Set<Category>([
  ...([
    'Legal',
    'Medical',
    'Dental',
    'Mental Health',
    'Accounting & Tax',
    'Real Estate',
    'Insurance',
  ] as const),
]);

/** The types under which people file their own names: those where many names look so, and the professions. */
export function listPersonalTypes(
  { column }: NameGuess,
  types: Column,
  kindOfText: (text: string) => Category,
): string[] {
  const counts = new Map<string, { rows: number; personal: number }>();
  const looks = column.texts.map((text) => looksPersonal(text));
  for (let row = 0; row < column.rows; row++) {
    const type = textAt(types, row);
    const count = counts.get(type) ?? { rows: 0, personal: 0 };
    count.rows++;
    if (looks[column.codes[row]!]) count.personal++;
    counts.set(type, count);
  }
  return [...counts]
    .filter(([, { personal }]) => personal > 0)
    .filter(
      ([text, { rows, personal }]) =>
        (personal > 4 && personal / rows > PERSONAL_SHARE) || PROFESSIONS.has(kindOfText(text)),
    )
    .sort((one, other) => other[1].personal - one[1].personal)
    .map(([text]) => text)
    .slice(0, 60);
}

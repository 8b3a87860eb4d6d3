/** Finds the columns for a business's name and owner, and decides which names are personal. */

import { type Category, splitNameWords } from '../../shared/city/categories.ts';
import { isMissing } from '../profile/mapping/cells.ts';
import type { RegisterMapping } from '../profile/mapping/mapping.ts';
import { hasCompanyForm } from '../profile/people/company-forms.ts';
import { isSurnameFirst, looksPersonal, MOST_UNKNOWN_NAMES } from '../profile/people/personal-names.ts';
import { legalFormOf, namesTypes, readType } from './business-types.ts';
import {
  type Column,
  FEW,
  formatShare,
  HALF,
  isAddressText,
  isClearlyPersonText,
  isContactText,
  isPersonText,
  listColumns,
  MOST,
  namesTrade,
  type Ranked,
  rankColumns,
  SOME,
  sampleOf,
  shareOf,
} from './columns.ts';
import { weighHeader } from './header-words.ts';
import { countWith, TABLE_LIMITS, textAt } from './table.ts';

export type PersonColumn = {
  column: Column;
  values: readonly string[];
  /** Whether it names forms of companies. "Business" beside "Individual" is none: sole traders are businesses, too. */
  namesCompanies: boolean;
};

/** Ranks the columns of names. Of two that their headers name equally well, the one of legal names stands behind. */
export function rankNames(columns: readonly Column[]): Ranked {
  const ranked = rankByHeader(columns);
  const [best, ...others] = ranked;
  const trade = others.find(
    ({ column }) =>
      weighHeader(column.header, 'name') === weighHeader(best!.column.header, 'name') &&
      areLegalNamesOf(best!.column, column),
  );
  return trade === undefined ? ranked : [trade, ...ranked.filter((one) => one !== trade)];
}

const LEGAL_SHARE = 0.3;
const FEWEST_NAMES = 20;
const ROWS_COMPARED = 5_000;

/** Returns whether `legal` has far more company forms and people than `trade`, where the two are different. */
function areLegalNamesOf(legal: Column, trade: Column): boolean {
  const isLegal = (text: string) => hasCompanyForm(text) || isClearlyPersonText(text);
  const pairs = samplePairs(legal, trade).filter(([a, b]) => !isMissing(a) && !isMissing(b) && a !== b);
  const more = pairs.reduce((sum, [a, b]) => sum + Number(isLegal(a)) - Number(isLegal(b)), 0);
  return pairs.length >= FEWEST_NAMES && more / pairs.length > LEGAL_SHARE;
}

/** Returns the texts of two columns in the same rows, evenly spread. */
function samplePairs(one: Column, other: Column): [text: string, text: string][] {
  const step = Math.ceil(one.rows / ROWS_COMPARED);
  return Array.from({ length: Math.ceil(one.rows / Math.max(1, step)) }, (_, i) => [
    textAt(one, i * step),
    textAt(other, i * step),
  ]);
}

function rankByHeader(columns: readonly Column[]): Ranked {
  return rankColumns(columns, 'name', (column, weight) => {
    const { length, filled, distinct, total } = column;
    if (distinct < Math.min(3, total * filled * HALF) || isAddress(column, weight)) return 0;
    if (shareOf(column, isContactText) > SOME) return 0;
    const variety = isVaried(column) ? 1 : 0.1;
    // of columns with equal headers, prefers the fuller one
    if (weight > 0) return weight * variety + filled / 4;
    if (variety < 1 || length >= 60 || namesTypes(column)) return 0;
    // without a header for names or types, the cells must have legal forms or trades, and few people
    const content = shareOf(column, hasCompanyForm) + shareOf(column, namesTrade);
    return content > SOME && shareOf(column, isPersonText) < HALF ? content * filled : 0;
  });
}

/** Returns whether a column has addresses. A "location name" may have them, but a header for names also has `Cafe 21`. */
function isAddress(column: Column, weight: number): boolean {
  if (shareOf(column, isAddressText) <= HALF) return false;
  const houses = shareOf(column, (text) => /^\d\S* +\p{L}/u.test(text));
  return weight < 5 || (shareOf(column, hasCompanyForm) < FEW && houses > MOST);
}

function isVaried({ distinct, filled, total }: Column): boolean {
  return total < 30 || distinct > Math.min(total, TABLE_LIMITS.rows) * filled * 0.1;
}

const MOST_FALLBACKS = 2;

export function findFallbacks(best: Column, ranked: Ranked, owners: readonly Column[]): Column[] {
  if (best.filled > 0.9999) return [];
  const others = new Set([...listColumns(ranked), ...owners.filter((one) => !isPartOfName(one))]);
  return [...others]
    .filter((one) => one !== best && one.filled > 0.02 && isVaried(one) && fillsGaps(best, one))
    .slice(0, best.filled < SOME ? MOST_FALLBACKS : 1);
}

function fillsGaps(best: Column, other: Column): boolean {
  const pairs = samplePairs(best, other).filter(([a]) => isMissing(a));
  return pairs.filter(([, b]) => !isMissing(b)).length > pairs.length * SOME;
}

const isPartOfName = ({ header }: Column) => weighHeader(header, 'part') > 0;

export function findOwners(columns: readonly Column[], name: Column | undefined): Column[] {
  const isOwner = (one: Column, weight: number) =>
    weight > 0 ? one.distinct > 5 || shareOf(one, isPersonText) > HALF : isMadeOfPeople(one);
  const others = columns.filter((one) => one !== name);
  const found = listColumns(
    rankColumns(others, 'owner', (one, weight) => Number(isPartOfName(one) || isOwner(one, weight))),
  );
  const parts = found.filter(isPartOfName);
  const whole = found.filter((one) => !isPartOfName(one));
  return [...whole, ...(parts.length > 1 ? parts : [])].slice(0, 5);
}

/** Roles whose headers say that texts like `Grenville Landing` are no people. */
const NO_PEOPLE = ['name', 'status', 'form', 'type', 'address', 'town', 'area', 'county'] as const;

function isMadeOfPeople(column: Column): boolean {
  const { header, distinct, total, length } = column;
  if (distinct < Math.max(2, Math.min(total, 5_000) * 0.2) || length > 60) return false;
  if (NO_PEOPLE.some((role) => weighHeader(header, role) > 0)) return false;
  return (
    shareOf(column, isPersonText) > MOST &&
    shareOf(column, namesTrade) + shareOf(column, hasCompanyForm) < 0.15 &&
    shareOf(column, isAddressText) < FEW
  );
}

/** Finds the column of legal forms. Some values mean "individual" or "sole proprietor", others "corporation". */
export function findPersonColumn(columns: readonly Column[]): PersonColumn | undefined {
  const meaningsOf = ({ values }: Column) => new Set(values.map(([text]) => legalFormOf(text)));
  const [found] = listColumns(rankColumns(columns, 'form'))
    .filter((one) => {
      const meanings = meaningsOf(one);
      return meanings.has('person') && (meanings.has('company') || meanings.has('business'));
    })
    .sort((a, b) => a.distinct - b.distinct);
  if (found === undefined) return undefined;
  const isOne = (text: string) =>
    legalFormOf(text) === 'person' || (legalFormOf(text) === 'partners' && !/limited|^ll?p$/i.test(text));
  const values = found.values.map(([text]) => text).filter(isOne);
  // an empty cell may also mean a person
  return {
    column: found,
    values: [...values, ...(found.filled < 0.999 ? [''] : [])],
    namesCompanies: meaningsOf(found).has('company'),
  };
}

/** In a register of shops, at most this share of names is wrongly taken for certain. It is 0.3 to 1.3 % in eight. */
const MISTAKEN = 0.02;
const SKIPPED_SHARE = 0.2;
/** Minimum share of names with the form `Surname, Given` in a register of people. */
const SURNAME_FIRST = 0.2;
/**
 * Returns whether the shape of a column's names shows which are people's. It does if the word lists know most names, and
 * if names of unknown words share a word with names that are clearly people's.
 */
export function canJudge({ values }: Column): boolean {
  const plain = sampleOf(values).flatMap(([text]) => (hasCompanyForm(text) ? [] : [text]));
  const people = plain.filter(isPersonText);
  const clear = new Set(people.filter(isClearlyPersonText));
  const names = new Set([...clear].flatMap(splitNameWords));
  const unknown = people.filter(
    (text) => !clear.has(text) && !splitNameWords(text).some((word) => word.length > 2 && names.has(word)),
  );
  return unknown.length <= plain.length * MOST_UNKNOWN_NAMES;
}

export type ShapeClues = {
  types: Column | undefined;
  judgesShape: boolean;
  /** Other columns that show which names are people's. */
  hasOthers: boolean;
  person: PersonColumn | undefined;
};

/** Chooses the rule for names that look like a person's. */
export function chooseShapeRule(
  names: readonly Column[],
  { types, judgesShape, hasOthers, person }: ShapeClues,
): NonNullable<RegisterMapping['namesLikePeople']> {
  const [name] = names;
  if (name === undefined) return 'keep';
  if (names.some((one) => shareOf(one, isSurnameFirst) >= SURNAME_FIRST)) return 'certain';
  if (hasOthers) return person?.namesCompanies === false ? 'certain' : 'keep';
  if (shareOf(name, isClearlyPersonText) <= MISTAKEN) return 'keep';
  const values = types === undefined || !judgesShape ? [] : listPersonalTypes(name, types);
  if (types !== undefined && values.length > 0) return { column: types.name, values };
  return judgesShape && shareOf(name, isPersonText) > SKIPPED_SHARE ? 'skip' : 'certain';
}

const PERSONAL_SHARE = 0.25;
const PROFESSIONS: ReadonlySet<Category> = new Set([
  ...(['Legal', 'Medical', 'Dental', 'Mental Health'] as const),
  ...(['Accounting & Tax', 'Real Estate', 'Insurance'] as const),
]);
const MOST_PERSONAL_TYPES = 60;

/** Lists the types under which people file their own names: professions, and types with many such names. */
function listPersonalTypes(column: Column, types: Column): string[] {
  const looks = column.texts.map((text) => looksPersonal(text));
  return [
    ...countWith(
      column.rows,
      (row) => textAt(types, row),
      (row) => looks[column.codes[row]!]!,
    ),
  ]
    .filter(
      ([text, { rows, found }]) =>
        (found > 4 && found / rows > PERSONAL_SHARE) || (found > 0 && PROFESSIONS.has(readType(text))),
    )
    .sort((one, other) => other[1].found - one[1].found)
    .map(([text]) => text)
    .slice(0, MOST_PERSONAL_TYPES);
}

export function describeNames(column: Column): string {
  const [people, companies] = [shareOf(column, isPersonText), shareOf(column, hasCompanyForm)];
  return `${formatShare(people)} look like only a person's, ${formatShare(companies)} have a company form`;
}

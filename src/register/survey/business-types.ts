/** Finds the columns that show the category: NAICS codes and types. Recognizes types that mean no new business. */

import { type Category, findNaicsCode, naceCategory, naicsCategory } from '../../shared/city/categories.ts';
import { UNCATEGORIZED } from '../../shared/listing.ts';
import { openWordTable, readDataLines, toPattern } from '../../shared/text/word-table.ts';
import { foldWords } from '../../shared/words.ts';
import { isBroadType, kindOfType } from '../profile/categories/kind-of-type.ts';
import { hasCompanyForm } from '../profile/people/company-forms.ts';
import {
  type Column,
  countRows,
  FEW,
  HALF,
  isAddressText,
  isPersonText,
  listColumns,
  NEARLY_ALL,
  type Ranked,
  rankColumns,
  SOME,
  shareOf,
} from './columns.ts';
import { weighHeader } from './header-words.ts';

export type TypeLine = { type: string; rows: number; category: Category; isNewBusiness: boolean };

/** Returns whether a header surely means a type. */
export const namesTypes = ({ header }: Column): boolean => weighHeader(header, 'type') >= 7;

const MOST_TYPES = 600;
const MOST_LINES = 600;
const LONGEST_TYPE = 120;
const MANY = 0.1;

export function findTypes(columns: readonly Column[], taken: ReadonlySet<Column | undefined>) {
  const free = columns.filter((column) => !taken.has(column));
  // codes have more distinct values than sectors
  const [naics] = rankColumns(free, 'naics', (one, weight) =>
    weight > 0 && shareOf(one, isNaics) > HALF ? one.distinct * one.filled : 0,
  );
  const [nace] = free
    .filter((one) => shareOf(one, isNationalNace) > NEARLY_ALL)
    .sort((a, b) => weighHeader(b.header, 'type') - weighHeader(a.header, 'type'));
  const texts = free.filter((one) => one !== naics?.column);
  const ranked = rankColumns(texts, 'type', scoreTypes);
  const [text] = rankColumns(texts, 'type', (one, weight) =>
    one.distinct > MOST_TYPES && shareOfKnown(one) > SOME && weighHeader(one.header, 'name') < 8
      ? weight * one.filled
      : 0,
  );
  return {
    naics: naics?.column,
    /** A column of NACE codes, which may have a national letter, such as `47.11B`. */
    nace: naics === undefined ? nace : undefined,
    ranked: listColumns(ranked),
    /** At most two type columns, the more specific one first. */
    columns: chooseTypes(ranked),
    text: text?.column,
  };
}

const isNaics = (text: string) => naicsCategory(findNaicsCode(text)) !== undefined;
const isNationalNace = (text: string) => /^\d\d\.\d\d[A-Z]$/.test(text) && naceCategory(text) !== undefined;

function scoreTypes(column: Column, weight: number): number {
  const { distinct, filled } = column;
  if (distinct === 0 || distinct > MOST_TYPES) return 0;
  const known = shareOfKnown(column) * filled;
  if (known > FEW && weight > 0) return weight * known;
  // without known types, the header must be certain; without a header, most types must be known
  const score = namesTypes(column) ? weight * 0.02 * filled : known > HALF ? known : 0;
  return score > 0 && isTypeLike(column) ? score : 0;
}

/** Returns whether a column has few, repeating texts that are not places, such as types in an unknown language. */
function isTypeLike(column: Column): boolean {
  const { distinct, total, length } = column;
  return (
    distinct >= 2 &&
    distinct < total * SOME &&
    length < 80 &&
    shareOf(column, isAddressText) < FEW &&
    shareOf(column, isPersonText) < HALF &&
    shareOf(column, hasCompanyForm) < SOME
  );
}

function chooseTypes([best, ...others]: Ranked): Column[] {
  if (best === undefined) return [];
  const isSame = ({ distinct, values }: Column) =>
    distinct === best.column.distinct && values[0]?.[0] === best.column.values[0]?.[0];
  const second = others.find(({ column, score }) => score > SOME && !isSame(column));
  return [best.column, ...(second ? [second.column] : [])].sort((a, b) => b.distinct - a.distinct);
}

function shareOfKnown(column: Column): number {
  return shareOf(column, (text) => readType(text) !== UNCATEGORIZED && !isBroadType(text));
}

export function readType(text: string): Category {
  return kindOfType(text) ?? UNCATEGORIZED;
}

/** Returns whether a legal form means a `person`, `partners`, a `company`, or a `business` of either. */
export const legalFormOf = openWordTable('legal-form-words.csv');

/** Lists the types that ingest would read in these columns, most frequent first. Omits texts too long for a type. */
export function listTypeLines(columns: readonly Column[]): TypeLine[] {
  const rows = new Map<string, number>();
  const all = Math.max(0, ...columns.map(({ total }) => total));
  for (const { values } of columns)
    for (const [text, count] of values)
      if (text.length <= LONGEST_TYPE) rows.set(text, Math.max(rows.get(text) ?? 0, count));
  return [...rows]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_LINES)
    .map(([type, count]) => ({
      type,
      rows: count,
      category: readType(type),
      isNewBusiness: !typeMeans('none', type) && !(count > all * MANY && typeMeans('many', type)),
    }));
}

const LINES = readDataLines('no-business-words.csv').map(([meaning, , words = '']) => ({
  meaning,
  pattern: toPattern(words),
}));

const EXCEPTION = /\((?:exc|not|other than)[^)]*\)/gi;

/**
 * Returns whether any part of a type such as `Retail trade / Hobby stores (exc. game stores)` means no new business (`none`), none if
 * it is frequent (`many`), or an office at home.
 */
export function typeMeans(meaning: 'none' | 'many' | 'home', type: string): boolean {
  const parts = type.replaceAll(EXCEPTION, ' ').split(' / ');
  return parts.some((part) => {
    const text = ` ${foldWords(part)} `;
    return LINES.some((line) => line.meaning === meaning && line.pattern.test(text));
  });
}

/** Lists texts of other type columns that mean no new business, in the format of `skip` in `city.yaml`. */
export function findNoBusiness(columns: readonly Column[], types: readonly Column[]) {
  return columns
    .filter((one) => !types.includes(one) && one.distinct <= 2 * MOST_TYPES && namesTypes(one))
    .flatMap((column) => {
      const values = column.values.filter(([text]) => typeMeans('none', text));
      if (values.length === 0 || countRows(values) > column.total * NEARLY_ALL) return [];
      return [{ column: column.name, values: values.map(([text]) => text), because: 'no new business' }];
    });
}

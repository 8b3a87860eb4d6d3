/**
 * `categories.csv`: what the types of a register mean, one line for each type (`type,rows,category,new_business`). People edit it in
 * spreadsheets: any delimiter, order of columns, quotes and line ends are read, and columns of their own are passed over.
 */

import { type CsvTextRecord, findDelimiter, splitCsvText } from '../../data/csv-text.ts';
import { findNearestWord } from '../../listings/edits.ts';
import { UNCATEGORIZED } from '../../listings/listing.ts';
import { CATEGORIES, type Category } from '../categories/categories.ts';
import { isGeneralType } from '../categories/kind-of-type.ts';

/** `code`: the type means this category; `broad`: only where the name says nothing more specific. */
export type TypeMeaning = {
  code: Category | undefined;
  broad: Category | undefined;
  isNewBusiness: boolean;
};

/** What each type means; `foldType` makes its key. */
export type CategoryTable = ReadonlyMap<string, TypeMeaning>;

type TableFault = { line: number; says: string };

const COLUMNS = ['type', 'category', 'new_business'] as const;
const YES = new Set(['', 'yes', 'y', 'true', '1']);
const NO = new Set(['no', 'n', 'false', '0']);
const KNOWN = new Map<string, Category>(
  CATEGORIES.filter((one) => one !== UNCATEGORIZED).map((category) => [category.toLowerCase(), category]),
);

/** Types are the same whatever their case and spaces: spreadsheets change both. */
export function foldType(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The columns of a table of types and its records, whatever its delimiter. */
export function splitTypeTable(text: string): {
  names: string[];
  records: CsvTextRecord[];
  delimiter: string;
} {
  const delimiter = findDelimiter(text.split(/\r?\n|\r/, 1)[0]!) ?? ',';
  const [header, ...records] = splitCsvText(text, delimiter);
  const names = header?.cells.map((cell) => foldType(cell.text).replace(/[\s-]/g, '_')) ?? [];
  return { names, records, delimiter };
}

/** The types of a table, and all its faults by line. Spreadsheets that do not save UTF-8 save Windows-1252. */
export function readCategoryTable(bytes: Uint8Array): { table: CategoryTable; faults: TableFault[] } {
  const table = new Map<string, TypeMeaning>();
  const faults: TableFault[] = [];
  const { names, records } = splitTypeTable(decodeText(bytes));
  const [typeAt, categoryAt, newAt] = COLUMNS.map((column) => names.indexOf(column)) as [
    number,
    number,
    number,
  ];
  if (typeAt === -1 || categoryAt === -1)
    return {
      table,
      faults: [{ line: 1, says: 'the first line must name the columns type,rows,category,new_business' }],
    };
  for (const { line, cells } of records) {
    const cell = (at: number) => (cells[at]?.text ?? '').trim();
    const type = cell(typeAt);
    if (cells.every(({ text }) => text.trim() === '')) continue;
    const { meaning, fault } = readMeaning(type, cell(categoryAt), foldType(cell(newAt)));
    if (fault !== undefined) faults.push({ line, says: fault });
    else if (isDifferent(table.get(foldType(type)), meaning))
      faults.push({ line, says: `the type "${type.slice(0, 60)}" is there twice. Keep one line` });
    else table.set(foldType(type), meaning);
  }
  return { table, faults };
}

/** A register may write one type in several ways; its lines may not contradict each other. */
function isDifferent(one: TypeMeaning | undefined, other: TypeMeaning): boolean {
  if (one === undefined) return false;
  return one.code !== other.code || one.broad !== other.broad || one.isNewBusiness !== other.isNewBusiness;
}

function readMeaning(type: string, text: string, isNew: string): { meaning: TypeMeaning; fault?: string } {
  const category = KNOWN.get(foldType(text));
  const isEmpty = text === '' || foldType(text) === foldType(UNCATEGORIZED);
  const isBroad = isGeneralType(type);
  const meaning: TypeMeaning = {
    code: isBroad ? undefined : category,
    broad: isBroad ? category : undefined,
    isNewBusiness: !NO.has(isNew),
  };
  if (type === '') return { meaning, fault: 'the type is empty. Remove the line' };
  if (category === undefined && !isEmpty) return { meaning, fault: unknownCategory(text) };
  if (!NO.has(isNew) && !YES.has(isNew))
    return { meaning, fault: `new_business must be yes or no, not "${isNew.slice(0, 60)}"` };
  return { meaning };
}

function unknownCategory(text: string): string {
  const nearest = findNearestWord(text, CATEGORIES);
  const hint =
    nearest === undefined ? 'See docs/categories.md for all of them' : `Did you mean "${nearest}"?`;
  return `"${text.slice(0, 60)}" is not a category. ${hint}`;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

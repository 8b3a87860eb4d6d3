/**
 * Reads `categories.csv`. People edit it in spreadsheets, so any delimiter, column order and quotes are valid. Finds
 * the category of a mapped row by its type, its code, an official text or the words of the name, in this order.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  CATEGORIES,
  type Category,
  findNaicsCode,
  isBroadCode,
  naceCategory,
  naicsCategory,
} from '../../../shared/city/categories.ts';
import { cityError } from '../../../shared/errors.ts';
import { UNCATEGORIZED } from '../../../shared/listing.ts';
import { rememberTexts } from '../../../shared/remember.ts';
import { findDelimiter, guardFormula, splitCsvText } from '../../../shared/text/csv-text.ts';
import { findNearest } from '../../../shared/text/edits.ts';
import { kindOf } from '../categories/kind.ts';
import { isGeneralType, kindOfType } from '../categories/kind-of-type.ts';
import type { Row } from '../define.ts';
import type { Cells } from './cells.ts';
import type { RegisterMapping } from './mapping.ts';

/** The category of a text. A `broad` category counts only if the name is not more specific. */
type Clue = { code: Category | undefined; broad: Category | undefined };

type TypeMeaning = Clue & { isNewBusiness: boolean };

export type CategoryTable = ReadonlyMap<string, TypeMeaning>;

type TableProblem = { line: number; says: string };

const YES = new Set(['', 'yes', 'y', 'true', '1']);
const NO = new Set(['no', 'n', 'false', '0']);
const KNOWN = new Map<string, Category>(
  CATEGORIES.filter((one) => one !== UNCATEGORIZED).map((category) => [category.toLowerCase(), category]),
);

/** Folds case and spaces, which spreadsheets change, and removes the prefix of a formula (`guardFormula`). */
function foldType(text: string): string {
  const bare = /^'/.test(text) && guardFormula(text.slice(1)) === text ? text.slice(1) : text;
  return bare.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Reads the types of a table and lists all its problems by line. */
export function readCategoryTable(bytes: Uint8Array): { table: CategoryTable; problems: TableProblem[] } {
  const table = new Map<string, TypeMeaning>();
  const problems: TableProblem[] = [];
  // some spreadsheets save Windows-1252
  const text = decodeUtf8(bytes, 'it') ?? new TextDecoder('windows-1252').decode(bytes);
  const delimiter = findDelimiter(text.split(/\r?\n|\r/, 1)[0]!) ?? ',';
  const [header, ...records] = splitCsvText(text, delimiter);
  const names = header?.cells.map((cell) => foldType(cell).replace(/[\s-]/g, '_')) ?? [];
  const places = ['type', 'category', 'new_business'].map((column) => names.indexOf(column));
  if (places[0] === -1 || places[1] === -1) {
    const says = 'the first line must name the columns type,rows,category,new_business';
    return { table, problems: [{ line: 1, says }] };
  }
  for (const { line, cells } of records) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const [type = '', category = '', isNew = ''] = places.map((at) => cells[at]?.trim());
    const meaning = readMeaning(type, category, foldType(isNew));
    if (typeof meaning === 'string') problems.push({ line, says: meaning });
    // a register may spell one type in several ways
    else if (!isDeepStrictEqual(table.get(foldType(type)) ?? meaning, meaning))
      problems.push({ line, says: `the type "${type.slice(0, 60)}" appears twice. Keep one line` });
    else table.set(foldType(type), meaning);
  }
  return { table, problems };
}

function readMeaning(type: string, text: string, isNew: string): TypeMeaning | string {
  const category = KNOWN.get(foldType(text));
  const isEmpty = text === '' || foldType(text) === foldType(UNCATEGORIZED);
  if (type === '') return 'the type is empty. Remove the line';
  if (category === undefined && !isEmpty) return unknownCategory(text);
  if (!NO.has(isNew) && !YES.has(isNew)) return `new_business must be yes or no, not "${isNew.slice(0, 60)}"`;
  return { ...toClue(category, isGeneralType(type)), isNewBusiness: YES.has(isNew) };
}

function unknownCategory(text: string): string {
  const nearest = findNearest(text, CATEGORIES);
  const hint = nearest === undefined ? 'See docs/city-yaml.md for all of them' : `Did you mean "${nearest}"?`;
  return `"${text.slice(0, 60)}" is not a category. ${hint}`;
}

/** Decodes UTF-8. Returns `undefined` for another encoding, and throws `city` for UTF-16. `what` begins the sentence. */
export function decodeUtf8(bytes: Uint8Array, what: string): string | undefined {
  if (bytes.includes(0))
    throw cityError(`${what} is not text in UTF-8. If it is text in UTF-16, save it as UTF-8`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

type RuleTools = { cells: Cells; table?: CategoryTable | undefined; unlisted: Map<string, number> };

const MOST_UNLISTED = 1_000;

export function openCategoryRule(
  { column, naics, nace, naceWhere, text }: NonNullable<RegisterMapping['category']> = {},
  { cells, table, unlisted }: RuleTools,
) {
  const types = cells.readAll(column);
  const meaningOf = rememberTexts((type) => table?.get(foldType(type)));
  const code = cells.readFirst(nace ?? naics);
  const hasCode = nace !== undefined && naceWhere !== undefined ? cells.test(naceWhere) : () => true;
  const official = cells.readFirst(text);
  const clueOfCode = rememberTexts(nace === undefined ? readNaics : readNace);
  const clueOfText = rememberTexts((given) => toClue(kindOfType(given), isGeneralType(given)));

  /** Returns the category of the row's types in the table. Without a table, `words` is the first type. */
  function readTypes(row: Row): Clue & { words: string } {
    const found: Clue & { words: string } = { code: undefined, broad: undefined, words: '' };
    for (const read of types) {
      const type = read(row);
      if (type === '') continue;
      const meaning = meaningOf(type);
      if (meaning === undefined && table !== undefined) countType(unlisted, type);
      if (table === undefined) found.words ||= type;
      found.code ??= meaning?.code;
      found.broad ??= meaning?.broad;
    }
    return found;
  }

  return {
    /** Returns why the type of a row means no new business, or `undefined` if the row may be a new business. */
    findNoBusiness(row: Row): string | undefined {
      const isNone = types.some((read) => meaningOf(read(row))?.isNewBusiness === false);
      return isNone ? 'no new business' : undefined;
    },
    /** Returns the register's own words for the type. */
    readType: (row: Row): string =>
      types.map((read) => read(row)).find((type) => type !== '') ?? official(row),
    read(row: Row, name: string): Category {
      const type = readTypes(row);
      const byCode = clueOfCode(hasCode(row) ? code(row) : '');
      const byText = clueOfText(official(row) || type.words);
      return kindOf({
        code: type.code ?? byCode.code ?? byText.code,
        name,
        broad: byCode.broad ?? byText.broad ?? type.broad,
      });
    },
  };
}

function toClue(category: Category | undefined, isBroad: boolean): Clue {
  return isBroad ? { code: undefined, broad: category } : { code: category, broad: undefined };
}

function readNaics(text: string): Clue {
  const digits = findNaicsCode(text);
  return toClue(naicsCategory(digits), isBroadCode(digits));
}

/** Reads a NACE code. The name takes precedence over a class with several trades. */
function readNace(text: string): Clue {
  const { category, isBroad = false } = naceCategory(text) ?? {};
  return toClue(category, isBroad);
}

function countType(unlisted: Map<string, number>, type: string): void {
  const rows = unlisted.get(type);
  if (rows !== undefined || unlisted.size < MOST_UNLISTED) unlisted.set(type, (rows ?? 0) + 1);
}

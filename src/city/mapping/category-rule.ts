/**
 * Finds the category of a mapped row from its type, its code, an official text or the words of the name, in this order.
 */

import { rememberTexts } from '../../listings/remember.ts';
import {
  type Category,
  findNaicsCode,
  isBroadCode,
  naceCategory,
  naicsCategory,
} from '../categories/categories.ts';
import { kindOf } from '../categories/kind.ts';
import { isGeneralType, kindOfType } from '../categories/kind-of-type.ts';
import type { Row } from '../define.ts';
import { type CategoryTable, foldType } from './category-table.ts';
import { type CellRules, cellsOf, firstCellOf, testValues } from './cells.ts';
import type { RegisterMapping } from './mapping.ts';

type RuleTools = { rules: CellRules; table: CategoryTable | undefined; unlisted: Map<string, number> };

/** The meaning of a text. A `broad` category counts only if the name is not more specific. */
type Clue = { code?: Category | undefined; broad?: Category | undefined };

const MOST_UNLISTED = 1_000;
const NOTHING: Clue = {};

export function openCategoryRule(
  { column, naics, nace, naceWhere, text }: NonNullable<RegisterMapping['category']> = {},
  { rules, table, unlisted }: RuleTools,
) {
  const types = cellsOf(column, rules);
  const meaningOf = rememberTexts((type) => table?.get(foldType(type)));
  const code = firstCellOf(naics, rules);
  const naceCode = firstCellOf(nace, rules);
  const isNace = naceWhere === undefined ? () => true : testValues(naceWhere, rules);
  const official = firstCellOf(text, rules);
  const clueOfCode = rememberTexts(readCode);
  const clueOfNace = rememberTexts(readNace);
  const clueOfText = rememberTexts(readText);

  /** Returns the table's meaning of the row's types. `words` is the first type if there is no table. */
  function readTypes(row: Row): Clue & { words: string } {
    const found: Clue & { words: string } = { words: '' };
    for (const cell of types) {
      const type = cell(row);
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
    /** Returns why the type of a row is not a new business, or `undefined` if it is one. */
    findNoBusiness(row: Row): string | undefined {
      if (table === undefined) return undefined;
      const isNone = types.some((cell) => meaningOf(cell(row))?.isNewBusiness === false);
      return isNone ? 'no new business' : undefined;
    },
    read(row: Row, name: string): Category {
      const type = readTypes(row);
      const byCode =
        nace === undefined ? clueOfCode(code(row)) : clueOfNace(isNace(row) ? naceCode(row) : '');
      const byText = clueOfText(official(row) || type.words);
      return kindOf({
        code: type.code ?? byCode.code ?? byText.code,
        name,
        broad: byCode.broad ?? byText.broad ?? type.broad,
      });
    },
  };
}

function readCode(text: string): Clue {
  const digits = findNaicsCode(text);
  const category = naicsCategory(digits);
  return isBroadCode(digits) ? { broad: category } : { code: category };
}

/** Reads a NACE code. The name takes precedence over a class with several trades. */
function readNace(text: string): Clue {
  const { category, isBroad } = naceCategory(text) ?? {};
  return isBroad ? { broad: category } : { code: category };
}

function readText(text: string): Clue {
  if (text === '') return NOTHING;
  const category = kindOfType(text);
  return isGeneralType(text) ? { broad: category } : { code: category };
}

function countType(unlisted: Map<string, number>, type: string): void {
  const rows = unlisted.get(type);
  if (rows !== undefined || unlisted.size < MOST_UNLISTED) unlisted.set(type, (rows ?? 0) + 1);
}

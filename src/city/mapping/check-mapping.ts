/** Checks `city.yaml`: compares each word and value with the schema, and then the words with each other. */

import { findNearestWord } from '../../listings/edits.ts';
import { isRecord } from '../../listings/record.ts';
import { type DayFormat, findDatedFault, hasShortYear, isDatedName, parseDay } from '../days.ts';
import { type Fault, type Path, readValue } from '../schema/check-value.ts';
import { findHeaderFaults, findRepeatedIds, listCityFaults } from '../schema/profile.ts';
import { columnsOf, foldValue } from './cells.ts';
import {
  CITY_MAPPING,
  type CityMapping,
  type DayMapping,
  listMappedColumns,
  type RegisterMapping,
} from './mapping.ts';

const WORD = { isText: true, word: 'a word of city.yaml' };

export function checkMapping(value: unknown): { mapping?: CityMapping; faults: Fault[] } {
  const read = readValue(CITY_MAPPING, value, WORD);
  const general = isRecord(value)
    ? [
        ...listCityFaults(value),
        ...findRepeatedIds(value.registers, 'registers'),
        ...findHeaderFaults(value.registers, 'registers'),
      ]
    : [];
  const faults = [...read.faults, ...general];
  if (read.faults.length > 0) return { faults };
  const mapping = read.value as CityMapping;
  for (const [i, register] of mapping.registers.entries())
    checkRegister(register, (path, says, isKey = false) =>
      faults.push({ path: ['registers', i, ...path], says, isKey }),
    );
  return faults.length > 0 ? { faults } : { mapping, faults };
}

/** Reports a fault at a path within the register. */
type AddFault = (path: Path, says: string, isKey?: boolean) => void;

function checkRegister(register: RegisterMapping, add: AddFault): void {
  const { category } = register;
  for (const word of ['filed', 'ended', 'expires'] as const)
    if (register[word] !== undefined) checkDay(register[word], word, add);
  checkStatus(register, add);
  checkColumns(register, add);
  checkPlaces(register, add);
  if (category?.table !== undefined && category.column === undefined)
    add(['category', 'table'], 'needs column: the column of the types in the table');
}

function checkDay({ format, pivot, unknown = [] }: DayMapping, word: string, add: AddFault): void {
  const formats = columnsOf(format).filter((one): one is DayFormat => one !== 'instant');
  const short = formats.find(hasShortYear);
  if (short !== undefined && pivot === undefined)
    add([word, 'format'], `is ${short}, so add pivot: the last year that two digits may mean`);
  for (const [i, text] of unknown.entries()) {
    const isDay = ['YYYY-MM-DD' as const, ...formats].some(
      (one) => parseDay(text, one, { pivot: pivot ?? 2099 }) !== undefined,
    );
    if (!isDay) add([word, 'unknown', i], `must be a day as YYYY-MM-DD or as in the file, not "${text}"`);
  }
}

/** Finds status texts with two meanings, and a `status` without any texts. */
function checkStatus({ status }: RegisterMapping, add: AddFault): void {
  if (status === undefined) return;
  const { column: _, ...words } = status;
  const seen = new Map<string, string>();
  for (const [meaning, texts = []] of Object.entries(words))
    for (const [i, text] of texts.entries()) {
      const before = seen.get(foldValue(text));
      if (before !== undefined && before !== meaning)
        add(['status', meaning, i], `is "${text}", which means ${before}, too. Keep one`);
      seen.set(foldValue(text), meaning);
    }
  if (seen.size === 0) add(['status'], 'gives no word a meaning. Add open: [...]');
}

/** Finds aliases of columns that no word names. Without a header, columns of fixed width have numbers for names. */
function checkColumns(register: RegisterMapping, add: AddFault): void {
  const { from, aliases = {} } = register;
  const columns = listMappedColumns(register);
  for (const column of Object.keys(aliases).filter((one) => !columns.includes(one))) {
    const nearest = findNearestWord(column, columns);
    const hint = nearest === undefined ? 'Remove the line' : `Did you mean ${nearest}?`;
    add(['aliases', column], `is a column that no other word names. ${hint}`, true);
  }
  if (!('csv' in from) || from.widths === undefined || from.header !== 'none') return;
  const names = from.widths.map((_, i) => String(i + 1));
  for (const column of columns.filter((one) => !names.includes(one)))
    add(
      ['from', 'widths'],
      `has ${names.length} columns, named 1 to ${names.length}, and "${column}" is none of them`,
    );
}

/** Finds names whose day in braces cannot be read, URLs with such a day, and a joined file without a place. */
function checkPlaces({ from, join }: RegisterMapping, add: AddFault): void {
  const checkPlace = (path: Path, format: object, isNeeded: boolean) => {
    for (const [word, name] of Object.entries(format)) {
      if (typeof name !== 'string') continue;
      const isUrl = isDatedName(name) && /^https?:/i.test(name);
      const says = isUrl ? 'is a URL, which has no day in braces' : findDatedFault(name);
      if (name === '' && isNeeded) add([...path, word], 'needs a path or a URL');
      else if (says !== undefined) add([...path, word], says);
    }
  };
  checkPlace(['from'], from, false);
  if (join !== undefined) checkPlace(['join', 'from'], join.from, true);
}

/** Reads `city.yaml` and its tables of types. Reports all their problems at once, each with its file and line. */

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { MAIL_PROVIDERS } from '../../../shared/city/mail-providers.ts';
import { cityError, messageOf } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/record.ts';
import { findNearest } from '../../../shared/text/edits.ts';
import { type City, defineCity } from '../define.ts';
import { type DayFormat, hasShortYear, parseDay } from '../parse-day.ts';
import { formatPath, type Path, type Problem, readValue } from '../schema/check-value.ts';
import { listCityProblems } from '../schema/profile.ts';
import { type CategoryTable, decodeUtf8, readCategoryTable } from './category-table.ts';
import { columnsOf, foldValue } from './cells.ts';
import { openMappedSource } from './mapped-source.ts';
import {
  CITY_MAPPING,
  type CityMapping,
  type DayMapping,
  listMappedColumns,
  type RegisterMapping,
} from './mapping.ts';
import { readYaml } from './read-yaml.ts';

const PROBLEMS_SHOWN = 30;

export type MappedCity = { city: City; files: string[] };

type Tables = { tables: Map<string, CategoryTable>; files: string[]; problems: string[] };

export function readMappedCity(path: string): MappedCity {
  const text = readUtf8(path);
  const { mapping, problems } = parseMapping(basename(path), text);
  const { tables, files, problems: tableProblems } = readTables(dirname(path), mapping);
  const all = [...problems, ...tableProblems];
  if (mapping === undefined || all.length > 0)
    throw cityError(`${path} is not a valid city:\n- ${listFirst(all).join('\n- ')}`);
  const { registers, ...fields } = mapping;
  const sources = registers.map(({ point, ...register }) =>
    // a point needs boundaries to find its neighborhood
    openMappedSource(mapping.boundaries && point ? { ...register, point } : register, {
      timeZone: mapping.timeZone,
      table: tables.get(register.category?.table ?? ''),
      locate: (column) => findColumnLine(basename(path), text, column),
    }),
  );
  const limits = addLargeProviders(fields.limits);
  return { city: defineCity({ ...fields, ...(limits && { limits }), sources }), files: [path, ...files] };
}

/** Reads a file as text. Throws `city` for another encoding, which must not be guessed. */
function readUtf8(path: string): string {
  const bytes = readFileSync(path);
  const text = decodeUtf8(bytes, path);
  if (text !== undefined) return text;
  const lines = bytes.toString().split('\n'); // with U+FFFD for each damaged character
  const line = lines.findIndex((one) => one.includes('\ufffd')) + 1;
  throw cityError(`${path} is not in UTF-8 (line ${line}). Save it as UTF-8`);
}

function listFirst(problems: readonly string[]): string[] {
  const more = problems.length - PROBLEMS_SHOWN;
  return more <= 0 ? [...problems] : [...problems.slice(0, PROBLEMS_SHOWN), `and ${more} more`];
}

/** Adds the large mail providers to those in `city.yaml`, because `city.yaml` cannot refer to the default list. */
function addLargeProviders(limits: CityMapping['limits']): CityMapping['limits'] {
  const domain = limits?.recipientDomain;
  if (domain?.providers === undefined) return limits;
  return { ...limits, recipientDomain: { ...domain, providers: [...MAIL_PROVIDERS, ...domain.providers] } };
}

/** Returns the first line that names a column, except in comments: `city.yaml:23`. */
function findColumnLine(file: string, text: string, column: string): string | undefined {
  const line = text.split('\n').findIndex((one) => !/^\s*#/.test(one) && one.includes(column));
  return line === -1 ? undefined : `${file}:${line + 1}`;
}

/** Parses a mapping, or lists its problems: `city.yaml:14:5 registers[0].delivers must be snapshot or changes`. */
export function parseMapping(file: string, text: string): { mapping?: CityMapping; problems: string[] } {
  const yaml = readYaml(text);
  const { mapping, problems = [] } = yaml.value === undefined ? {} : checkMapping(yaml.value);
  const located = problems.map(({ path, says, isKey }) => ({
    ...yaml.locate(path, isKey),
    says: `${formatPath(path) || 'the file'} ${says}`,
  }));
  // a problem of the YAML already reports an empty value
  const isReported = ({ line, says }: (typeof located)[number]) =>
    /not "(?:~|null|Null|NULL)?"$/.test(says) && yaml.problems.some((problem) => problem.line === line);
  const lines = [...yaml.problems, ...located.filter((problem) => !isReported(problem))]
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, says }) => `${file}:${line}:${column} ${says}`);
  return mapping === undefined || lines.length > 0 ? { problems: lines } : { mapping, problems: [] };
}

function readTables(folder: string, mapping: CityMapping | undefined): Tables {
  const read: Tables = { tables: new Map(), files: [], problems: [] };
  const names = mapping?.registers.map(({ category }) => category?.table) ?? [];
  for (const name of new Set(names.filter((one) => one !== undefined))) {
    const path = isAbsolute(name) ? name : join(folder, name);
    try {
      if (!statSync(path).isFile()) throw cityError('it is not a file');
      const { table, problems } = readCategoryTable(readFileSync(path));
      read.tables.set(name, table);
      read.files.push(path);
      read.problems.push(...problems.map(({ line, says }) => `${name}:${line} ${says}`));
    } catch (error) {
      read.problems.push(`${name} cannot be read: ${messageOf(error)}`);
    }
  }
  return read;
}

const WORD = { isText: true, word: 'a word of city.yaml' };

/** Checks each field against the schema. If all are valid, checks the fields that must agree with each other. */
function checkMapping(value: unknown): { mapping?: CityMapping; problems: Problem[] } {
  const read = readValue(CITY_MAPPING, value, WORD);
  const problems = [...read.problems, ...(isRecord(value) ? listCityProblems(value, 'registers') : [])];
  if (read.problems.length > 0) return { problems };
  const mapping = read.value as CityMapping;
  for (const [i, register] of mapping.registers.entries())
    checkRegister(register, (path, says, isKey = false) =>
      problems.push({ path: ['registers', i, ...path], says, isKey }),
    );
  return problems.length > 0 ? { problems } : { mapping, problems };
}

type AddProblem = (path: Path, says: string, isKey?: boolean) => void;

function checkRegister(register: RegisterMapping, add: AddProblem): void {
  const { category } = register;
  for (const word of ['filed', 'ended', 'expires'] as const)
    if (register[word] !== undefined) checkDay(register[word], word, add);
  checkStatus(register, add);
  checkColumns(register, add);
  checkJoin(register, add);
  if (category?.table !== undefined && category.column === undefined)
    add(['category', 'table'], 'needs column: the column of the types in the table');
}

function checkDay({ format, pivot, unknown = [] }: DayMapping, word: string, add: AddProblem): void {
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
function checkStatus({ status }: RegisterMapping, add: AddProblem): void {
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

/** Finds aliases of unused columns. Without a header, the names of fixed-width columns must be numbers. */
function checkColumns(register: RegisterMapping, add: AddProblem): void {
  const { from, aliases = {} } = register;
  const columns = listMappedColumns(register);
  for (const column of Object.keys(aliases).filter((one) => !columns.includes(one))) {
    const nearest = findNearest(column, columns);
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

/** Finds a joined file without a place. */
function checkJoin({ join }: RegisterMapping, add: AddProblem): void {
  for (const [word, name] of Object.entries(join?.from ?? {}))
    if (name === '') add(['join', 'from', word], 'needs a path or a URL');
}

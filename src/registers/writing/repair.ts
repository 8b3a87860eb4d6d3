/** Plans the edits of a city's files that repair a finding. Reads files, but writes none. */

import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  decodeTable,
  foldType,
  readCategoryTable,
  splitTypeTable,
} from '../../city/mapping/category-table.ts';
import { parseMapping } from '../../city/mapping/read-mapping.ts';
import { isRecord } from '../../listings/record.ts';
import type { Repair, ShownFinding } from '../invariants/finding.ts';
import { addToWord, findRegisterLine, findWord, setWord } from './edit-yaml.ts';
import { formatCsvCell, toTexts } from './write-city.ts';

export type Edit = { path: string; text: string; lines: readonly string[] };

export type RegisterInFile = { path: string; source: string };

const TYPES_SHOWN = 12;
const NO = 'no';

const SHIPPED = fileURLToPath(new URL('../../../cities/', import.meta.url));

export function openCityFile({ path }: { path: string }) {
  const isMapping = /\.ya?ml$/.test(path);
  const isShipped = path.startsWith(SHIPPED.endsWith(sep) ? SHIPPED : SHIPPED + sep);
  return {
    /** Whether the file is part of Shingle, so that an update replaces it. */
    isShipped,
    isMapping,
    /** Describes the fix, with the line of its word or register in `city.yaml`. */
    describeFix(source: string, { word, fix }: ShownFinding): string {
      if (!isMapping || word === undefined) return fix;
      const text = readFileSync(path, 'utf8');
      const line = findWord(text, source, word)?.line ?? findRegisterLine(text, source);
      return line === undefined ? fix : `${basename(path)}:${line}: ${fix}`;
    },
    listChanges: (source: string, finding: ShownFinding): readonly string[] =>
      isMapping && !isShipped ? (planRepair({ path, source }, finding)?.lines ?? []) : [],
  };
}

export function planRepair(at: RegisterInFile, { repair }: ShownFinding): Edit | undefined {
  if (repair === undefined || (repair.namesLikePeople !== undefined && isToldOtherwise(at))) return undefined;
  return planTypes(at, repair) ?? planWords(at, repair);
}

export function findEditFault({ path, text }: Edit): string | undefined {
  if (/\.csv$/i.test(path)) {
    const [fault] = readCategoryTable(Buffer.from(text)).faults;
    return fault && `${basename(path)}:${fault.line} ${fault.says}`;
  }
  return parseMapping(basename(path), text).faults[0];
}

/** Returns whether a column already shows which names are people's. A rule for all rows would override that column. */
function isToldOtherwise({ path, source }: RegisterInFile): boolean {
  const text = readFileSync(path, 'utf8');
  const [owner, person, shape] = ['owner', 'person', 'namesLikePeople'].map(
    (word) => findWord(text, source, word)?.value,
  );
  return owner !== undefined || person !== undefined || isRecord(shape);
}

/** Plans to mark types as no new business in the table of types, if the register has one. */
function planTypes({ path, source }: RegisterInFile, { skip: skips = [] }: Repair): Edit | undefined {
  const category = findWord(readFileSync(path, 'utf8'), source, 'category')?.value;
  if (!isRecord(category) || typeof category.table !== 'string' || skips.length !== 1) return undefined;
  const [{ column, values }] = skips as [(typeof skips)[number]];
  if (typeof column !== 'string' || ![category.column].flat().includes(column)) return undefined;
  const table = isAbsolute(category.table) ? category.table : join(dirname(path), category.table);
  const before = decodeTable(readFileSync(table));
  const text = markNoBusiness(before, values);
  if (text === undefined || text === before) return undefined;
  const shown = values.slice(0, TYPES_SHOWN).map((type) => `+ ${type}: new_business no`);
  const more = values.length - shown.length;
  return {
    path: table,
    text,
    lines: [relative(dirname(path), table), ...shown, ...(more > 0 ? [`+ and ${more} more types`] : [])],
  };
}

/**
 * Writes `no` for each type into the text of a `categories.csv`. Changes only these cells: the delimiter, quotes, line
 * ends and additional columns stay. Appends missing types. Returns `undefined` if the table has no column for `no`.
 */
export function markNoBusiness(text: string, types: readonly string[]): string | undefined {
  const { names, records, delimiter } = splitTypeTable(text);
  const [typeAt, newAt] = [names.indexOf('type'), names.indexOf('new_business')];
  if (typeAt === -1 || newAt === -1) return undefined;
  const missing = new Map(types.map((type) => [foldType(type), type]));
  let out = text;
  for (const line of records.toReversed()) {
    const type = foldType(line.cells[typeAt]?.text ?? '');
    if (!types.some((one) => foldType(one) === type)) continue;
    missing.delete(type);
    const cell = line.cells[newAt];
    const by = cell === undefined ? delimiter.repeat(newAt - line.cells.length + 1) + NO : NO;
    out = out.slice(0, cell?.start ?? line.end) + by + out.slice(cell?.end ?? line.end);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const added = [...missing.values()].map((type) =>
    names.map((_, at) => (at === typeAt ? formatCsvCell(type) : at === newAt ? NO : '')).join(delimiter),
  );
  if (added.length === 0) return out;
  return `${out}${/[\r\n]$/.test(out) ? '' : eol}${added.join(eol)}${eol}`;
}

/** Plans to set words of `city.yaml`, or to add to the list of skipped rows. */
function planWords({ path, source }: RegisterInFile, repair: Repair): Edit | undefined {
  const before = readFileSync(path, 'utf8');
  const { skip, ...words } = repair;
  let text = skip === undefined ? before : addToWord(before, source, ['skip', skip]);
  for (const [word, value] of Object.entries(words))
    if (!isDeepStrictEqual(findWord(text, source, word)?.value, toTexts(value)))
      text = setWord(text, source, [word, value]);
  if (text === before) return undefined;
  const lines = Object.keys(repair).flatMap((word) => {
    const [old, now] = [findWord(before, source, word), findWord(text, source, word)];
    if (old?.written === now?.written) return [];
    const where = `${basename(path)}:${old?.line ?? now?.line}`;
    return [where, ...prefixLines('-', old?.written), ...prefixLines('+', now?.written)];
  });
  return { path, text, lines };
}

function prefixLines(sign: string, text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/\r?\n/).map((line) => `${sign} ${line}`);
}

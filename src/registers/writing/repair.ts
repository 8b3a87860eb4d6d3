/** Plans edits of a city's files that repair or accept a finding, and finds the line. Reads files, but writes none. */

import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readCategoryTable } from '../../city/mapping/category-table.ts';
import { parseMapping } from '../../city/mapping/read-mapping.ts';
import { isRecord } from '../../listings/record.ts';
import type { Repair, ShownFinding } from '../invariants/finding.ts';
import { markNoBusiness } from './edit-types.ts';
import { addToWord, findRegisterLine, findWord, readWord, setWord } from './edit-yaml.ts';
import { toTexts } from './write-city.ts';

/** The new contents of a file. `lines` shows the change. */
export type Edit = { path: string; text: string; lines: readonly string[] };

/** The location of a register: the path of its `city.yaml`, and its id. */
export type RegisterPlace = { path: string; source: string };

const TYPES_SHOWN = 12;

const SHIPPED = fileURLToPath(new URL('../../../cities/', import.meta.url));

/** Opens the file of a checked city, to locate findings and plan changes. */
export function openCityFile({ path }: { path: string }) {
  const isMapping = /\.ya?ml$/.test(path);
  const isShipped = path.startsWith(SHIPPED.endsWith(sep) ? SHIPPED : SHIPPED + sep);
  return {
    /** Whether the file is part of Shingle, so that an update replaces it. */
    isShipped,
    /** Whether the file is data. People change programs by hand. */
    isMapping,
    /** Describes the fix, with the line in `city.yaml` of the finding's word or register. */
    describeFix(source: string, { word, fix }: ShownFinding): string {
      if (!isMapping || word === undefined) return fix;
      const text = readFileSync(path, 'utf8');
      const line = findWord(text, source, word)?.line ?? findRegisterLine(text, source);
      return line === undefined ? fix : `${basename(path)}:${line}: ${fix}`;
    },
    /** Lists the lines that `--fix` would write, or none. */
    listChanges: (source: string, finding: ShownFinding): readonly string[] =>
      isMapping && !isShipped ? (planRepair({ path, source }, finding)?.lines ?? []) : [],
  };
}

/** Plans the repair of a finding. Returns `undefined` if none is known or the files already have it. */
export function planRepair(at: RegisterPlace, { repair }: ShownFinding): Edit | undefined {
  if (repair === undefined || (repair.namesLikePeople !== undefined && isToldOtherwise(at))) return undefined;
  return planTypes(at, repair) ?? planWords(at, repair);
}

/** Plans to accept a finding with a reason, so that it no longer holds a run. */
export function planAcceptance(
  { path, source }: RegisterPlace,
  { code }: ShownFinding,
  reason: string,
): Edit | undefined {
  const before = readFileSync(path, 'utf8');
  const text = addToWord(before, source, ['accepts', { [code]: reason }]);
  return describeWords({ path, source }, { before, text, words: ['accepts'] });
}

/** Explains why the edited file would not load. Returns `undefined` if it would. */
export function findEditFault({ path, text }: Edit): string | undefined {
  if (/\.csv$/i.test(path)) {
    const [fault] = readCategoryTable(Buffer.from(text)).faults;
    return fault && `${basename(path)}:${fault.line} ${fault.says}`;
  }
  return parseMapping(basename(path), text).faults[0];
}

/** Returns whether a column already determines which names are people's. A word for all rows would override it. */
function isToldOtherwise({ path, source }: RegisterPlace): boolean {
  const text = readFileSync(path, 'utf8');
  const tells = ['owner', 'person'].some((word) => readWord(text, source, word) !== undefined);
  return tells || isRecord(readWord(text, source, 'namesLikePeople'));
}

/** Marks types in the table of types, where people look for them. */
function planTypes({ path, source }: RegisterPlace, { skip: skips = [] }: Repair): Edit | undefined {
  const category = readWord(readFileSync(path, 'utf8'), source, 'category');
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

/** Decodes a table as UTF-8, or as Windows-1252, which some spreadsheets save instead. */
function decodeTable(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function planWords(at: RegisterPlace, repair: Repair): Edit | undefined {
  const before = readFileSync(at.path, 'utf8');
  const words = Object.keys(repair);
  const text = Object.entries(repair).reduce((soFar, [word, value]) => {
    if (word === 'skip' && Array.isArray(value)) return addToWord(soFar, at.source, [word, value]);
    const isSame = isDeepStrictEqual(readWord(soFar, at.source, word), toTexts(value));
    return isSame ? soFar : setWord(soFar, at.source, [word, value]);
  }, before);
  return describeWords(at, { before, text, words });
}

function describeWords(
  { path, source }: RegisterPlace,
  { before, text, words }: { before: string; text: string; words: readonly string[] },
): Edit | undefined {
  if (text === before) return undefined;
  const lines = words.flatMap((word) => {
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

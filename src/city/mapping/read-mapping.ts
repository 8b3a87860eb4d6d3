/** Reads `city.yaml` and its tables of types. Reports all their faults at once, each with its file and line. */

import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { messageOf, ShingleError } from '../../errors.ts';
import { type City, defineCity } from '../define.ts';
import { MAIL_PROVIDERS } from '../mail-providers.ts';
import { formatPath } from '../schema/check-value.ts';
import { type CategoryTable, readCategoryTable } from './category-table.ts';
import { checkMapping } from './check-mapping.ts';
import { openMappedSource } from './mapped-source.ts';
import type { CityMapping } from './mapping.ts';
import { readYaml, type TextFault, type YamlText } from './read-yaml.ts';

export type MappedCity = { city: City; files: string[] };

type Tables = { tables: Map<string, CategoryTable>; files: string[]; faults: string[] };

export function readMappedCity(path: string): MappedCity {
  const text = readFileSync(path, 'utf8');
  const { mapping, faults } = parseMapping(basename(path), text);
  const { tables, files, faults: tableFaults } = readTables(dirname(path), mapping);
  const all = [...faults, ...tableFaults];
  if (mapping === undefined || all.length > 0)
    throw new ShingleError('city', `${path} is not a valid city:\n- ${all.join('\n- ')}`);
  const { registers, ...fields } = mapping;
  const sources = registers.map(({ point, ...register }) =>
    // without boundaries, a point shows no neighborhood
    openMappedSource(mapping.boundaries && point ? { ...register, point } : register, {
      timeZone: mapping.timeZone,
      table: tables.get(register.category?.table ?? ''),
      locate: (column) => findColumnLine(basename(path), text, column),
    }),
  );
  const limits = addLargeProviders(fields.limits);
  return { city: defineCity({ ...fields, ...(limits && { limits }), sources }), files: [path, ...files] };
}

/** Adds the large mail providers to those in `city.yaml`, which cannot refer to the default list. */
function addLargeProviders(limits: CityMapping['limits']): CityMapping['limits'] {
  const domain = limits?.recipientDomain;
  if (domain?.providers === undefined) return limits;
  return { ...limits, recipientDomain: { ...domain, providers: [...MAIL_PROVIDERS, ...domain.providers] } };
}

/** Finds the first line that names a column, ignoring comments: `city.yaml:23`. */
function findColumnLine(file: string, text: string, column: string): string | undefined {
  const line = text.split('\n').findIndex((one) => !/^\s*#/.test(one) && one.includes(column));
  return line === -1 ? undefined : `${file}:${line + 1}`;
}

/** Parses a mapping or lists faults: `city.yaml:14:5 registers[0].delivers must be snapshot or changes, not "all"`. */
export function parseMapping(file: string, text: string): { mapping?: CityMapping; faults: string[] } {
  const yaml = readYaml(text);
  const { mapping, faults = [] } = yaml.value === undefined ? {} : checkMapping(yaml.value);
  const located = faults.map(({ path, says, isKey }) => ({
    ...yaml.locate(path, isKey),
    says: `${formatPath(path)} ${says}`.trimStart(),
  }));
  const all = [...yaml.faults, ...located.filter((fault) => !isSaid(fault, yaml))];
  const lines = all
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, says }) => `${file}:${line}:${column} ${says}`);
  return mapping === undefined || lines.length > 0 ? { faults: lines } : { mapping, faults: [] };
}

/** Returns whether a fault of the YAML already reports this empty value. */
function isSaid({ line, says }: TextFault, { faults }: YamlText): boolean {
  return /not "(?:~|null|Null|NULL)?"$/.test(says) && faults.some((fault) => fault.line === line);
}

function readTables(folder: string, mapping: CityMapping | undefined): Tables {
  const read: Tables = { tables: new Map(), files: [], faults: [] };
  const names = mapping?.registers.map(({ category }) => category?.table) ?? [];
  for (const name of new Set(names.filter((one) => one !== undefined))) {
    const path = isAbsolute(name) ? name : join(folder, name);
    try {
      const { table, faults } = readCategoryTable(readFileSync(path));
      read.tables.set(name, table);
      read.files.push(path);
      read.faults.push(...faults.map(({ line, says }) => `${name}:${line} ${says}`));
    } catch (error) {
      read.faults.push(`${name} cannot be read: ${messageOf(error)}`);
    }
  }
  return read;
}

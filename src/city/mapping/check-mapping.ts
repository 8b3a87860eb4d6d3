/** Checks `city.yaml`: each word and value against the schema, then the words against each other. */

import { findNearestWord } from '../../listings/edits.ts';
import { isRecord } from '../../listings/record.ts';
import { findDatedFault, isDatedName } from '../dated-names.ts';
import { type DayFormat, hasShortYear, parseDay } from '../days.ts';
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
  faults.push(...mapping.registers.flatMap((one, i) => listRegisterFaults(one, ['registers', i])));
  return faults.length > 0 ? { faults } : { mapping, faults };
}

function listRegisterFaults(register: RegisterMapping, path: Path): Fault[] {
  const days = (['filed', 'ended', 'expires'] as const).flatMap((word) => {
    const day = register[word];
    return day === undefined ? [] : listDayFaults(day, [...path, word]);
  });
  return [
    ...days,
    ...listStatusFaults(register, path),
    ...listColumnFaults(register, path),
    ...listAliasFaults(register, path),
    ...listPlaceFaults(register, path),
    ...(register.category?.table !== undefined && register.category.column === undefined
      ? [{ path: [...path, 'category', 'table'], says: 'needs column: the column of the types in the table' }]
      : []),
  ];
}

function listDayFaults({ format, pivot, unknown = [] }: DayMapping, path: Path): Fault[] {
  const formats = columnsOf(format).filter((one): one is DayFormat => one !== 'instant');
  const short = formats.find(hasShortYear);
  const isDay = (text: string) =>
    ['YYYY-MM-DD' as const, ...formats].some(
      (one) => parseDay(text, one, { pivot: pivot ?? 2099 }) !== undefined,
    );
  return [
    ...(short !== undefined && pivot === undefined
      ? [
          {
            path: [...path, 'format'],
            says: `is ${short}, so add pivot: the last year that two digits may mean`,
          },
        ]
      : []),
    ...unknown.flatMap((text, i) =>
      isDay(text)
        ? []
        : [
            {
              path: [...path, 'unknown', i],
              says: `must be a day as YYYY-MM-DD or as in the file, not "${text}"`,
            },
          ],
    ),
  ];
}

/** Finds status texts with two meanings, and a `status` without any texts. */
function listStatusFaults({ status }: RegisterMapping, path: Path): Fault[] {
  if (status === undefined) return [];
  const { column: _, ...words } = status;
  const faults: Fault[] = [];
  const seen = new Map<string, string>();
  for (const [meaning, texts = []] of Object.entries(words))
    for (const [i, text] of texts.entries()) {
      const before = seen.get(foldValue(text));
      if (before !== undefined && before !== meaning)
        faults.push({
          path: [...path, 'status', meaning, i],
          says: `is "${text}", which means ${before}, too. Keep one`,
        });
      seen.set(foldValue(text), meaning);
    }
  if (seen.size === 0)
    faults.push({ path: [...path, 'status'], says: 'gives no word a meaning. Add open: [...]' });
  return faults;
}

/** Finds columns that do not exist. With `header: none`, a file of fixed width has numbers for column names. */
function listColumnFaults(register: RegisterMapping, path: Path): Fault[] {
  const { from } = register;
  if (!('csv' in from) || from.widths === undefined || from.header !== 'none') return [];
  const names = from.widths.map((_, i) => String(i + 1));
  return listMappedColumns(register)
    .filter((column) => !names.includes(column))
    .map((column) => ({
      path: [...path, 'from', 'widths'],
      says: `has ${names.length} columns, named 1 to ${names.length}, and "${column}" is none of them`,
    }));
}

function listAliasFaults(register: RegisterMapping, path: Path): Fault[] {
  const columns = listMappedColumns(register);
  return Object.keys(register.aliases ?? {})
    .filter((column) => !columns.includes(column))
    .map((column) => {
      const nearest = findNearestWord(column, columns);
      const hint = nearest === undefined ? 'Remove the line' : `Did you mean ${nearest}?`;
      return {
        path: [...path, 'aliases', column],
        isKey: true,
        says: `is a column that no other word names. ${hint}`,
      };
    });
}

/** Finds files whose day in braces cannot be read, and a second file without a place. Only a folder can be listed. */
function listPlaceFaults({ from, join }: RegisterMapping, path: Path): Fault[] {
  const places = [
    { at: [...path, 'from'], from },
    ...(join === undefined ? [] : [{ at: [...path, 'join', 'from'], from: join.from }]),
  ];
  return places.flatMap((place) =>
    Object.entries(place.from).flatMap(([word, name]) => {
      if (typeof name !== 'string') return [];
      const isUrl = isDatedName(name) && /^https?:/i.test(name);
      const isNeeded = name === '' && place.from !== from;
      const says = isNeeded
        ? 'needs a path or a URL'
        : isUrl
          ? 'is a URL, which has no day in braces'
          : findDatedFault(name);
      return says === undefined ? [] : [{ path: [...place.at, word], says }];
    }),
  );
}

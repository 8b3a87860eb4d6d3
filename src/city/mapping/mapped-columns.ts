/** The columns that a mapping reads. */

import { columnsOf } from './cells.ts';
import type { RegisterMapping } from './mapping.ts';

/** Every column that the mapping names, once. */
export function listMappedColumns(mapping: RegisterMapping): string[] {
  const { key, name, owner, person, namesLikePeople, filed, ended, expires, status, renewals, opens } =
    mapping;
  const { category, neighborhood, address, postalCode, point, town, inside, skip: skips = [] } = mapping;
  const nested = [person, filed, ended, expires, status, renewals, opens, town, inside, ...skips];
  const found = [
    ...(typeof key === 'object' && 'nameAnd' in key ? key.nameAnd : columnsOf(key)),
    ...[name, owner, address, postalCode, category?.column, category?.naics, category?.text].flatMap(
      columnsOf,
    ),
    ...nested.map((one) => one?.column),
    ...(typeof namesLikePeople === 'object' ? [namesLikePeople.column] : []),
    ...(typeof neighborhood === 'object' ? Object.values(neighborhood).slice(0, 1) : [neighborhood]),
    ...(point === undefined ? [] : Object.values(point)),
  ];
  return [...new Set(found.filter((column) => column !== undefined))];
}

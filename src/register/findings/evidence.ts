/**
 * Collects what checks may examine: a sample of the openings, and the roles of all columns, which a survey of the first
 * rows finds without the mapping. These roles never affect what is served.
 */

import type { Day } from '../../shared/day.ts';
import type { Opening } from '../../shared/filing.ts';
import type { City, Row, Source } from '../profile/define.ts';
import type { Join } from '../rows/join.ts';
import type { CityMap } from '../rows/placing.ts';
import { type Column, describeColumns } from '../survey/columns.ts';
import { isDayColumn } from '../survey/day-columns.ts';
import { weighHeader } from '../survey/header-words.ts';
import { findRoles } from '../survey/survey.ts';
import { openTable, type Table } from '../survey/table.ts';
import type { ReadText } from './finding.ts';

export type Evidence = ReturnType<typeof gatherEvidence>;

/** A row of a sample. `cell` reads any column. `weight` is the number of rows that the sampled row represents. */
export type SampledRow = { row: Row; cell: ReadText; weight: number };
export type SampledOpening = SampledRow &
  Pick<Opening, 'key' | 'name' | 'category' | 'neighborhood' | 'status' | 'filedOn'>;

/** A register and its sampled rows. `total` is the number of all openings. */
export type SampledRegister = {
  city: City;
  source: Source;
  map: CityMap;
  join: Join | undefined;
  today: Day;
  evidence: Evidence;
  openings: readonly SampledOpening[];
  total: number;
  /** The share of the names of a year that were there in an earlier year under another key, 0 to 1. */
  knownNames: number;
  /** Rows that were skipped as people's. */
  dropped: readonly SampledRow[];
};

export function gatherEvidence(
  columns: readonly string[],
  rows: readonly ReadText[],
  { cityName, today }: { cityName: string; today: Day },
) {
  const roles = findRoles(describeColumns(tabulate(columns, rows)), { cityName, today, choices: {} });
  const { candidates, days, address, town, postalCode, point } = roles;
  const texts = roles.columns.filter((column) => !isDayColumn(column));
  const isNumber = ({ header, distinct, rows: all }: Column) =>
    weighHeader(header, 'key') > 0 && distinct > all * 0.3;
  const lines = roles.columns.filter(isLineOf(address));
  const lists = {
    /** The columns of the address: its lines, and the town or postal code. A town alone is no address. */
    address: lines.length === 0 ? [] : namesOf([...lines, town?.column ?? postalCode]),
    names: namesOf(candidates.name?.slice(0, 2) ?? []),
    owners: namesOf(roles.owners.slice(0, 4)),
    /** Columns with types of license or business. */
    types: namesOf(
      [roles.types.naics, ...(candidates.category ?? [])].filter((one) => one && one.letters > 0.5),
    ),
    numbers: namesOf(texts.filter(isNumber)),
  };
  const placing = [...address, town?.column, postalCode, point?.longitude, point?.latitude, roles.states];
  const { inside, person, status, counties } = roles;
  const single = [inside?.column, person?.column, status, counties, ...days, ...placing];
  return { ...lists, roles, columns: new Set([...Object.values(lists).flat(), ...namesOf(single)]) };
}

/** Returns a function that tests whether a column is in the address or is another line of it, such as `address_2`. */
function isLineOf(address: readonly Column[]): (column: Column) => boolean {
  const stem = ({ name }: Column) => name.toLowerCase().replace(/\d+/, '#');
  const stems = new Set(address.map(stem));
  return (column) => address.includes(column) || (/\d/.test(column.name) && stems.has(stem(column)));
}

function namesOf(columns: readonly (Column | undefined)[]): string[] {
  return columns.flatMap((column) => column?.name ?? []);
}

function tabulate(columns: readonly string[], rows: readonly ReadText[]): Table {
  const table = openTable();
  const addRow = table.openRows(columns);
  for (const cell of rows) addRow((at) => cell(columns[at]!));
  return table.close();
}

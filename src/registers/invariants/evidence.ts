/**
 * Surveys the first rows to guess what columns contain, declared or not, like drafting a mapping. Does not use the
 * mapping. These roles never affect what is served.
 */

import type { Day } from '../../listings/day.ts';
import type { DayColumn } from '../days.ts';
import { forbidsRole, weighHeader } from '../header-words.ts';
import { isElsewhere, type LocationRoles } from '../locations.ts';
import type { PersonColumn } from '../names.ts';
import { findRoles } from '../roles.ts';
import { type Column, shareOf, surveyTable } from '../survey.ts';
import { openTable, type Table } from '../table.ts';
import type { ReadText } from './finding.ts';

export type Evidence = {
  location: LocationRoles;
  /** The columns that form one address: its lines, and the town or postal code. */
  address: readonly string[];
  /** The state's column, whose rows are compared with the most frequent state. */
  state: string | undefined;
  /** A yes/no column for businesses inside the city. `values` mean "inside". */
  inside: { column: string; values: readonly string[] } | undefined;
  names: readonly string[];
  owners: readonly string[];
  /** Whether headers are in English. Otherwise, the shape of a name does not show whether it is a person's. */
  isEnglish: boolean;
  person: { column: string; values: ReadonlySet<string>; companies: ReadonlySet<string> } | undefined;
  days: readonly DayColumn[];
  /** Columns with two-digit years. */
  shortYears: readonly string[];
  expires: DayColumn | undefined;
  status: string | undefined;
  /** Columns with few, frequent texts: kinds of license or business. */
  types: readonly string[];
  /** Columns with numbers of licenses and accounts. */
  numbers: readonly string[];
  /** All columns that checks may read. */
  columns: ReadonlySet<string>;
};

export function gatherEvidence(
  columns: readonly string[],
  rows: readonly ReadText[],
  { cityName, today }: { cityName: string; today: Day },
): Evidence {
  const survey = surveyTable(tabulate(columns, rows));
  const roles = findRoles(survey, { cityName, today, choices: {} });
  const { candidates, days, types, status, person, inside, address, town, counties, postalCode, point } =
    roles;
  const dayColumns = days.all.map(({ column }) => column);
  const texts = survey.columns.filter((column) => !dayColumns.includes(column));
  const state = findStateColumn(texts);
  const isNumber = ({ header, distinct, rows: all }: Column) =>
    weighHeader(header, 'key') > 0 && distinct > all * 0.3;
  const lists = {
    address: namesOf([...survey.columns.filter(isLineOf(address)), town?.column ?? postalCode]),
    names: namesOf(candidates.name?.slice(0, 2) ?? []),
    owners: namesOf(roles.owners.slice(0, 4)),
    shortYears: namesOf(survey.columns.filter(hasShortYears)),
    types: namesOf([types.naics, ...(candidates.category ?? [])].filter((one) => one && one.letters > 0.5)),
    numbers: namesOf(texts.filter(isNumber)),
  };
  const placing = [...address, town?.column, postalCode, point?.longitude, point?.latitude, state];
  const single = [inside?.column, person?.column, status, counties, ...dayColumns, ...placing];
  return {
    ...lists,
    columns: new Set([...Object.values(lists).flat(), ...namesOf(single)]),
    location: roles,
    state: state?.name,
    inside: inside && { column: inside.column.name, values: inside.values },
    isEnglish: roles.isEnglish,
    person: person && describePerson(person),
    days: days.all,
    expires: days.expires[0]?.day,
    status: status?.name,
  };
}

/** Returns a test of whether a column is one of these or another line of it: `address_2` of `address_1`. */
function isLineOf(address: readonly Column[]): (column: Column) => boolean {
  const stem = ({ name }: Column) => name.toLowerCase().replace(/\d+/, '#');
  const stems = new Set(address.map(stem));
  return (column) => address.includes(column) || (/\d/.test(column.name) && stems.has(stem(column)));
}

function namesOf(columns: readonly (Column | undefined)[]): string[] {
  return columns.flatMap((column) => column?.name ?? []);
}

/** Separates values that mean "person" from all others. */
function describePerson({ column, values }: PersonColumn): NonNullable<Evidence['person']> {
  const people = new Set(values.filter((text) => text !== ''));
  const companies = new Set(column.values.map(([text]) => text).filter((text) => !people.has(text)));
  return { column: column.name, values: people, companies };
}

function findStateColumn(columns: readonly Column[]): Column | undefined {
  return columns.find(
    (column) =>
      weighHeader(column.header, 'state') > 0 &&
      !isElsewhere(column) &&
      column.filled > 0.2 &&
      column.distinct < 80 &&
      shareOf(column, (text) => /^[a-z]{2}\.?$/i.test(text)) > 0.9,
  );
}

function hasShortYears(column: Column): boolean {
  const isShort = shareOf(column, (text) => /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?:$|[ T])/.test(text)) > 0.9;
  return isShort && column.distinct > 0 && !forbidsRole(column.header, 'filed');
}

/** Converts the rows to a table for the survey. */
function tabulate(columns: readonly string[], rows: readonly ReadText[]): Table {
  const table = openTable();
  const addRow = table.openRows(columns);
  for (const cell of rows) addRow((at) => cell(columns[at]!));
  return table.close();
}

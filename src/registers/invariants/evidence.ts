/**
 * What the columns of a register seem to hold, declared or not: the same survey that drafts a mapping, of the first rows. A role here
 * never decides what is served, and the mapping is not asked.
 */

import type { Day } from '../../listings/day.ts';
import { findTypes } from '../business-types.ts';
import { type DayColumn, findDayRoles } from '../days.ts';
import { areEnglish, forbidsRole, weighHeader } from '../header-words.ts';
import { findOwners, findPersonColumn, type PersonColumn, rankNames } from '../names.ts';
import { findPlaces, isElsewhere, type PlaceRoles } from '../places.ts';
import { rankStatuses } from '../statuses.ts';
import { type Column, shareOf, surveyTable } from '../survey.ts';
import type { Table } from '../table.ts';
import type { ReadText } from './finding.ts';

export type Evidence = {
  places: PlaceRoles;
  /** The columns of the state, to compare with the state of most rows. */
  state: string | undefined;
  /** Says in yes or no whether the business lies outside; `values` are those inside. */
  inside: { column: string; values: readonly string[] } | undefined;
  names: readonly string[];
  owners: readonly string[];
  /** Names in English are told from people's by their shape. */
  isEnglish: boolean;
  person: { column: string; values: ReadonlySet<string>; companies: ReadonlySet<string> } | undefined;
  days: readonly DayColumn[];
  /** Columns whose days have two-digit years. */
  shortYears: readonly string[];
  expires: DayColumn | undefined;
  status: string | undefined;
  /** Few different texts, many times: what kind of licence or business it is. */
  types: readonly string[];
  /** Numbers of licences and accounts. */
  numbers: readonly string[];
};

export function gatherEvidence(
  columns: readonly string[],
  rows: readonly ReadText[],
  { cityName, today }: { cityName: string; today: Day },
): Evidence {
  const survey = surveyTable(tabulate(columns, rows));
  const days = findDayRoles(survey.columns, today);
  const isDay = new Set(days.all.map(({ column }) => column));
  const texts = survey.columns.filter((column) => !isDay.has(column));
  const names = rankNames(texts);
  const owners = findOwners(texts, names[0]?.column);
  const person = findPersonColumn(texts);
  const places = findPlaces(texts, cityName);
  const status = rankStatuses(texts)[0]?.column;
  const taken = new Set([
    ...owners,
    names[0]?.column,
    person?.column,
    status,
    ...places.address,
    places.town?.column,
  ]);
  const { ranked, naics } = findTypes(texts, taken);
  const types = [naics, ...ranked.map(({ column }) => column)].filter((one) => one !== undefined);
  return {
    places,
    state: findStateColumn(texts)?.name,
    inside: places.inside && { column: places.inside.column.name, values: places.inside.values },
    names: names.slice(0, 2).map(({ column }) => column.name),
    owners: owners.slice(0, 4).map(({ name }) => name),
    isEnglish: areEnglish(survey.columns.map(({ header }) => header)),
    person: person && describePerson(person),
    days: days.all,
    shortYears: survey.columns.filter(hasShortYears).map(({ name }) => name),
    expires: days.expires[0]?.day,
    status: status?.name,
    types: types.filter((one) => one.letters > 0.5).map(({ name }) => name),
    numbers: texts
      .filter(({ header, distinct, rows: all }) => weighHeader(header, 'key') > 0 && distinct > all * 0.3)
      .map(({ name }) => name),
  };
}

/** Values that say "person", and those that say anything else. */
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

/** The rows as a table that can be surveyed. */
function tabulate(columns: readonly string[], rows: readonly ReadText[]): Table {
  return {
    rows: rows.length,
    total: rows.length,
    columns: columns.map((name) => {
      const texts = [''];
      const known = new Map([['', 0]]);
      const codes = Uint32Array.from(rows, (cell) => {
        const text = cell(name);
        const code = known.get(text) ?? texts.push(text) - 1;
        known.set(text, code);
        return code;
      });
      const counts = new Uint32Array(texts.length);
      for (const code of codes) counts[code]!++;
      return { name, texts, codes, counts, tail: new Uint32Array(0) };
    }),
  };
}

/** All columns that a check may read. */
export function listEvidenceColumns(evidence: Evidence): ReadonlySet<string> {
  const { places, state, inside, person, status, expires } = evidence;
  const { address, town, postalCode, point } = places;
  const columns = [...address, town?.column, postalCode, point?.longitude, point?.latitude].map(
    (one) => one?.name,
  );
  const single = [state, inside?.column, person?.column, status, expires?.column.name, ...columns];
  return new Set([
    ...single.filter((column) => column !== undefined),
    ...[
      ...evidence.names,
      ...evidence.owners,
      ...evidence.shortYears,
      ...evidence.types,
      ...evidence.numbers,
    ],
    ...evidence.days.map(({ column }) => column.name),
  ]);
}

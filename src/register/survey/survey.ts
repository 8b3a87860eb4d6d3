/**
 * Surveys an unknown register: finds the role of each column, such as the name or the day of the first filing. Step by step, each in
 * its file. A step chooses by the cells and by what headers mean in many languages, and a person may choose otherwise:
 *
 * | step | file | decides on |
 * |---|---|---|
 * | the file is read | `read-table.ts`, `table.ts` | format, encoding, header and sheet (`../layout/`) |
 * | columns are measured | `columns.ts`, `header-words.ts` | nothing: how full and varied they are, and what their headers mean |
 * | days | `day-formats.ts` | which columns have days, and how they are written |
 * | status | `statuses.ts` | the status of each row, and which businesses never opened |
 * | first filing | `day-columns.ts`, `day-evidence.ts` | its day, by headers and by what the days are to each other |
 * | names | `name-columns.ts` | trade and legal names, owners, and whether the shape of a name shows a person |
 * | places | `locations.ts`, `regions.ts` | address, town, neighborhood, postal code, point, state and time zone |
 * | renewals | `statuses.ts` | which rows are no new business |
 * | types | `business-types.ts` | codes and types that lead to categories |
 * | key | `key-columns.ts` | what identifies a business, tried on all rows |
 *
 * `role-choices.ts` has what a person chose, and `role-table.ts` shows a person what was chosen and why. `../writing/` then writes the
 * profile. The findings on a known register (`../findings/`) use the same survey.
 */

import type { Day } from '../../shared/day.ts';
import { findTypes } from './business-types.ts';
import { type Column, listColumns, type Ranked, rankColumns } from './columns.ts';
import {
  type DayColumn,
  isDayColumn,
  isFirstDay,
  markEarlySteps,
  rankFiled,
  readDayColumns,
  relateColumns,
} from './day-columns.ts';
import {
  type DayRelation,
  DOUBTS,
  findRenewalSigns,
  listUnknownDays,
  type RenewalSign,
} from './day-evidence.ts';
import { weighHeader } from './header-words.ts';
import { findKey } from './key-columns.ts';
import { findLocations, type LocationRoles } from './locations.ts';
import {
  canJudge,
  chooseShapeRule,
  findFallbacks,
  findOwners,
  findPersonColumn,
  rankNames,
} from './name-columns.ts';
import { type Choices, type Choosing, type ChosenRole, openChoices } from './role-choices.ts';
import { listRowsThatOpened, rankRenewals, rankStatuses } from './statuses.ts';

export type Roles = ReturnType<typeof findRoles>;

export type RoleOptions = {
  today: Day;
  choices: Choices;
  cityName: string | undefined;
};

/** Finds the roles of measured columns. Columns that an earlier step has taken are no candidates of a later one. */
export function findRoles(survey: readonly Column[], { today, choices, cityName }: RoleOptions) {
  const columns = readDayColumns(survey, today);
  const choosing = openChoices(columns, choices);
  const { chooseBest, chooseAll, candidates } = choosing;
  const texts = columns.filter((column) => !isDayColumn(column));
  const status = chooseBest('status', listColumns(rankStatuses(texts)));
  const days = markEarlySteps(columns.filter(isDayColumn), status && listRowsThatOpened(status));
  const rankedDays = rankFiled(days);
  const { filed, expires, ended } = chooseDays(days, rankedDays, choosing);
  const rankedNames = rankNames(texts);
  const { names, owners } = chooseNames(texts, status, rankedNames, choosing);
  const location = findLocations(texts, cityName, choosing);
  const isFirst = filed !== undefined && isFirstDay(filed);
  const renewals = chooseBest('renewals', listColumns(rankRenewals(texts, isFirst)));
  const person = findPersonColumn(texts);
  const taken = new Set([status, renewals, ...names, ...owners, person?.column, location.neighborhood]);
  const types = findTypes(texts, taken);
  const typeColumns = chooseAll('category', types.columns, types.ranked);
  const chosenOwners = chooseAll('owner', owners, owners);
  const hasOthers = names.length > 1 || person !== undefined || chosenOwners.some((one) => one !== names[0]);
  const judgesShape = names[0] !== undefined && canJudge(names[0]);
  const rival = filed && findRival(filed, rankedDays);
  const unknown = new Set(filed && listUnknownDays(filed).map(([day]) => day));
  const renewalSigns = findRenewalSigns(filed?.days.filter(([day]) => !unknown.has(day)) ?? []);
  return {
    ...location,
    columns,
    days,
    candidates,
    choices,
    /** Roles that a person should confirm. */
    uncertain: listUncertain(rankedNames, rankedDays, { choices, rival, renewalSigns, ...location }),
    /** Whether the shape of a name shows that it is a person's. It does not in languages without word lists. */
    judgesShape,
    /** The columns that name the business. For each row, the first one that is not empty counts. */
    names,
    owners: chosenOwners,
    person,
    /** The rule for names that look like a person's. It is `keep` if other columns show which names are people's. */
    shapeRule: chooseShapeRule(names, { types: typeColumns[0], judgesShape, hasOthers, person }),
    filed,
    /** Another date column that is earlier, and what its days are. */
    rival,
    /** Signs that the filing dates are those of renewals. */
    renewalSigns,
    expires,
    ended,
    status,
    renewals,
    types: { ...types, columns: typeColumns },
    key: findKey({ columns, names, filed, ...findPremises(location) }, chooseBest('key', [])),
  };
}

/** The end of a license, which at least this share of the rows has, is not a closure. */
const NEARLY_ALL = 0.9;

function chooseDays(
  days: readonly DayColumn[],
  rankedFiled: Ranked<DayColumn>,
  { chooseBest }: Choosing,
): Partial<Record<'filed' | 'expires' | 'ended', DayColumn | undefined>> {
  const choose = (role: 'filed' | 'expires' | 'ended', ranked: Ranked, ...taken: unknown[]) => {
    const free = listColumns(ranked).filter((one) => !taken.includes(one));
    const column = chooseBest(role, free);
    return isDayColumn(column) ? column : undefined;
  };
  const ends = rankColumns(days, 'ended');
  const isTerm = ({ column }: { column: Column }) => column.filled > NEARLY_ALL;
  const filed = choose('filed', rankedFiled);
  const expires = choose('expires', [...rankColumns(days, 'expires'), ...ends.filter(isTerm)], filed);
  const closures = ends.filter((one) => !isTerm(one));
  return { filed, expires, ended: choose('ended', closures, filed, expires) };
}

function chooseNames(
  texts: readonly Column[],
  status: Column | undefined,
  ranked: Ranked,
  { choose, chooseBest }: Choosing,
) {
  const all = listColumns(ranked);
  const name = chooseBest('name', all);
  const owners = findOwners(
    texts.filter((one) => one !== status),
    name,
  );
  const fallbacks = name === undefined ? [] : findFallbacks(name, ranked, owners);
  const others = all.filter((one) => one !== name);
  const legalName = choose('legal-name', fallbacks[0], others);
  const names = [name, legalName, ...fallbacks.slice(1)].filter((one) => one !== undefined);
  return { names, owners };
}

type Doubts = {
  choices: Choices;
  rival: Rival | undefined;
  renewalSigns: readonly RenewalSign[];
  needsTown: boolean;
};

/** Headers of less weight say too little of a name or a first filing, and one of a sure name outweighs a rival. */
const [DOUBTED_NAME, SURE_NAME, DOUBTED_FILED] = [5, 8, 4];
/** Another column of days is a rival only if so many rows have it. */
const LEAST_OF_RIVAL = 0.8;

/** Lists roles to confirm: their second-best column is almost as good, or their header says little. */
function listUncertain(
  names: Ranked,
  filed: Ranked<DayColumn>,
  { choices, rival, renewalSigns, needsTown }: Doubts,
): Set<ChosenRole> {
  const [name, nextName] = names;
  const weight = name === undefined ? 0 : weighHeader(name.column.header, 'name');
  const hasRival =
    nextName !== undefined && Math.floor(nextName.score) >= Math.floor(name!.score) && weight < SURE_NAME;
  const [first, second] = filed;
  const isClose =
    second !== undefined &&
    second.score >= DOUBTED_FILED &&
    second.column.filled > LEAST_OF_RIVAL &&
    rival?.relation.kind !== 'application';
  const doubts: [ChosenRole, boolean][] = [
    ['name', weight < DOUBTED_NAME || hasRival],
    ['town', needsTown],
    [
      'filed',
      first === undefined || first.score < DOUBTED_FILED || first.column.days.length === 1 || isClose,
    ],
  ];
  const open = doubts.filter(([role, isOpen]) => isOpen && choices[role] === undefined).map(([role]) => role);
  // the days speak against a chosen column, too
  return new Set<ChosenRole>(
    renewalSigns.length > 0 || rival?.relation.kind === 'first' ? [...open, 'filed'] : open,
  );
}

function findPremises({ address, point, postalCode, town }: LocationRoles) {
  const exact = address.length > 0 ? address : point === undefined ? [] : [point.longitude, point.latitude];
  const rough = [postalCode, town?.column].filter((column) => column !== undefined);
  const areExact = exact.length > 0;
  return { premises: [...new Set(areExact ? exact : rough)], areExact };
}

export type Rival = { column: DayColumn; relation: DayRelation };

/** Finds the column with earlier days that casts most doubt on the filing date. */
function findRival(filed: DayColumn, ranked: Ranked<DayColumn>): Rival | undefined {
  const related = ranked
    .filter(({ column }) => column !== filed && column.filled > LEAST_OF_RIVAL && !column.isEarlyStep)
    .map(({ column }) => ({ column, relation: relateColumns(column, filed) }));
  return DOUBTS.flatMap((kind) => related.find(({ relation }) => relation.kind === kind) ?? [])[0];
}

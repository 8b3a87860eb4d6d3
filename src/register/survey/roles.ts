/** Assigns columns of a register to roles, by content and header or as a person chooses. */

import type { Day } from '../../shared/day.ts';
import { findTypes } from './business-types.ts';
import {
  type DayColumn,
  isDayColumn,
  isFirstDay,
  listUnknownDays,
  markEarlySteps,
  rankFiled,
  readDayColumns,
  relateColumns,
} from './day-columns.ts';
import { type DayRelation, DOUBTS, findRenewalSigns, type RenewalSign } from './day-evidence.ts';
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
import { type Choices, type ChosenRole, openChoices } from './role-choices.ts';
import { listRowsThatOpened, rankRenewals, rankStatuses } from './statuses.ts';
import { type Column, listColumns, type Ranked, rankColumns } from './survey.ts';

export type Roles = ReturnType<typeof findRoles>;

export type RoleOptions = {
  today: Day;
  choices: Choices;
  cityName: string | undefined;
};

const NEARLY_ALL = 0.9;

export function findRoles(survey: readonly Column[], { today, choices, cityName }: RoleOptions) {
  const columns = readDayColumns(survey, today);
  const choosing = openChoices(columns, choices);
  const { choose, chooseBest, chooseAll, candidates } = choosing;
  const texts = columns.filter((column) => !isDayColumn(column));
  const status = chooseBest('status', listColumns(rankStatuses(texts)));
  const days = markEarlySteps(columns.filter(isDayColumn), status && listRowsThatOpened(status));
  const rankedDays = rankFiled(days);
  const chooseDay = (role: 'filed' | 'expires' | 'ended', ranked: Ranked, ...taken: unknown[]) => {
    const column = chooseBest(
      role,
      listColumns(ranked).filter((one) => !taken.includes(one)),
    );
    return isDayColumn(column) ? column : undefined;
  };
  const filed = chooseDay('filed', rankedDays);
  // the end of a license, which nearly all have, is not a closure
  const ends = rankColumns(days, 'ended');
  const terms = ends.filter(({ column }) => column.filled > NEARLY_ALL);
  const expires = chooseDay('expires', [...rankColumns(days, 'expires'), ...terms], filed);
  const ended = chooseDay(
    'ended',
    ends.filter((one) => !terms.includes(one)),
    filed,
    expires,
  );

  const rankedNames = rankNames(texts);
  const allNames = listColumns(rankedNames);
  const name = chooseBest('name', allNames);
  const owners = findOwners(
    texts.filter((one) => one !== status),
    name,
  );
  const fallbacks = name === undefined ? [] : findFallbacks(name, rankedNames, owners);
  const others = allNames.filter((one) => one !== name);
  const legalName = choose('legal-name', fallbacks[0], others);
  const names = [name, legalName, ...fallbacks.slice(1)].filter((one) => one !== undefined);

  const location = findLocations(texts, cityName, choosing);
  const isFirst = filed !== undefined && isFirstDay(filed);
  const renewals = chooseBest('renewals', listColumns(rankRenewals(texts, isFirst)));

  const person = findPersonColumn(texts);
  const { neighborhood } = location;
  const taken = new Set([status, renewals, ...names, ...owners, person?.column, neighborhood]);
  const types = findTypes(texts, taken);
  const typeColumns = chooseAll('category', types.columns, types.ranked);
  const chosenOwners = chooseAll('owner', owners, owners);
  const hasOthers = names.length > 1 || person !== undefined || chosenOwners.some((one) => one !== names[0]);
  const judgesShape = name !== undefined && canJudge(name);
  const clues = { columns, names, filed, ...findPremises(location) };
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
    key: findKey(clues, chooseBest('key', [])),
  };
}

type Doubts = {
  choices: Choices;
  rival: Rival | undefined;
  renewalSigns: readonly RenewalSign[];
  needsTown: boolean;
};

/** Lists roles to confirm: their second-best column is almost as good, or their header says little. */
function listUncertain(
  names: Ranked,
  filed: Ranked<DayColumn>,
  { choices, rival, renewalSigns, needsTown }: Doubts,
): Set<ChosenRole> {
  const [name, nextName] = names;
  const weight = name === undefined ? 0 : weighHeader(name.column.header, 'name');
  const hasRival =
    nextName !== undefined && Math.floor(nextName.score) >= Math.floor(name!.score) && weight < 8;
  const [first, second] = filed;
  const isClose =
    second !== undefined &&
    second.score >= 4 &&
    second.column.filled > 0.8 &&
    rival?.relation.kind !== 'application';
  const doubts: [ChosenRole, boolean][] = [
    ['name', weight < 5 || hasRival],
    ['town', needsTown],
    ['filed', first === undefined || first.score < 4 || first.column.days.length === 1 || isClose],
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
    .filter(({ column }) => column !== filed && column.filled > 0.8 && !column.isEarlyStep)
    .map(({ column }) => ({ column, relation: relateColumns(column, filed) }));
  return DOUBTS.flatMap((kind) => related.find(({ relation }) => relation.kind === kind) ?? [])[0];
}

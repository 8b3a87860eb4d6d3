/** Assigns columns of a register to roles, by content and header or as a person chooses. */

import type { Day } from '../listings/day.ts';
import { findTypes } from './business-types.ts';
import { compareDays, type DayColumn, findDayRoles, isFirstDay } from './days.ts';
import { areEnglish, weighHeader } from './header-words.ts';
import { findKey } from './keys.ts';
import {
  findLocations,
  findMiddle,
  findNearestState,
  type LocationRoles,
  readTownRole,
} from './locations.ts';
import { chooseShapeRule, findFallbacks, findOwners, findPersonColumn, rankNames } from './names.ts';
import { rankRenewals, rankStatuses } from './statuses.ts';
import type { Column, Ranked, Survey } from './survey.ts';

/** Roles that a person can assign to another column, or to none. */
export const CHOSEN_ROLES = [
  'name',
  'legal-name',
  'owner',
  'filed',
  'expires',
  'ended',
  'status',
  'renewals',
  'category',
  'neighborhood',
  'address',
  'town',
  'postal-code',
  'key',
] as const;
export type ChosenRole = (typeof CHOSEN_ROLES)[number];

export type Choices = Readonly<Partial<Record<ChosenRole, string>>>;

export type Roles = ReturnType<typeof findRoles>;

export type RoleOptions = {
  today: Day;
  choices: Choices;
  cityName: string | undefined;
};

/** Finds the columns of all roles. An unknown choice means "none": callers check choices with `listUnknownChoices`. */
export function findRoles(survey: Survey, { today, choices, cityName }: RoleOptions) {
  const { columns } = survey;
  const { choose, chooseFirst, chooseAll, candidates } = openChoice(columns, choices);
  const days = findDayRoles(columns, today);
  const chooseDay = (role: 'filed' | 'expires' | 'ended', ranked: Ranked, ...taken: unknown[]) => {
    const column = chooseFirst(
      role,
      ranked.filter((one) => !taken.includes(one.column)),
    );
    return days.all.find(({ index }) => index === column?.index);
  };
  const filed = chooseDay('filed', days.filed);
  const expires = chooseDay('expires', days.expires, filed);
  const texts = columns.filter((column) => days.all.every(({ index }) => index !== column.index));

  const rankedNames = rankNames(texts);
  const name = chooseFirst('name', rankedNames);
  const owners = findOwners(texts, name);
  const fallbacks = name === undefined ? [] : findFallbacks(name, rankedNames, owners);
  const otherNames = listColumns(rankedNames).filter((one) => one !== name);
  const legalName = choose('legal-name', fallbacks[0], otherNames);
  const names = [name, legalName, ...fallbacks.slice(1)].filter((one) => one !== undefined);

  const found = findLocations(texts, cityName);
  const town = choose('town', found.town?.column, listColumns(found.towns));
  const location: LocationRoles = {
    ...found,
    town: town === found.town?.column ? found.town : town && readTownRole(town, cityName),
    address: chooseAll('address', found.address, listColumns(found.addresses)),
    postalCode: choose('postal-code', found.postalCode),
  };
  const area = location.areas[0]?.column ?? townsOfACounty(location, cityName);
  const neighborhood = choose('neighborhood', area, listColumns(location.areas));

  const status = chooseFirst('status', rankStatuses(texts));
  const isFirst = filed !== undefined && isFirstDay(filed);
  const renewals = chooseFirst('renewals', rankRenewals(texts, isFirst));

  const person = findPersonColumn(texts);
  const taken = new Set([status, renewals, ...names, ...owners, person?.column, neighborhood]);
  const types = findTypes(texts, taken);
  const typeColumns = chooseAll('category', types.columns, listColumns(types.ranked));
  const clues = { columns, names, filed, ...findPremises(location) };
  const chosenOwners = chooseAll('owner', owners, owners);
  const hasOthers = names.length > 1 || person !== undefined || chosenOwners.some((one) => one !== names[0]);
  /** Whether headers are in English. Otherwise the shape of a name does not show whether it is a person's. */
  const isEnglish = areEnglish(columns.map(({ header }) => header));
  return {
    ...location,
    survey,
    days,
    /** Candidates for each role, best first, regardless of choices. */
    candidates,
    /** Roles that a person should confirm. */
    uncertain: listUncertain(rankedNames, days.filed, choices),
    isEnglish,
    /** The columns that name the business. For each row, the first one that is not empty counts. */
    names,
    owners: chosenOwners,
    person,
    /** The rule for names that look like a person's. It is `keep` if other columns show which names are people's. */
    shapeRule: chooseShapeRule(name, { types: typeColumns[0], isEnglish, hasOthers }),
    filed,
    expires,
    ended: chooseDay('ended', days.ended, filed, expires), // the end of a license is not a closure
    status,
    renewals,
    types: { ...types, columns: typeColumns },
    neighborhood,
    key: findKey(clues, choose('key', undefined)),
    timeZone: (location.state ?? findStateByPoint(location))?.timeZone,
  };
}

function openChoice(columns: readonly Column[], choices: Choices) {
  const candidates: Partial<Record<ChosenRole, readonly Column[]>> = {};
  function choose(role: ChosenRole, guess: Column | undefined, ranked: readonly Column[] = []) {
    candidates[role] = ranked.length > 0 || guess === undefined ? ranked : [guess];
    const choice = choices[role];
    return choice === undefined ? guess : columns.find(({ name }) => name === choice && name !== 'none');
  }
  return {
    candidates,
    choose,
    chooseFirst: (role: ChosenRole, ranked: Ranked) => choose(role, ranked[0]?.column, listColumns(ranked)),
    /** Chooses all columns of a role. If a person chooses the first guess, keeps the other guesses, too. */
    chooseAll(role: ChosenRole, guess: readonly Column[], others: readonly Column[]): readonly Column[] {
      const chosen = choose(role, guess[0], others);
      return chosen === undefined ? [] : chosen === guess[0] ? guess : [chosen];
    },
  };
}

export function listUnknownChoices({ columns }: Survey, choices: Choices): string[] {
  return Object.values(choices).filter(
    (choice) => choice !== 'none' && !columns.some(({ name }) => name === choice),
  );
}

/** Returns the town column if the register covers a county and no town is the city, so that people search by town. */
function townsOfACounty({ town, address }: LocationRoles, cityName: string | undefined): Column | undefined {
  const isCounty =
    cityName === undefined || /\b(?:county|parish|landkreis|d[eé]partement|provinc)/i.test(cityName);
  if (!isCounty || town === undefined || address.includes(town.column)) return undefined;
  return town.keep.length === 0 && town.column.distinct > 1 ? town.column : undefined;
}

function listColumns(ranked: Ranked): Column[] {
  return ranked.map(({ column }) => column).slice(0, 5);
}

/** Lists roles to confirm: their second-best column is almost as good, or their header says little. */
function listUncertain(names: Ranked, filed: Ranked, choices: Choices): Set<ChosenRole> {
  const [name, nextName] = names;
  const weight = name === undefined ? 0 : weighHeader(name.column.header, 'name');
  const hasRival =
    nextName !== undefined && Math.floor(nextName.score) >= Math.floor(name!.score) && weight < 8;
  const [first, second] = filed;
  const isClose = second !== undefined && second.score >= 4 && second.column.filled > 0.8;
  const doubts: [ChosenRole, boolean][] = [
    ['name', weight < 5 || hasRival],
    ['filed', first === undefined || first.score < 4 || isClose],
  ];
  return new Set(
    doubts.filter(([role, isOpen]) => isOpen && choices[role] === undefined).map(([role]) => role),
  );
}

/** Finds the columns that distinguish premises: the address, or the point, or the postal code and town. */
function findPremises({ address, point, postalCode, town }: LocationRoles) {
  const exact = address.length > 0 ? address : point === undefined ? [] : [point.longitude, point.latitude];
  const rough = [postalCode, town?.column].filter((column) => column !== undefined);
  const areExact = exact.length > 0;
  return { premises: [...new Set(areExact ? exact : rough)], areExact };
}

function findStateByPoint({ point }: LocationRoles) {
  const middle = point && findMiddle(point);
  return middle && findNearestState(middle);
}

/** Finds another date column that may be the first filing, because it is earlier on most rows. */
export function findRival({ filed, days }: Pick<Roles, 'filed' | 'days'>): DayColumn | undefined {
  if (filed === undefined) return undefined;
  return days.filed.find(
    ({ column, score }) =>
      column !== filed &&
      score >= 4 &&
      column.filled > 0.8 &&
      compareDays(column, filed).rows > filed.rows * 0.05,
  )?.column;
}

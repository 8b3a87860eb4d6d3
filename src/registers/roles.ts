/** Assigns columns of an unknown register to roles: the best candidates by content and header, or people's choices. */

import type { Day } from '../listings/day.ts';
import { findTypes, type TypeRoles } from './business-types.ts';
import {
  compareDays,
  type DayColumn,
  type DayRoles,
  findDayRoles,
  isFirstDay,
  type RankedDays,
} from './days.ts';
import { areEnglish, weighHeader } from './header-words.ts';
import { describeChosenKey, findKey, type KeyClues, type KeyRole } from './keys.ts';
import { findLocations, findMiddle, type LocationRoles, listPoints, readTownRole } from './locations.ts';
import {
  chooseShapeRule,
  findFallbacks,
  findOwners,
  findPersonColumn,
  type PersonColumn,
  rankNames,
} from './names.ts';
import { rankRenewals, rankStatuses } from './statuses.ts';
import type { Column, Ranked, Survey } from './survey.ts';
import { findNearestState } from './zones.ts';

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

/** The header of a column, or `none`. */
export type Choices = Readonly<Partial<Record<ChosenRole, string>>>;

export type Roles = LocationRoles & {
  survey: Survey;
  days: DayRoles;
  /** Candidates for each role, best first, regardless of choices. */
  candidates: Readonly<Partial<Record<ChosenRole, readonly Column[]>>>;
  /** Roles that a person should confirm. */
  uncertain: ReadonlySet<ChosenRole>;
  /** Whether headers are in English. Only then does the shape of a name show whether it is a person's. */
  isEnglish: boolean;
  /** The columns that name the business. The first non-empty one counts. */
  names: readonly Column[];
  owners: readonly Column[];
  person: PersonColumn | undefined;
  shapeRule: ReturnType<typeof chooseShapeRule>;
  filed: DayColumn | undefined;
  expires: DayColumn | undefined;
  ended: DayColumn | undefined;
  status: Column | undefined;
  renewals: Column | undefined;
  types: TypeRoles;
  neighborhood: Column | undefined;
  key: KeyRole;
  timeZone: string | undefined;
  /** Whether the points determined the time zone, by the nearest state, because no column has the state. */
  isZoneByPoint: boolean;
};

export type RoleOptions = {
  today: Day;
  choices: Choices;
  /** The city's name, if given by the operator. */
  cityName: string | undefined;
};

/** Finds the columns of all roles. An unknown choice means "none": callers check choices with `listUnknownChoices`. */
export function findRoles(survey: Survey, { today, choices, cityName }: RoleOptions): Roles {
  const { columns } = survey;
  const { choose, chooseAll, candidates } = openChoice(columns, choices);
  const days = findDayRoles(columns, today);
  const chooseDay = (role: 'filed' | 'expires' | 'ended', ranked: RankedDays, taken?: Column) => {
    const found = ranked.map(({ day }) => day.column);
    const column = choose(
      role,
      found.find((one) => one !== taken),
      found,
    );
    return days.all.find((day) => day.column === column);
  };
  const filed = chooseDay('filed', days.filed);
  const expires = chooseDay('expires', days.expires, filed?.column);
  const isDay = new Set(days.all.map(({ column }) => column));
  const texts = columns.filter((column) => !isDay.has(column));

  const rankedNames = rankNames(texts);
  const name = choose('name', rankedNames[0]?.column, listColumns(rankedNames));
  const owners = findOwners(texts, name);
  const fallbacks = name === undefined ? [] : findFallbacks(name, rankedNames, owners);
  const otherNames = listColumns(rankedNames).filter((one) => one !== name);
  const names = [name, choose('legal-name', fallbacks[0], otherNames), ...fallbacks.slice(1)].filter(
    (one) => one !== undefined,
  );

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

  const statuses = listColumns(rankStatuses(texts));
  const status = choose('status', statuses[0], statuses);
  const rankedRenewals = listColumns(rankRenewals(texts, filed !== undefined && isFirstDay(filed)));
  const renewals = choose('renewals', rankedRenewals[0], rankedRenewals);

  const person = findPersonColumn(texts);
  const taken = new Set([status, renewals, ...names, ...owners, person?.column, neighborhood]);
  const foundTypes = findTypes(texts, taken);
  const typeColumns = chooseAll('category', foundTypes.columns, listColumns(foundTypes.ranked));
  const clues = keyClues({ survey, names, filed, location });
  const key = choose('key', undefined);
  const isEnglish = areEnglish(columns.map(({ header }) => header));
  return {
    ...location,
    survey,
    days,
    candidates,
    uncertain: listUncertain(rankedNames, days.filed, choices),
    isEnglish,
    names,
    owners: chooseAll('owner', owners, owners),
    person,
    shapeRule: chooseShapeRule(name, { types: typeColumns[0], isEnglish }),
    filed,
    expires,
    // the end of a license is no closure
    ended: chooseDay(
      'ended',
      days.ended.filter(({ day }) => day !== expires),
      filed?.column,
    ),
    status,
    renewals,
    types: { ...foundTypes, columns: typeColumns },
    neighborhood,
    key: key === undefined ? findKey(clues) : describeChosenKey(key, clues),
    ...findZone(location),
  };
}

/** Returns functions that return a person's choice for a role, or the guess. */
function openChoice(columns: readonly Column[], choices: Choices) {
  const candidates: Partial<Record<ChosenRole, readonly Column[]>> = {};
  function choose(role: ChosenRole, guess: Column | undefined, others: readonly Column[] = []) {
    candidates[role] = others.length > 0 || guess === undefined ? others : [guess];
    const choice = choices[role];
    return choice === undefined ? guess : columns.find(({ name }) => name === choice && name !== 'none');
  }
  return {
    candidates,
    choose,
    /** Chooses for a role that several columns share. If the first guess is chosen, keeps all guesses. */
    chooseAll(role: ChosenRole, guess: readonly Column[], others: readonly Column[]): readonly Column[] {
      const chosen = choose(role, guess[0], others);
      return chosen === undefined ? [] : chosen === guess[0] ? guess : [chosen];
    },
  };
}

/** Lists chosen columns that the file does not have. */
export function listUnknownChoices({ columns }: Survey, choices: Choices): string[] {
  return Object.values(choices).filter(
    (choice) => choice !== 'none' && !columns.some(({ name }) => name === choice),
  );
}

/** Returns the town column if the register covers a county and no town is the city. People search it by town. */
function townsOfACounty({ town, address }: LocationRoles, cityName: string | undefined): Column | undefined {
  const isCounty =
    cityName === undefined || /\b(?:county|parish|landkreis|d[eé]partement|provinc)/i.test(cityName);
  if (!isCounty || town === undefined || address.includes(town.column)) return undefined;
  return town.keep.length === 0 && town.column.distinct > 1 ? town.column : undefined;
}

function listColumns(ranked: Ranked): Column[] {
  return ranked.map(({ column }) => column).slice(0, 5);
}

/** Lists roles with an almost equally good second column, or an uninformative header. */
function listUncertain(names: Ranked, filed: RankedDays, choices: Choices): Set<ChosenRole> {
  const [name, nextName] = names;
  const weight = name === undefined ? 0 : weighHeader(name.column.header, 'name');
  const hasRival =
    nextName !== undefined && Math.floor(nextName.score) >= Math.floor(name!.score) && weight < 8;
  const [first, second] = filed;
  const isClose = second !== undefined && second.score >= 4 && second.day.column.filled > 0.8;
  const doubts: [ChosenRole, boolean][] = [
    ['name', weight < 5 || hasRival],
    ['filed', first === undefined || first.score < 4 || isClose],
  ];
  return new Set(
    doubts.filter(([role, isOpen]) => isOpen && choices[role] === undefined).map(([role]) => role),
  );
}

/** Finds the columns that distinguish premises: the address, or the point, or the postal code and town. */
function keyClues(known: Pick<Roles, 'survey' | 'names' | 'filed'> & { location: LocationRoles }): KeyClues {
  const { survey, names, filed, location } = known;
  const { address, point, postalCode, town } = location;
  const exact = address.length > 0 ? address : point === undefined ? [] : [point.longitude, point.latitude];
  const rough = [postalCode, town?.column].filter((column) => column !== undefined);
  const areExact = exact.length > 0;
  return {
    columns: survey.columns,
    names,
    filed,
    premises: [...new Set(areExact ? exact : rough)],
    areExact,
  };
}

function findZone({ state, point }: LocationRoles): Pick<Roles, 'timeZone' | 'isZoneByPoint'> {
  const middle = point && findMiddle(listPoints(point));
  const near = middle && findNearestState(middle);
  return { timeZone: (state ?? near)?.timeZone, isZoneByPoint: state === undefined && near !== undefined };
}

/** Finds another date column that is earlier on most rows and could also be the first filing. */
export function findRival({ filed, days }: Pick<Roles, 'filed' | 'days'>): DayColumn | undefined {
  if (filed === undefined) return undefined;
  return days.filed.find(
    ({ day, score }) =>
      day !== filed &&
      score >= 4 &&
      day.column.filled > 0.8 &&
      compareDays(day, filed).rows > filed.column.rows * 0.05,
  )?.day;
}

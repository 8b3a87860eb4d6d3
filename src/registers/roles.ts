/** Which column of an unknown register plays which role: the best candidates by their contents and headers, and what a person chose instead. */

import type { Day } from '../listings/day.ts';
import { findTypes, readType, type TypeRoles } from './business-types.ts';
import type { Choices, ChosenRole } from './chosen-roles.ts';
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
import {
  chooseShapeRule,
  findFallbacks,
  findOwners,
  findPersonColumn,
  type PersonColumn,
  rankNames,
} from './names.ts';
import { findMiddle, findPlaces, type PlaceRoles, readTownRole } from './places.ts';
import { rankRenewals, rankStatuses } from './statuses.ts';
import type { Column, Ranked, Survey } from './survey.ts';
import { findNearestState } from './zones.ts';

export type Roles = PlaceRoles & {
  survey: Survey;
  days: DayRoles;
  /** What could play each role, the best first, whatever was chosen. */
  candidates: Readonly<Record<ChosenRole, readonly Column[]>>;
  /** Roles that somebody should confirm. */
  uncertain: ReadonlySet<ChosenRole>;
  /** The first that is filled names the business. */
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
  /** No column tells the state: the points are nearest to one of that time zone. */
  isZoneByPoint: boolean;
};

export type RoleOptions = {
  today: Day;
  choices: Choices;
  /** The city's name, if the operator gave it. */
  cityName: string | undefined;
};

/** Throws nothing: a choice that names no column is checked by the caller (`listUnknownChoices`). */
export function findRoles(survey: Survey, { today, choices, cityName }: RoleOptions): Roles {
  const { columns } = survey;
  const choose = openChoice(columns, choices);
  const days = findDayRoles(columns, today);
  const isDay = new Set(days.all.map(({ column }) => column));
  const texts = columns.filter((column) => !isDay.has(column));
  const filed = chooseDay(days, choose('filed', days.filed[0]?.day.column));
  const rankedNames = rankNames(texts);
  const name = choose('name', rankedNames[0]?.column);
  const owners = findOwners(texts, name);
  const fallbacks = name === undefined ? [] : findFallbacks(name, rankedNames, owners);
  const legal = choose('legal-name', fallbacks[0]);
  const names = [name, legal, ...fallbacks.slice(1)].filter((one) => one !== undefined);
  const found = findPlaces(texts, cityName);
  const townColumn = choose('town', found.town?.column);
  const town =
    townColumn === found.town?.column ? found.town : townColumn && readTownRole(townColumn, cityName);
  const address = chooseAddress(choose, found);
  const places: PlaceRoles = { ...found, town, address, postalCode: choose('postal-code', found.postalCode) };
  const statuses = rankStatuses(texts);
  const status = choose('status', statuses[0]?.column);
  const rankedRenewals = rankRenewals(texts, filed !== undefined && isFirstDay(filed));
  const renewals = choose('renewals', rankedRenewals[0]?.column);
  const neighborhood = choose('neighborhood', places.areas[0]?.column ?? townsOfACounty(places, cityName));
  const person = findPersonColumn(texts);
  const owner = choose('owner', owners[0]);
  const taken = new Set([status, renewals, ...names, ...owners, person?.column, neighborhood]);
  const types = chooseTypes(findTypes(texts, taken), choose);
  const clues = keyClues({ survey, names, filed, places });
  const key = choose('key', undefined);
  const rest = (one: DayColumn) => one.column !== filed?.column;
  const [shortest] = types.columns;
  return {
    ...places,
    survey,
    days,
    candidates: {
      name: listColumns(rankedNames),
      'legal-name': listColumns(rankedNames).filter((one) => one !== name),
      owner: owners,
      filed: days.filed.map(({ day }) => day.column),
      expires: days.expires.map(({ day }) => day.column),
      ended: days.ended.map(({ day }) => day.column),
      status: listColumns(statuses),
      renewals: listColumns(rankedRenewals),
      category: listColumns(types.ranked),
      neighborhood: listColumns(places.areas),
      address: listColumns(places.addresses),
      town: listColumns(places.towns),
      'postal-code': places.postalCode === undefined ? [] : [places.postalCode],
      key: [],
    },
    uncertain: listUncertain({ rankedNames, filed: days.filed, choices }),
    names,
    owners: choices.owner === undefined ? owners : owner === undefined ? [] : [owner],
    person,
    shapeRule:
      name === undefined
        ? { rule: 'keep', values: [] }
        : chooseShapeRule(
            name,
            { types: shortest, isEnglish: areEnglish(columns.map(({ header }) => header)) },
            readType,
          ),
    filed,
    expires: chooseDay(days, choose('expires', days.expires.find(({ day }) => rest(day))?.day.column)),
    ended: chooseDay(days, choose('ended', days.ended.find(({ day }) => rest(day))?.day.column)),
    status,
    renewals,
    types,
    neighborhood,
    key: key === undefined ? findKey(clues) : describeChosenKey(key, clues),
    ...findZone(places),
  };
}

type Choose = (role: ChosenRole, guess: Column | undefined) => Column | undefined;

/** What a person chose for a role, else the guess. */
function openChoice(columns: readonly Column[], choices: Choices): Choose {
  return (role, guess) => {
    const choice = choices[role];
    if (choice === undefined) return guess;
    return choice === 'none' ? undefined : columns.find(({ name }) => name === choice);
  };
}

/** Chosen columns that the file does not have. */
export function listUnknownChoices({ columns }: Survey, choices: Choices): string[] {
  return Object.values(choices).filter(
    (choice) => choice !== 'none' && !columns.some(({ name }) => name === choice),
  );
}

function chooseDay({ all }: DayRoles, column: Column | undefined): DayColumn | undefined {
  return column && all.find((day) => day.column === column);
}

function chooseAddress(choose: Choose, { address }: PlaceRoles): readonly Column[] {
  const [first] = address;
  const chosen = choose('address', first);
  return chosen === first ? address : chosen === undefined ? [] : [chosen];
}

function chooseTypes(found: TypeRoles, choose: Choose): TypeRoles {
  const [first] = found.columns;
  const chosen = choose('category', first);
  return chosen === first ? found : { ...found, columns: chosen === undefined ? [] : [chosen] };
}

/** Where no town is the city, the register is a county's, and its towns are what people look for. */
function townsOfACounty({ town }: PlaceRoles, cityName: string | undefined): Column | undefined {
  const isCounty =
    cityName === undefined || /\b(?:county|parish|landkreis|d[eé]partement|provinc)/i.test(cityName);
  return isCounty && town !== undefined && town.keep.length === 0 && town.column.distinct > 1
    ? town.column
    : undefined;
}

function listColumns(ranked: Ranked): Column[] {
  return ranked.map(({ column }) => column).slice(0, 5);
}

/** Where the runner-up is about as good, or the header says nothing. */
function listUncertain(what: { rankedNames: Ranked; filed: RankedDays; choices: Choices }): Set<ChosenRole> {
  const uncertain = new Set<ChosenRole>();
  const [name, nextName] = what.rankedNames;
  if (
    what.choices.name === undefined &&
    (name === undefined ||
      weighHeader(name.column.header, 'name') < 5 ||
      (nextName !== undefined && nextName.score >= name.score && weighHeader(name.column.header, 'name') < 8))
  )
    uncertain.add('name');
  const [first, second] = what.filed;
  if (
    what.choices.filed === undefined &&
    (first === undefined ||
      first.score < 4 ||
      (second !== undefined && second.score >= 4 && second.day.column.filled > 0.8))
  )
    uncertain.add('filed');
  return uncertain;
}

/** What tells one place from another: the address, else the point, else postal code and town. */
function keyClues({
  survey,
  names,
  filed,
  places,
}: Pick<Roles, 'survey' | 'names' | 'filed'> & { places: PlaceRoles }): KeyClues {
  const { address, point, postalCode, town } = places;
  const apart =
    address.length > 0
      ? address
      : point !== undefined
        ? [point.longitude, point.latitude]
        : [postalCode, town?.column].filter((column) => column !== undefined);
  return {
    columns: survey.columns,
    names,
    filed,
    places: [...new Set(apart)],
    areExact: address.length > 0 || point !== undefined,
  };
}

function findZone({ state, point }: PlaceRoles): Pick<Roles, 'timeZone' | 'isZoneByPoint'> {
  const middle = point && findMiddle(point);
  const near = middle && findNearestState(middle);
  return { timeZone: (state ?? near)?.timeZone, isZoneByPoint: state === undefined && near !== undefined };
}

/** Whether another date column is earlier on most rows, and may be the first filing as well. */
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

/** Guesses what the columns of an unknown export mean, each guess with its evidence, for a person to correct. Pure. */

import { zipArea } from '../city/place-text.ts';
import type { Table } from '../registers/table.ts';
import { findNearestState, findStateOfZip } from '../registers/zones.ts';
import { type Column, profileColumns, topShare } from './columns.ts';
import { type DayGuesses, guessDays } from './dates.ts';
import { guessKey, type KeyGuess } from './keys.ts';
import { guessKinds, guessNoBusiness, type KindGuess, type NoBusinessGuess, readKind } from './kinds.ts';
import { type AreaGuesses, guessAreas, middlePoint } from './neighborhoods.ts';
import { choosePeopleRule, guessNames, listPersonalTypes, type NameGuess } from './people.ts';
import { guessPlaces, type PlaceGuesses } from './places.ts';
import { guessRenewals, guessStatus, type RenewalGuess, type StatusGuess } from './statuses.ts';

export type Guesses = DayGuesses &
  PlaceGuesses &
  AreaGuesses & {
    rows: number;
    key: KeyGuess;
    name: NameGuess | undefined;
    status: StatusGuess | undefined;
    renewals: RenewalGuess | undefined;
    kinds: KindGuess;
    /** Types under which people file their own names, where nothing but its look tells a person's name. */
    personalTypes: readonly string[];
    noBusiness: readonly NoBusinessGuess[];
    timeZone: string | undefined;
    /** No column tells the state: the points are nearest to one of that time zone. */
    isZoneByPoint: boolean;
    /** The county that nearly all rows are in, where a column says so. */
    county: string | undefined;
  };

export function guessColumns(table: Table): Guesses {
  const columns = profileColumns(table);
  const days = guessDays(columns);
  const name = guessNames(columns);
  const places = guessPlaces(columns);
  const areas = guessAreas(columns, places);
  const status = guessStatus(columns);
  const renewals = guessRenewals(columns, days.filedOn?.isFirst === true);
  const key = guessKey({
    columns,
    name,
    filedOn: days.filedOn,
    places: placeColumns(places, areas),
    areExact: places.address.length > 0 || areas.point !== undefined,
  });
  const taken = [
    status?.column,
    renewals?.column,
    name?.column,
    name?.fallback,
    ...(name?.owners ?? []),
    name?.ownerType?.column,
    areas.neighborhood?.column,
  ];
  const kinds = guessKinds(columns, taken);
  const middle = areas.point && middlePoint(areas.point);
  const near = middle && findNearestState(middle);
  const state = places.state ?? stateOfZips(areas.zip?.column);
  return {
    ...days,
    ...places,
    ...areas,
    state,
    county: countyIn(columns),
    rows: table.rows,
    key,
    name,
    status,
    renewals,
    kinds,
    personalTypes: personalTypesOf(name, kinds),
    noBusiness: guessNoBusiness(columns, kinds),
    timeZone: (state ?? near)?.timeZone,
    isZoneByPoint: state === undefined && near !== undefined,
  };
}

function personalTypesOf(name: NameGuess | undefined, { types }: KindGuess): string[] {
  const [type] = types;
  if (name === undefined || type === undefined || choosePeopleRule(name) !== 'by shape') return [];
  return listPersonalTypes(name, type, readKind);
}

/** The state of the ZIP code that most rows have. */
function stateOfZips(zips: Column | undefined): Guesses['state'] {
  const [area] = zips?.values.map(([text]) => zipArea(text)).filter((one) => one !== undefined) ?? [];
  return area === undefined ? undefined : findStateOfZip(area.replace('ZIP ', ''));
}

function countyIn(columns: readonly Column[]): string | undefined {
  const column = columns.find((one) => /^(county|county name)$/.test(one.header) && one.letters > 0.9);
  return column !== undefined && column.filled > 0.9 && topShare(column) > 0.9
    ? column.values[0]![0]
    : undefined;
}

/** What tells one place from another: the address, else the point, else ZIP and town. */
function placeColumns({ address, town, towns }: PlaceGuesses, { point, zip }: AreaGuesses): Column[] {
  if (address.length > 0) return [...address];
  if (point !== undefined) return [...new Set([point.longitude, point.latitude])];
  return [...new Set([zip?.column, town?.column ?? towns])].filter((column) => column !== undefined);
}

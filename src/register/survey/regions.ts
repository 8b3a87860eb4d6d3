/**
 * Finds the state or province of a register, and with it the time zone. Coordinates outrank codes and abbreviations. What
 * does not agree is left open, so that a person is asked.
 */

import { openWordTable, readDataLines } from '../../shared/text/word-table.ts';
import { SUFFIXES } from '../profile/places/addresses/street-name.ts';
import { zipArea } from '../profile/places/place-text.ts';
import { measureMeters, type Point } from '../profile/places/points.ts';
import { type Column, countBy, HALF, SOME, sampleOf, shareOf, topShare } from './columns.ts';

/** Returns the meaning of a text about a place: `yes`, `no`, `county`, a country, or `undefined`. */
export const readPlaceWord = openWordTable('place-words.csv');

/** Canadian provinces have ranges of letters, states of digits. */
const STATES = readDataLines('states.csv').map(
  ([short = '', name = '', timeZone = '', latitude, longitude, codes = '']) => ({
    name,
    country: /^\d/.test(codes) ? 'us' : 'ca',
    timeZone,
    center: [Number(longitude), Number(latitude)] satisfies Point as Point,
    texts: [short.toLowerCase(), name.toLowerCase()],
    codes: codes.split('|').map((range) => range.split('-')),
  }),
);

type State = (typeof STATES)[number];

export const isStateText = (text: string) => /^[a-z]{2}\.?$/i.test(text) || findState(text) !== undefined;

function findState(text: string): State | undefined {
  const wanted = text.trim().replace(/\.$/, '').toLowerCase();
  return STATES.find(({ texts }) => texts.includes(wanted));
}

const FARTHEST_METERS = 1_000_000;

/** Returns whether a state may contain a point. */
export function isNear({ center }: State, point: Point): boolean {
  return measureMeters(point, center) <= FARTHEST_METERS;
}

/**
 * Returns the time zone at a point: that of the nearest state by its center, if the next one is twice as far or has the
 * same zone. Returns `undefined` if no state is close.
 */
export function findTimeZone(point: Point): string | undefined {
  const [first, second] = STATES.map((state) => ({ state, meters: measureMeters(point, state.center) })).sort(
    (a, b) => a.meters - b.meters,
  );
  const { timeZone } = first!.state;
  const isSure = second!.meters > 2 * first!.meters || second!.state.timeZone === timeZone;
  return isSure && isNear(first!.state, point) ? timeZone : undefined;
}

/** Returns the state of most codes in a column of ZIP codes, or of Canadian codes in any column. */
export function findStateOfZips(zips: Column | undefined): State | undefined {
  if (zips === undefined || (zips.letters < 0.1 && !/\bzip\b/.test(zips.header))) return undefined;
  const [[state] = []] = countBy(sampleOf(zips.values), (text) => {
    const start = (zipArea(text) ?? '').replace('ZIP ', '').slice(0, 3).toUpperCase();
    const isIn = ([from = '', to = '']: string[]) => start >= from && start <= to;
    return start === '' ? undefined : (STATES.find(({ codes }) => codes.some(isIn)) ?? 'none');
  });
  return state === 'none' ? undefined : state;
}

/** Returns whether codes belong to another state than the points. Then they are not postal codes. Other countries have codes of five digits, too. */
export function contradictsPoints(zips: Column, middle: Point | undefined): boolean {
  const state = findStateOfZips(zips);
  if (middle === undefined || state === undefined || isNear(state, middle)) return false;
  return STATES.some((one) => isNear(one, middle));
}

/** Headers of states and provinces. Departments, regions and `UF` have some of the same names and abbreviations. */
const STATE_HEADER = /\b(?:state|province|prov|st)\b/;

type PlaceColumns = Partial<Record<'states' | 'countries' | 'zips' | 'address', Column | undefined>>;

/**
 * Finds the state or province. `states` and `countries` are columns that name them. Without coordinates, the column and
 * the postal codes must not differ, and the country must be the state's.
 */
export function findRegion(places: PlaceColumns, middle: Point | undefined): State | undefined {
  const { states, countries, zips, address } = places;
  const named =
    states !== undefined && topShare(states) > HALF && STATE_HEADER.test(states.header)
      ? findState(states.values[0]![0])
      : undefined;
  const coded = findStateOfZips(zips);
  if (middle !== undefined) return [named, coded].find((one) => one !== undefined && isNear(one, middle));
  const country =
    countries && topShare(countries) > HALF ? (readPlaceWord(countries.values[0]![0]) ?? 'other') : undefined;
  const found = named ?? coded;
  if (found === undefined || (country !== undefined && country !== found.country)) return undefined;
  if (named !== undefined && coded !== undefined) return coded === named ? found : undefined;
  // codes of no state are another country's
  const areNumbers = zips !== undefined && shareOf(zips, (text) => /\d{4}/.test(text)) >= HALF;
  if (named !== undefined) return areNumbers ? undefined : found;
  // codes of five digits alone may be Spanish, German or Korean
  const isState = (text: string) => isStateText(text) || /[,\d]/.test(text);
  const isForeign = states !== undefined && shareOf(states, isState) < HALF;
  const areAmerican =
    address === undefined || found.country === 'ca' || shareOf(address, isAmericanAddress) > SOME;
  return !isForeign && areAmerican ? found : undefined;
}

/** Returns whether a text is like `12 Quay St` or `12 Highway 9`: a number first, and after it a word for a street. */
function isAmericanAddress(text: string): boolean {
  const [number = '', , ...words] = text.toUpperCase().split(/[^A-Z\d]+/);
  return /\d/.test(number) && words.some((word) => SUFFIXES.has(word));
}

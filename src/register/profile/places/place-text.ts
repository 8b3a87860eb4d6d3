/** Parses towns, ZIP codes and points in the formats of registers. */

import { openWordLists, readDataLines } from '../../../shared/text/word-table.ts';
import { foldWords } from '../../../shared/words.ts';

/** Matches state, code and country after a town without a comma: ` CA 93401-2661`, ` TX`, ` BC V6C 0B9 CANADA`. */
const AFTER_TOWN =
  /(?: [A-Z]{2})?(?: (?:\d{5}(?:-?\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d))?(?: (?:US|USA|CANADA))?$/i;

/** What registers write where they know no town. */
const NO_TOWN = openWordLists('missing-words.csv')('no town');

/** Returns whether a text is empty, says that the town is unknown, or names one of the towns, even before a state, a code or `CITY`. Ignores case. */
export function isInTown(text: string, towns: readonly string[]): boolean {
  if (text.trim() === '' || NO_TOWN.has(text.trim().toLowerCase())) return true;
  const same = new Set([readTown(text), text, text.replace(/ (?:city|cdp)$/i, '')].map(foldTown));
  return towns.some((one) => same.has(foldTown(one)));
}

/**
 * Match an address that begins with the province and the town, in Korean (`경상남도 진주시 동성동 212`, `경남 진주시 …`, `서울특별시
 * 강남구`, `서울 강남구`) and in Japanese (`愛媛県松山市二番町4`, `愛媛県伊予郡砥部町宮内`).
 */
const PROVINCE_FIRST = [
  /^(?:(?:\p{Script=Hangul}+도|경기|강원|[충전경][남북]|제주) +)?(\p{Script=Hangul}+[시군]|서울|부산|대구|인천|광주|대전|울산|세종)(?= )/u,
  /^(?:東京都|北海道|京都府|大阪府|\p{Script=Han}{2,3}県) ?(?:\p{Script=Han}{1,4}郡)?([^\d\s]{1,7}?(?:市(?![市町])|区|町(?!市)|村(?![市町山])))/u,
];

/** Reads the town of an address that begins with the province. */
export function readTownAfterProvince(text: string): string | undefined {
  return PROVINCE_FIRST.map((pattern) => pattern.exec(text)?.[1]).find((town) => town !== undefined);
}

/** Reads the town from `SAN LUIS OBISPO, CA 93401-2661`, or from an address with commas between its parts or the province first. */
export function readTown(text: string): string {
  const eastern = readTownAfterProvince(text);
  if (eastern !== undefined) return eastern;
  const [first = '', ...others] = text
    .replace(AFTER_ADDRESS, '')
    .split(',')
    .map((part) => part.trim());
  if (others.length === 0) return first.replace(/\s+/g, ' ').replace(AFTER_TOWN, '').trim() || first;
  if (!/^\d/.test(first)) return first;
  const town = others.filter((part) => !STATE_OR_CODE.test(part)).at(-1) ?? first;
  return town.replace(AFTER_TOWN, '').trim() || town;
}

/** Matches a part of an address after the town: `TX 78701`, `78701`, `USA`. */
const STATE_OR_CODE = /^(?:(?:[A-Z]{2}\.?)?\s*(?:\d{5}(?:-?\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)?|USA|Canada)$/i;

const SPELLED_OUT: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };

const KOREAN_TOWN = /(?<=^\p{Script=Hangul}{2,})(?:특별자치시|특별시|광역시|시|군)$/u;

/** Folds a town, so that `City of Ft. Collins` equals Fort Collins, and `PARIS 3` and `Lyon 7e Arrondissement` their cities. */
export function foldTown(text: string): string {
  return foldWords(text.replace(/['’.]/g, '').replace(KOREAN_TOWN, ''))
    .replace(
      /^(?:(?:city|town|village|municipality) of|(?:ville|commune|ayuntamiento|municipio|comune) d[ei]?|stadt|gemeinde) /,
      '',
    )
    .replace(/ (?:(?:city|town|borough|district|county) )?council$/, '')
    .replace(/(?<=\p{L}{3}) \d{1,2}(?:er?|eme)?(?: arrondissement)?$/u, '')
    .replace(/(?<=\p{Script=Han}{2})[市区町村]$/u, '')
    .replace(/\b(?:ste?|ft|mt)\b/g, (short) => SPELLED_OUT[short]!);
}

/**
 * Returns the area of a postal code as a neighborhood: `ZIP 93401` for `93401-2661`, `934012661` or a line with this
 * code at its end, `V6C` for `V6C 0B9`. Returns `undefined` for a text without a postal code.
 */
export function zipArea(text: string): string | undefined {
  const zip = /\b(\d{5})(?:-?\d{4})?(?:\.0+)?$/.exec(text.trim())?.[1];
  if (zip !== undefined) return zip === '00000' ? undefined : `ZIP ${zip}`;
  return /\b([A-Z]\d[A-Z]) ?\d[A-Z]\d$/i.exec(text.trim())?.[1]?.toUpperCase();
}

/** The time zones of the United States. In other countries, codes of five digits are not called ZIP codes. */
const ZIP_ZONES = new Set(
  readDataLines('states.csv').flatMap(([, , zone = '', , , codes = '']) => (/^\d/.test(codes) ? zone : [])),
);

/** Returns the area of a postal code as in {@link zipArea}, outside the United States without "ZIP", or `''`. */
export function postalArea(text: string, timeZone: string): string {
  const area = zipArea(text) ?? '';
  return ZIP_ZONES.has(timeZone) ? area : area.replace('ZIP ', '');
}

/** A point in degrees as text, for a verdict's `point`. */
export type PointText = { longitude: string; latitude: string };

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const WKT = new RegExp(String.raw`^POINT ?\(\s*${NUMBER}\s+${NUMBER}\s*\)$`, 'i');
const PAIR = new RegExp(String.raw`^\(?\s*${NUMBER}\s*[,; ]\s*${NUMBER}\s*\)?$`);
const DEGREES = String.raw`(-?\d{1,3}\.\d{3,})`;
const AFTER_ADDRESS = new RegExp(String.raw`[\s,]\(\s*${DEGREES}\s*,\s*${DEGREES}\s*\)$`);
const GEOJSON = new RegExp(String.raw`"coordinates"\s*:\s*\[\s*${NUMBER}\s*,\s*${NUMBER}\s*[\],]`);
const [LONGITUDE, LATITUDE] = ['longitude', 'latitude'].map(
  (axis) => new RegExp(String.raw`"${axis}"\s*:\s*"?${NUMBER}"?\s*[,}]`),
) as [RegExp, RegExp];

/**
 * Parses a point in the formats of exports. `POINT (-122.4 37.7)` and GeoJSON have the longitude first. `37.7, -122.4`
 * and `(37.7, -122.4)` have the latitude first, also after an address, as in the locations of Socrata, which may also be an object with
 * `latitude` and `longitude`. Returns `undefined` for a text without a point.
 */
export function parsePoint(text: string): PointText | undefined {
  const [, longitude, latitude] = WKT.exec(text.trim()) ?? GEOJSON.exec(text) ?? [];
  if (longitude !== undefined) return { longitude, latitude: latitude! };
  const [x, y] = text.startsWith('{') ? [LONGITUDE, LATITUDE].map((axis) => axis.exec(text)?.[1]) : [];
  if (x !== undefined && y !== undefined) return { longitude: x, latitude: y };
  const [, first, second] = PAIR.exec(text.trim()) ?? AFTER_ADDRESS.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  // a latitude cannot exceed 90 degrees
  return Math.abs(Number(first)) > 90
    ? { longitude: first, latitude: second! }
    : { longitude: second!, latitude: first };
}

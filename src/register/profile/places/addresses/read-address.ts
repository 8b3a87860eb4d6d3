/** Reads addresses of registers: house number, street and unit, then ZIP and town. Follows USPS Publication 28. */

import { removeAccents } from '../../../../shared/words.ts';
import { listStreetReadings, type StreetName, streetWords } from './street-name.ts';

/** The reason why a text is not an address. */
export type NoAddress =
  | 'empty'
  | 'post office box'
  | 'rural route'
  | 'intersection'
  | 'no house number'
  | 'no street';

export type StreetAddress = {
  number: number;
  /** Distinguishes houses with the same number: the letter of `12A`, the fraction of `12 1/2`. */
  detail: string;
  /** Possible readings, the most likely first. Never empty. */
  streets: readonly StreetName[];
  street: string;
  zip: string;
  town: string;
};

/** Words that always begin a unit if they follow a street. */
const UNITS = streetWords('unit');
/** Words that begin a unit only before a number or a letter. Elsewhere they may be names of streets. */
const UNITS_BEFORE_NUMBERS = streetWords('numbered-unit');
const NUMBER_WORDS = streetWords('number');

const PLAIN = /^[ -~]*$/;
const STARTS_WITH_DIGIT = /^\d/;
/** Matches addresses that need no tidying. Most addresses do not. */
const WORDS_ALONE = /^[A-Z0-9#&/,-]+(?: [A-Z0-9#&/,-]+)*$/;
const POST_BOX =
  /^(?:P\.? ?O\.?|POST OFFICE|POSTAL)? ?(?:BOX|DRAWER|POB) ?#? ?\w+|^P\.? ?O\.? ?(?:BOX|DRAWER)\b|^POB\b/;
const RURAL = /^(?:RR|R\.R\.|RFD|HC|HCR|RURAL (?:ROUTE|RTE)|STAR ROUTE|GENERAL DELIVERY)\b/;
const HOUSE =
  /^#? ?(\d{1,7})(?: ?(?:[-/&]|AND|TO) ?#?(\d{1,7}[A-Z]?)| ?-? ?(\d\/\d)|-?([A-Z]))?(?: (\d\/\d))?(?= |$)/;
const LONGEST_ADDRESS = 200;

/** Reads a text with a house number and a street, or returns why it is not an address. */
export function readAddress(text: string): StreetAddress | NoAddress {
  const upper = tidyAddress(text);
  if (upper === '') return 'empty';
  if (!STARTS_WITH_DIGIT.test(upper)) {
    if (POST_BOX.test(upper)) return 'post office box';
    if (RURAL.test(upper)) return 'rural route';
  }
  const [line = '', ...others] = upper.includes(',') ? splitAtCommas(upper) : [upper];
  const house = readNumber(line);
  if (house === undefined)
    return /[&@]| AND | AT |\w\w ?\/ ?\w\w/.test(line) ? 'intersection' : 'no house number';
  const street = cutUnit(splitAddressWords(house.rest));
  const streets = listStreetReadings(street);
  if (streets.length === 0) return 'no street';
  const { number, detail } = house;
  return { number, detail, streets, street: street.join(' '), ...readPlace(others) };
}

/** Reads the house number in a cell that contains nothing else, as in an address file. */
export function readHouseNumber(text: string): { number: number; detail: string } | undefined {
  const house = readNumber(tidyAddress(text));
  return house?.rest.trim() === '' ? house : undefined;
}

export function readStreet(text: string): StreetName | undefined {
  return listStreetReadings(cutUnit(splitAddressWords(tidyAddress(text))))[0];
}

function tidyAddress(text: string): string {
  const short = text.length > LONGEST_ADDRESS ? text.slice(0, LONGEST_ADDRESS) : text;
  const upper = removeAccents(short).toUpperCase();
  if (WORDS_ALONE.test(upper)) return upper;
  return upper
    .replace(/['’`"]/g, '')
    .replace(/\b([A-Z])\.(?=[A-Z]\b)/g, '$1')
    .replace(/[.\s]+/g, ' ')
    .trim();
}

/** Splits at commas and puts the street first, even in `SUITE 5, 12 QUAY ST` and `12, QUAI DES BRUMES`. */
function splitAtCommas(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > 1 && /^\d+[A-Z]?$/.test(parts[0]!)) parts.splice(0, 2, `${parts[0]} ${parts[1]}`);
  const street = parts.findIndex((part) => /^\d\S* \D/.test(part));
  if (street > 0) parts.unshift(...parts.splice(street, 1));
  return parts;
}

type House = { number: number; detail: string; rest: string };

function readNumber(line: string): House | undefined {
  const found = HOUSE.exec(line);
  if (found === null) return readGridNumber(line) ?? readOtherNumber(line);
  const [all, digits, second = '', fraction = '', letter = '', half = ''] = found;
  return {
    number: Number(digits),
    detail: detailOf(Number(digits), second) + fraction + letter + half,
    rest: line.slice(all.length),
  };
}

/** Reads a house number after a position in a county's grid: `W126 N8585 WESTBROOK XING`, `31W007 NORTH AVE`. */
function readGridNumber(line: string): House | undefined {
  const [all, grid, digits] = /^([NSEW]\d{1,4} ?[NSEW] ?|\d{1,3}[NSEW])(\d{1,6})(?= |$)/.exec(line) ?? [];
  if (all === undefined) return undefined;
  return { number: Number(digits), detail: grid!.replaceAll(' ', ''), rest: line.slice(all.length) };
}

/** Returns the number after a hyphen: `37-12` is one address in Queens. Ignores the end of a range (`12-14`). */
function detailOf(first: number, second: string): string {
  return second === '' || Number.parseInt(second, 10) > first ? '' : second;
}

/** Reads `ONE WORLD TRADE CENTER`, and addresses with the number at the end: `HAUPTSTRASSE 12A`, `VIA ROMA 3 B`. */
function readOtherNumber(line: string): House | undefined {
  const words = line.split(' ');
  const number = NUMBER_WORDS.get(words[0]!);
  if (number !== undefined) return { number: Number(number), detail: '', rest: words.slice(1).join(' ') };
  const letter = words.length > 2 && /^[A-Z]$/.test(words.at(-1)!) ? words.pop()! : '';
  const [, digits, attached = ''] = /^(\d{1,5})([A-Z])?$/.exec(words.pop()!) ?? [];
  const rest = words.join(' ');
  if (digits === undefined || /[\d#&]/.test(rest) || !/\p{L}{3}/u.test(rest)) return undefined;
  return NOT_BEFORE_HOUSE.has(words.at(-1)!)
    ? undefined
    : { number: Number(digits), detail: attached || letter, rest };
}

const NOT_BEFORE_HOUSE = new Set(
  'HWY HIGHWAY ROUTE RTE RT ROAD RD UNIT STE SUITE APT BLDG LOT BOX SPACE SPC'.split(' '),
);

function splitAddressWords(text: string): string[] {
  const words = text.includes('#') ? text.replace(/#/g, ' # ') : text;
  return words.split(PLAIN.test(words) ? /[^A-Z0-9#&]+/ : /[^\p{L}\p{N}#&]+/u).filter((word) => word !== '');
}

/** Cuts the unit after a street, which begins with a word such as `STE` or `#`. */
function cutUnit(words: readonly string[]): readonly string[] {
  const at = words.findIndex((_, i) => i > 0 && beginsUnit(words, i));
  return at === -1 ? words : words.slice(0, at);
}

function beginsUnit(words: readonly string[], i: number): boolean {
  const word = words[i]!;
  if (UNITS.has(word)) return true;
  if (UNITS_BEFORE_NUMBERS.has(word)) return /^(?:\d\w*|[A-Z]|#)$/.test(words[i + 1] ?? '');
  return word === 'P' && words[i + 1] === 'O' && words[i + 2] === 'BOX';
}

function readPlace(parts: readonly string[]): { zip: string; town: string } {
  if (parts.length === 0) return { zip: '', town: '' };
  const last = parts.join(' ');
  const zip = /(?:^|\s)(\d{5})(?:-?\d{4})?(?: USA?)?$/.exec(last)?.[1] ?? '';
  const town =
    parts.find((part) => /^\p{L}[\p{L} -]{2,}/u.test(part) && !UNITS.has(part.split(' ')[0]!)) ?? '';
  return { zip, town: town.replace(/(?: [A-Z]{2})?(?: \d{5}(?:-?\d{4})?)?$/, '') };
}

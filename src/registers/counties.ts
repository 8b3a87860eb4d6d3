/**
 * The five-digit codes of counties (FIPS), by which the US Census Bureau names its files. Public domain, after the Census Bureau's
 * counties of 2017. A county without a number has the number of the one before it plus two.
 */

import { readFileSync } from 'node:fs';
import { removeAccents } from '../listings/words.ts';

const COUNTIES = new URL('../data/counties.txt', import.meta.url);

/** Three spellings of one county: `Saint Clair County`, `ST. CLAIR`, `St Clair`. */
function foldCounty(name: string): string {
  return removeAccents(name)
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(/ (?:county|parish|borough|census area|municipality|municipio)$/, '')
    .replace(/^saint /, 'st ')
    .replace(/ /g, '');
}

/** Two digits of a state by its name. */
export function findStateCode(state: string): string | undefined {
  return readState(state)?.code;
}

/** Five digits of a county of a state; `undefined` where there is no such county. */
export function findCountyCode(state: string, county: string): string | undefined {
  const found = readState(state);
  const wanted = foldCounty(county);
  let number = -1;
  for (const entry of found?.counties.split('|') ?? []) {
    const [, digits, name = ''] = /^(?:(\d+) )?(.*)$/.exec(entry)!;
    number = digits === undefined ? number + 2 : Number(digits);
    if (foldCounty(name) === wanted) return `${found!.code}${String(number).padStart(3, '0')}`;
  }
  return undefined;
}

function readState(state: string): { code: string; counties: string } | undefined {
  const line = readFileSync(COUNTIES, 'utf8')
    .split('\n')
    .find((one) => one.slice(3).startsWith(`${state}:`));
  return line === undefined ? undefined : { code: line.slice(0, 2), counties: line.slice(4 + state.length) };
}

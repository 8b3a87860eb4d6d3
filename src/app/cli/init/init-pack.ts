/** Makes a city from a register pack: finds the pack, asks the portal for its towns, and fills in the chosen town. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchJson } from '../../../register/portals/portal.ts';
import { parseMapping } from '../../../register/profile/mapping/read-mapping.ts';
import type { PlaceOptions } from '../../../register/readers/place.ts';
import {
  fillPack,
  findTown,
  listTownsAddress,
  type Pack,
  readPack,
  readTowns,
} from '../../../register/writing/fill-pack.ts';
import { usageError } from '../../../shared/errors.ts';
import { filterRecords } from '../../../shared/record.ts';
import type { Report } from '../options.ts';
import { isInteractive, withPrompts } from './prompt.ts';

const PACKS = fileURLToPath(new URL('../../../../packs/', import.meta.url));
const YEARS = 3;

const YAML = 'city.yaml';
const TYPES = 'categories.csv';

export function findPack(name: string): Pack | undefined {
  const isPack = /^[a-z-]+$/.test(name) && existsSync(join(PACKS, name, YAML)) && !existsSync(name);
  return isPack ? openPackFiles(name) : undefined;
}

function openPackFiles(name: string): Pack {
  return readPack(name, readText(name, YAML)!, readText(name, 'towns.csv'));
}

function readText(pack: string, file: string): string | undefined {
  const path = join(PACKS, pack, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function listPackNames(): string[] {
  return readdirSync(PACKS).filter((name) => existsSync(join(PACKS, name, YAML)));
}

/** Options that can be used with a pack. The pack sets the rest, which operators can change in `city.yaml`. */
const PACK_OPTIONS = ['town', 'from', 'out', 'install', 'json'];

export function checkPackOptions(place: string, pack: Pack | undefined, options: object): void {
  const given = Object.keys(options);
  if (pack === undefined && (given.includes('town') || given.includes('from')))
    throw usageError(
      `"${place}" is not a register pack, so --town and --from do not apply. Packs: ${listPackNames().join(', ')}. To map a file: shingle init FILE`,
    );
  if (pack !== undefined && given.some((option) => !PACK_OPTIONS.includes(option)))
    throw usageError(
      'a register pack takes --town, --from, --out, --no-install and --json only. Change the rest in city.yaml',
    );
}

export function listPacks(): Report {
  const packs = listPackNames().map((pack) => {
    const { name, title, country, cadence, rows, certainty } = openPackFiles(pack);
    return { name, title, country, cadence, rows, certainty };
  });
  const lines = packs.map(
    ({ name, title, country, cadence, rows, certainty }) =>
      `${name} (${country}): ${title}\n  ${cadence}; rows: ${rows}\n  ${certainty}\n`,
  );
  return {
    json: { packs },
    text: `${lines.join('')}\nTo serve a town: shingle init PACK --town NAME`,
  };
}

/** Fills in a pack for a town. Throws `usage` for an unknown town, `source` if the portal fails. */
export async function fillTown(
  pack: Pack,
  { town: given, from, json }: { town?: string; from?: string; json?: boolean },
  access: PlaceOptions,
): Promise<{ name: string; texts: Record<string, string>; place: string | undefined }> {
  if (given === undefined && (!isInteractive() || json))
    throw usageError('a register pack needs --town NAME');
  const question = { text: `Which town (${pack.title})?`, standard: '' };
  const wanted = given ?? (await withPrompts(({ askText }) => askText(question)));
  const address = listTownsAddress(pack, wanted);
  const records = await fetchJson(moveToMirror(address, from), access);
  const town = findTown(pack, wanted, readTowns(pack, filterRecords(records)));
  // the operator can change the first day in city.yaml
  const startDay = Temporal.PlainDate.from(new Date().toISOString().slice(0, 10)).subtract({ years: YEARS });
  const yaml = fillPack(pack, town, startDay.toString());
  const types = readText(pack.name, TYPES);
  return {
    name: town.name,
    texts: { [YAML]: yaml, ...(types !== undefined && { [TYPES]: types }) },
    place: from === undefined ? undefined : findPlace(yaml, from),
  };
}

function moveToMirror(address: URL, from: string | undefined): URL {
  return from === undefined ? address : new URL(address.pathname + address.search, from);
}

function findPlace(yaml: string, from: string): string | undefined {
  const [register] = parseMapping(YAML, yaml).mapping?.registers ?? [];
  if (register === undefined) return undefined;
  if ('socrata' in register.from)
    return new URL(`/resource/${register.from.socrata.dataset}.json`, from).href;
  return 'csv' in register.from ? moveToMirror(new URL(register.from.csv), from).href : undefined;
}

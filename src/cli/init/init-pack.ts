/** What `shingle init` does with a register pack: finds it, asks the portal for its towns, and fills in the one that was named. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseMapping } from '../../city/mapping/read-mapping.ts';
import { ShingleError } from '../../errors.ts';
import { fetchJson } from '../../import/portals/portal.ts';
import type { PlaceOptions } from '../../import/readers/place.ts';
import { filterRecords } from '../../listings/record.ts';
import {
  fillPack,
  findTown,
  listTownsAddress,
  type Pack,
  readPack,
  readTowns,
} from '../../registers/packs.ts';
import type { Report } from '../options.ts';
import { isInteractive, withPrompts } from './prompt.ts';

const PACKS = fileURLToPath(new URL('../../../packs/', import.meta.url));
const YEARS = 3;

/** What the files of a pack are called, in its folder and in that of a city. */
const YAML = 'city.yaml';
const TYPES = 'categories.csv';

/** The pack of this name, unless there is a file or folder of the same name. */
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

/** Options of a register that is surveyed: a pack knows the answers, and `city.yaml` can be changed. */
const OF_A_SURVEY = [
  ...(['name', 'region', 'timeZone', 'publisher', 'homepage', 'license'] as const),
  ...(['boundaries', 'addresses', 'postalCodes'] as const),
] as const;
type GivenOptions = { [Option in (typeof OF_A_SURVEY)[number] | 'town' | 'from']?: unknown } & {
  use: object;
};

/** Throws `usage` for options that mean nothing for the place. */
export function checkPackOptions(place: string, pack: Pack | undefined, options: GivenOptions): void {
  const isGiven = (option: keyof GivenOptions) => options[option] !== undefined;
  if (pack === undefined && (isGiven('town') || isGiven('from'))) {
    const packs = listPackNames().join(', ');
    throw new ShingleError(
      'usage',
      `"${place}" is no register pack, so --town and --from mean nothing here. Packs: ${packs}`,
    );
  }
  if (pack === undefined) return;
  const hasRoles = Object.keys(options.use).length > 0;
  if (hasRoles || OF_A_SURVEY.some(isGiven))
    throw new ShingleError(
      'usage',
      'a register pack takes --town, --from, --out, --no-install and --json only. Change the rest in city.yaml',
    );
}

/** Reports the packs. */
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

/** The files of a town's city, and where to check it. Throws `usage` for a town that does not exist, `source` where the portal fails. */
export async function fillTown(
  pack: Pack,
  { town: given, from, json }: { town?: string; from?: string; json?: boolean },
  access: PlaceOptions,
): Promise<{ name: string; texts: Record<string, string>; place: string | undefined }> {
  const wanted = given ?? (await askTown(pack, json === true));
  const address = listTownsAddress(pack, wanted);
  const records = await fetchJson(moveToMirror(address, from), access);
  const town = findTown(pack, wanted, readTowns(pack, filterRecords(records)));
  const yaml = fillPack(pack, town, startDay());
  const types = readText(pack.name, TYPES);
  return {
    name: town.name,
    texts: { [YAML]: yaml, ...(types !== undefined && { [TYPES]: types }) },
    place: from === undefined ? undefined : findPlace(yaml, from),
  };
}

async function askTown({ title }: Pack, isQuiet: boolean): Promise<string> {
  if (!isInteractive() || isQuiet) throw new ShingleError('usage', 'a register pack needs --town NAME');
  return withPrompts(({ askText }) => askText({ text: `Which town (${title})?`, standard: '' }));
}

/** The day from which listings are taken. It stays in `city.yaml`, where the operator can change it. */
function startDay(): string {
  return Temporal.Now.plainDateISO('UTC').subtract({ years: YEARS }).toString();
}

/** The same path and query at another host. */
function moveToMirror(address: URL, from: string | undefined): URL {
  return from === undefined ? address : new URL(address.pathname + address.search, from);
}

/** Where a mirror has the register of a `city.yaml`. */
function findPlace(yaml: string, from: string): string | undefined {
  const [register] = parseMapping(YAML, yaml).mapping?.registers ?? [];
  if (register === undefined) return undefined;
  if ('socrata' in register.from)
    return new URL(`/resource/${register.from.socrata.dataset}.json`, from).href;
  return 'csv' in register.from ? moveToMirror(new URL(register.from.csv), from).href : undefined;
}

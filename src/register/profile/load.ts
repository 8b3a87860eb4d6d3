/**
 * Finds and loads a city: a folder in `cities/`, or a `city.yaml` or `city.ts` anywhere on disk. If a folder has both,
 * `city.yaml` defines the city and `city.ts` exports the sources that a mapping cannot express. Reports all errors of
 * a city in one message. Cities with errors are not served.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMMON_WORDS } from '../../shared/city/languages.ts';
import { cityError, messageOf } from '../../shared/errors.ts';
import { removeInvisibles, removeInvisiblesButJoiners } from '../../shared/text/visible-text.ts';
import type { City, Place } from './define.ts';
import { READING_VERSION } from './reading-version.ts';

/** The extension of code files. The npm package, including its profiles, has JavaScript instead of TypeScript. */
const EXTENSION = extname(import.meta.url);
const VOCABULARY = new URL(`./city${EXTENSION}`, import.meta.url);
const FORMAT = EXTENSION === '.ts' ? 'module-typescript' : 'module';
const MAPPING = 'city.yaml';
/** File names of profiles. Profiles in the package are JavaScript. Profiles of operators are TypeScript. */
const PROGRAMS = [...new Set([`city${EXTENSION}`, 'city.ts'])];
const CITIES = fileURLToPath(new URL('../../../cities/', import.meta.url));

/** Tables of `src/data` that affect how rows are judged. Texts of pages and emails do not. */
const JUDGING_WORDS = {
  csv: 'nace kind-words kind-words-romance type-words activity-words brand-words preset-words person-words company-forms street-words missing-words states',
  txt: 'people-names',
  json: 'categories',
};

export type LoadedCity = {
  city: City;
  slug: string;
  path: string;
  folder: string;
  /** SHA-256 of the profile, its imports and the rules for reading rows. When it changes, rows are judged again. */
  digest: string;
  /** Whether the city comes with Shingle, so that its folder is not the operator's. */
  isShipped: boolean;
};

export async function loadCity(named: string): Promise<LoadedCity> {
  const path = findProfile(named);
  const modules = new Set<string>();
  const city = /\.ya?ml$/.test(path) ? await loadMapped(path, modules) : await loadProfile(path, modules);
  // imported only for cities, because it reads a table of words
  const { listProfileProblems } = await import('./schema/profile.ts');
  const problems = listProfileProblems(city);
  if (problems.length > 0)
    throw cityError(`${path} is not a valid city profile:\n- ${problems.join('\n- ')}`);
  const folder = dirname(path);
  return {
    city: cleanProfile(city as City),
    slug: basename(folder),
    path,
    folder,
    digest: digestOf(modules),
    isShipped: path.startsWith(CITIES),
  };
}

async function loadProfile(path: string, modules: Set<string>): Promise<unknown> {
  const city = await importProfile(path, modules);
  if (!Array.isArray(city)) return city;
  const says = 'it exports a list of sources, but no city.yaml beside it describes the city';
  throw cityError(`${path} is not a city: ${says}`);
}

async function loadMapped(path: string, modules: Set<string>): Promise<City> {
  // imported only for mappings, because it loads the YAML library
  const { readMappedCity } = await import('./mapping/read-mapping.ts');
  const { city, files } = readMappedCity(path);
  for (const file of files) modules.add(pathToFileURL(file).href);
  const beside = PROGRAMS.map((name) => join(dirname(path), name)).find((one) => existsSync(one));
  if (beside === undefined) return city;
  const sources = await importProfile(beside, modules);
  if (Array.isArray(sources)) return { ...city, sources: [...city.sources, ...sources] };
  const says = `${basename(path)} is the city, so this file may only add sources: \`export default [source({ ... })]\``;
  throw cityError(`${beside} is not a list of sources: ${says}`);
}

function cleanProfile(city: City): City {
  const { operator, words, zips, sources } = city;
  return {
    ...cleanTexts(city),
    operator: cleanTexts(operator),
    ...(words && { words: cleanTexts(words) }),
    ...(zips && { zips: cleanTexts(zips, removeInvisibles) }),
    sources: sources.map((source) => cleanTexts(source)),
  };
}

function cleanTexts<Texts extends object>(texts: Texts, clean = removeInvisiblesButJoiners): Texts {
  const cleaned = Object.entries(texts).map(([key, one]) => [
    key,
    typeof one === 'string' ? clean(one) : one,
  ]);
  return Object.fromEntries(cleaned) as Texts;
}

export function resolvePlace(folder: string, place: Place): string {
  if ('url' in place) return place.url;
  return isAbsolute(place.file) ? place.file : join(folder, place.file);
}

function findProfileIn(folder: string): string | undefined {
  return [MAPPING, ...PROGRAMS].map((name) => join(folder, name)).find((path) => statOf(path) !== undefined);
}

/** Returns what a path is. Throws `city` if this user may not know. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw cityError(`${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function findProfile(named: string): string {
  const isPath = /\.(?:ts|ya?ml)$/.test(named) || named.includes('/') || named.includes(sep);
  const path = isPath ? resolve(named) : join(CITIES, named);
  const isFile = statOf(path)?.isDirectory() === false;
  const found = isFile ? path : findProfileIn(path);
  if (found !== undefined && !statSync(found).isFile())
    throw cityError(`${found} is not a file, so it is not a city profile`); // a pipe would never end
  if (found !== undefined) return found;
  const known = readdirSync(CITIES).filter((slug) => findProfileIn(join(CITIES, slug)) !== undefined);
  throw cityError(
    `no city profile at ${path}. Set SHINGLE_CITY to one of ${known.join(', ')}, or to the path of a city.yaml, a city.ts or their folder`,
  );
}

/** Imports a profile, and resolves `shingle/city` to this program. Adds every imported module to `modules`. */
async function importProfile(path: string, modules: Set<string>): Promise<unknown> {
  modules.add(pathToFileURL(path).href);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'shingle/city') return { url: VOCABULARY.href, shortCircuit: true, format: FORMAT };
      const found = next(specifier, context);
      const isProfile = modules.has(found.url) || modules.has(context.parentURL ?? '');
      if (!isProfile || !found.url.startsWith('file:')) return found;
      modules.add(found.url);
      // A profile is always a module, regardless of a package.json in a parent folder.
      if (found.url.endsWith('.ts')) return { ...found, format: 'module-typescript' };
      return found;
    },
  });
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    if (module.default === undefined)
      throw new Error('the file has no default export. Write `export default defineCity({ ... })`');
    return module.default;
  } catch (error) {
    throw cityError(`${path} cannot be loaded: ${messageOf(error)}`, error);
  } finally {
    hooks.deregister();
  }
}

function digestOf(modules: Set<string>): string {
  const hash = createHash('sha256').update(`${READING_VERSION}\0`);
  const tables = Object.entries(JUDGING_WORDS).flatMap(([kind, names]) =>
    names.split(' ').map((name) => `${name}.${kind}`),
  );
  tables.push(...COMMON_WORDS);
  const files = [...modules, ...tables.map((name) => new URL(`../../data/${name}`, import.meta.url))];
  for (const file of files) hash.update(readFileSync(fileURLToPath(file))).update('\0');
  return hash.digest('hex');
}

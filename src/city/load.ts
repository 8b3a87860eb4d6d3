/**
 * Finds and loads a city profile: a folder in `cities/`, or a `city.ts` anywhere on disk.
 * Reports all errors of a profile in one message. A profile with errors is not served.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, ShingleError } from '../errors.ts';
import { removeInvisibles, removeInvisiblesButJoiners } from '../listings/visible-text.ts';
import type { City, Place } from './define.ts';
import { READING_VERSION } from './reading-version.ts';
import { listProfileFaults } from './schema/profile.ts';

/** The npm package has JavaScript in place of the checkout's TypeScript, and so have the profiles in it. */
const EXTENSION = extname(import.meta.url);
const VOCABULARY = new URL(`./city${EXTENSION}`, import.meta.url);
const FORMAT = EXTENSION === '.ts' ? 'module-typescript' : 'module';
const CITIES = fileURLToPath(new URL('../../cities/', import.meta.url));

/** The words and codes that rows are judged by. Those of pages and emails are not among them. */
const JUDGING_WORDS = [
  'addresses/street-words',
  'given-names',
  'kinds/categories',
  'kinds/kind-words',
  'kinds/naics-titles',
  'kinds/type-words',
  'person-words',
];

export type LoadedCity = {
  city: City;
  slug: string;
  /** The file of the profile. */
  path: string;
  /** Paths in the profile are relative to this folder. */
  folder: string;
  /** SHA-256 of the profile, its imports and how rows are read. When it changes, rows are judged again. */
  digest: string;
};

/** Loads the profile that `SHINGLE_CITY` names. Throws `city` with one readable message. */
export async function loadCity(named: string): Promise<LoadedCity> {
  const path = profilePath(named);
  const modules = new Set([pathToFileURL(path).href]);
  const city = await importProfile(path, modules);
  const faults = listProfileFaults(city);
  if (faults.length > 0)
    throw new ShingleError('city', `${path} is not a valid city profile:\n- ${faults.join('\n- ')}`);
  const folder = dirname(path);
  return {
    city: cleanProfile(city as City),
    slug: basename(folder),
    path,
    folder,
    digest: digestOf(modules),
  };
}

/** What pages and emails show of a profile, without invisible characters. */
function cleanProfile(city: City): City {
  const clean = removeInvisiblesButJoiners;
  const entries = (texts: Readonly<Record<string, string>>, cleanText: (text: string) => string) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, cleanText(text)]));
  return {
    ...city,
    name: clean(city.name),
    region: clean(city.region),
    operator: { name: clean(city.operator.name), contact: clean(city.operator.contact) },
    ...(city.words && { words: entries(city.words, clean) }),
    ...(city.zips && { zips: entries(city.zips, removeInvisibles) }),
    sources: city.sources.map((source) => ({
      ...source,
      publisher: clean(source.publisher),
      licence: clean(source.licence),
      ...(source.notice !== undefined && { notice: clean(source.notice) }),
    })),
  };
}

/** The absolute path or the URL of a place in a profile. */
export function resolvePlace(folder: string, place: Place): string {
  if ('url' in place) return place.url;
  return isAbsolute(place.file) ? place.file : join(folder, place.file);
}

function profilePath(named: string): string {
  const looksLikePath = named.endsWith('.ts') || named.includes('/') || named.includes(sep);
  const path = looksLikePath ? resolve(named) : join(CITIES, named, `city${EXTENSION}`);
  if (existsSync(path) && statSync(path).isDirectory()) return profilePath(join(path, 'city.ts'));
  if (existsSync(path)) return path;
  const known = readdirSync(CITIES).filter((slug) => existsSync(join(CITIES, slug, `city${EXTENSION}`)));
  throw new ShingleError(
    'city',
    `no city profile at ${path}. Set SHINGLE_CITY to one of ${known.join(', ')}, or to the path of a city.ts`,
  );
}

/** Imports the profile with `shingle/city` resolved to this program, and records every module of the profile. */
async function importProfile(path: string, modules: Set<string>): Promise<unknown> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'shingle/city') return { url: VOCABULARY.href, shortCircuit: true, format: FORMAT };
      const found = next(specifier, context);
      const isProfile = modules.has(found.url) || modules.has(context.parentURL ?? '');
      if (!isProfile || !found.url.startsWith('file:')) return found;
      modules.add(found.url);
      // A profile is a module, whatever a package.json above its folder says.
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
    throw new ShingleError('city', `${path} cannot be loaded: ${messageOf(error)}`, { cause: error });
  } finally {
    hooks.deregister();
  }
}

function digestOf(modules: Set<string>): string {
  const hash = createHash('sha256').update(`${READING_VERSION}\0`);
  const files = [
    ...modules,
    ...JUDGING_WORDS.map((name) => new URL(`./${name}${EXTENSION}`, import.meta.url)),
  ];
  for (const file of files) hash.update(readFileSync(fileURLToPath(file))).update('\0');
  return hash.digest('hex');
}

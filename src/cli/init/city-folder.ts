/** Writes the folder of a drafted city: a package that depends on the Shingle which drafted it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Place } from '../../city/define.ts';
import type { CityMapping, MappedFormat } from '../../city/mapping/mapping.ts';
import { isSecretAddress, listFiles, type PlaceOptions } from '../../import/readers/place.ts';
import type { ReadTable } from '../../import/tables/read-table.ts';
import { VERSION } from '../../operations/service.ts';
import { CATEGORIES_FILE, type DraftedRegister } from '../../registers/writing/draft-mapping.ts';
import { writeCategoriesCsv, writeCityYaml } from '../../registers/writing/write-city.ts';
import type { CityFacts } from './init-screen.ts';

/**
 * Copies the files at `place` into `filings/` or `addresses/` of the folder, unless they are in the folder. Returns where they are
 * then, relative to the folder.
 */
async function copyIntoFolder(
  place: string,
  { folder, into }: { folder: string; into: 'filings' | 'addresses' },
  access: PlaceOptions,
): Promise<string> {
  const inside = formatRelativePath(folder, resolve(place));
  if (!inside.startsWith('../') && inside !== '..') return inside;
  await mkdir(join(folder, into), { recursive: true, mode: PRIVATE_FOLDER });
  let only: string | undefined;
  for await (const { path, name } of listFiles(place, access)) {
    for (const part of [path, ...listShapefileParts(path)])
      await copyPrivately(part, join(folder, into, basename(part)));
    only = join(into, name);
  }
  return only === join(into, basename(place)) ? `${into}/${basename(place)}` : into;
}

/** The export has names and addresses of people: only its owner reads what `init` writes. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, PRIVATE_FILE);
}

/** What belongs to the shapes of a shapefile that is not packed. */
function listShapefileParts(path: string): string[] {
  if (!/\.shp$/i.test(path)) return [];
  const stem = path.slice(0, -4);
  return ['.dbf', '.prj', '.DBF', '.PRJ'].map((end) => stem + end).filter(existsSync);
}

/** What the folder of a city is made of. */
type Draft = {
  place: string;
  facts: CityFacts;
  drafted: DraftedRegister;
  found: ReadTable;
  boundaries: { text: string; property: string } | undefined;
  slug: string;
  access: PlaceOptions;
};

/** Writes a mapped city and everything that its folder needs. Only their owner can read the files. */
export async function writeMappedFolder(folder: string, draft: Draft): Promise<void> {
  const { place, facts, slug, drafted, found, boundaries, access } = draft;
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const copy = async (from: string, into: 'filings' | 'addresses') =>
    /^https?:/i.test(from) ? undefined : copyIntoFolder(from, { folder, into }, access);
  const filings = await copy(place, 'filings');
  const addresses =
    facts.addresses === undefined
      ? undefined
      : describePlace(facts.addresses, await copy(facts.addresses, 'addresses'));
  const city: CityMapping = {
    name: facts.name,
    region: facts.region,
    timeZone: facts.timeZone ?? 'Etc/UTC',
    ...(boundaries && { boundaries: { file: 'boundaries.geojson', property: boundaries.property } }),
    ...(addresses && { addresses }),
    registers: [{ ...drafted.mapping!, from: placeFormat(drafted.mapping!.from, filings) }],
  };
  const head = [
    `${facts.name}: mapped from ${countFileRows(found)} rows. Nobody has checked it yet; "npx shingle check" shows what would be served.`,
    ...found.notes,
  ];
  const texts: Record<string, string> = {
    'city.yaml': writeCityYaml(city, head, drafted.remarks),
    ...(drafted.types.length > 0 && { [CATEGORIES_FILE]: writeCategoriesCsv(drafted.types) }),
    ...(boundaries && { 'boundaries.geojson': boundaries.text }),
  };
  writeTexts(folder, texts);
  await writePackage(folder, { name: facts.name, slug, filings });
}

/** All rows of the file, those that cannot be read among them: as an import counts them. */
export function countFileRows({ table, damaged }: Pick<ReadTable, 'table' | 'damaged'>): number {
  return [...damaged.values()].reduce((sum, count) => sum + count, table.total);
}

/** Names the copy of a local file. A portal or an address is named already. */
function placeFormat(from: MappedFormat, filings: string | undefined): MappedFormat {
  if (filings === undefined) return from;
  const [word = 'csv'] = Object.keys(from);
  return { ...from, [word]: filings } as MappedFormat;
}

/** A file by its path; a URL, unless it may hold a secret. */
function describePlace(place: string, file: string | undefined): Place | undefined {
  if (file !== undefined) return { file };
  return isSecretAddress(place) ? undefined : { url: place };
}

/**
 * With `exec`, a signal to npm reaches the service: the shell between them does not pass it on. cmd.exe, which npm uses on Windows,
 * knows no `exec` and runs the second command.
 */
const START = 'exec shingle start || shingle start';

type FolderFacts = { name: string; slug: string; filings: string | undefined };

/** Writes the city of a pack, filled in for a town, and everything that its folder needs. */
export async function writePackFolder(
  folder: string,
  { name, slug, texts }: { name: string; slug: string; texts: Readonly<Record<string, string>> },
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  writeTexts(folder, texts);
  await writePackage(folder, { name, slug, filings: undefined });
}

function writeTexts(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(folder, name), text, { mode: PRIVATE_FILE });
}

/** Writes the files that make the folder a package, except those that exist. `filings`: the copy of the export. */
async function writePackage(folder: string, { name, slug, filings }: FolderFacts): Promise<void> {
  const manifest = {
    name: slug,
    private: true,
    type: 'module',
    scripts: { start: START, check: 'shingle check' },
    dependencies: { shingle: await findDependency(folder) },
  };
  const newer =
    filings === undefined
      ? '`npm start` downloads the register again every day.'
      : `\`${filings}\` is a copy of the export. Put a newer one in its place: \`npm start\` imports it within a day, and
  \`npx shingle ingest\` at once.`;
  const values: Record<string, string> = { name: name.replace(/[\r\n]+/g, ' '), newer };
  const texts = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': readTemplate('readme').replace(/\{(name|newer)\}/g, (_, key: string) => values[key]!),
    '.env.example': readTemplate('env'),
    '.gitignore': readTemplate('gitignore'),
  };
  for (const [file, text] of Object.entries(texts))
    if (!existsSync(join(folder, file)))
      await writeFile(join(folder, file), text, { flag: 'wx', mode: PRIVATE_FILE });
}

function readTemplate(name: string): string {
  return readFileSync(new URL(`../../data/city-${name}.txt`, import.meta.url), 'utf8');
}

/** Installs the dependencies with the npm of this machine, and says whether that worked. npm's own output goes to stderr. */
export async function installDependencies(folder: string): Promise<boolean> {
  const isWindows = process.platform === 'win32'; // where npm is a script
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  });
  const [code] = await once(npm, 'close').catch(() => [-1]); // there is no npm
  return code === 0;
}

/**
 * As this Shingle was installed: from a checkout; from a tarball, which is copied into the folder, so that the folder can be moved; or from
 * the registry, in this version or a later one that keeps its promises.
 */
async function findDependency(folder: string): Promise<string> {
  const root = dirname(findPackageJSON(import.meta.url)!);
  const modules = dirname(root);
  if (basename(modules) !== 'node_modules') return `file:${formatRelativePath(folder, root)}`;
  const tarball = findTarball(modules);
  if (tarball !== undefined) {
    const copy = join(folder, basename(tarball));
    if (!existsSync(copy)) await copyFile(tarball, copy);
    return `file:${basename(tarball)}`;
  }
  return VERSION.startsWith('0.') ? `>=${VERSION} <1` : `^${VERSION}`;
}

/** The tarball that npm says it installed this package from, if it is still there. */
function findTarball(modules: string): string | undefined {
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const { resolved = '' } = packages?.['node_modules/shingle'] ?? {};
  const path = resolve(dirname(modules), resolved.replace(/^file:/, ''));
  return resolved.startsWith('file:') && existsSync(path) ? path : undefined;
}

function formatRelativePath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/') || '.';
}

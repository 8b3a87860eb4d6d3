/** The folder of a drafted city: a package of its own that depends on the Shingle which drafted it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { listFiles, type PlaceOptions } from '../ingest/sources/place.ts';
import { type FolderFacts, writeFolderTexts } from '../registers/folder-texts.ts';
import { VERSION } from '../service/service.ts';

/**
 * Copies the files at `place` into `filings/` or `addresses/` of the folder, unless they are in the folder. Returns where they are
 * then, relative to the folder.
 */
export async function copyIntoFolder(
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
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

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

/** Writes the files of the package that are not there yet, and returns their names. */
export async function writeCityFolder(
  folder: string,
  facts: Omit<FolderFacts, 'shingle'>,
): Promise<string[]> {
  const texts = writeFolderTexts({ ...facts, shingle: await findDependency(folder) });
  const missing = Object.entries(texts).filter(([name]) => !existsSync(join(folder, name)));
  for (const [name, text] of missing)
    await writeFile(join(folder, name), text, { flag: 'wx', mode: PRIVATE_FILE });
  return missing.map(([name]) => name);
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

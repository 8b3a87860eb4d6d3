/** Writes the folder of a drafted city: a package that depends on the version of Shingle that drafted it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { CityMapping, MappedFormat } from '../../../register/profile/mapping/mapping.ts';
import { isSecretAddress, listFiles, type PlaceOptions } from '../../../register/readers/place.ts';
import type { ReadTable } from '../../../register/survey/read-table.ts';
import { CATEGORIES_FILE, type DraftedRegister } from '../../../register/writing/draft-mapping.ts';
import { writeCategoriesCsv, writeCityYaml } from '../../../register/writing/write-city.ts';
import { foldWords } from '../../../shared/words.ts';
import { PACKAGE, VERSION } from '../../operations/version.ts';
import type { GuessedFacts } from './init-screen.ts';

/** Permissions of the folder. Only its owner can read it, because the export contains names and addresses of people. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Copies files into the folder, unless they are already there. Returns their relative path, or `undefined` for a URL.
 */
async function copyIntoFolder(
  place: string,
  { folder, into }: { folder: string; into: 'filings' | 'addresses' },
  access: PlaceOptions,
): Promise<string | undefined> {
  if (/^https?:/i.test(place)) return undefined;
  const inside = formatRelativePath(folder, resolve(place));
  if (!inside.startsWith('../') && inside !== '..') return inside;
  await mkdir(join(folder, into), { recursive: true, mode: PRIVATE_FOLDER });
  let only: string | undefined;
  for await (const { path, name } of listFiles(place, access)) {
    const copy = join(folder, into, basename(path));
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    await chmod(copy, PRIVATE_FILE);
    only = join(into, name);
  }
  return only === join(into, basename(place)) ? `${into}/${basename(place)}` : into;
}

/** Writes the folder of a city with a drafted mapping, and copies the city's files into it. */
export async function writeMappedFolder(
  folder: string,
  place: string,
  draft: {
    facts: GuessedFacts;
    drafted: DraftedRegister;
    found: ReadTable;
    boundaries: { text: string; property: string } | undefined;
  },
  access: PlaceOptions,
): Promise<void> {
  const { facts, drafted, found, boundaries } = draft;
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const register = drafted.mapping!;
  const filings = await copyIntoFolder(place, { folder, into: 'filings' }, access);
  const [format = 'csv'] = Object.keys(register.from);
  const from = filings === undefined ? register.from : { ...register.from, [format]: filings };
  const { addresses: given } = facts;
  const copied = given && (await copyIntoFolder(given, { folder, into: 'addresses' }, access));
  const addresses = copied ? { file: copied } : given && !isSecretAddress(given) && { url: given };
  const city: CityMapping = {
    name: facts.name,
    region: facts.region,
    timeZone: facts.timeZone || 'Etc/UTC',
    ...(boundaries && { boundaries: { file: 'boundaries.geojson', property: boundaries.property } }),
    ...(addresses && { addresses }),
    registers: [{ ...register, from: from as MappedFormat }],
  };
  const rows = [...found.damaged.values()].reduce((sum, count) => sum + count, found.table.total);
  const head = [
    `${facts.name}: mapped from ${rows} rows. It has not been checked yet; "npx shingle check" shows what would be served.`,
    ...found.notes,
  ];
  const texts = {
    'city.yaml': writeCityYaml(city, head, drafted.remarks),
    ...(drafted.types.length > 0 && { [CATEGORIES_FILE]: writeCategoriesCsv(drafted.types) }),
    ...(boundaries && { 'boundaries.geojson': boundaries.text }),
  };
  await writeCityFolder(folder, facts.name, texts, filings);
}

/**
 * The npm script that starts the service. `exec` replaces npm's shell with the service, so the service gets npm's
 * signals. On Windows, npm uses cmd.exe, which has no `exec` and runs the second command.
 */
const START = 'exec shingle start || shingle start';

/** For npm 9.0 to 9.4, such as Debian's: it would pack a checkout and not link to it, and a checkout is not built. */
const LINKED = 'install-links=false\n';

/** Converts a city's name to a name for its package and folder. */
export function makeSlug(name: string): string {
  return (foldWords(name).match(/[a-z0-9]+/g) ?? ['city']).join('-');
}

export async function writeCityFolder(
  folder: string,
  name: string,
  texts: Readonly<Record<string, string>>,
  filings?: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  for (const [file, text] of Object.entries(texts))
    writeFileSync(join(folder, file), text, { mode: PRIVATE_FILE });
  const dependency = await findDependency(folder);
  const manifest = {
    name: makeSlug(name),
    private: true,
    type: 'module',
    scripts: { start: START, check: 'shingle check' },
    dependencies: { shingle: dependency },
  };
  const newer =
    filings === undefined
      ? '`npm start` downloads the register again every day.'
      : `\`${filings}\` is a copy of the export. Put a newer one in its place: \`npm start\` imports it within a day, and
  \`npx shingle ingest\` at once.`;
  const values: Record<string, string> = { name: name.replace(/[\r\n]+/g, ' '), newer };
  const packageTexts = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': readTemplate('readme').replace(/\{(name|newer)\}/g, (_, key: string) => values[key]!),
    '.env.example': readTemplate('env'),
    '.gitignore': readTemplate('gitignore'),
    ...(/^file:.*(?<!\.tgz)$/.test(dependency) && { '.npmrc': LINKED }),
  };
  for (const [file, text] of Object.entries(packageTexts))
    if (!existsSync(join(folder, file)))
      writeFileSync(join(folder, file), text, { flag: 'wx', mode: PRIVATE_FILE });
}

function readTemplate(name: string): string {
  return readFileSync(new URL(`../../../data/city-${name}.txt`, import.meta.url), 'utf8');
}

export async function installDependencies(folder: string): Promise<boolean> {
  const isWindows = process.platform === 'win32'; // on Windows, npm is a script and needs a shell
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  });
  const [code] = await once(npm, 'close').catch(() => [-1]); // npm may not be installed
  return code === 0;
}

/**
 * Finds how this Shingle was installed: from a checkout, from a tarball, or from the registry. Copies a tarball, so
 * that the folder can be moved. From the registry, allows later compatible versions.
 */
async function findDependency(folder: string): Promise<string> {
  const root = dirname(findPackageJSON(import.meta.url)!);
  const [, parent, path] = /^(.*)[\\/](node_modules[\\/].*)$/.exec(root) ?? [];
  if (parent === undefined || path === undefined) return `file:${formatRelativePath(folder, root)}`;
  const tarball = findTarball(parent, path);
  if (tarball !== undefined) {
    const copy = join(folder, basename(tarball));
    if (!existsSync(copy)) await copyFile(tarball, copy);
    return `file:${basename(tarball)}`;
  }
  return `npm:${PACKAGE}@${VERSION.startsWith('0.') ? `>=${VERSION} <1` : `^${VERSION}`}`;
}

function findTarball(parent: string, path: string): string | undefined {
  const lock = join(parent, 'node_modules/.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const { resolved = '' } = packages?.[path.split(sep).join('/')] ?? {};
  const tarball = resolve(parent, resolved.replace(/^file:/, ''));
  return resolved.startsWith('file:') && existsSync(tarball) ? tarball : undefined;
}

function formatRelativePath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/') || '.';
}

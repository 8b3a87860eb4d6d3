/** Finds the parts of a shapefile: next to each other in a folder, or in a zip archive, as the Census publishes it. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf, ShingleError } from '../../errors.ts';
import { isZip } from '../readers/file-kind.ts';
import { openTemporaryFile, type PlaceFile, type PlaceOptions } from '../readers/place.ts';
import { unpackEntries } from '../readers/unpack.ts';
import { readZip } from '../readers/zip.ts';
import type { ShapefilePaths } from './shapefile.ts';

const PARTS = ['.shp', '.dbf', '.prj'] as const;

/** Returns whether a file is a shapefile, by its name or the names in its archive. */
export async function isShapefile(file: PlaceFile): Promise<boolean> {
  if (/\.shp$/i.test(file.name)) return true;
  return (await isZip(file.path)) && (await listArchivedNames(file)).some((name) => /\.shp$/i.test(name));
}

/** Passes the parts of a shapefile to `use`. Throws `source` if one is missing or they are not in degrees. */
export async function withShapefile(
  file: PlaceFile,
  options: PlaceOptions,
  use: (paths: ShapefilePaths) => Promise<void>,
): Promise<void> {
  if (!(await isZip(file.path))) return use(await checkParts(findBeside(file), file.name));
  await using shapes = await openTemporaryFile(options, 'shapes');
  await using table = await openTemporaryFile(options, 'table');
  await using projection = await openTemporaryFile(options, 'projection');
  const parts = { '.shp': shapes.path, '.dbf': table.path, '.prj': projection.path };
  await unpackParts(file, parts, options).catch((error: unknown) => {
    if (error instanceof ShingleError) throw error;
    throw new ShingleError('source', `it cannot be unpacked: ${messageOf(error)}`, { cause: error });
  });
  await use(await checkParts(parts, file.name));
}

type Parts = Record<(typeof PARTS)[number], string>;

function findBeside({ path }: PlaceFile): Parts {
  const stem = path.replace(/\.shp$/i, '');
  const find = (part: string) =>
    [part, part.toUpperCase()].map((end) => stem + end).find(existsSync) ?? stem + part;
  return { '.shp': path, '.dbf': find('.dbf'), '.prj': find('.prj') };
}

async function checkParts(parts: Parts, name: string): Promise<ShapefilePaths> {
  for (const part of ['.shp', '.dbf'] as const)
    if (!existsSync(parts[part])) throw new ShingleError('source', `the shapefile has no ${part} file`);
  const projection = existsSync(parts['.prj']) ? await readFile(parts['.prj'], 'utf8') : '';
  if (/^\s*PROJ/.test(projection))
    throw new ShingleError('source', 'it is projected, not in degrees. Export it as WGS 84');
  return { shapes: parts['.shp'], table: parts['.dbf'], name };
}

async function listArchivedNames({ path }: PlaceFile): Promise<string[]> {
  const names: string[] = [];
  const addName = (name: string) => {
    names.push(name);
    return undefined;
  };
  // unpacking reports a damaged archive
  await readZip(path, addName).catch(() => names.splice(0));
  return names;
}

function unpackParts(file: PlaceFile, parts: Parts, options: PlaceOptions): Promise<void> {
  const found = new Set<string>();
  return unpackEntries(file, options, (name) => {
    const part = PARTS.find((one) => name.toLowerCase().endsWith(one));
    if (part === undefined || name.includes('__MACOSX')) return undefined;
    if (found.has(part))
      throw new ShingleError('source', `the archive has several ${part} files. Unpack it and use one`);
    found.add(part);
    return parts[part];
  });
}

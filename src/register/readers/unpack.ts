/** Unpacks gzip files and zip archives, recognized by their first bytes, within the limits of a download. */

import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { messageOf, ShingleError, sourceError } from '../../shared/errors.ts';
import { joinFirst } from '../../shared/text/numbers.ts';
import { FETCH_LIMITS, limitBytes, RATIO_COUNTS_FROM } from './fetch.ts';
import { CONVERT_SHAPES, findFileKind } from './file-kind.ts';
import { DATA_ENDINGS, openTemporaryFile, type PlaceFile, type PlaceOptions } from './place.ts';

const ARCHIVE_DATA_FILE = new RegExp(
  `^(?!.*__MACOSX)(?:.*/)?[^./][^/]*\\.(txt|${DATA_ENDINGS.join('|')})$`,
  'i',
);
const ABOUT_THE_DATA = /(?:^|\/)(?:read.?me|licen[sc]e|metadata)[^/]*\.txt$/i;

export type UnpackOptions = Pick<PlaceOptions, 'tempFolder' | 'limits'> & {
  /** The name of the entry to read in an archive. */
  entry?: string | undefined;
};

/** Unpacks a file, or yields an ordinary file unchanged. Each unpacked file exists until the next is requested. */
export async function* unpackFiles(file: PlaceFile, options: UnpackOptions): AsyncGenerator<PlaceFile> {
  const kind = await findFileKind(file.path);
  if (kind !== 'gzip' && kind !== 'zip') {
    yield file;
    return;
  }
  await using temporary = await openTemporaryFile(options, 'unpacked');
  const { path } = temporary;
  try {
    await (kind === 'gzip' ? gunzip(file, path, options) : unzip(file, path, options));
    yield { ...file, path, bytes: (await stat(path)).size };
  } catch (error) {
    if (error instanceof ShingleError) throw error;
    throw sourceError(`${file.name} cannot be unpacked: ${messageOf(error)}`, error);
  }
}

function openLimit({ bytes }: PlaceFile, { limits }: UnpackOptions): (more: number) => string | undefined {
  const { unpackedBytes, ratio } = { ...FETCH_LIMITS, ...limits };
  const most = Math.min(unpackedBytes, Math.max(bytes * ratio, RATIO_COUNTS_FROM));
  let unpacked = 0;
  return (more) => {
    unpacked += more;
    return unpacked > most ? `the content is larger than ${most} bytes` : undefined;
  };
}

function gunzip(file: PlaceFile, path: string, options: UnpackOptions): Promise<void> {
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  const limit = limitBytes(openLimit(file, options));
  return pipeline(createReadStream(file.path), createGunzip(), limit, out);
}

async function unzip(file: PlaceFile, path: string, options: UnpackOptions): Promise<void> {
  // loaded only for an archive, because its library takes memory
  const { openZip } = await import('./zip.ts');
  await using zip = await openZip(file.path);
  const all = zip.entries.map(({ name }) => name);
  const names = all.filter((name) => ARCHIVE_DATA_FILE.test(name) && !ABOUT_THE_DATA.test(name));
  if (names.length === 0 && all.some((name) => /\.shp$/i.test(name)))
    throw sourceError(`the archive ${file.name} contains a shapefile. ${CONVERT_SHAPES}`);
  const chosen = chooseEntry(names, file.name, options.entry);
  const content = await zip.entries.find(({ name }) => name === chosen)!.read();
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(content, limitBytes(openLimit(file, options)), out);
}

function chooseEntry(names: readonly string[], archive: string, entry: string | undefined): string {
  if (entry === undefined) {
    if (names.length === 1) return names[0]!;
    const what = names.length === 0 ? 'no data file (.csv, .json, .xlsx)' : `${names.length} data files`;
    const which = names.length === 0 ? '' : `: ${joinFirst(names)}`;
    throw sourceError(
      `the archive ${archive} contains ${what}${which}. Unpack it and use a single file, or name one in city.yaml (entry)`,
    );
  }
  const wanted = entry.toLowerCase();
  const found = names.find((name) => [name, basename(name)].some((one) => one.toLowerCase() === wanted));
  if (found !== undefined) return found;
  throw sourceError(`the archive ${archive} contains no ${entry}, but ${joinFirst(names)}`);
}

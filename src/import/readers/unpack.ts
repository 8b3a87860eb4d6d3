/** Unpacks gzip files, and zip archives with one data file. Limited like a download, recognized by their first bytes. */

import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Unzip } from 'fflate';
import { messageOf, ShingleError } from '../../errors.ts';
import { FETCH_LIMITS, limitBytes, RATIO_COUNTS_FROM } from './fetch.ts';
import { findFileKind } from './file-kind.ts';
import { openTemporaryFile, type PlaceFile, type PlaceOptions } from './place.ts';
import { openZipStream } from './zip.ts';

const ARCHIVE_DATA_FILE = /^(?!.*__MACOSX)(?:.*\/)?[^./][^/]*\.(csv|tsv|txt|json|ndjson|geojson|xlsx)$/i;
const ABOUT_THE_DATA = /(?:^|\/)(?:read.?me|licen[sc]e|metadata)[^/]*\.txt$/i;

export type UnpackOptions = Pick<PlaceOptions, 'tempFolder' | 'limits'>;

/** The file as it is, or what is packed in it, readable until the next file is asked for. Throws `source`. */
export async function* unpackFiles(file: PlaceFile, options: UnpackOptions): AsyncGenerator<PlaceFile> {
  const kind = await findFileKind(file.path);
  if (kind === 'other' || kind === 'workbook') {
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
    throw new ShingleError('source', `${file.name} cannot be unpacked: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function gunzip(file: PlaceFile, path: string, options: UnpackOptions): Promise<void> {
  const packed = createReadStream(file.path);
  return pipeline(
    packed,
    createGunzip(),
    limitUnpacked(file, options),
    createWriteStream(path, { mode: 0o600, flags: 'wx' }),
  );
}

/** Counts the unpacked bytes and fails if there are more than the limit. */
function limitUnpacked({ bytes }: PlaceFile, { limits }: UnpackOptions): Transform {
  const { unpackedBytes, ratio } = { ...FETCH_LIMITS, ...limits };
  let unpacked = 0;
  return limitBytes((more) => {
    unpacked += more;
    const isBomb = unpacked > unpackedBytes || (unpacked > RATIO_COUNTS_FROM && unpacked > bytes * ratio);
    return isBomb ? `the content is larger than ${Math.min(unpackedBytes, bytes * ratio)} bytes` : undefined;
  });
}

async function unzip(file: PlaceFile, path: string, options: UnpackOptions): Promise<void> {
  const out = limitUnpacked(file, options);
  const names: string[] = [];
  const written = pipeline(out, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  written.catch(() => undefined);
  const archive = openZipStream((name) => {
    if (!ARCHIVE_DATA_FILE.test(name) || ABOUT_THE_DATA.test(name)) return undefined;
    names.push(name);
    if (names.length > 1) return undefined;
    return (chunk, isLast) => {
      out.write(chunk);
      if (isLast) out.end();
    };
  });
  await feedArchive(archive, createReadStream(file.path), out).catch((error) => {
    out.destroy();
    throw error;
  });
  if (names.length !== 1) {
    out.destroy();
    const what = names.length === 0 ? 'no data file (.csv, .json, .xlsx)' : `${names.length} data files`;
    throw new ShingleError(
      'source',
      `the archive ${file.name} contains ${what}. Unpack it and use a single file`,
    );
  }
  await written;
}

async function feedArchive(archive: Unzip, packed: Readable, out: Transform): Promise<void> {
  for await (const chunk of packed) {
    if (out.destroyed) return;
    archive.push(chunk);
    if (out.writableNeedDrain)
      await new Promise((resolve) => out.once('drain', resolve).once('close', resolve));
  }
  archive.push(new Uint8Array(), true);
}

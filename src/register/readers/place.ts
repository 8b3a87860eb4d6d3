/** Lists the files at a place: a file, a folder, or a URL, which is downloaded first. */

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, sourceError } from '../../shared/errors.ts';
import { FILE_FORMATS } from '../profile/formats.ts';
import { type FetchOptions, fetchTo } from './fetch.ts';
import { readChunks } from './utf8.ts';

const HASHED_BYTES = 256 * 1024; // bytes to read and hash at a time
/** The endings of data files, for folders and archives. */
export const DATA_ENDINGS = Object.values(FILE_FORMATS).flatMap(({ endings }) => endings);
const FOLDER_ENDINGS = [...DATA_ENDINGS, 'zip', 'gz'];
const FOLDER_DATA_FILE = new RegExp(`^[^.].*\\.(${FOLDER_ENDINGS.join('|')})$`, 'i');

export type PlaceFile = {
  name: string;
  /** The path of the file. A downloaded file exists only until the next file is requested. */
  path: string;
  content: string;
  bytes: number;
  isLast: boolean;
  /** Identifies this version of the file by the server's validators. */
  mark?: Record<string, unknown> | undefined;
};

export type PlaceOptions = FetchOptions & {
  /** The folder for downloads while they are read. It is created if it is missing. */
  tempFolder: string;
};

/** Yields the files of a place, sorted by name. Throws `source` if there is nothing to read. */
export async function* listFiles(place: string, options: PlaceOptions): AsyncGenerator<PlaceFile> {
  for await (const file of listNewFiles(place, { ...options, known: undefined }))
    if (file !== 'same') yield file;
}

/** Yields the files of a place, or `same` for a URL that has not changed since `known`, according to its server. */
export async function* listNewFiles(
  place: string,
  options: PlaceOptions,
): AsyncGenerator<PlaceFile | 'same'> {
  if (/^https?:/i.test(place)) yield* download(place, options);
  else if (/^[a-z][a-z0-9+.-]+:\/\//i.test(place))
    throw sourceError(`${place} is not a file, a folder or an http(s) URL`);
  else {
    const paths = await filesIn(place);
    for (const path of paths)
      yield { ...(await describeFile(path, basename(path))), isLast: path === paths.at(-1) };
  }
}

async function* download(address: string, options: PlaceOptions): AsyncGenerator<PlaceFile | 'same'> {
  await using temporary = await openTemporaryFile(options, 'download');
  const mark = await fetchTo(address, temporary.path, options);
  yield mark === 'same' ? mark : { ...(await describeFile(temporary.path, address)), mark };
}

async function filesIn(place: string): Promise<string[]> {
  const found = await statPath(place);
  if (!found.isDirectory()) {
    if (!found.isFile())
      throw sourceError(
        `${place} is a pipe, a socket or a device, not a file. Save its data as a file, and name that`,
      );
    return [place];
  }
  const names = (await readdir(place)).filter((name) => FOLDER_DATA_FILE.test(name)).sort();
  const paths: string[] = [];
  for (const name of names) if ((await statPath(join(place, name))).isFile()) paths.push(join(place, name));
  const endings = FOLDER_ENDINGS.map((ending) => `.${ending}`).join(', ');
  if (paths.length === 0) throw sourceError(`the folder ${place} has no data files (${endings})`);
  return paths;
}

async function statPath(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const sentence = missing ? `no file or folder at ${path}` : `${path} cannot be read: ${messageOf(error)}`;
    throw sourceError(sentence, error);
  }
}

export async function openTemporaryFile({ tempFolder }: Pick<PlaceOptions, 'tempFolder'>, what: string) {
  await mkdir(tempFolder, { recursive: true, mode: 0o700 });
  const path = join(tempFolder, `${what}-${randomUUID()}`);
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

export async function describeFile(path: string, name: string): Promise<PlaceFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of readChunks(path, HASHED_BYTES)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, path, content: hash.digest('hex'), bytes, isLast: true };
}

/** Returns whether a URL may contain a secret, which must not be written to a profile. */
export function isSecretAddress(address: string): boolean {
  const { username, password, searchParams } = new URL(address);
  const isSecret = [...searchParams.keys()].some((name) =>
    /token|key|secret|sig|auth|pass|pwd|credential/i.test(name),
  );
  return isSecret || username !== '' || password !== '';
}

/** Removes the query of a URL, because it may contain a token, and tokens must not be stored. */
export function removeQuery(place: string): string {
  return place.replace(/[?#].*$/, '');
}

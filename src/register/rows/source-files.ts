/** Lists the current data of a source as files, and reads their rows. Deletes its temporary files. */

import { hash } from 'node:crypto';
import type { Instant } from '../../shared/day.ts';
import { loadReader, readFileRows } from '../formats/read-file.ts';
import { loadPull, savePulled } from '../portals/portal.ts';
import type { Source } from '../profile/define.ts';
import { type FileReading, isPortal, type PortalSource } from '../profile/formats.ts';
import {
  describeFile,
  listNewFiles,
  openTemporaryFile,
  type PlaceFile,
  type PlaceOptions,
} from '../readers/place.ts';
import type { RowSpec } from '../readers/row.ts';
import { unpackFiles } from '../readers/unpack.ts';

export type SourceFileOptions = PlaceOptions & {
  timeZone: string;
  now?: Instant | undefined;
  /** What the newest kept run noted about this place, to recognize an unchanged file, if the same profile judged it. */
  known: Record<string, unknown> | undefined;
  socrataToken?: string | undefined;
};

export type SourceFile = PlaceFile & {
  /** Whether the files are a snapshot, rather than the changes since the newest kept run. */
  whole: boolean;
  mark: Record<string, unknown> | undefined;
  /** Whether the portal has all declared columns. If so, a field that is in no record is empty, not missing. */
  isChecked: boolean;
};

/** What is read of a source. One of a portal that declares no columns is read with all of them. */
type ReadSource = Pick<Source, 'from' | 'columns' | 'optional' | 'aliases' | 'hosts'>;

/** Lists the files at a place, or `same` if the publisher reports no change. Throws `source` if there are no files. */
export async function* listSourceFiles(
  source: ReadSource,
  place: string,
  given: SourceFileOptions,
): AsyncGenerator<SourceFile | 'same'> {
  const options = { ...given, hosts: source.hosts ?? [] };
  const { from } = source;
  if (isPortal(from) && /^https?:/i.test(place)) {
    yield* listPulledFile({ ...source, from }, place, options);
    return;
  }
  for await (const file of listNewFiles(place, options)) {
    if (file === 'same') yield file;
    else
      for await (const one of unpackFiles(file, { ...options, entry: from.entry }))
        yield { ...one, whole: true, isChecked: false, mark: file.mark };
  }
}

async function* listPulledFile(
  { from, columns, optional = [], aliases }: ReadSource & { from: PortalSource },
  place: string,
  { socrataToken, timeZone, known, now, ...options }: SourceFileOptions,
): AsyncGenerator<SourceFile | 'same'> {
  await using temporary = await openTemporaryFile(options, 'pulled');
  const { path } = temporary;
  const hasToken = socrataToken !== undefined && from.format === 'socrata';
  const request = { ...options, ...(hasToken && { headers: { 'x-app-token': socrataToken } }) };
  const dataSet = { address: new URL(place), columns, optional, aliases, timeZone, known, now };
  const pull = await loadPull(from.format);
  const pulled = await savePulled(path, request, dataSet, (portal) => pull(portal, from));
  if (pulled === 'same') {
    yield pulled;
    return;
  }
  const file = await describeFile(path, place);
  // without this, equal changes at different times would count as the same data
  const content = pulled.whole
    ? file.content
    : hash('sha256', `${file.content} ${JSON.stringify(pulled.mark)}`);
  yield { ...file, ...pulled, content, isChecked: true };
}

export function readSourceRows(source: Source, file: SourceFile, seen: Pick<RowSpec, 'others' | 'tally'>) {
  const { columns, optional = [], aliases } = source;
  const locate = (column: string) => source.mapping?.locate?.(column);
  const spec = file.isChecked
    ? { columns: [], optional: [...columns, ...optional], aliases, ...seen }
    : { columns, optional, aliases, locate, ...seen };
  return readFileRows(file.path, chooseReading(source, file), spec);
}

/** Lists the sheets that an import leaves out of a file. Returns `undefined` for formats that are read completely. */
export async function inspectSourceFile(source: Source, file: SourceFile) {
  const reading = chooseReading(source, file);
  const { inspect } = await loadReader(reading.format);
  return inspect?.(file.path, reading);
}

function chooseReading({ from }: Source, { name }: SourceFile): FileReading {
  if (!isPortal(from)) return from;
  // a downloaded portal has one record on each line; a file may be a list or CSV
  return { format: /\.csv(\.gz|\.zip)?$/i.test(name) ? 'csv' : 'json' };
}

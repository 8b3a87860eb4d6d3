/**
 * The current data of a source as files that can be judged: local files, downloads, unpacked archives, and the pages of a
 * portal. Deletes its temporary files.
 */

import { hash } from 'node:crypto';
import type { Source } from '../../city/define.ts';
import type { Instant } from '../../listings/day.ts';
import { pullArcgis } from '../portals/arcgis.ts';
import { pullCkan } from '../portals/ckan.ts';
import { type Portal, type Pulled, savePulled } from '../portals/portal.ts';
import { pullSocrata } from '../portals/socrata.ts';
import { describeFile, listNewFiles, openTemporaryFile, type PlaceFile, type PlaceOptions } from './place.ts';
import { unpackFiles } from './unpack.ts';

export type FiledOptions = PlaceOptions & {
  timeZone: string;
  now?: Instant | undefined;
  /** What identified the last kept run of this place, if the same profile judged it. */
  known: Record<string, unknown> | undefined;
  /** An app token for Socrata portals, which allow more requests with one. */
  socrataToken?: string | undefined;
};

/** A file to judge, or `same` where the publisher says that nothing has changed. */
export type Filed = 'same' | FiledFile;

export type FiledFile = PlaceFile & {
  /** A snapshot, rather than the changes since the last kept run. */
  whole: boolean;
  /** What identifies this state of the place. */
  mark: Record<string, unknown> | undefined;
  /** The columns were checked with the portal: a field that no record has is empty, not missing. */
  isChecked: boolean;
};

type PullPortal = (portal: Portal) => Promise<Pulled>;

/** How to read a portal; nothing for files. */
function pullOf(from: Source['from']): PullPortal | undefined {
  if (from.format === 'socrata') return (portal) => pullSocrata(portal, from.where);
  if (from.format === 'arcgis') return (portal) => pullArcgis(portal, from.where);
  if (from.format === 'ckan') return (portal) => pullCkan(portal, from.filters);
  return undefined;
}

/** The files at a place of this source, one at a time. Throws `source` if there is nothing to read. */
export async function* fileSource(source: Source, place: string, given: FiledOptions): AsyncGenerator<Filed> {
  const options = { ...given, hosts: source.hosts ?? [] };
  const pull = pullOf(source.from);
  if (pull !== undefined && /^https?:/i.test(place)) {
    yield* pullPortalFile(source, place, options, pull);
    return;
  }
  for await (const file of listNewFiles(place, options)) {
    if (file === 'same') yield file;
    else
      for await (const one of unpackFiles(file, { ...options, entry: source.from.entry }))
        yield { ...one, whole: true, mark: file.mark, isChecked: false };
  }
}

async function* pullPortalFile(
  source: Source,
  place: string,
  options: FiledOptions,
  pull: PullPortal,
): AsyncGenerator<Filed> {
  await using temporary = await openTemporaryFile(options, 'pulled');
  const { path } = temporary;
  const { socrataToken, timeZone, known, now } = options;
  const headers: Record<string, string> =
    socrataToken !== undefined && source.from.format === 'socrata' ? { 'x-app-token': socrataToken } : {};
  const asking = { ...options, headers };
  const { columns, optional = [], aliases } = source;
  const what = { address: new URL(place), columns, optional, aliases, timeZone, known, now };
  const outcome = await savePulled(path, asking, what, pull);
  if (outcome === 'same') yield outcome;
  else yield { ...(await describePulled(path, place, outcome)), ...outcome, isChecked: true };
}

/** The same changes at another time are a different file, so the time is part of what identifies them. */
async function describePulled(
  path: string,
  place: string,
  { whole, mark }: Exclude<Pulled, 'same'>,
): Promise<PlaceFile> {
  const file = await describeFile(path, place);
  if (whole) return { ...file, mark };
  return { ...file, content: hash('sha256', `${file.content} ${JSON.stringify(mark)}`), mark };
}

/** Runs an ingest command. Stops a source at its first held or failed run, but not at a refused file. An unreadable place is a failed run. */

import { hash } from 'node:crypto';
import type { FindingsWatch } from '../../register/findings/findings-watch.ts';
import type { Source } from '../../register/profile/define.ts';
import { type LoadedCity, resolvePlace } from '../../register/profile/load.ts';
import { type PlaceOptions, removeQuery } from '../../register/readers/place.ts';
import { type LoadedCityMap, loadCityMap, type MapOrder } from '../../register/rows/city-map.ts';
import { loadJoin } from '../../register/rows/join.ts';
import { listSourceFiles, type SourceFile } from '../../register/rows/source-files.ts';
import type { Run } from '../../service/runs/runs.ts';
import { findToday, type Instant } from '../../shared/day.ts';
import { messageOf, ShingleError, usageError } from '../../shared/errors.ts';
import { lazy } from '../../shared/remember.ts';
import { type ImportStore, ingestFile, type JudgedRow, type Judging } from './ingest-file.ts';

/** The city to import, and how to reach its places. */
export type CityAccess = Pick<PlaceOptions, 'tempFolder' | 'userAgent'> & {
  loaded: LoadedCity;
  socrataToken?: string | undefined;
};

export type IngestOrder = Pick<MapOrder, 'boundaries' | 'progress'> & {
  /** The id of a source. Default: all sources of the city. */
  source?: string | undefined;
  /** A place to read instead of the source's own, in the same format. */
  from?: string | undefined;
  now: () => Instant;
};

type Importing = CityAccess &
  IngestOrder & {
    store: ImportStore;
    command: string;
    /** Observes the import of a source whose rows are about to be judged: a dry run does. */
    observe?: (judging: Judging) => Promise<Observer>;
  };

/** What a dry run sees of the files of a source. Every run has findings then. */
export type Observer = Pick<Judging, 'watch' | 'seePlacing'> & {
  see(rows: readonly JudgedRow[], file: SourceFile): void;
  end(run: Run, file: SourceFile): void;
};

export async function ingestSources(order: Importing): Promise<Run[]> {
  const sources = selectSources(order);
  await order.store.tidy(order.now());
  // loaded on first use: later calls return the same map, or throw the same error
  const importing = { ...order, loadMap: lazy(() => loadCityMap(order)) };
  const runs: Run[] = [];
  for (const source of sources) runs.push(...(await ingestSource(importing, source)));
  return runs;
}

/** Returns the sources to import. Throws `usage` for an unknown or ambiguous source. */
function selectSources({ loaded, source: id, from }: CityAccess & IngestOrder): readonly Source[] {
  const { name, sources } = loaded.city;
  const ids = sources.map((source) => source.id).join(', ');
  if (id === undefined && from !== undefined && sources.length > 1)
    throw usageError(`--from requires --source. Use one of ${ids}`);
  const selected = sources.filter((source) => id === undefined || source.id === id);
  if (id !== undefined && selected.length === 0)
    throw usageError(`${name} has no source "${id}". Its sources are ${ids}`);
  return selected;
}

type Loading = Importing & { loadMap: () => Promise<LoadedCityMap> };

async function openJudging(order: Loading, source: Source): Promise<Judging> {
  const { loadMap, now, progress } = order;
  const { city, digest } = order.loaded;
  const loaded = await loadMap();
  const profileDigest = digest + loaded.digest;
  const join = await loadJoin(source, order);
  return { city, source, map: loaded.map, profileDigest, today: findToday(city, now()), progress, join };
}

export async function watchSource(judging: Judging): Promise<FindingsWatch> {
  // loaded only for a first import or a check
  const { openFindingsWatch } = await import('../../register/findings/findings-watch.ts');
  return openFindingsWatch(judging);
}

async function ingestSource(importing: Loading, source: Source): Promise<Run[]> {
  const { store, loaded, now } = importing;
  const runs: Run[] = [];
  const places = await listPlaces(importing, source);
  let current = places[0]!;
  const recordEmpty = (
    state: 'unchanged' | 'failed',
    { place, content, profileDigest }: Pick<Run, 'place' | 'content' | 'profileDigest'>,
    detail: string,
  ) => {
    const start = { source: source.id, snapshot: source.delivers === 'snapshot', startedAt: now() };
    const read = { place, content, profileDigest, command: current.command };
    return store.recordEmpty({ ...start, ...read }, state, detail);
  };
  try {
    const { outline } = await importing.loadMap();
    if (outline !== undefined) await store.keepOutline(outline);
    const judging = await openJudging(importing, source);
    const { profileDigest } = judging;
    const isFirst = (await store.lastKept(source.id)) === undefined;
    const observer = await importing.observe?.(judging);
    const watch = isFirst && observer === undefined ? await watchSource(judging) : undefined;
    const job = { ...importing, ...judging, isFirst, watch, ...observer };
    for (current of places) {
      const last = await store.lastKept(source.id);
      // after a change of the profile, the source must be read again
      const isSame = last?.profileDigest === profileDigest && last.place === removeQuery(current.place);
      // a dry run shows the rows even if they have not changed
      const isKnown = isSame && last.mark !== null && observer === undefined;
      const known = isKnown ? last.mark! : undefined;
      const options = { ...importing, timeZone: loaded.city.timeZone, known, now: now() };
      for await (const file of listSourceFiles(source, current.place, options)) {
        const read = file === 'same' ? file : describeFile(file, judging);
        const run =
          read === 'same'
            ? await recordEmpty('unchanged', last!, 'no changes, according to the publisher')
            : await ingestFile({ ...job, ...current }, read);
        if (read !== 'same') observer?.end(run, read);
        runs.push(run);
        if (run.state === 'held' || run.state === 'failed') return runs;
      }
    }
  } catch (error) {
    if (!(error instanceof ShingleError) || (error.code !== 'source' && error.code !== 'city')) throw error;
    const read = { place: removeQuery(current.place), content: '', profileDigest: loaded.digest };
    runs.push(await recordEmpty('failed', read, messageOf(error)));
  }
  return runs;
}

/** Removes the query of a URL, which may contain a token. Adds the joined file to the digest of the content. */
function describeFile(file: SourceFile, { join }: Judging): SourceFile {
  const content = join === undefined ? file.content : hash('sha256', `${file.content} ${join.digest}`);
  return { ...file, name: removeQuery(file.name), content };
}

function requirePlace({ folder }: LoadedCity, source: Source, from: string | undefined): string {
  const place = from ?? (source.from.place && resolvePlace(folder, source.from.place));
  if (place !== undefined) return place;
  const sentence = `source "${source.id}" has no configured location. Use --from with a file, folder or URL`;
  throw usageError(sentence);
}

/** Lists the places to import. A baseline file gets its own command, so its listings are not news. */
async function listPlaces({ command, loaded, store, from }: Importing, source: Source) {
  const usual = { place: requirePlace(loaded, source, from), command };
  const { baseline } = source;
  if (from !== undefined || baseline === undefined || (await store.lastKept(source.id)) !== undefined)
    return [usual];
  return [{ place: resolvePlace(loaded.folder, baseline), command: `${command} (baseline)` }, usual];
}

/**
 * Runs an ingest command: selects the sources, places and files, their order, and where to stop. Records a place that
 * cannot be read as a failed run, so that the failure is visible.
 */

import { hash } from 'node:crypto';
import type { City, Place, Source } from '../city/define.ts';
import { type LoadedCity, resolvePlace } from '../city/load.ts';
import { messageOf, ShingleError } from '../errors.ts';
import { type Day, findToday, type Instant } from '../listings/day.ts';
import type { FindingsWatch } from '../registers/invariants/watch.ts';
import { type LoadedCityMap, loadCityMap } from './city-map.ts';
import { type FilingStore, recordEmptyRun } from './filing-store.ts';
import { acceptRun, type Ingest, ingestFile, type ReportProgress } from './ingest.ts';
import { type Join, loadJoin } from './join.ts';
import type { CityMap } from './placing.ts';
import { type FiledFile, fileSource } from './readers/filed.ts';
import { removeQuery } from './readers/place.ts';
import { ROW_ACCESS } from './readers/row.ts';
import type { Run } from './runs.ts';

/** An import requested by a person or the schedule. */
export type IngestOrder = {
  /** An id of a source of the city. Default: all of them. */
  source?: string | undefined;
  /** Replaces the place of the source, but not its format. */
  from?: string | undefined;
  /** A GeoJSON file or URL that replaces the profile's. */
  boundaries?: string | undefined;
  /** An address file, a folder of them, or a URL that replaces the profile's. */
  addresses?: string | undefined;
  now: () => Instant;
  progress: ReportProgress;
};

/** Dependencies of every import. */
export type IngestContext = {
  loaded: LoadedCity;
  store: FilingStore;
  /** Folder for downloads while they are read. The caller empties it. */
  tempFolder: string;
  /** Sent with every request for a file. */
  userAgent: string;
  socrataToken?: string | undefined;
  /** Unique to this command. */
  command: string;
};

export type Judged = { source: Source; map: CityMap; profile: string; today: Day; join?: Join | undefined };

/** Loads the boundaries and addresses on first use. */
type LoadMap = () => Promise<LoadedCityMap>;

/** Runs the order, with a run for each file, by name. Stops a source at its first held or failed run. */
export async function ingestSources(context: IngestContext, order: IngestOrder): Promise<Run[]> {
  const sources = selectSources(context.loaded, order);
  await context.store.tidy(order.now());
  const runs: Run[] = [];
  const loadMap = rememberMap(context, order);
  for (const source of sources) runs.push(...(await pullSource({ ...context, loadMap }, order, source)));
  return runs;
}

/** Accepts a held run. Throws `missing` or `conflict`. */
export async function acceptHeldRun(
  context: IngestContext,
  order: IngestOrder,
  number: number,
): Promise<Run> {
  await context.store.tidy(order.now());
  const run = await context.store.run(number);
  if (run === undefined) throw new ShingleError('missing', `run ${number} does not exist`);
  const source = context.loaded.city.sources.find(({ id }) => id === run.source);
  if (source === undefined)
    throw new ShingleError(
      'conflict',
      `run ${number} belongs to source "${run.source}", which this city does not have`,
    );
  const judged = {
    source,
    map: { boundaries: undefined, addresses: undefined },
    profile: run.profile,
    today: findToday(context.loaded.city, order.now()),
  };
  return acceptRun(makeJob(context, order, judged), run);
}

/** Returns the sources of an order. Throws `usage` for an unknown or ambiguous source. */
export function selectSources(
  loaded: LoadedCity,
  order: Pick<IngestOrder, 'source' | 'from'>,
): readonly Source[] {
  const all = loaded.city.sources;
  const ids = all.map(({ id }) => id).join(', ');
  if (order.source !== undefined) {
    const source = all.find(({ id }) => id === order.source);
    if (source === undefined)
      throw new ShingleError(
        'usage',
        `${loaded.city.name} has no source "${order.source}". Its sources are ${ids}`,
      );
    return [source];
  }
  if (order.from !== undefined && all.length > 1) {
    throw new ShingleError('usage', `--from requires --source. Use one of ${ids}`);
  }
  return all;
}

/** Makes a function that loads the map once. Later calls return the same map, or throw the same error. */
export function rememberMap(
  context: Pick<IngestContext, 'loaded' | 'tempFolder' | 'userAgent'>,
  order: IngestOrder,
): LoadMap {
  let loaded: Promise<LoadedCityMap> | undefined;
  return () => {
    loaded ??= loadCityMap(context, order);
    return loaded;
  };
}

/** Collects what is needed to judge a source's rows today. Throws `source` or `city` if the map cannot be loaded. */
export async function judgeRows(
  context: Omit<IngestContext, 'store' | 'command'> & { loadMap: LoadMap },
  order: Pick<IngestOrder, 'now'>,
  source: Source,
): Promise<Judged> {
  const { loaded, loadMap } = context;
  const { map, digest } = await loadMap();
  const { join: other } = source;
  const join = other && (await loadJoin({ ...source, join: other }, { ...context, now: order.now() }));
  return { source, map, profile: loaded.digest + digest, today: findToday(loaded.city, order.now()), join };
}

async function pullSource(context: MappedContext, order: IngestOrder, source: Source): Promise<Run[]> {
  const runs: Run[] = [];
  const watches = (await context.store.lastKept(source.id)) === undefined ? await openWatches() : undefined;
  for (const { place, command } of await placesOf(context, order, source)) {
    const more = await pullPlace({ ...context, command }, order, { source, place, watches });
    runs.push(...more);
    if (more.some(({ state }) => state === 'held' || state === 'failed')) break;
  }
  return runs;
}

/** Lists the places to import. A separate baseline comes first, once, as its own command: its listings are not news. */
async function placesOf(
  context: IngestContext,
  order: IngestOrder,
  source: Source,
): Promise<{ place: string; command: string }[]> {
  const { command, loaded } = context;
  if (order.from !== undefined) return [{ place: order.from, command }];
  if (source.from.place === undefined) {
    throw new ShingleError(
      'usage',
      `source "${source.id}" has no configured location. Use --from with a file, folder or URL`,
    );
  }
  const at = (place: Place) => resolvePlace(loaded.folder, place);
  const usual = { place: at(source.from.place), command };
  if (source.baseline === undefined || (await context.store.lastKept(source.id)) !== undefined)
    return [usual];
  return [{ place: at(source.baseline), command: `${command} (baseline)` }, usual];
}

type MappedContext = IngestContext & { loadMap: LoadMap };

type Watches = (city: City, judged: Judged) => FindingsWatch;

/** Opens a watch that all files of a command share. */
async function openWatches(): Promise<Watches> {
  const { openFindingsWatch } = await import('../registers/invariants/watch.ts'); // needed only for a first import
  let watch: FindingsWatch | undefined;
  return (city, { source, map, today }) => {
    watch ??= openFindingsWatch({ city, source, boundaries: map.boundaries, today, access: ROW_ACCESS });
    return watch;
  };
}

async function pullPlace(
  context: MappedContext,
  order: IngestOrder,
  what: { source: Source; place: string; watches: Watches | undefined },
): Promise<Run[]> {
  const runs: Run[] = [];
  try {
    const judged = await judgeRows(context, order, what.source);
    const { outline } = await context.loadMap();
    if (outline !== undefined) await context.store.keepOutline(outline);
    const job = { ...makeJob(context, order, judged), watch: what.watches?.(context.loaded.city, judged) };
    const known = await knownOf(context, job.profile, what);
    const given = { ...context, timeZone: context.loaded.city.timeZone, known, now: order.now() };
    for await (const file of fileSource(what.source, what.place, given)) {
      const run =
        file === 'same'
          ? await sameRun(context, order, what.source)
          : await ingestFile(job, withJoin(hideQuery(file), judged));
      runs.push(run);
      if (run.state === 'held' || run.state === 'failed') break;
    }
  } catch (error) {
    if (!(error instanceof ShingleError) || (error.code !== 'source' && error.code !== 'city')) throw error;
    const outcome = { state: 'failed', detail: messageOf(error) } as const;
    const read = { place: removeQuery(what.place), content: '', profile: context.loaded.digest };
    runs.push(await emptyRun(context, order, what.source, { ...read, ...outcome }));
  }
  return runs;
}

/** Removes the query of a URL, which may contain a token that must not be stored. */
function hideQuery(file: FiledFile): FiledFile {
  return { ...file, name: removeQuery(file.name) };
}

/** The same file with other codes is another content, and its profile is the same. */
function withJoin(file: FiledFile, { join }: Judged): FiledFile {
  return join === undefined ? file : { ...file, content: hash('sha256', `${file.content} ${join.digest}`) };
}

/** Returns the mark of this place's last kept run, or `undefined` for a new profile, which reads everything again. */
async function knownOf(
  { store }: IngestContext,
  profile: string,
  { source, place }: { source: Source; place: string },
): Promise<Record<string, unknown> | undefined> {
  const last = await store.lastKept(source.id);
  const isOurs = last !== undefined && last.profile === profile && last.place === removeQuery(place);
  return isOurs && last.mark !== null ? JSON.parse(last.mark) : undefined;
}

/** Records that the publisher reports no changes. Without a run, the source would seem not to have been tried. */
async function sameRun(context: IngestContext, order: IngestOrder, source: Source): Promise<Run> {
  const { place, content, profile } = (await context.store.lastKept(source.id))!;
  const outcome = { state: 'unchanged', detail: 'no changes, according to the publisher' } as const;
  return emptyRun(context, order, source, { place, content, profile, ...outcome });
}

/** Records a run that read nothing. */
async function emptyRun(
  { store, command }: IngestContext,
  { now }: IngestOrder,
  { id, delivers }: Source,
  what: Pick<Run, 'place' | 'content' | 'profile' | 'detail'> & { state: 'unchanged' | 'failed' },
): Promise<Run> {
  const { state, detail, ...read } = what;
  const start = { ...read, source: id, command, snapshot: delivers === 'snapshot', startedAt: now() };
  return recordEmptyRun(store, start, { state, endedAt: now(), detail: detail ?? '' });
}

function makeJob(context: IngestContext, order: IngestOrder, judged: Judged): Ingest {
  const { loaded, store, command } = context;
  return { ...judged, city: loaded.city, store, command, now: order.now, progress: order.progress };
}

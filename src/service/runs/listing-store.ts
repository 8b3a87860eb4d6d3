/** Reads listings and their version for the index, and manages the suppression list. Changes no listing. */

import { randomBytes } from 'node:crypto';
import type { Day, Instant } from '../../shared/day.ts';
import type { Status, StoredListing } from '../../shared/listing.ts';
import { normalizeName } from '../../shared/words.ts';
import type { Engine, Reader, Transaction } from '../database/engines/engine.ts';

type ListingRow = readonly [
  key: string,
  name: string,
  category: string | null,
  typeId: number | null,
  neighborhood: string | null,
  status: Status,
  filedOn: Day,
  expiresOn: Day | null,
  run: number,
  arrival: number,
];

/** Facts about the run that added a listing. `newsFrom` is the first filing date that is news. */
type Origin = Pick<StoredListing, 'source' | 'arrivedAt'> & {
  edition: Day | null;
  newsFrom: Day;
};

/** A suppression hides the listing whose key is `value`, and all listings whose names have the same words. */
export type Suppression = { value: string; reason: string; addedAt: Instant };

/** An edition that was sent, and what the operator said at its top. */
export type SentEdition = { edition: Day; introduction: string | null };

/** A correction of listings. A field that is `null` keeps the register's value, and `''` says that it is unknown. */
export type Correction = Suppression & {
  name: string | null;
  category: string | null;
  neighborhood: string | null;
  status: Status | null;
};

const CORRECTIONS = `select value, name, category, neighborhood, status, reason, added_at as "addedAt" from correction
  order by added_at, value`;

export function openListingStore(engine: Engine) {
  return {
    /** Returns a version that changes whenever served data may change. Must stay cheap: it is read every 0.4 s. */
    async version(): Promise<string> {
      const [row] = await engine.read<{ version: string }>('select version from catalogue');
      return row!.version;
    },
    /** Yields all listings, or those that a run added, in batches, in any order, from one snapshot of the database. */
    listings: (run?: number) => streamListings(engine, run),
    async latestFiling(): Promise<Day | null> {
      const [row] = await engine.read<{ day: Day | null }>('select max(filed_on) as day from listing');
      return row?.day ?? null;
    },
    async newestFilings(sources: readonly string[], today: Day): Promise<Map<string, Day>> {
      const newest = new Map<string, Day>();
      for (const source of sources) {
        const sql = 'select max(filed_on) as day from listing where source = ? and filed_on <= ?';
        const [row] = await engine.read<{ day: Day | null }>(sql, [source, today]);
        if (row?.day != null) newest.set(source, row.day);
      }
      return newest;
    },
    outline: () => readOutline(engine),
    /** Returns the editions that were sent, newest first, with their introductions. */
    editions: (): Promise<SentEdition[]> =>
      engine.read('select edition, introduction from edition where reason is null order by edition desc'),
    suppressions: (): Promise<Suppression[]> =>
      engine.read('select value, reason, added_at as "addedAt" from suppression order by added_at, value'),
    corrections: (): Promise<Correction[]> => engine.read(CORRECTIONS),
    /** Returns the names of the listings with this key, as they are filed and as they are corrected. */
    async namesOfKey(sources: readonly string[], key: string): Promise<string[]> {
      const correct = await openCorrector(engine);
      const sql = `select key, name, category, neighborhood, status, expires_on as "expiresOn" from listing
        where source = ? and key = ?`;
      const found = await Promise.all(sources.map((source) => engine.read<Correctable>(sql, [source, key])));
      return found.flat().flatMap((one) => [one.name, correct(one).name]);
    },
  };
}

/** Stores suppressions and corrections. Methods that write return whether they changed anything. */
export function openSuppressionStore(engine: Engine) {
  const changing = (sql: string, params: (string | null)[]): Promise<boolean> =>
    engine.transaction(async (tx) => {
      const hasChanged = (await tx.write(sql, [params])) > 0;
      if (hasChanged) await bumpVersion(tx);
      return hasChanged;
    });
  return {
    /** Adds a correction. A field that is `null` keeps the value of an earlier correction. */
    correct: ({ value, name, category, neighborhood, status, reason, addedAt }: Correction) =>
      changing(
        `insert into correction (value, name, category, neighborhood, status, reason, added_at) values (?, ?, ?, ?, ?, ?, ?)
         on conflict (value) do update set name = coalesce(excluded.name, correction.name),
           category = coalesce(excluded.category, correction.category),
           neighborhood = coalesce(excluded.neighborhood, correction.neighborhood),
           status = coalesce(excluded.status, correction.status), reason = excluded.reason, added_at = excluded.added_at`,
        [value, name, category, neighborhood, status, reason, addedAt],
      ),
    removeCorrection: (value: string) => changing('delete from correction where value = ?', [value]),
    add: ({ value, reason, addedAt }: Suppression) =>
      changing(
        'insert into suppression (value, reason, added_at) values (?, ?, ?) on conflict (value) do nothing',
        [value, reason, addedAt],
      ),
    remove: (value: string) => changing('delete from suppression where value = ?', [value]),
  };
}

export async function readOutline(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.read<{ drawing: string }>('select drawing from outline');
  return row?.drawing;
}

type Correctable = Pick<
  StoredListing,
  'key' | 'name' | 'category' | 'neighborhood' | 'status' | 'expiresOn' | 'filed'
>;

/**
 * Returns a function that applies corrections. One by key overrides one by the filed name; one by a name that was itself corrected
 * comes last.
 */
export async function openCorrector(reader: Reader): Promise<<One extends Correctable>(one: One) => One> {
  const corrections = await reader.read<Correction>(CORRECTIONS);
  if (corrections.length === 0) return (listing) => listing;
  const byKey = Map.groupBy(corrections, ({ value }) => value);
  const byName = Map.groupBy(corrections, ({ value }) => normalizeName(value));
  return (listing) => {
    let name = normalizeName(listing.name);
    let corrected = (byKey.get(listing.key) ?? []).reduce(
      applyCorrection,
      (byName.get(name) ?? []).reduce(applyCorrection, listing),
    );
    for (const seen = [name]; ; seen.push(name)) {
      name = normalizeName(corrected.name);
      if (seen.includes(name)) return corrected;
      corrected = (byName.get(name) ?? []).reduce(applyCorrection, corrected);
    }
  };
}

/** Applies a correction. A corrected status does not expire. */
function applyCorrection<One extends Correctable>(
  listing: One,
  { name, category, neighborhood, status }: Correction,
): One {
  const { filed = listing } = listing;
  const asFiled = { name: filed.name, category: filed.category, neighborhood: filed.neighborhood };
  return {
    ...listing,
    filed: { ...asFiled, status: filed.status },
    name: name ?? listing.name,
    category: category === null ? listing.category : category || null,
    neighborhood: neighborhood === null ? listing.neighborhood : neighborhood || null,
    status: status ?? listing.status,
    expiresOn: status === null ? listing.expiresOn : null,
  };
}

/** Makes a new random version. After a restore, a counter could repeat the version of different data. */
export async function bumpVersion(tx: Transaction): Promise<void> {
  await tx.write('update catalogue set version = ?', [[randomBytes(8).toString('hex')]]);
}

/** Streams all listings. Reads the facts of each run once, instead of joining them with a million rows. */
async function* streamListings(engine: Engine, run?: number): AsyncGenerator<StoredListing[]> {
  const origins = new Map<number, Origin>();
  const correct = await openCorrector(engine);
  const stored = await engine.read<{ typeId: number; words: string }>(
    'select type_id as "typeId", words from type',
  );
  const types = new Map(stored.map(({ typeId, words }) => [typeId, words]));
  const sql =
    'select key, name, category, type_id, neighborhood, status, filed_on, expires_on, run, arrival from listing';
  const [of, params] = run === undefined ? ['', []] : [' where run = ?', [run]];
  for await (const batch of engine.stream<ListingRow>(sql + of, params)) {
    for (const row of batch) {
      if (!origins.has(row[8])) origins.set(row[8], await originOf(engine, row[8]));
    }
    yield batch.map((row) => correct(toListing(row, origins.get(row[8])!, types)));
  }
}

async function originOf(engine: Engine, run: number): Promise<Origin> {
  const [row] = await engine.read<Origin>(
    `select r.source, r.arrived_at as "arrivedAt", r.news_from as "newsFrom", e.edition from run as r
     left join edition_run as er on er.run = r.run
     left join edition as e on e.edition = er.edition and e.reason is null where r.run = ?`,
    [run],
  );
  return row!;
}

function toListing(row: ListingRow, origin: Origin, types: ReadonlyMap<number, string>): StoredListing {
  const [key, name, category, typeId, neighborhood, status, filedOn, expiresOn, , arrival] = row;
  const { edition, newsFrom, ...run } = origin;
  const isNews = filedOn >= newsFrom;
  const type = typeId === null ? undefined : types.get(typeId);
  const facts = { key, name, category, neighborhood, status, filedOn, expiresOn, arrival, isNews };
  return { ...run, ...facts, ...(type && { type }), ...(isNews && edition !== null && { edition }) };
}

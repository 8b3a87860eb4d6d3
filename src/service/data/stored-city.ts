/** Knows whose data a database has, so that data of two cities is never mixed. */

import type { Config } from '../../config.ts';
import { refusedError } from '../../shared/errors.ts';
import { normalizeName } from '../../shared/words.ts';
import type { Engine, Reader } from '../database/engines/engine.ts';
import { describeServer } from '../database/engines/postgres-address.ts';

/** The name of a city as it was when its data was first imported, or renamed. */
export type StoredCity = { name: string; region: string };

export function openStoredCity(engine: Engine) {
  return {
    read: (): Promise<StoredCity | undefined> => readStoredCity(engine),
    write: ({ name, region }: StoredCity): Promise<void> =>
      engine.transaction(async (tx) => {
        await tx.write(
          `insert into city (one, name, region) values (1, ?, ?)
           on conflict (one) do update set name = excluded.name, region = excluded.region`,
          [[name, region]],
        );
      }),
  };
}

/** Selects the city. Without a usable run and without subscribers, the database is free for any city. */
export const STORED_CITY = `select name, region from city
  where exists (select run from run where state in ('kept', 'held')) or exists (select subscriber from subscriber)`;

export async function readStoredCity({ read }: Reader): Promise<StoredCity | undefined> {
  return (await read<StoredCity>(STORED_CITY))[0];
}

/** Returns whether two names are of one city. Case, accents and punctuation do not matter. */
export function isSameCity(a: StoredCity, b: StoredCity): boolean {
  const [one, other] = [a, b].map(({ name, region }) => normalizeName(`${name} ${region}`));
  return one === other;
}

export const nameCity = ({ name, region }: StoredCity): string => `${name}, ${region}`;

/** A city, and the path of its profile. */
export type NamedCity = { city: StoredCity; path: string };

type Place = Pick<Config, 'dataFolder' | 'databaseUrl'> & {
  isSampleImplied?: boolean;
  /** The file in question. Default: the data folder or database. */
  where?: string;
};

/** Throws `refused` if the data is of another city. Names both, and what to do. */
export function requireSameCity(stored: StoredCity | undefined, loaded: NamedCity, place: Place): void {
  const { city, path } = loaded;
  if (stored === undefined || isSameCity(stored, city)) return;
  const [data, variable] =
    place.databaseUrl === undefined
      ? [`in ${place.dataFolder}`, 'SHINGLE_DATA to another folder']
      : [`at ${describeServer(place.databaseUrl)}`, 'DATABASE_URL to another database'];
  const how = place.isSampleImplied
    ? `The sample was chosen because this folder has no city.yaml. For ${stored.name}, run this in the folder of its city.yaml, or set SHINGLE_CITY. For the sample, set ${variable}`
    : `If the city has only a new name, run "npx shingle rename". For ${stored.name}, run this in the folder of its city.yaml, or set SHINGLE_CITY. For ${city.name}, set ${variable}`;
  throw refusedError(
    `the data ${place.where === undefined ? data : `of ${place.where}`} is of ${nameCity(stored)}, and the city here is ${nameCity(city)} (${path}). Nothing was changed. ${how}`,
  );
}

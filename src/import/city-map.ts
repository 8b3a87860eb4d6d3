/**
 * Loads the files that turn a point or an address into a neighborhood, boundaries and addresses, once for a command.
 */

import { readFile } from 'node:fs/promises';
import type { AddressFileColumns } from '../city/define.ts';
import { type LoadedCity, resolvePlace } from '../city/load.ts';
import { type Boundaries, readBoundaries } from '../city/places/boundaries.ts';
import { drawOutline } from '../city/places/outline.ts';
import { messageOf, ShingleError } from '../errors.ts';
import { openAddresses } from './addresses/open-addresses.ts';
import type { ReportProgress } from './ingest-file.ts';
import type { CityMap } from './placing.ts';
import { listFiles, type PlaceOptions } from './readers/place.ts';

export type LoadedCityMap = {
  map: CityMap;
  /** Changes when one of the files does. `''` without files. */
  digest: string;
  /** The outline of the neighborhoods (JSON), if there are boundaries. */
  outline?: string;
};

/** Files that the command names instead of the profile's. */
export type MapOrder = {
  /** A GeoJSON file or URL. */
  boundaries?: string | undefined;
  /** An address file, a folder of them, or a URL. */
  addresses?: string | undefined;
  progress: ReportProgress;
};

/** Used as the source in progress reports on address files, which belong to no source. */
export const ADDRESSES = 'addresses';

type MapContext = PlaceOptions & { loaded: LoadedCity };

/**
 * Returns a function that loads boundaries and addresses on first use. Later calls return the same map, or throw the
 * same error: `source` or `city` if a file cannot be used.
 */
export function openCityMap(context: MapContext, order: MapOrder): () => Promise<LoadedCityMap> {
  let loading: Promise<LoadedCityMap> | undefined;
  return () => {
    loading ??= loadCityMap(context, order);
    return loading;
  };
}

async function loadCityMap(context: MapContext, order: MapOrder): Promise<LoadedCityMap> {
  const drawn = await loadBoundaries(context, order);
  const places = listAddressPlaces(context.loaded, order);
  if (places.length === 0) return { ...drawn, map: { boundaries: drawn.boundaries, addresses: undefined } };
  if (drawn.boundaries === undefined)
    throw new ShingleError('city', 'addresses are placed through boundaries, and the profile has none');
  const report = ({ place, rows, share }: { place: string; rows: number; share: number }) =>
    order.progress({ source: ADDRESSES, place, rows, share });
  const { index, content } = await openAddresses(places, context, report);
  return {
    ...drawn,
    map: { boundaries: drawn.boundaries, addresses: index },
    digest: `${drawn.digest}/${content}`,
  };
}

type LoadedBoundaries = { boundaries: Boundaries | undefined; digest: string; outline?: string };

async function loadBoundaries(context: MapContext, order: MapOrder): Promise<LoadedBoundaries> {
  const { loaded } = context;
  const declared = loaded.city.boundaries;
  const place = order.boundaries ?? (declared && resolvePlace(loaded.folder, declared));
  if (place === undefined || declared === undefined) return { boundaries: undefined, digest: '' };
  try {
    for await (const file of listFiles(place, context)) {
      const text = await readFile(file.path, 'utf8');
      const boundaries = readBoundaries(text, declared.property);
      const outline = JSON.stringify(drawOutline(text, declared.property));
      return { boundaries, outline, digest: `/${file.content}` };
    }
    throw new ShingleError('source', 'nothing found');
  } catch (error) {
    const sentence = `neighborhoods are unknown because the boundaries are missing: ${messageOf(error)} (use --boundaries FILE)`;
    throw new ShingleError('source', sentence, { cause: error });
  }
}

/** Lists the address files. `--addresses` is read with the columns that the profile names for its first file. */
function listAddressPlaces(
  { city, folder }: LoadedCity,
  { addresses }: MapOrder,
): { place: string; columns: AddressFileColumns }[] {
  const declared = [city.addresses ?? []].flat();
  if (addresses !== undefined) return [{ place: addresses, columns: declared[0]?.columns ?? {} }];
  return declared.map((file) => ({ place: resolvePlace(folder, file), columns: file.columns ?? {} }));
}

/** Loads the boundaries and addresses that assign neighborhoods to listings. Each command loads them once. */

import { readFile } from 'node:fs/promises';
import { messageOf, sourceError } from '../../shared/errors.ts';
import { type LoadedCity, resolvePlace } from '../profile/load.ts';
import { openBoundaries } from '../profile/places/boundaries.ts';
import { readShapes } from '../profile/places/boundary-shapes.ts';
import { drawOutline } from '../profile/places/draw-outline.ts';
import { listFiles, type PlaceOptions } from '../readers/place.ts';
import type { CityMap } from './placing.ts';

export type ReportProgress = (at: { source: string; place: string; rows: number }) => void;

/** A city and, perhaps, boundaries to read instead of those in its profile. */
export type MapOrder = PlaceOptions & {
  loaded: LoadedCity;
  boundaries?: string | undefined;
  progress: ReportProgress;
};

export type LoadedCityMap = Awaited<ReturnType<typeof loadCityMap>>;

export async function loadCityMap(order: MapOrder) {
  const { boundaries, outline, content = '' } = (await loadBoundaries(order)) ?? {};
  const addresses = await loadAddresses(order);
  return {
    map: { boundaries, addresses: addresses?.index } satisfies CityMap,
    digest: [content, addresses?.content].map((one) => (one ? `/${one}` : '')).join(''),
    outline,
  };
}

async function loadBoundaries(order: MapOrder) {
  const { city, folder } = order.loaded;
  if (city.boundaries === undefined) return undefined;
  const { property, names } = city.boundaries;
  try {
    const place = order.boundaries ?? resolvePlace(folder, city.boundaries);
    for await (const { path, content } of listFiles(place, order)) {
      const shapes = readShapes(await readFile(path, 'utf8'), property, names);
      const outline = JSON.stringify(drawOutline(shapes));
      return { boundaries: openBoundaries(shapes), outline, content };
    }
    throw sourceError('nothing found');
  } catch (error) {
    const sentence = `neighborhoods are unknown because the boundaries are missing: ${messageOf(error)} (use --boundaries FILE)`;
    throw sourceError(sentence, error);
  }
}

async function loadAddresses(order: MapOrder) {
  const { city, folder } = order.loaded;
  const files = [city.addresses ?? []].flat();
  if (files.length === 0) return undefined;
  const places = files.map((file) => ({ place: resolvePlace(folder, file), columns: file.columns ?? {} }));
  // loaded only for a city with addresses
  const { openAddresses } = await import('../address-files/open-addresses.ts');
  return openAddresses(places, order, (at) => order.progress({ source: 'addresses', ...at }));
}

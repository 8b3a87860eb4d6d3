/** Guesses which property of a boundaries file names the neighborhoods, and finds the center of the boundaries. */

import { boundingBox, invalidBoundaries, readFeatures, readShapes } from '../city/places/geojson.ts';

/** Guesses the property. Throws `city` if the file has no GeoJSON polygons, or if no property names them. */
export function guessBoundaries(text: string) {
  const names = listNames(text);
  const [best] = [...names]
    .filter(([, values]) => values.length > 0)
    .sort((a, b) => scoreProperty(b) - scoreProperty(a));
  if (best === undefined) throw invalidBoundaries('no property names their neighborhoods');
  const [property] = best;
  const { west, south, east, north } = boundingBox(readShapes(text, property));
  return { property, middle: { longitude: (west + east) / 2, latitude: (south + north) / 2 } };
}

function listNames(text: string): Map<string, string[]> {
  const all = readFeatures(text).map(({ properties }) => properties);
  const names = new Map<string, string[]>();
  for (const key of Object.keys(all[0]!)) {
    const values = all.map((properties) => properties[key]);
    const texts = values.filter((value) => typeof value === 'string');
    const isText = values.every((value) => value === null || typeof value === 'string');
    if (isText)
      names.set(
        key,
        texts.filter((value) => value.trim() !== ''),
      );
  }
  return names;
}

/** Scores a property. ZIP codes score high, and so do distinct names under a property such as `neighborhood`. */
function scoreProperty([property, values]: readonly [string, readonly string[]]): number {
  if (/zcta|zip|postal/i.test(property) && values.every((value) => /^\d{5}$/.test(value))) return 0.9;
  const words = values.filter((value) => /\p{L}{3}/u.test(value) && !/[{}]|\d{3}|^https?:/.test(value));
  const distinct = new Set(words).size / values.length;
  const named = /n(?:eigh)?b?o?u?r?hood|nhood|nbhd/i.test(property)
    ? 0.4
    : /name|label|area|community/i.test(property)
      ? 0.3
      : 0;
  const coded = /id$|code|guid|date|url|type|link|user|editor/i.test(property) ? 0.6 : 0;
  return distinct + named - coded;
}

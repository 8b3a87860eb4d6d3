/** Points written in one column. */

/** Degrees, as text, for a verdict's `point`. */
export type PointText = { longitude: string; latitude: string };

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
const WKT = new RegExp(String.raw`^POINT ?\(\s*${NUMBER}\s+${NUMBER}\s*\)$`, 'i');
const PAIR = new RegExp(String.raw`^\(?\s*${NUMBER}\s*[,; ]\s*${NUMBER}\s*\)?$`);
const GEOJSON = new RegExp(String.raw`"coordinates"\s*:\s*\[\s*${NUMBER}\s*,\s*${NUMBER}\s*[\],]`);

/**
 * A point as exports write it: `POINT (-122.4 37.7)` and GeoJSON with the longitude first, `(37.7, -122.4)` and `37.7, -122.4` with the
 * latitude first. `undefined` where there is none.
 */
export function parsePoint(text: string): PointText | undefined {
  const [, longitude, latitude] = WKT.exec(text.trim()) ?? GEOJSON.exec(text) ?? [];
  if (longitude !== undefined) return { longitude, latitude: latitude! };
  const [, first, second] = PAIR.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  // Beyond 90 degrees only a longitude can be.
  return Math.abs(Number(first)) > 90
    ? { longitude: first, latitude: second! }
    : { longitude: second!, latitude: first };
}

/** Reads GeoJSON as rows: a FeatureCollection, a list of features, or a feature on each line. */

import { sourceError } from '../../shared/errors.ts';
import { isRecord } from '../../shared/record.ts';
import { readHead } from '../readers/file-kind.ts';
import type { NumberedRow, RejectedRow, RowSpec } from '../readers/row.ts';
import { readJson } from './json.ts';
import type { FileReader } from './read-file.ts';

const GEOJSON_HEAD_BYTES = 4_096;

export async function* readGeoJson(
  path: string,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  const head = (await readHead(path, GEOJSON_HEAD_BYTES)).toString('utf8');
  const records = /"FeatureCollection"|"features"\s*:/.test(head) ? 'features' : undefined;
  yield* readJson(path, { records }, spec, flattenFeature);
}

export default {
  read: (path, _, spec) => readGeoJson(path, spec),
  survey: async () => ({ reading: {}, notes: [] }),
} satisfies FileReader<'geojson'>;

/** The column of a line's points, which only address files have. */
export const LINE = 'geometry.coordinates';

/**
 * Returns a feature's properties as a record. Adds its point as `longitude` and `latitude`, unless these exist, or the
 * first part of its line as `LINE`.
 */
function flattenFeature(feature: unknown, which: string): Record<string, unknown> {
  if (!isRecord(feature) || !('properties' in feature))
    throw sourceError(`${which} is not a GeoJSON feature`);
  const { properties, geometry } = feature;
  const { type, coordinates } = isRecord(geometry) ? geometry : {};
  const all: unknown[] = Array.isArray(coordinates) ? coordinates : [];
  const [longitude = null, latitude = null] = type === 'Point' ? all : [];
  const line = type === 'MultiLineString' ? all[0] : type === 'LineString' ? all : undefined;
  return {
    longitude,
    latitude,
    ...(isRecord(properties) && properties),
    ...(Array.isArray(line) && { [LINE]: line }),
  };
}

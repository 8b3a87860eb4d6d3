/** Areas on a map as squares, for files of boundaries. */

export type Ring = [number, number][];

export function square(west: number, south: number, side = 1): Ring {
  const [east, north] = [west + side, south + side];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** GeoJSON of squares of one degree side by side, the first of them at `west` and `south`, with these properties. */
export function squaresInARow(west: number, south: number, properties: readonly object[]): string {
  const features = properties.map((one, i) => ({
    ...{ type: 'Feature', properties: one },
    geometry: { type: 'Polygon', coordinates: [square(west + i, south)] },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** GeoJSON of areas, each of one or more polygons with their holes. */
export function geoJsonOf(areas: readonly { name: string; polygons: Ring[][] }[]): string {
  const features = areas.map(({ name, polygons }) => ({
    ...{ type: 'Feature', properties: { name } },
    geometry:
      polygons.length === 1
        ? { type: 'Polygon', coordinates: polygons[0] }
        : { type: 'MultiPolygon', coordinates: polygons },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** Finds the neighborhood polygon that contains a point. A point outside all polygons has no neighborhood. */

import { boundingBox, type NeighborhoodShape, type Ring } from './boundary-shapes.ts';

/** Number of horizontal strips that divide the box. A point is compared only with the edges in its strip. */
const STRIPS = 1024;

export type Boundaries = ReturnType<typeof openBoundaries>;

/** Prepares the shapes of a boundaries file for finding points. */
export function openBoundaries(shapes: readonly NeighborhoodShape[]) {
  const box = boundingBox(shapes);
  const stripOf = (y: number) =>
    Math.min(STRIPS - 1, Math.floor(((y - box.south) / (box.north - box.south || 1)) * STRIPS));
  const strips = cutIntoStrips(shapes, stripOf);
  return {
    names: [...new Set(shapes.map(({ name }) => name))],
    box,
    /** Finds the neighborhood of a point in degrees (WGS 84). On a shared edge, the first polygon in the file wins. */
    place(longitude: string | number, latitude: string | number): string | undefined {
      const x = degrees(longitude);
      const y = degrees(latitude);
      if (!(x >= box.west && x <= box.east && y >= box.south && y <= box.north)) return undefined;
      if (x === 0 && y === 0) return undefined;
      return strips[stripOf(y)]!.find(({ edges }) => holds(edges, x, y))?.name;
    },
  };
}

function degrees(value: string | number): number {
  return typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
}

/** An edge as x1, y1, x2, y2. The lower end is first, so that neighbors treat a shared edge the same way. */
type Edge = readonly [number, number, number, number];

/** The edges of a polygon that touch a strip, including those of holes. The even-odd rule needs no distinction. */
type Piece = { name: string; edges: Edge[] };

/** Lists the polygons of each strip, in file order, with the edges that touch the strip. */
function cutIntoStrips(shapes: readonly NeighborhoodShape[], stripOf: (y: number) => number): Piece[][] {
  const strips = Array.from({ length: STRIPS }, () => new Map<NeighborhoodShape, Piece>());
  for (const shape of shapes)
    for (const edge of shape.rings.flatMap(listEdges))
      for (let i = stripOf(edge[1]); i <= stripOf(edge[3]); i++)
        strips[i]!.getOrInsertComputed(shape, () => ({ name: shape.name, edges: [] })).edges.push(edge);
  return strips.map((strip) => [...strip.values()]);
}

function listEdges(ring: Ring): Edge[] {
  return ring.map(([x2, y2], i) => {
    const [x1, y1] = ring.at(i - 1)!;
    return y1 < y2 || (y1 === y2 && x1 <= x2) ? [x1, y1, x2, y2] : [x2, y2, x1, y1];
  });
}

/** Returns whether a polygon contains a point: the point is on an edge, or an odd number of edges is west of it. */
function holds(edges: readonly Edge[], x: number, y: number): boolean {
  let inside = false;
  for (const [x1, y1, x2, y2] of edges) {
    if (y < y1 || y > y2) continue;
    if (y1 === y2) {
      if (x >= x1 && x <= x2) return true;
      continue;
    }
    const side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1);
    if (side === 0) return true;
    if (side < 0 && y < y2) inside = !inside;
  }
  return inside;
}

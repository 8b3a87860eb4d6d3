/** Finds the neighborhood polygon that contains a point. A point outside all polygons has no neighborhood. */

import { type Box, boundingBox, type Ring, readShapes } from './geojson.ts';

/** Cells per side of the grid. 128 cells place 2.3 million points a second in 24 real polygons, 0.8 million in 98. */
const CELLS = 128;

export type Boundaries = ReturnType<typeof readBoundaries>;

/** A polygon. Edges are x1, y1, x2, y2, lower end first, so that neighbors treat a shared edge the same way. */
type Polygon = { name: string; edges: Float64Array };

/** Reads polygons. Several polygons may share a name. Omits unnamed polygons. Throws `city` if the file is invalid. */
export function readBoundaries(text: string, property: string) {
  const shapes = readShapes(text, property);
  const polygons = shapes.map(({ name, rings }) => ({ name, edges: edgesOf(rings) }));
  const box = boundingBox(shapes);
  const grid = gridOf(polygons, box);
  return {
    names: [...new Set(polygons.map(({ name }) => name))],
    box,
    /** Finds the neighborhood of a point in degrees (WGS 84). On a shared edge, the first polygon in the file wins. */
    place(longitude: string | number, latitude: string | number): string | undefined {
      const x = degrees(longitude);
      const y = degrees(latitude);
      if (!(x >= box.west && x <= box.east && y >= box.south && y <= box.north)) return undefined;
      return x === 0 && y === 0 ? undefined : grid(x, y);
    },
  };
}

function degrees(value: string | number): number {
  return typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
}

/** Returns the edges of the outer ring and of the holes in one list. The even-odd rule distinguishes them. */
function edgesOf(rings: readonly Ring[]): Float64Array {
  const edges: number[] = [];
  for (const ring of rings) {
    let [x1, y1] = ring.at(-1)!;
    for (const [x2, y2] of ring) {
      const upward = y1 < y2 || (y1 === y2 && x1 <= x2);
      if (x1 !== x2 || y1 !== y2) edges.push(...(upward ? [x1, y1, x2, y2] : [x2, y2, x1, y1]));
      [x1, y1] = [x2, y2];
    }
  }
  return Float64Array.from(edges);
}

/** A polygon that may contain points of a cell. `whole` polygons contain the entire cell. */
type Candidate = { polygon: Polygon; whole: boolean };

/** Returns a function that finds the polygon of a point. Points in a cell inside a single polygon need no test. */
function gridOf(polygons: readonly Polygon[], box: Box): (x: number, y: number) => string | undefined {
  const cellOf = (value: number, from: number, to: number) =>
    Math.min(CELLS - 1, Math.floor(((value - from) / (to - from || 1)) * CELLS));
  const column = (x: number) => cellOf(x, box.west, box.east);
  const row = (y: number) => cellOf(y, box.south, box.north);
  const cells = Array.from({ length: CELLS * CELLS }, (): Candidate[] => []);
  for (const polygon of polygons) addTo(cells, polygon, { column, row, box });
  return (x, y) => {
    for (const { polygon, whole } of cells[row(y) * CELLS + column(x)]!) {
      if (whole || holds(polygon.edges, x, y)) return polygon.name;
    }
    return undefined;
  };
}

/** Adds a polygon to its cells. Points in cells without an edge need no test. */
function addTo(
  cells: Candidate[][],
  polygon: Polygon,
  at: { column(x: number): number; row(y: number): number; box: Box },
): void {
  const edged = edgedCells(polygon.edges, at);
  for (let row = 0; row < CELLS; row++) {
    let known: boolean | undefined;
    for (let column = 0; column < CELLS; column++) {
      const cell = row * CELLS + column;
      if (edged[cell] === 1) known = undefined;
      else known ??= holds(polygon.edges, ...middleOf(column, row, at.box));
      const settled = cells[cell]!.at(-1)?.whole === true;
      if (!settled && known !== false) cells[cell]!.push({ polygon, whole: known === true });
    }
  }
}

function middleOf(column: number, row: number, { west, south, east, north }: Box): [number, number] {
  return [west + ((east - west) * (column + 0.5)) / CELLS, south + ((north - south) * (row + 0.5)) / CELLS];
}

/** Returns an array with 1 for each cell that an edge may touch: all cells between its ends. */
function edgedCells(
  edges: Float64Array,
  at: { column(x: number): number; row(y: number): number },
): Uint8Array {
  const edged = new Uint8Array(CELLS * CELLS);
  for (let i = 0; i < edges.length; i += 4) {
    const [a, b] = [at.column(edges[i]!), at.column(edges[i + 2]!)];
    const top = at.row(edges[i + 3]!);
    for (let row = at.row(edges[i + 1]!); row <= top; row++) {
      edged.fill(1, row * CELLS + Math.min(a, b), row * CELLS + Math.max(a, b) + 1);
    }
  }
  return edged;
}

/** Returns whether a polygon contains a point: the point is on an edge, or an odd number of edges is west of it. */
function holds(edges: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i < edges.length; i += 4) {
    const y1 = edges[i + 1]!;
    const y2 = edges[i + 3]!;
    if (y < y1 || y > y2) continue;
    const x1 = edges[i]!;
    const x2 = edges[i + 2]!;
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

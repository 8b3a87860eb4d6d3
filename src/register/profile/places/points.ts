/** Measures distances in meters. Within a town, they are accurate to one percent. */

/** A position in degrees, WGS 84. */
export type Point = readonly [longitude: number, latitude: number];

const METERS_PER_DEGREE = 111_320; // meters in a degree of latitude

function metersPerLongitude(latitude: number): number {
  return METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
}

export function measureMeters([x1, y1]: Point, [x2, y2]: Point): number {
  return Math.hypot((y1 - y2) * METERS_PER_DEGREE, (x1 - x2) * metersPerLongitude(y1));
}

export function moveTowards(from: Point, to: Point, share: number): Point {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** Moves a point to the right of the direction of travel, or to the left if `meters` is negative. */
export function moveAside([x, y]: Point, direction: Point, meters: number): Point {
  const scale = metersPerLongitude(y);
  const [east, north] = [direction[0] * scale, direction[1] * METERS_PER_DEGREE];
  const length = Math.hypot(east, north);
  if (length === 0) return [x, y];
  return [x + ((north / length) * meters) / scale, y - ((east / length) * meters) / METERS_PER_DEGREE];
}

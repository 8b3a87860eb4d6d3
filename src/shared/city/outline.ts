/** Defines the outlines of neighborhoods that a map draws. The register makes them from the boundaries. */

/** An area in degrees, WGS 84. */
export type Box = { west: number; south: number; east: number; north: number };

export type Outline = {
  /** Width of the drawing. Its y axis points down. */
  width: number;
  height: number;
  /** The area of the drawing, in degrees. As `x` and `y`, missing in outlines of older versions, until the next import. */
  box?: Box;
  /** A shape for each name, in file order: SVG path data in whole units, and a point inside it for its number. */
  areas: readonly { name: string; path: string; x?: number; y?: number }[];
};

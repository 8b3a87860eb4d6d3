/** Reads named polygons from a GeoJSON FeatureCollection, checks every point, and guesses the property of the names. */

import type { Box } from '../../../shared/city/outline.ts';
import { cityError, messageOf, type ShingleError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/record.ts';
import { removeInvisibles } from '../../../shared/text/visible-text.ts';
import type { Point } from './points.ts';

/** Maximum latitude. No city is closer to a pole, so a higher latitude means swapped coordinates in America. */
const HIGHEST_LATITUDE = 79;
const LONGEST_NAME_SHOWN = 60; // characters of a name in messages for terminals and the database

export type Ring = readonly Point[];
/** A polygon: its outer ring, then its holes. Several shapes may share a name. */
export type NeighborhoodShape = { name: string; rings: readonly Ring[] };

/**
 * Reads the shapes and their names; `names` replaces those that the file spells wrong. Omits shapes without a name. Throws
 * `city` if the file is invalid.
 */
export function readShapes(
  text: string,
  property: string,
  names: Readonly<Record<string, string>> = {},
): NeighborhoodShape[] {
  return nameShapes(readFeatures(text), property).map((shape) => ({
    ...shape,
    name: Object.hasOwn(names, shape.name) ? names[shape.name]! : shape.name,
  }));
}

function nameShapes(features: readonly Feature[], property: string): NeighborhoodShape[] {
  const shapes = features.flatMap((feature, i) => {
    const name = readName(feature, property, i + 1);
    return name === '' ? [] : polygonsOf(feature, i + 1).map((rings) => ({ name, rings }));
  });
  if (shapes.length === 0) throw invalidBoundaries(`no feature has a name in "${property}"`);
  return shapes;
}

export function boundingBox(shapes: readonly NeighborhoodShape[]): Box {
  const box = { west: 180, south: 90, east: -180, north: -90 };
  for (const [x, y] of shapes.flatMap(({ rings }) => rings.flat())) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}

type Feature = { properties: Record<string, unknown>; type: unknown; coordinates: unknown };

function readFeatures(text: string): Feature[] {
  const collection = parseGeoJson(text);
  if (!isRecord(collection) || collection.type !== 'FeatureCollection')
    throw invalidBoundaries('the file is not a GeoJSON FeatureCollection');
  const { features } = collection;
  if (!Array.isArray(features) || features.length === 0)
    throw invalidBoundaries('the FeatureCollection has no features');
  return features.map((feature: unknown) => {
    const { properties, geometry } = isRecord(feature) ? feature : {};
    const { type, coordinates } = isRecord(geometry) ? geometry : {};
    return { properties: isRecord(properties) ? properties : {}, type, coordinates };
  });
}

function parseGeoJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const begins = text.trimStart().startsWith('<') ? 'the file is a web page' : 'the file is not JSON';
    throw cityError(`the boundaries cannot be used: ${begins}`, messageOf(error));
  }
}

function readName({ properties }: Feature, property: string, number: number): string {
  if (!Object.hasOwn(properties, property)) {
    const names = Object.keys(properties).slice(0, 20);
    const shown = names.map((name) => removeInvisibles(name).slice(0, LONGEST_NAME_SHOWN)).join(', ');
    const found = `Its properties are: ${shown || 'none'}`;
    throw invalidBoundaries(`feature ${number} has no property "${property}". ${found}`);
  }
  const value = properties[property];
  return typeof value === 'string' || typeof value === 'number' ? removeInvisibles(String(value)).trim() : '';
}

function polygonsOf({ type, coordinates }: Feature, number: number): Ring[][] {
  const listOf = (value: unknown, least: number, problem: string): unknown[] => {
    if (Array.isArray(value) && value.length >= least) return value;
    throw invalidBoundaries(`feature ${number} ${problem}`);
  };
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    const what = typeof type === 'string' ? `a ${type}` : 'without a geometry';
    throw invalidBoundaries(`feature ${number} is ${what}, not a Polygon or MultiPolygon`);
  }
  const polygons = type === 'Polygon' ? [coordinates] : listOf(coordinates, 0, 'has no coordinates');
  return polygons.map((rings) =>
    listOf(rings, 1, 'has a polygon without rings').map((ring) =>
      listOf(ring, 3, 'has a ring of fewer than 3 points').map((point) => readPoint(point, number)),
    ),
  );
}

function readPoint(point: unknown, number: number): Point {
  const [x, y]: unknown[] = Array.isArray(point) ? point : [];
  if (typeof x !== 'number' || typeof y !== 'number')
    throw invalidBoundaries(`feature ${number} has a point without numbers`);
  if (Math.abs(y) > HIGHEST_LATITUDE && Math.abs(y) <= 180 && Math.abs(x) <= 90)
    throw invalidBoundaries(`feature ${number} seems to have latitude before longitude (${x}, ${y})`);
  if (Math.abs(x) > 180 || Math.abs(y) > 90)
    throw invalidBoundaries(
      `feature ${number} is not in degrees (${x}, ${y}). It seems to be projected; export it as WGS 84`,
    );
  return [x, y];
}

function invalidBoundaries(sentence: string): ShingleError {
  return cityError(`the boundaries cannot be used: ${sentence}`);
}

/**
 * Guesses which property names the neighborhoods, and finds the center of the boundaries. Throws `city` if the file
 * has no GeoJSON polygons, or if no property names the polygons.
 */
export function guessBoundaries(text: string) {
  const features = readFeatures(text);
  const all = features.map(({ properties }) => properties);
  const scored = Object.keys(all[0]!).flatMap((property) => {
    const texts = all.map((properties) => properties[property]).filter((value) => value !== null);
    if (!texts.every((value) => typeof value === 'string')) return [];
    const names = texts.filter((value) => value.trim() !== '');
    return names.length === 0 ? [] : [{ property, score: scoreProperty(property, names) }];
  });
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  if (best === undefined) throw invalidBoundaries('no property names their neighborhoods');
  const { property } = best;
  const { west, south, east, north } = boundingBox(nameShapes(features, property));
  const middle: Point = [(west + east) / 2, (south + north) / 2];
  return { property, middle };
}

/** Scores a property. ZIP codes score high, and so do distinct names under a property such as `neighborhood`. */
function scoreProperty(property: string, values: readonly string[]): number {
  if (/zcta|zip|postal/i.test(property) && values.every((value) => /^\d{5}$/.test(value))) return 0.9;
  const words = values.filter((value) => /\p{L}{3}/u.test(value) && !/[{}]|\d{3}|^https?:/.test(value));
  const distinct = new Set(words).size / values.length;
  const isArea = /n(?:eigh)?b?o?u?r?hood|nhood|nbhd/i.test(property);
  const named = isArea ? 0.4 : /name|label|area|community/i.test(property) ? 0.3 : 0;
  const coded = /id$|code|guid|date|url|type|link|user|editor/i.test(property) ? 0.6 : 0;
  return distinct + named - coded;
}

/** A point as portals write it, in three shapes, taken apart into `<field>.latitude` and `<field>.longitude`. */

const PART = /^(.+)\.(latitude|longitude)$/;
const WKT = /^POINT ?\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)$/i;

/** The part of a record's point that the column names; `null` where the column is no such, or there is no point. */
export function readPointPart(record: Record<string, unknown>, column: string): unknown {
  const [, field = '', part] = PART.exec(column) ?? [];
  if (part === undefined || !Object.hasOwn(record, field)) return null;
  const [longitude, latitude] = readCoordinates(record[field]);
  return (part === 'latitude' ? latitude : longitude) ?? null;
}

/** The columns that a record's points make, besides its own. */
export function listPointParts(record: Record<string, unknown>): string[] {
  return Object.keys(record)
    .filter((field) => readCoordinates(record[field]).length > 0)
    .flatMap((field) => [`${field}.longitude`, `${field}.latitude`])
    .filter((column) => !Object.hasOwn(record, column));
}

/** GeoJSON, `{ latitude, longitude }`, or WKT, where the longitude comes first. */
function readCoordinates(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return WKT.exec(value.trim())?.slice(1) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  if ('coordinates' in value && Array.isArray(value.coordinates)) return value.coordinates;
  return 'latitude' in value && 'longitude' in value ? [value.longitude, value.latitude] : [];
}

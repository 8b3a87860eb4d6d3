/** Reads the points and lines of a shapefile (`.shp`) one by one, as specified by ESRI in 1998. */

import type { Spot } from '../../city/places/addresses/spot.ts';
import { ShingleError } from '../../errors.ts';
import { type FileBytes, openBinaryFile } from './file-bytes.ts';

const HEADER_BYTES = 100;
const FILE_CODE = 9994;
const RECORD_HEADER_BYTES = 8;
const LINE_HEADER_BYTES = 44;
const NOTHING = 0;
/** Shape types, without heights and measures and with them. */
const POINTS = [1, 11, 21];
const LINES = [3, 13, 23];

/** Opens a shapefile. Throws `source` if it does not contain points or lines in degrees. */
export function openShapes(path: string, name: string) {
  return openBinaryFile(path, name, (bytes) => openRecords(bytes, name));
}

async function openRecords(bytes: FileBytes, name: string) {
  const header = await bytes.take(HEADER_BYTES);
  if (header === undefined || header.readInt32BE(0) !== FILE_CODE)
    throw new ShingleError('source', `${name} is not a shapefile, or it is damaged`);
  const type = header.readInt32LE(32);
  if (![...POINTS, ...LINES].includes(type))
    throw new ShingleError('source', `${name} has neither points nor lines (its shape type is ${type})`);
  return {
    /** Returns the corners of a line, or a point. Returns no spots for an empty record, `undefined` after the last. */
    async next(): Promise<readonly Spot[] | undefined> {
      const head = await bytes.take(RECORD_HEADER_BYTES);
      if (head === undefined) return undefined;
      const number = head.readInt32BE(0);
      const size = head.readInt32BE(4) * 2;
      const damaged = (what: string) =>
        new ShingleError('source', `${name}: record ${number} is damaged: ${what}`);
      if (size < 4) throw damaged(`it has ${size} bytes`);
      const record = await bytes.take(size);
      if (record === undefined) throw damaged('the file ends before it');
      const spots = readShape(record);
      if (spots === undefined) throw damaged('its lengths do not fit');
      const outside = spots.find(([x, y]) => !(Math.abs(x) <= 180 && Math.abs(y) <= 90));
      if (outside === undefined) return spots;
      throw new ShingleError(
        'source',
        `${name}: record ${number} is not in degrees (${outside.join(', ')}). The file seems to be projected; export it as WGS 84`,
      );
    },
    [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),
  };
}

/** Reads a shape, only the first part of a line. Returns `undefined` if its counts exceed its bytes. */
function readShape(record: Buffer): Spot[] | undefined {
  const type = record.readInt32LE(0);
  if (type === NOTHING) return [];
  if (POINTS.includes(type)) return record.length < 20 ? undefined : [readSpotAt(record, 4)];
  if (!LINES.includes(type) || record.length < LINE_HEADER_BYTES) return undefined;
  const parts = record.readInt32LE(36);
  const count = record.readInt32LE(40);
  const start = LINE_HEADER_BYTES + parts * 4;
  if (
    parts < 1 ||
    count < 1 ||
    parts > record.length ||
    count > record.length ||
    start + count * 16 > record.length
  )
    return undefined;
  const end = parts > 1 ? record.readInt32LE(LINE_HEADER_BYTES + 4) : count;
  if (end < 1 || end > count) return undefined;
  return Array.from({ length: end }, (_, i) => readSpotAt(record, start + i * 16));
}

function readSpotAt(record: Buffer, at: number): Spot {
  return [record.readDoubleLE(at), record.readDoubleLE(at + 8)];
}

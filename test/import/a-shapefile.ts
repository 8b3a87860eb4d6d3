/** Writes shapefiles of points or lines, byte by byte after ESRI's description and dBASE III. */

import type { Point } from '../../src/city/places/points.ts';

export type Shape = { fields: Record<string, string>; spots: readonly Point[] };

const FIELD_BYTES = 24;

/** The files of a shapefile by their name. One spot makes a point, several a line, none an empty shape. */
export function shapefile(shapes: readonly Shape[]): Record<string, Uint8Array> {
  return { 'shapes.shp': writeShapes(shapes), 'shapes.dbf': writeTable(shapes) };
}

function writeShapes(shapes: readonly Shape[]): Uint8Array {
  const isPoints = shapes.every(({ spots }) => spots.length <= 1);
  const records = shapes.map(({ spots }, i) => {
    const body = isPoints ? writePoint(spots[0]!) : writeLine(spots);
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(body.length / 2, 4);
    return Buffer.concat([head, body]);
  });
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + records.reduce((sum, { length }) => sum + length, 0)) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(isPoints ? 1 : 3, 32);
  return new Uint8Array(Buffer.concat([header, ...records]));
}

function writePoint([x, y]: Point): Buffer {
  const body = Buffer.alloc(20);
  body.writeInt32LE(1, 0);
  body.writeDoubleLE(x, 4);
  body.writeDoubleLE(y, 12);
  return body;
}

function writeLine(spots: readonly Point[]): Buffer {
  if (spots.length === 0) return Buffer.alloc(4);
  const body = Buffer.alloc(48 + spots.length * 16);
  body.writeInt32LE(3, 0);
  body.writeInt32LE(1, 36);
  body.writeInt32LE(spots.length, 40);
  for (const [i, [x, y]] of spots.entries()) {
    body.writeDoubleLE(x, 48 + i * 16);
    body.writeDoubleLE(y, 56 + i * 16);
  }
  return body;
}

function writeTable(shapes: readonly Shape[]): Uint8Array {
  const names = Object.keys(shapes[0]!.fields);
  const header = Buffer.alloc(32 + names.length * 32 + 1);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(shapes.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + names.length * FIELD_BYTES, 10);
  for (const [i, name] of names.entries()) {
    header.write(name, 32 + i * 32, 'latin1');
    header.write('C', 32 + i * 32 + 11, 'latin1');
    header.writeUInt8(FIELD_BYTES, 32 + i * 32 + 16);
  }
  header.writeUInt8(0x0d, header.length - 1);
  const rows = shapes.map(
    ({ fields }) => ` ${names.map((name) => (fields[name] ?? '').padEnd(FIELD_BYTES)).join('')}`,
  );
  return new Uint8Array(Buffer.concat([header, Buffer.from(`${rows.join('')}\x1a`, 'latin1')]));
}

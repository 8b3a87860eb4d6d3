/** Reads the table of a shapefile (dBASE III), a header of fields and records of equal length, one record at a time. */

import { ShingleError } from '../../errors.ts';
import { type FileBytes, openBinaryFile } from './file-bytes.ts';

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const MOST_FIELDS = 255;
const END_OF_FIELDS = 0x0d;
const END_OF_FILE = 0x1a;
const DELETED = 0x2a;

type Field = { start: number; end: number };

/** Opens a table. Throws `source` if the file is not a dBASE table. */
export function openDbase(path: string, name: string) {
  return openBinaryFile(path, name, (bytes) => openTable(bytes, name));
}

async function openTable(bytes: FileBytes, name: string) {
  const header = await bytes.take(HEADER_BYTES);
  const headerBytes = header?.readUInt16LE(8) ?? 0;
  const recordBytes = header?.readUInt16LE(10) ?? 0;
  const records = header?.readUInt32LE(4) ?? 0;
  const fields = await readFields(bytes, { headerBytes, recordBytes, name });
  let left = records;
  return {
    fields: [...fields.keys()],
    records,
    /** Returns the next record, `deleted` for a deleted one, or `undefined` after the last. */
    async next(): Promise<TableRecord | 'deleted' | undefined> {
      if (left === 0) return undefined;
      const record = await bytes.take(recordBytes);
      if (record === undefined || record[0] === END_OF_FILE)
        throw new ShingleError(
          'source',
          `${name} has ${records - left} of ${records} records: it may be incomplete`,
        );
      left--;
      return record[0] === DELETED ? 'deleted' : toRecord(Buffer.from(record), fields);
    },
    [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),
  };
}

async function readFields(
  bytes: FileBytes,
  { headerBytes, recordBytes, name }: { headerBytes: number; recordBytes: number; name: string },
): Promise<Map<string, Field>> {
  const room = Math.min(MOST_FIELDS, Math.floor((headerBytes - HEADER_BYTES - 1) / FIELD_BYTES));
  const fields = new Map<string, Field>();
  const list = headerBytes > HEADER_BYTES ? await bytes.take(headerBytes - HEADER_BYTES) : undefined;
  let start = 1;
  for (let i = 0; i < room && list !== undefined && list[i * FIELD_BYTES] !== END_OF_FIELDS; i++) {
    const field = list.subarray(i * FIELD_BYTES, (i + 1) * FIELD_BYTES);
    const end = start + field[16]!;
    fields.set(field.toString('latin1', 0, 11).replace(/\0.*/s, '').trim(), { start, end });
    start = end;
  }
  if (fields.size === 0 || start > recordBytes)
    throw new ShingleError('source', `${name} is not a dBASE table, or it is damaged`);
  return fields;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export type TableRecord = ReturnType<typeof toRecord>;

function toRecord(record: Buffer, fields: ReadonlyMap<string, Field>) {
  return {
    /** Reads a trimmed cell, or `''` if there is no such field. Text that is not UTF-8 is Latin-1, as in old tables. */
    read(field: string): string {
      const found = fields.get(field);
      if (found === undefined) return '';
      const cell = record.subarray(found.start, found.end);
      try {
        return UTF8.decode(cell).trim();
      } catch {
        return cell.toString('latin1').trim();
      }
    },
  };
}

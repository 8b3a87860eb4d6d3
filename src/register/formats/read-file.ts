/** Reads a file with the reader of its format: the file with its name in this folder. */

import { extname } from 'node:path';
import type { FileFormat, FileReading } from '../profile/formats.ts';
import type { NumberedRow, RejectedRow, RowSpec } from '../readers/row.ts';
import type { UnreadSheet } from '../readers/workbook/sheet-rows.ts';

export type Reading<Format> = Extract<FileReading, { format: Format }>;

/** The default export of a reader. */
export type FileReader<Format extends FileFormat = FileFormat> = {
  /** Yields rows in batches. If this throws `source`, discard all earlier rows. */
  read(path: string, reading: Reading<Format>, spec: RowSpec): AsyncGenerator<(NumberedRow | RejectedRow)[]>;
  /** Finds how to read an unknown file of this format. Notes are for the operator. */
  survey(path: string): Promise<{ reading: Omit<Reading<Format>, 'format'>; notes: readonly string[] }>;
  /** Lists the sheets of the same shape that `read` leaves out. */
  inspect?(path: string, reading: Reading<Format>): Promise<UnreadSheet[]>;
};

/** Loads a reader where it is used: an ingest needs one of them, and their libraries take memory. */
export async function loadReader(format: FileFormat): Promise<FileReader> {
  return (await import(`./${format}${extname(import.meta.filename)}`)).default;
}

export async function* readFileRows(
  path: string,
  reading: FileReading,
  spec: RowSpec,
): AsyncGenerator<(NumberedRow | RejectedRow)[]> {
  const { read } = await loadReader(reading.format);
  yield* read(path, reading, spec);
}

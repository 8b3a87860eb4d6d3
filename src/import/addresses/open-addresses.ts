/** Loads the address files of a city, local or from the web, into an index, and identifies their content. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { AddressFileColumns } from '../../city/define.ts';
import {
  type AddressIndex,
  type AddressIndexBuilder,
  MOST_ADDRESSES,
  openAddressIndexBuilder,
} from '../../city/places/addresses/address-index.ts';
import { messageOf, ShingleError } from '../../errors.ts';
import { describeFile, listFiles, type PlaceFile, type PlaceOptions, removeQuery } from '../readers/place.ts';
import { unpackFiles } from '../readers/unpack.ts';
import { readAddressText, tooManyAddresses } from './address-file.ts';
import { readShapefile } from './shapefile.ts';
import { isShapefile, withShapefile } from './unpack-shapefile.ts';

export type AddressPlace = { place: string; columns: AddressFileColumns };

export type OpenedAddresses = {
  index: AddressIndex;
  /** SHA-256 of all files, in hex. */
  content: string;
};

/** Called while a file is read. `share` is the share of the file, 0 to 1. */
export type ReportAddresses = (at: { place: string; rows: number; share: number }) => void;

/** Loads address files. Throws `source` with one sentence if a file cannot be read completely. */
export async function openAddresses(
  places: readonly AddressPlace[],
  options: PlaceOptions,
  report: ReportAddresses,
): Promise<OpenedAddresses> {
  const builder = openAddressIndexBuilder();
  const hash = createHash('sha256');
  for (const { place, columns } of places) {
    try {
      for await (const file of listFiles(place, options)) {
        const content = await readAddressFile({ file, columns, builder, options, report });
        hash.update(`${content} ${JSON.stringify(columns)}`);
      }
    } catch (error) {
      if (error instanceof ShingleError && error.code !== 'source') throw error;
      const sentence = `the addresses in ${basename(removeQuery(place))} cannot be used: ${messageOf(error)}`;
      throw new ShingleError('source', sentence, { cause: error });
    }
  }
  return { index: builder.build(), content: hash.digest('hex') };
}

type Reading = {
  file: PlaceFile;
  columns: AddressFileColumns;
  builder: AddressIndexBuilder;
  options: PlaceOptions;
  report: ReportAddresses;
};

/** Adds the addresses of a file. Returns its content hash. */
async function readAddressFile({ file, columns, builder, options, report }: Reading): Promise<string> {
  const before = countAddresses(builder);
  let content = file.content;
  const reportRows = (rows: number, share: number) => {
    if (countAddresses(builder) > MOST_ADDRESSES) throw tooManyAddresses();
    report({ place: removeQuery(file.name), rows, share });
  };
  if (await isShapefile(file))
    await withShapefile(file, options, async (paths) => {
      content += (await describeFile(paths.table, file.name)).content;
      await readShapefile(paths, builder, columns, (rows, all) => reportRows(rows, rows / all));
    });
  else
    for await (const one of unpackFiles(file, options))
      await readAddressText({ file: one, columns }, builder, reportRows);
  if (countAddresses(builder) === before)
    throw new ShingleError('source', 'no row has a house number, a street and coordinates');
  return content;
}

function countAddresses({ size }: AddressIndexBuilder): number {
  return size.points + size.ranges;
}

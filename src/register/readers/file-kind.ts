/** Finds the kind of a file from its first bytes, not its name. */

import { open } from 'node:fs/promises';
import { messageOf, sourceError } from '../../shared/errors.ts';
import { describeFormat, FILE_FORMATS, type FileFormat } from '../profile/formats.ts';

const SAVE = 'Open it in a spreadsheet program and save it as .xlsx or CSV';
/** What to do with a shapefile. GDAL reads one in an archive as `/vsizip/FILE.zip`. */
export const CONVERT_SHAPES =
  'Convert it with GDAL: ogr2ogr -f GeoJSON -t_srs EPSG:4326 OUT.geojson FILE.shp (or /vsizip/FILE.zip)';
const ASK = 'Ask the publisher for the data as CSV or as a workbook (.xlsx)';

const OTHER_KINDS: readonly (readonly [beginning: string, sentence: string])[] = [
  [
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    `the file is a workbook of the old format (.xls), or has a password. ${SAVE}`,
  ],
  ['\0\0\x27\x0a', `the file is a shapefile. ${CONVERT_SHAPES}`],
  ['%PDF', `the file is a PDF, which has no table that can be read. ${ASK}`],
  ['\xff\xfe\0\0', 'the file is UTF-32. Save it as UTF-8'],
  ['\0\0\xfe\xff', 'the file is UTF-32. Save it as UTF-8'],
];
const HEAD_BYTES = 64 * 1024;
const ZIP = 'PK\x03\x04';
const NAME_OFFSET = 30; // offset in the header of a zip entry
const DOCUMENT_ENTRY = /^mimetypeapplication\/vnd\.oasis/;
/** In the list at the end of an archive, if other entries come first. */
const WORKBOOK_ENTRY = /xl[\\/]workbook\.(?:xml|bin)/i;
const [TEXT_FORMAT, ...LATER_FORMATS] = Object.keys(FILE_FORMATS) as [FileFormat, ...FileFormat[]];

/** Returns the kind of a file. Throws `source`, with advice, if the file cannot be read. */
export async function findFileKind(path: string): Promise<FileFormat | 'gzip' | 'zip'> {
  const head = (await readHead(path, HEAD_BYTES)).toString('latin1');
  const format = LATER_FORMATS.findLast((one) => describeFormat(one).begins?.test(head));
  if (format !== undefined && describeFormat(format).binary !== undefined) return format;
  const other = OTHER_KINDS.find(([beginning]) => head.startsWith(beginning));
  if (other !== undefined) throw sourceError(other[1]);
  if (head.startsWith('\x1f\x8b')) return 'gzip';
  if (!head.startsWith(ZIP)) {
    refuseNoText(head);
    return format ?? TEXT_FORMAT;
  }
  if (DOCUMENT_ENTRY.test(head.slice(NAME_OFFSET)))
    throw sourceError(`the file is a document of OpenDocument, not a sheet. ${ASK}`);
  return WORKBOOK_ENTRY.test(await readTail(path)) ? 'excel' : 'zip';
}

/** Returns the format of an unpacked file. The reader of text reports a packed one as damaged. */
export async function findFileFormat(path: string): Promise<FileFormat> {
  const kind = await findFileKind(path);
  return kind === 'gzip' || kind === 'zip' ? TEXT_FORMAT : kind;
}

/** Throws `source` if a file that should be text is not text. */
export async function refuseOtherKinds(path: string): Promise<void> {
  const format = await findFileFormat(path);
  const { binary } = describeFormat(format);
  if (binary !== undefined)
    throw sourceError(`the file is ${binary}. Declare the source as ${format}, or save it as CSV`);
}

const UTF_16 = /^(?:\xff\xfe|\xfe\xff|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/;
const CONTROLS = /[\x01-\x08\x0e-\x19\x1c-\x1f]/g;
const FEW_CONTROLS = 10; // may be in a damaged text
const MOST_CONTROLS = 0.03; // of random bytes, 9 %

/** Throws for bytes that are no text in any encoding. */
function refuseNoText(head: string): void {
  if (UTF_16.test(head) || (head.match(CONTROLS)?.length ?? 0) <= FEW_CONTROLS + head.length * MOST_CONTROLS)
    return;
  throw sourceError(`the file is not text, and no other kind of file that Shingle reads. ${ASK}`);
}

async function readTail(path: string): Promise<string> {
  await using handle = await open(path, 'r');
  const from = Math.max(0, (await handle.stat()).size - HEAD_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, from);
  return buffer.toString('latin1', 0, bytesRead);
}

export async function readHead(path: string, bytes: number): Promise<Buffer> {
  try {
    await using handle = await open(path, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw sourceError(`the file cannot be read: ${messageOf(error)}`, error);
  }
}

/**
 * Draws the columns of the chart as a PNG without texts, for previews of links: services that show them do not show
 * SVG, and print the title and the description of the page beside the picture.
 */

import { crc32, deflateSync } from 'node:zlib';
import { DEFAULT_ACCENT, deriveAccents, parseRgb, type Rgb } from '../color.ts';
import { listColumns, type Picture } from './chart-picture.ts';
import { LINE, listGridLines } from './picture-columns.ts';

/** The size that Open Graph previews are shown in without being cropped. */
export const PREVIEW = { width: 1200, height: 630 };
const MARGIN = 60;
const LINE_HEIGHT = 2;
const STRIPE = 12; // the distance between the stripes of a column in which the data ends

/** Indexes of the palette. Index 0 is the paper. */
const [GRID, INK] = [1, 2];

export function renderPreviewPicture(picture: Omit<Picture, 'width'>): Buffer {
  const { width, height } = PREVIEW;
  const pixels = new Uint8Array(width * height);
  const fill = (color: number, [left, right]: Span, [top, bottom]: Span, isStriped = false) => {
    for (let y = Math.round(top); y < bottom; y++)
      for (let x = Math.round(left); x < right; x++)
        if (!isStriped || (x + y) % STRIPE < STRIPE / 2) pixels[y * width + x] = color;
  };
  const columns = listColumns({ ...picture, width });
  const lines = listGridLines(Math.max(1, ...columns.map(({ count }) => count)));
  const bottom = height - MARGIN;
  const toTop = (count: number) => bottom - (count / lines.at(-1)!) * (bottom - MARGIN);
  for (const line of lines) fill(GRID, [MARGIN, width - MARGIN], [toTop(line) - LINE_HEIGHT, toTop(line)]);
  const each = (width - 2 * MARGIN) / Math.max(1, columns.length);
  for (const [i, { count, isPart }] of columns.entries()) {
    const left = MARGIN + i * each;
    if (count > 0) fill(INK, [left + each * 0.1, left + each * 0.9], [toTop(count), bottom], isPart);
  }
  const accent = deriveAccents(picture.layout.city.accent ?? DEFAULT_ACCENT).light;
  return encodePng(pixels, PREVIEW, ['#ffffff', LINE, accent].map(parseRgb));
}

type Span = readonly [from: number, to: number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes pixels, which are indexes of the palette, with one byte each (PNG, ISO/IEC 15948, color type 3). */
function encodePng(pixels: Uint8Array, { width, height }: typeof PREVIEW, palette: readonly Rgb[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter, 0
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    encodeChunk('IHDR', header),
    encodeChunk('PLTE', Buffer.from(palette.flat())),
    encodeChunk('IDAT', deflateSync(rows)),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

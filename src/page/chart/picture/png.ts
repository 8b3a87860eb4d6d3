/** Paints a drawing as a PNG, for programs that do not show SVG: previews of links, documents and slides. */

import { crc32, deflateSync } from 'node:zlib';
import { mixWithPaper, PAPER, parseRgb, type Rgb } from '../../color.ts';
import type { Drawing } from './drawing.ts';
import { fillLetter, placeLetters } from './letters.ts';

const STRIPE = 12; // the distance between the stripes of a column in which the data ends
const SHADES = 12; // of each color, from the paper to the whole color

export function paintDrawing(drawing: Drawing, scale: number): Buffer {
  const { lines, columns, texts } = drawing;
  const [width, height] = [Math.round(drawing.width * scale), Math.round(drawing.height * scale)];
  // each pixel an index of the palette, and before each row its filter, 0
  const pixels = Buffer.alloc((width + 1) * height);
  const colors = [...new Set([...lines, ...columns, ...texts].map(({ color }) => color))];
  const put = (color: string, x: number, y: number, share = 1) => {
    if (x < 0 || x >= width || y < 0 || y >= height) return;
    const shade = colors.indexOf(color) * SHADES + Math.ceil(share * SHADES);
    const at = y * (width + 1) + x + 1;
    pixels[at] = Math.max(shade, pixels[at]!);
  };
  for (const { color, left, right, y } of lines)
    for (let x = Math.round(left * scale); x < right * scale; x++)
      for (const row of [0, 1]) put(color, x, Math.round(y * scale) - row);
  for (const { color, x, y, width, height, isPart } of columns)
    for (let row = Math.round(y * scale); row < (y + height) * scale; row++)
      for (let at = Math.round(x * scale); at < (x + width) * scale; at++)
        if (!isPart || (at + row) % STRIPE < STRIPE / 2) put(color, at, row);
  for (const { color, text, x, y, anchor, ...font } of texts) {
    const line = placeLetters(text);
    if (line === undefined) continue;
    const size = font.size * scale;
    const left = x * scale - line.width * size * { start: 0, middle: 0.5, end: 1 }[anchor];
    for (const one of line.placed)
      fillLetter(one.letter, { x: left + one.x * size, y: y * scale, size }, put.bind(undefined, color));
  }
  return encodePng(pixels, { width, height }, [parseRgb(PAPER), ...colors.flatMap(listShades)]);
}

function listShades(color: string): Rgb[] {
  return Array.from({ length: SHADES }, (_, i) => parseRgb(mixWithPaper(color, (i + 1) / SHADES)));
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Size = { width: number; height: number };

/** Encodes rows of pixels with one byte each (PNG, ISO/IEC 15948, color type 3). */
function encodePng(pixels: Buffer, { width, height }: Size, palette: readonly Rgb[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    encodeChunk('IHDR', header),
    encodeChunk('PLTE', Buffer.from(palette.flat())),
    encodeChunk('IDAT', deflateSync(pixels, { level: 4 })),
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

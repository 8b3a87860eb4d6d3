/** The icon as a picture for programs that ask for `/favicon.ico` and read no SVG: the shop sign of assets/icon.svg. */

const SIZE = 32;
const HEADER_BYTES = 22; // of the file and its only picture
const BITMAP_HEADER_BYTES = 40;
const PIXEL_BYTES = SIZE * SIZE * 4;
const MASK_BYTES = (SIZE * SIZE) / 8;

type Part = [x: number, y: number, width: number, height: number, color: string];

/** A 32-bit bitmap in an ICO file. */
export function makeFavicon(accent: string): Buffer {
  const parts: Part[] = [
    [3, 4, 26, 3, '#888888'],
    [8, 5, 2, 6, '#888888'],
    [22, 5, 2, 6, '#888888'],
    [3, 10, 26, 17, accent],
    [7, 15, 18, 2, '#ffffff'],
    [7, 20, 12, 2, '#ffffff'],
  ];
  const file = Buffer.alloc(HEADER_BYTES + BITMAP_HEADER_BYTES + PIXEL_BYTES + MASK_BYTES);
  file.writeUInt16LE(1, 2); // an icon
  file.writeUInt16LE(1, 4); // one picture
  file.set([SIZE, SIZE], 6);
  file.writeUInt16LE(1, 10); // planes
  file.writeUInt16LE(32, 12); // bits of a pixel
  file.writeUInt32LE(file.length - HEADER_BYTES, 14);
  file.writeUInt32LE(HEADER_BYTES, 18);
  const bitmap = file.subarray(HEADER_BYTES);
  bitmap.writeUInt32LE(BITMAP_HEADER_BYTES, 0);
  bitmap.writeInt32LE(SIZE, 4);
  bitmap.writeInt32LE(SIZE * 2, 8); // with its mask
  bitmap.writeUInt16LE(1, 12);
  bitmap.writeUInt16LE(32, 14);
  for (const part of parts) drawPart(bitmap.subarray(BITMAP_HEADER_BYTES), part);
  return file;
}

/** Rows lie bottom up, and a pixel is blue, green, red, alpha. */
function drawPart(pixels: Buffer, [left, top, width, height, color]: Part): void {
  const red = Number.parseInt(color.slice(1, 3), 16);
  const green = Number.parseInt(color.slice(3, 5), 16);
  const blue = Number.parseInt(color.slice(5, 7), 16);
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++)
      pixels.set([blue, green, red, 255], ((SIZE - 1 - y) * SIZE + x) * 4);
}

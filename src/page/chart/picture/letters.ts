/** Draws letters as pixels, from the outlines in `data/letters.csv`. Reads them when the first picture is drawn. */

import { readDataLines } from '../../../shared/text/word-table.ts';

type Point = { x: number; y: number };
/** Measured in font sizes. The outline is a list of straight pieces, with y upwards. */
type Letter = { width: number; outline: readonly (readonly [from: Point, to: Point])[] };

const UNITS = 512; // the outlines have this many units in the font size
const CURVE_PIECES = 4;
const OVERHANG = 0.3; // letters such as j reach this far beyond their box, in font sizes

let table: ReadonlyMap<string, Letter> | undefined;

function readTable(): ReadonlyMap<string, Letter> {
  table ??= new Map(
    readDataLines('letters.csv').map(([code = '', width, outline = '']) => [
      String.fromCodePoint(Number.parseInt(code, 16)),
      { width: Number(width) / UNITS, outline: parseOutline(outline) },
    ]),
  );
  return table;
}

/**
 * Places the letters of a line, in font sizes. The table has one space and no combining accents. Returns `undefined` if it
 * lacks a letter.
 */
export function placeLetters(text: string) {
  const all = Array.from(text.normalize('NFC').replace(/\p{Zs}/gu, ' '), (one) => readTable().get(one));
  let width = 0;
  const placed = all.flatMap((letter) => {
    const x = width;
    width += letter?.width ?? 0;
    return letter ? { letter, x } : [];
  });
  return placed.length < all.length ? undefined : { width, placed };
}

/** Parses an outline in the notation of SVG. Closes its parts, and breaks curves into straight pieces. */
function parseOutline(text: string): [Point, Point][] {
  const pieces: [Point, Point][] = [];
  let start: Point = { x: 0, y: 0 };
  let at = start;
  const goTo = (point: Point) => {
    pieces.push([at, point]);
    at = point;
  };
  for (const [, command, numbers = ''] of text.matchAll(/([Mlq])([^Mlq]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = (numbers.match(/-?\d+/g) ?? []).map((one) => Number(one) / UNITS);
    const { x, y } = at;
    if (command === 'l') goTo({ x: x + a, y: y + b });
    else if (command === 'q')
      for (let i = 1; i <= CURVE_PIECES; i++) {
        const share = i / CURVE_PIECES;
        const [bend, end] = [2 * share * (1 - share), share * share];
        goTo({ x: x + bend * a + end * c, y: y + bend * b + end * d });
      }
    else {
      goTo(start);
      start = { x: a, y: b };
      at = start;
    }
  }
  goTo(start);
  return pieces;
}

/** Calls `put` for each pixel that a letter covers, with the covered share. `y` is the line that letters stand on. */
export function fillLetter(
  { width, outline }: Letter,
  { x, y, size }: Point & { size: number },
  put: (x: number, y: number, share: number) => void,
): void {
  const [left, top] = [Math.floor(x - OVERHANG * size), Math.floor(y - (1 + OVERHANG) * size)];
  const columns = Math.ceil((width + 2 * OVERHANG) * size) + 2;
  const rows = Math.ceil((1 + 2 * OVERHANG) * size) + 2;
  const changes = new Float32Array(columns * rows);
  const place = (point: Point): Point => ({ x: x + point.x * size - left, y: y - point.y * size - top });
  for (const [from, to] of outline) addPiece(changes, columns, place(from), place(to));
  for (let row = 0; row < rows; row++) {
    let covered = 0;
    for (let column = 0; column < columns; column++) {
      covered += changes[row * columns + column]!;
      if (Math.abs(covered) > 0.01) put(left + column, top + row, Math.min(1, Math.abs(covered)));
    }
  }
}

/**
 * Adds what a piece of the outline changes in each row: right of it, the row is covered more, or less if the piece goes
 * up. Adding up a row from the left gives the covered share of each pixel.
 */
function addPiece(changes: Float32Array, columns: number, from: Point, to: Point): void {
  const turn = from.y < to.y ? 1 : -1;
  const [upper, lower] = turn === 1 ? [from, to] : [to, from];
  const slope = (lower.x - upper.x) / (lower.y - upper.y);
  for (let y = upper.y; y < lower.y; y = Math.floor(y) + 1) {
    const height = Math.min(Math.floor(y) + 1, lower.y) - y;
    const x = upper.x + (y - upper.y) * slope;
    const [left, right] = [Math.min(x, x + height * slope), Math.max(x, x + height * slope)];
    for (let at = left; at <= right; at = Math.floor(at) + 1) {
      const column = Math.floor(at);
      const end = Math.min(column + 1, right);
      const change = turn * height * (left === right ? 1 : (end - at) / (right - left));
      const share = (at + end) / 2 - column;
      changes[Math.floor(y) * columns + column]! += change * (1 - share);
      changes[Math.floor(y) * columns + column + 1]! += change * share;
    }
  }
}

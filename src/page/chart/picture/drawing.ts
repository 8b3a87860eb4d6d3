/** What a picture of a chart is made of: `svg.ts` writes it, `png.ts` paints it. */

export type Drawing = {
  width: number;
  height: number;
  lines: readonly Line[];
  columns: readonly Column[];
  texts: readonly Text[];
};

type Line = { color: string; left: number; right: number; y: number };

/** `isPart`: the data ends within the period of the column, so it is hatched. */
export type Column = { color: string; x: number; y: number; width: number; height: number; isPart: boolean };

/** `x` is the middle of the text, or where it starts or ends. `y` is the line that its letters stand on. */
export type Text = {
  color: string;
  text: string;
  x: number;
  y: number;
  size: number;
  anchor: 'start' | 'middle' | 'end';
  isBold?: boolean;
  isRtl?: boolean;
};

/** Rounds to one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

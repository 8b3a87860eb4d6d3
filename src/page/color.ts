/**
 * Makes the city's color readable: darkens it for light pages and lightens it for dark ones, as far as contrast
 * requires (WCAG 2.2, 1.4.3).
 */

export type Rgb = readonly number[];

/** The accent of cities whose profile has none. */
export const DEFAULT_ACCENT = '#0b6e4f';

const ENOUGH = 4.8; // 4.5 is required; panels with a slightly different background need a margin
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Returns the accent for light and dark pages, and the color of text on each, as `#rrggbb`. */
export function deriveAccents(hex: string): Record<'light' | 'onLight' | 'dark' | 'onDark', string> {
  const given = parseRgb(hex);
  const light = moved(given, BLACK, WHITE);
  const dark = moved(given, WHITE, [0x1b, 0x20, 0x27]);
  return { light: hexOf(light), onLight: '#ffffff', dark: hexOf(dark), onDark: '#11151a' };
}

/** Moves the color towards `end` in steps of 5% until its contrast with the page is high enough. */
function moved(color: Rgb, end: Rgb, page: Rgb): Rgb {
  const steps = Array.from({ length: 21 }, (_, step) => mix(color, end, step / 20));
  return steps.find((one) => measureContrast(one, page) >= ENOUGH) ?? end;
}

/** Returns `from` with this share of `to`. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((part, i) => Math.round(part + (to[i]! - part) * share));
}

/** Returns the WCAG contrast ratio, 1 to 21. */
export function measureContrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** The paper of pictures, as bands on pages have it. */
export const PAPER = '#f6f4ed';

/** Returns the color on paper with this share of itself. */
export function mixWithPaper(hex: string, share: number): string {
  return hexOf(mix(parseRgb(PAPER), parseRgb(hex), share));
}

export function parseRgb(hex: string): Rgb {
  const digits = hex.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const number = Number.parseInt(long, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

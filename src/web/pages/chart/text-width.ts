/** Estimates the width of text for pictures and the map on the server. Assumes a rather wide font. */

/** Returns the width in font sizes. Letters of East Asian scripts are as wide as they are high. */
export function measureTextWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + measureLetter(letter), 0);
}

function measureLetter(letter: string): number {
  if (letter > '\u1100') return 1;
  if (/[ fijlrt.,:;'’()-]/.test(letter)) return 0.38;
  if (/[mwMW]/.test(letter)) return 0.95;
  return /\p{Lu}/u.test(letter) ? 0.72 : 0.63;
}

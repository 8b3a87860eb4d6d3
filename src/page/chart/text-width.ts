/** Estimates the width of text for pictures. Assumes a rather wide font. */

/** Returns the width in font sizes. Letters of East Asian scripts are as wide as they are high. */
export function measureTextWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + measureLetter(letter), 0);
}

/** Breaks a text into lines at most `widest` font sizes wide. A wider word gets its own line. */
export function wrapWords(text: string, widest: number, measure = measureTextWidth): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (measure(longer) > widest) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Cuts off the end of a text that is wider than `widest` font sizes. */
export function cutText(text: string, widest: number, measure: (text: string) => number): string {
  if (measure(text) <= widest) return text;
  let [shown, width] = ['', measure('…')];
  for (const letter of text) {
    width += measure(letter);
    if (width > widest) break;
    shown += letter;
  }
  return `${shown.trimEnd()}…`;
}

function measureLetter(letter: string): number {
  if (letter > '\u1100') return 1;
  if (/[ fijlrt.,:;'’()-]/.test(letter)) return 0.38;
  if (/[mwMW]/.test(letter)) return 0.95;
  return /\p{Lu}/u.test(letter) ? 0.72 : 0.63;
}

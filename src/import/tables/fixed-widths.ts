/** Finds the columns of a text of fixed width: the places where all its lines have a space. */

const LEAST_LINES = 5;
const LEAST_COLUMNS = 3;
const LONGEST_LINE = 5_000;
/** Of lines in which spaces fill up a column: other texts have single spaces. */
const PADDED_SHARE = 0.5;

/** Characters of each column; `undefined` where the lines are not made of columns. */
export function findWidths(lines: readonly string[]): number[] | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const longest = Math.max(0, ...filled.map((line) => line.length));
  if (filled.length < LEAST_LINES || longest > LONGEST_LINE) return undefined;
  if (filled.filter((line) => /\S {2,}\S/.test(line)).length < filled.length * PADDED_SHARE) return undefined;
  const starts: number[] = [];
  let wasBlank = true;
  for (let at = 0; at < longest; at++) {
    const isBlank = filled.every((line) => (line[at] ?? ' ') === ' ');
    if (wasBlank && !isBlank) starts.push(at);
    wasBlank = isBlank;
  }
  if (starts.length < LEAST_COLUMNS) return undefined;
  starts[0] = 0;
  return starts.map((start, i) => (starts[i + 1] ?? longest) - start);
}

/** The report of a run. */

import { linesOf } from './sites.ts';
import type { Verdict } from './try-mutant.ts';

type TextOf = (file: string) => string;

/** One line: where, what was changed, and what became of it. */
export function lineFor({ mutant, outcome, by, ran, reaching, durationMs }: Verdict, textOf: TextOf): string {
  const { start, end, text } = mutant.edit;
  const from = shorten(textOf(mutant.file).slice(start, end));
  const change = `${mutant.file}:${mutant.line}  ${from} -> ${shorten(text) || 'nothing'}`;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (by === undefined)
    return `${change}  SURVIVED ${ran} of ${reaching} test files that reach it (${seconds})`;
  const how = outcome === 'timeout' ? 'killed by timeout of' : 'killed by';
  return `${change}  ${how} ${by.file}${by.test === undefined ? '' : ` / ${by.test}`} (${seconds})`;
}

/** How many were killed, and each survivor with its line before and after. */
export function summaryOf(verdicts: readonly Verdict[], textOf: TextOf): string[] {
  const { tried, killed, timeouts } = countVerdicts(verdicts);
  const survivors = verdicts.filter(({ outcome }) => outcome === 'survived');
  const rate = tried === 0 ? '' : ` (${((100 * killed) / tried).toFixed(1)} %)`;
  return [
    '',
    `killed ${killed} of ${tried}${rate}, ${timeouts} of them by a timeout`,
    ...survivors.flatMap(({ mutant, ran, reaching }) => {
      const { before, after } = linesOf(textOf(mutant.file), mutant);
      const place = `${mutant.file}:${mutant.line}`;
      return ['', `survived ${place} (${ran} of ${reaching} test files)`, `  - ${before}`, `  + ${after}`];
    }),
  ];
}

export function countVerdicts(verdicts: readonly Verdict[]): {
  tried: number;
  killed: number;
  timeouts: number;
} {
  const killed = verdicts.filter(({ outcome }) => outcome !== 'survived').length;
  const timeouts = verdicts.filter(({ outcome }) => outcome === 'timeout').length;
  return { tried: verdicts.length, killed, timeouts };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

/** Defines findings: signs that a register was misunderstood. Contains the helpers that all checks share. */

import FINDINGS from '../../data/findings.json' with { type: 'json' };
import type { Finding } from '../../shared/report.ts';
import { fillIn } from '../../shared/text/fill-in.ts';
import { formatNumber, formatShare } from '../../shared/text/numbers.ts';
import type { RegisterMapping } from '../profile/mapping/mapping.ts';
import { countBy } from '../survey/columns.ts';

export type Words = Partial<RegisterMapping>;

export type ShownFinding = Finding & {
  /** Values of the register, clearest first. Never stored or logged. */
  examples: readonly string[];
  fix: string;
  word?: keyof RegisterMapping;
  /** Words of `city.yaml` that may end the finding, the best first. */
  tries?: readonly Words[];
  /** Those of them that were tried on the rows, and end it. */
  write?: Words;
};

export type ReadText = (column: string) => string;

const FEW = 20; // minimum openings: a share of fewer means nothing
const FEW_CASES = 3;
const MOST_EXAMPLES = 5;

/** Returns whether a count exceeds a share of the openings. Returns `false` if either is too small to judge. */
export function isMoreThan(share: number, count: number, openings: number): boolean {
  return openings >= FEW && count >= FEW_CASES && count > openings * share;
}

/**
 * A finding in `src/data/findings.json`. Above the share `least`, it is reported, and above `stop`, it holds the run.
 * `shown` is the number of examples.
 */
type FindingText = Pick<ShownFinding, 'code' | 'severity' | 'detail' | 'fix' | 'word'> & {
  least?: number;
  stop?: number;
  shown?: number;
};

type Seen = {
  severity?: ShownFinding['severity'] | undefined;
  tries?: readonly Words[] | undefined;
  /** Texts for examples, clearest first, of which the first different ones are shown. A function is called only then. */
  examples?: readonly string[] | (() => readonly string[]);
  count: number;
  /** The number of openings or rows, or 0 if the finding is about something else. */
  of: number;
  /** The names for `{columns}`. */
  columns?: readonly string[];
  /** Values for placeholders, in addition to `{columns}`, `{count}`, `{of}`, `{share}` and `{openings}`. */
  values?: Readonly<Record<string, string | number>>;
};

/** Makes the finding for a cause, or returns `undefined` if its share is too small to report. */
export function makeFinding(cause: keyof typeof FINDINGS, seen: Seen): ShownFinding | undefined {
  const finding = FINDINGS[cause] as FindingText;
  const { code, least, stop, word, shown = MOST_EXAMPLES } = finding;
  const { count, of, columns = [], examples = [], tries } = seen;
  if (least !== undefined && !isMoreThan(least, count, of)) return undefined;
  const share = formatShare(count / Math.max(1, of));
  const values: Seen['values'] = {
    columns: listNames(columns),
    count,
    of,
    share,
    openings: `${formatRows(count)} openings (${share})`,
    ...seen.values,
  };
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? formatRows(value) : value,
  ]);
  const fill = (sentence: string) => fillIn(sentence, Object.fromEntries(texts));
  return {
    code,
    severity: seen.severity ?? (stop !== undefined && count > of * stop ? 'stop' : finding.severity),
    count: Math.round(count),
    share: of === 0 ? 0 : Math.min(1, Math.round((count / of) * 10_000) / 10_000),
    examples: [...new Set(typeof examples === 'function' ? examples() : examples)].slice(0, shown),
    detail: fill(finding.detail),
    fix: fill(finding.fix),
    ...(word && { word }),
    ...(tries && { tries }),
  };
}

type Weighted = { weight: number };

/** Formats a number of rows. The rows of a sample stand for shares of all, whose sum is rounded. */
export const formatRows = (rows: number): string => formatNumber(Math.round(rows));

export function listCounts(counts: readonly (readonly [text: string, rows: number])[]): string[] {
  return counts.map(([text, rows]) => `${text}: ${formatRows(rows)}`);
}

export function sumWeights(some: readonly Weighted[]): number {
  return some.reduce((sum, { weight }) => sum + weight, 0);
}

export function countTexts<One extends Weighted, Text = string>(
  some: readonly One[],
  textOf: (one: One) => Text,
): [text: Text, openings: number][] {
  return countBy(
    some.map((one) => [one, one.weight] as const),
    textOf,
  );
}

export function listNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

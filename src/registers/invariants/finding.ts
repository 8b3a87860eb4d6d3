/** A finding is a sign that a register was misunderstood. This file has what all checks share. */

import type { FindingCode, Row } from '../../city/define.ts';
import type { RegisterMapping } from '../../city/mapping/mapping.ts';
import FINDINGS from '../../data/findings.json' with { type: 'json' };
import type { Opening } from '../../listings/filing.ts';

/** What may be stored and logged of a finding: sums and the names of columns, never a value of the register. */
export type Finding = {
  code: FindingCode;
  /** `stop` holds the first run of a source. */
  severity: 'stop' | 'warn';
  count: number;
  /** The share of the openings that are affected, 0 to 1; for `ragged-rows` the share of the rows. */
  share: number;
  /** One sentence, without values of the register. */
  detail: string;
  /** The profile's reason for accepting it, where it does. */
  accepted?: string;
};

/** What would mend a finding in `city.yaml`: a word of the register and its new value. */
export type Repair = { [Word in keyof RegisterMapping]?: RegisterMapping[Word] };

/** A finding for the operator's own terminal. */
export type ShownFinding = Finding & {
  /** Values of the register, the clearest first: up to five, twenty for `dropped-businesses`. Never stored, never logged. */
  examples: readonly string[];
  /** What to change, as an instruction. */
  fix: string;
  /** The word of `city.yaml` that the fix is about. */
  word?: keyof RegisterMapping;
  repair?: Repair;
};

/** The text of any column of a row, declared or not; `''` if it has none. */
export type ReadText = (column: string) => string;

/** Looks at openings, in the order of the file, and says at the end what it found. */
export type FindingCheck = {
  /** `weight`: for how many openings this one stands. */
  see(opening: Opening, cell: ReadText, at: { row: Row; weight: number }): void;
  find(openings: number): (ShownFinding | undefined)[];
};

/** A made-up word that is tried before a type's text: no table knows the two together. Previews leave such texts out. */
export const MADE_UP = 'Zzyzx';

const FEW = 20; // openings: a share of fewer says nothing, as in the guard of later runs
const FEW_CASES = 3;
const MOST_EXAMPLES = 5;

/** Whether so many of so many openings are more than a share, and not a few of a few. */
export function isMoreThan(share: number, count: number, openings: number): boolean {
  return openings >= FEW && count >= FEW_CASES && count > openings * share;
}

/** What a finding says: `src/data/findings.json` has the text of each cause, with what to fill in between braces. */
type FindingText = Pick<ShownFinding, 'code' | 'severity' | 'detail' | 'fix' | 'word'>;

type Seen = Partial<Pick<ShownFinding, 'severity' | 'examples' | 'repair'>> & {
  count: number;
  of: number;
  /** What stands in the text for `{column}` and the like, besides `{count}`, `{of}`, `{share}` and `{openings}`. */
  values?: Readonly<Record<string, string | number>>;
};

export function makeFinding(cause: keyof typeof FINDINGS, seen: Seen): ShownFinding {
  const { code, severity, word, ...text } = FINDINGS[cause] as FindingText;
  const { count, of, values, examples = [], repair } = seen;
  const share = Math.min(1, Math.round((count / Math.max(1, of)) * 10_000) / 10_000);
  const filled: Seen['values'] = {
    count: count.toLocaleString('en'),
    of: of.toLocaleString('en'),
    share: formatFindingShare(count / Math.max(1, of)),
    openings: formatOpenings(count, of),
    ...values,
  };
  const fill = (sentence: string) =>
    sentence.replace(/\{(\w+)\}/g, (all, name) => String(filled[name] ?? all));
  return {
    code,
    severity: seen.severity ?? severity,
    count: Math.round(count),
    share,
    examples,
    detail: fill(text.detail),
    fix: fill(text.fix),
    ...(word && { word }),
    ...(repair && { repair }),
  };
}

/** Counts texts, at most `most` different ones. */
export function openCounts(most = Number.POSITIVE_INFINITY) {
  const counts = new Map<string, number>();
  return {
    add(text: string, weight: number): void {
      const before = counts.get(text);
      if (before !== undefined || counts.size < most) counts.set(text, (before ?? 0) + weight);
    },
    /** The most frequent first. */
    list: () => [...counts].sort((a, b) => b[1] - a[1]),
  };
}

/** `0.1234` as `12.3 %`. */
export function formatFindingShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `1,234 openings (12.3 %)`. */
function formatOpenings(count: number, of: number): string {
  return `${Math.round(count).toLocaleString('en')} openings (${formatFindingShare(count / Math.max(1, of))})`;
}

/** `"Town"`, `"House", "Street"`. */
export function listNames(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** Keeps different examples, those with the highest score: the first of equals. */
export function openExamples(most = MOST_EXAMPLES) {
  const kept: { text: string; score: number }[] = [];
  return {
    keep(text: string, score = 0): void {
      if (kept.length >= most && score <= kept.at(-1)!.score) return;
      if (kept.some((one) => one.text === text)) return;
      const at = kept.findIndex((one) => one.score < score);
      kept.splice(at === -1 ? kept.length : at, 0, { text, score });
      kept.length = Math.min(most, kept.length);
    },
    list: (): string[] => kept.map(({ text }) => text),
  };
}

/** What may be stored: without examples. */
export function toStoredFinding({ code, severity, count, share, detail, accepted }: ShownFinding): Finding {
  return { code, severity, count, share, detail, ...(accepted !== undefined && { accepted }) };
}

/** Why a first run is held, in a sentence; nothing where nothing stops it. */
export function describeStops(findings: readonly Finding[]): string | undefined {
  const stops = findings.filter(({ severity }) => severity === 'stop');
  if (stops.length === 0) return undefined;
  return `the profile seems to misunderstand this register: ${stops.map(({ code, detail }) => `${code}: ${detail}`).join('; ')}`;
}

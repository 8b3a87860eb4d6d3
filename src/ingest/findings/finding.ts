/** What a finding is: a sign that a profile misunderstands its register. Types and sentences only. */

import type { FindingCode } from '../../city/define.ts';

/** What may be stored and logged of a finding: sums and the names of columns, never a value of the register. */
export type Finding = {
  code: FindingCode;
  /** `stop` holds the first run of a source. */
  severity: 'stop' | 'warn';
  count: number;
  /** Of the openings, 0 to 1; of the rows for `ragged-rows`. */
  share: number;
  /** One sentence, without values of the register. */
  detail: string;
  /** The profile's reason for accepting it, where it does. */
  accepted?: string;
};

/** A finding for the operator's own terminal. */
export type ShownFinding = Finding & {
  /** Values of the register, up to five; ten for `kinds-from-text`. Never stored, never logged. */
  examples: readonly string[];
  /** What to change, as an instruction. */
  fix: string;
};

export const MOST_EXAMPLES = 5;

/** `0.1234` as `12.3 %`. */
export function formatFindingShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
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

/** What the checks behind the findings have in common: what they see, and how they say what they found. */

import type { FindingCode, Row } from '../../city/define.ts';
import type { Opening } from '../../listings/filing.ts';
import { formatFindingShare, MOST_EXAMPLES, type ShownFinding } from './finding.ts';

const FEW = 20; // openings: a share of fewer says nothing, as in the guard of later runs
const FEW_CASES = 3;

/** Looks at openings, in the order of the file, and says at the end what it found. */
export type FindingCheck = {
  /** `weight`: for how many openings this one stands. */
  see(opening: Opening, row: Row, weight: number): void;
  find(openings: number): (ShownFinding | undefined)[];
};

/** Whether so many of so many openings are more than a share, and not a few of a few. */
export function isMoreThan(share: number, count: number, openings: number): boolean {
  return openings >= FEW && count >= FEW_CASES && count > openings * share;
}

export function makeFinding(
  code: FindingCode,
  severity: ShownFinding['severity'],
  what: { count: number; of: number; detail: string; examples?: readonly string[]; fix: string },
): ShownFinding {
  const { of, detail, examples = [], fix } = what;
  const count = Math.round(what.count);
  const share = Math.min(1, Math.round((what.count / Math.max(1, of)) * 10_000) / 10_000);
  return { code, severity, count, share, detail, examples, fix };
}

/** `1,234 openings (12.3 %)`. */
export function formatOpenings(count: number, of: number): string {
  return `${Math.round(count).toLocaleString('en')} openings (${formatFindingShare(count / Math.max(1, of))})`;
}

/** Keeps the first few. */
export function keepExample(examples: string[], text: string): void {
  if (examples.length < MOST_EXAMPLES && !examples.includes(text)) examples.push(text);
}

/** Letters and digits in lower case, a space between words: for comparing texts of one register. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9\u00c0-\uffff]+/g, ' ')
    .trim();
}

/** 32 bits that tell texts apart (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) | 0;
}

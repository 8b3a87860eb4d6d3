/**
 * Tries the words with which a finding would end: judges the sampled rows by them, and keeps only words that end the finding and
 * hold the run for nothing else.
 */

import { PERSONAL_NAME, type Row } from '../profile/define.ts';
import type { RegisterMapping } from '../profile/mapping/mapping.ts';
import { readCell } from '../readers/row.ts';
import { openJudge } from '../rows/judge.ts';
import { openPlacer } from '../rows/placing.ts';
import type { SampledOpening, SampledRegister, SampledRow } from './evidence.ts';
import { type ShownFinding, sumWeights, type Words } from './finding.ts';

/** Judges sampled rows by changed words. `skipped` has the weights of the rows that these leave out. */
export function rejudge(register: SampledRegister, words: Words) {
  const { city, source, map, today, join } = register;
  const revised = source.mapping!.revise(words);
  const judge = openJudge(revised, { today }, { place: openPlacer(city, map), join });
  const columns = [...revised.columns, ...(revised.optional ?? [])];
  // the row of another mapping may not declare these columns
  const readRow = (row: Row): Row =>
    Object.fromEntries(columns.map((name) => [name, name in row ? row[name]! : readCell(row, name)]));
  const openings: SampledOpening[] = [];
  const dropped: SampledRow[] = [];
  const skipped = new Map<string, number>();
  for (const one of [...register.openings, ...register.dropped]) {
    const judged = judge(readRow(one.row), 0);
    if (judged.kind === 'opening') openings.push({ ...one, ...judged });
    else if (judged.kind === 'skip') {
      if (judged.reason === PERSONAL_NAME) dropped.push(one);
      skipped.set(judged.reason, (skipped.get(judged.reason) ?? 0) + one.weight);
    }
  }
  return { openings, dropped, total: Math.round(sumWeights(openings)), skipped };
}

/**
 * Adds to a finding the first of its words that end it, as they would stand in `city.yaml`. If none do, says what else would hold
 * the run.
 */
export function addRepair(
  { tries = [], ...finding }: ShownFinding,
  mapping: RegisterMapping,
  findAfter: (words: Words) => readonly ShownFinding[],
  held: ReadonlySet<string>,
): ShownFinding {
  const isSame = ({ code, severity }: ShownFinding) =>
    code === finding.code && (severity === 'stop' || finding.severity === 'warn');
  for (const one of tries) {
    const skip = one.skip && [...(mapping.skip ?? []), ...one.skip];
    const write = { ...one, ...(skip && { skip }) };
    const after = findAfter(write);
    if (after.some(isSame)) continue;
    const stops = new Set(after.filter(({ severity }) => severity === 'stop').map(({ code }) => code));
    const others = [...stops].filter((code) => !held.has(code));
    if (others.length === 0) return { ...finding, write };
    const says = `Other words for ${Object.keys(one).join(' and ')} were tried: they end this finding, but then ${others.join(' and ')} holds the run`;
    finding.fix = `${finding.fix}. ${says}`;
  }
  return finding;
}

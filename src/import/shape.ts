/** The distribution of a run's openings over category, neighborhood and status. It reveals, for example, two swapped columns. */

import { UNCATEGORIZED, UNKNOWN_NEIGHBORHOOD } from '../listings/listing.ts';
import type { Judgement } from './judge.ts';

const VALUES = 300; // of each dimension; a column with more distinct values does not contain neighborhoods
const FEW = 100; // openings: percentages of fewer are not meaningful
const UNKNOWN_SHARE = 0.05; // share of the openings
const NEW_SHARE = 0.2;
const FLIPPED_SHARE = 0.1;

type Dimension = 'category' | 'neighborhood' | 'status';
const UNKNOWN: Record<Dimension, string | undefined> = {
  category: UNCATEGORIZED,
  neighborhood: UNKNOWN_NEIGHBORHOOD,
  status: undefined,
};
const DIMENSIONS = Object.keys(UNKNOWN) as Dimension[];

export type RunShape = { openings: number } & Record<Dimension, Record<string, number>>;

export function openShapeCounter(): { shape: RunShape; see(judgement: Judgement): void } {
  const shape: RunShape = { openings: 0, category: {}, neighborhood: {}, status: {} };
  const counted = new Map(DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]));
  return {
    get shape() {
      for (const [dimension, counts] of counted) shape[dimension] = Object.fromEntries(counts);
      return shape;
    },
    see(judgement) {
      if (judgement.kind !== 'opening') return;
      shape.openings++;
      for (const [dimension, counts] of counted) {
        const value = judgement[dimension];
        if (counts.has(value) || counts.size < VALUES) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    },
  };
}

/** Compares two snapshots judged by the same profile. Describes what drifted in a sentence; `undefined` if nothing did. */
export function measureDrift(before: RunShape, now: RunShape): string | undefined {
  if (before.openings < FEW || now.openings < FEW) return undefined;
  for (const dimension of DIMENSIONS) {
    const drift = driftOf(dimension, before, now);
    if (drift !== undefined) return drift;
  }
  return undefined;
}

function driftOf(dimension: Dimension, before: RunShape, now: RunShape): string | undefined {
  const shareOf = ({ openings, ...shape }: RunShape, value: string) =>
    (shape[dimension][value] ?? 0) / openings;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const unknown = UNKNOWN[dimension];
  if (unknown === undefined) {
    for (const value of new Set([...Object.keys(before.status), ...Object.keys(now.status)])) {
      const [was, is] = [shareOf(before, value), shareOf(now, value)];
      if (Math.abs(is - was) > FLIPPED_SHARE)
        return `${percent(is)} of the openings have the status ${value}, compared with ${percent(was)} in the last kept run`;
    }
    return undefined;
  }
  const [was, is] = [shareOf(before, unknown), shareOf(now, unknown)];
  if (Math.abs(is - was) > UNKNOWN_SHARE)
    return `the ${dimension} of ${percent(is)} of the openings is unknown, compared with ${percent(was)} in the last kept run`;
  const unseen = Object.entries(now[dimension])
    .filter(([value]) => !Object.hasOwn(before[dimension], value))
    .reduce((sum, [, count]) => sum + count, 0);
  if (unseen / now.openings <= NEW_SHARE) return undefined;
  return `${percent(unseen / now.openings)} of the openings have a ${dimension} that did not occur in the last kept run`;
}

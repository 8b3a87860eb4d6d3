/** Defines concerns: problems for an operator to resolve. Health, log, `status` and alerts share their texts. */

import CONCERNS from '../../../data/concerns.json' with { type: 'json' };
import type { Instant } from '../../../shared/day.ts';
import { fillIn } from '../../../shared/text/fill-in.ts';

/** The kinds of concerns, with their texts. */
export type ConcernKind = keyof typeof CONCERNS;
export const CONCERN_KINDS = Object.keys(CONCERNS) as ConcernKind[];

export type Concern = {
  kind: ConcernKind;
  source?: string;
  /** A sentence for the public, without paths, addresses or messages of other programs. */
  summary: string;
  /** A longer sentence for the operator, if there is more to say, without subscribers' addresses. */
  detail?: string;
  since?: Instant;
  /** The earliest time for an alert. Before that, the concern may resolve itself. */
  tellFrom?: Instant;
  /** Sentences with the commands to run, most useful first. */
  steps: readonly string[];
};

type Texts = Pick<Concern, 'summary' | 'detail' | 'steps'>;

/** Makes a concern from its texts. Replaces their placeholders, such as `{run}`, with `values`. */
export function makeConcern(
  kind: ConcernKind,
  values: Readonly<Record<string, string | number | null>> = {},
  more: Partial<Concern> = {},
): Concern {
  const { summary, detail, steps }: Texts = CONCERNS[kind];
  const fill = (text: string) => fillIn(text, values);
  const texts = { summary: fill(summary), ...(detail && { detail: fill(detail) }), steps: steps.map(fill) };
  return { kind, ...texts, ...more };
}

/** A concern with the time since when it lasts. */
export type LastingConcern = Concern & { since: Instant };

/** Names a concern. The name stays the same while the concern lasts. */
export function nameConcern({ kind, source }: { kind: ConcernKind; source?: string | undefined }): string {
  return source === undefined ? kind : `${kind} ${source}`;
}

/** Where instances of a test share budgets: plain sums in memory, which can be away, or take their time. */

import { type Limiter, openLimiter } from '../../src/http/limits.ts';
import { openSharing, type SharedBudgets, type Sharing } from '../../src/http/sharing.ts';

export type SharedPort = SharedBudgets & {
  /** What everybody took, by `kind client slice`. */
  sums: Map<string, number>;
  /** How many clients were told of in each exchange. */
  exchanges: number[];
  isAway: boolean;
  /** Exchanges end no sooner. */
  held: Promise<void> | undefined;
};

export function aSharedPort(): SharedPort {
  const reach = () => {
    if (port.isAway) throw new Error('the database is away');
  };
  const port: SharedPort = {
    sums: new Map(),
    exchanges: [],
    isAway: false,
    held: undefined,
    async seeds(day) {
      reach();
      return [
        [day, 456],
        [day - 1, 456],
      ];
    },
    async exchange(takings) {
      await port.held;
      reach();
      port.exchanges.push(takings.filter(({ taken }) => taken > 0).length);
      for (const { kind, client, slice, taken } of takings) {
        const key = `${kind} ${client} ${slice}`;
        if (taken > 0) port.sums.set(key, (port.sums.get(key) ?? 0) + taken);
      }
      const asked = new Map(takings.map(({ kind, client, since }) => [`${kind} ${client}`, since]));
      return [...port.sums]
        .map(([key, taken]) => ({ ...parsed(key), taken }))
        .filter(({ kind, client, slice }) => slice >= (asked.get(`${kind} ${client}`) ?? Infinity))
        .toSorted((a, b) => a.slice - b.slice);
    },
    async forget(kind, before) {
      reach();
      for (const key of port.sums.keys())
        if (parsed(key).kind === kind && parsed(key).slice < before) port.sums.delete(key);
    },
  };
  return port;
}

function parsed(key: string): { kind: string; client: string; slice: number } {
  const [kind = '', client = '', slice] = key.split(' ');
  return { kind, client, slice: Number(slice) };
}

export type Instance = { limiter: Limiter; sharing: Sharing; warnings: string[] };

/** One that knows the seeds, if they can be had. */
export async function anInstance(
  port: SharedBudgets,
  clock: { now: number },
  limits: Parameters<typeof openLimiter>[0] = {},
): Promise<Instance> {
  const warnings: string[] = [];
  const sharing = openSharing(port, { warn: (sentence) => warnings.push(sentence) }, () => clock.now);
  const limiter = openLimiter(limits, () => clock.now, sharing);
  await sharing.start();
  return { limiter, sharing, warnings };
}

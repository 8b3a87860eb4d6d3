/** Counts requests by route, between two looks at them. Knows no address and no query. */

export type Usage = ReturnType<typeof openUsage>;

export function openUsage() {
  let counts = new Map<string, number>();
  return {
    /** Counts one response. `route` is one of our paths, or `other`. */
    answered: (route: string): void => void counts.set(route, (counts.get(route) ?? 0) + 1),
    /** Returns the counts since the last call. */
    take(): ReadonlyMap<string, number> {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}

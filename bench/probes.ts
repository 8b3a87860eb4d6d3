/** Until stopped, sends five health checks, two signups and one unsubscribe a second; reports the result of each. */

import type { Probes } from './overload.ts';

const [url, ...tokens] = process.argv.slice(2);
const probes: Probes = { health: [], signup: [], unsubscribe: [] };
const underWay = new Set<Promise<void>>();

function probe(
  name: keyof typeof probes,
  everyMs: number,
  init: (made: number) => RequestInit & { path: string; who: string },
): NodeJS.Timeout {
  let made = 0;
  const one = async () => {
    const { path, who, ...rest } = init(made++);
    const start = performance.now();
    const status = await fetch(url + path, {
      ...rest,
      headers: { 'Content-Type': 'application/json' },
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 599,
    );
    probes[name].push({ status, ms: performance.now() - start, who });
  };
  return setInterval(() => {
    const asked = one().finally(() => underWay.delete(asked));
    underWay.add(asked);
  }, everyMs);
}

process.once('disconnect', () => process.exit()); // also when the parent was killed
const timers = [
  probe('health', 200, () => ({ path: '/api/health', who: '' })),
  probe('signup', 500, (made) => {
    const who = `p${process.pid}-${made}@b.example`;
    return { path: '/api/signup', who, method: 'POST', body: JSON.stringify({ email: who, type: 'weekly' }) };
  }),
  probe('unsubscribe', 1_000, (made) => {
    const who = tokens[made] ?? 'gone';
    return { path: `/unsubscribe?token=${who}`, who, method: 'POST', body: '' };
  }),
];

process.once('message', async () => {
  for (const timer of timers) clearInterval(timer);
  await Promise.all(underWay);
  process.send?.(probes, () => process.disconnect?.());
});

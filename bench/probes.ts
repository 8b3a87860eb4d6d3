/** Asks for health five times a second, signs up twice and leaves once, until told to stop; tells how each of them went. */

const url = process.argv[2]!;
const probes: Record<'health' | 'signup' | 'unsubscribe', { status: number; ms: number }[]> = {
  health: [],
  signup: [],
  unsubscribe: [],
};
let made = 0;

function probe(
  name: keyof typeof probes,
  path: string,
  init: () => RequestInit,
  everyMs: number,
): NodeJS.Timeout {
  return setInterval(async () => {
    const start = performance.now();
    const status = await fetch(url + path, {
      ...init(),
      headers: { 'Content-Type': 'application/json' },
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 599,
    );
    probes[name].push({ status, ms: performance.now() - start });
  }, everyMs);
}

const timers = [
  probe('health', '/api/health', () => ({}), 200),
  probe(
    'signup',
    '/api/signup',
    () => ({
      method: 'POST',
      body: JSON.stringify({ email: `p${process.pid}-${++made}@b.example`, type: 'weekly' }),
    }),
    500,
  ),
  probe('unsubscribe', '/unsubscribe?token=gone', () => ({ method: 'POST', body: '' }), 1_000),
];

process.once('message', () => {
  for (const timer of timers) clearInterval(timer);
  process.send?.(probes);
  process.disconnect?.();
});

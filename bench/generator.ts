/** A process that sends requests, so that its CPU is not the server's: told what to ask, it tells how long that took. */

import autocannon from 'autocannon';

process.once(
  'message',
  async ({ urls, amount, headers }: { urls: string[]; amount: number; headers?: Record<string, string> }) => {
    const origin = new URL(urls[0]!).origin;
    const requests = urls.map((url) => ({ method: 'GET' as const, path: url.slice(origin.length) }));
    const result = await autocannon({
      url: origin,
      connections: 32,
      amount,
      requests,
      headers: headers ?? {},
    });
    process.send?.({ seconds: result.duration, failed: result.non2xx + result.errors + result.timeouts });
    process.disconnect?.();
  },
);
process.send?.('ready');

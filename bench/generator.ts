/** A process that sends requests, so that its CPU time is not the server's. It gets the requests and reports how long they took. */

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

/** A process that sends requests, so that its CPU time is not the server's. It gets the requests and reports how long they took. */

import autocannon from 'autocannon';
import type { Load } from './load.ts';

process.once('message', async ({ urls, amount, headers, bodies }: Load) => {
  const origin = new URL(urls[0]!).origin;
  const requests = urls.map((url, i) => ({
    method: bodies ? ('POST' as const) : ('GET' as const),
    path: url.slice(origin.length),
    ...(bodies && { body: bodies[i]! }),
  }));
  const result = await autocannon({
    url: origin,
    connections: 32,
    amount,
    requests,
    headers: headers ?? {},
  });
  process.send?.({ seconds: result.duration, failed: result.non2xx + result.errors + result.timeouts });
  process.disconnect?.();
});
process.send?.('ready');

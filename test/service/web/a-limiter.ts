/** A limiter on a clock that the test moves, and charges for listings that no client was served before. */

import { type Client, openLimiter } from '../../../src/service/web/limits/limiter.ts';
import { SECRET } from './a-door.ts';

export function aLimiter(limits: Parameters<typeof openLimiter>[0] = {}) {
  const clock = { now: 0 };
  const limiter = openLimiter(limits, () => clock.now, { secret: SECRET });
  let last = 0;
  const take = (client: Client, count: number): boolean => {
    const identities = Array.from({ length: count }, (_, i) => last + i);
    if (!limiter.charge(client, { question: `${last}`, cells: 0, identities })) return false;
    last += count;
    return true;
  };
  return { clock, limiter, take, client: limiter.client('198.51.100.7') };
}

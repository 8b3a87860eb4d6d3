/** GET /api/health: whether it can answer, for whoever watches it. Costs nothing and is never kept by anyone. */

import { UNVOUCHED } from './client.ts';
import type { Door, Health } from './door.ts';
import { JSON_HEADERS, servedAt } from './json.ts';
import type { Resource } from './reply.ts';

const HEADERS = [...JSON_HEADERS, 'Cache-Control', 'no-store'];

export function healthResource(door: Door): Resource {
  return {
    path: '/api/health',
    isOpen: true,
    isFree: true,
    rank: 'health',
    get() {
      const health = wholeHealth(door);
      const body = JSON.stringify({
        status: health.status,
        listings: door.catalogue()?.size ?? 0,
        data_as_of: servedAt(door.dataAsOf()),
        version: door.version,
        detail: health.detail.length === 0 ? undefined : health.detail.join('; '),
      });
      return { status: health.status === 'fail' ? 503 : 200, headers: HEADERS, body: Buffer.from(body) };
    },
  };
}

/** What the service says of itself, and what only the door sees. */
function wholeHealth(door: Door): Health {
  const { status, detail } = door.health();
  const all = door.sawUnvouched() ? [...detail, UNVOUCHED] : detail;
  return { status: status === 'ok' && all.length > 0 ? 'warn' : status, detail: all };
}

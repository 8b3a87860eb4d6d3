/** The pages: `/`, and one for each kind of problem. Serves listings from the same budget as the API. */

import { plainPage, problemPage } from '../web/plain-page.ts';
import type { Door } from './door.ts';
import { servedAt } from './json.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import { quotaExceeded } from './quota.ts';
import type { Ask, Reply, Resource } from './reply.ts';

const NEWEST = { q: '', category: [], neighborhood: [], status: [], limit: 25, offset: 0 };

export function pageResource(door: Door): Resource {
  return { path: '/', isOpen: false, get: (ask) => page(door, ask) };
}

function page(door: Door, ask: Ask): Reply {
  const catalogue = door.catalogue();
  const listings = catalogue?.listings(NEWEST) ?? [];
  if (ask.method !== 'HEAD' && !door.limiter.charge(ask.client, listings.length))
    return quotaExceeded(door, ask.client, listings.length);
  const { city, publicUrl } = door;
  const asOf = servedAt(door.dataAsOf());
  const body = plainPage({ city, publicUrl, asOf, total: catalogue?.size ?? 0, listings });
  return html(catalogue === undefined ? 503 : 200, body);
}

/** Where the `type` of every problem leads. */
export function problemPages(): Resource[] {
  return (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const reply = html(200, problemPage(PROBLEMS[code]));
    return { path: `/problems/${code}`, isOpen: false, get: () => reply };
  });
}

function html(status: number, text: string): Reply {
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Cache-Control',
    status === 200 ? 'private, max-age=60' : 'no-store',
    'Content-Security-Policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    ...(status === 503 ? ['Retry-After', '5'] : []),
  ];
  return { status, headers, body: Buffer.from(text) };
}

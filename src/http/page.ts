/** The pages: `/`, and one for each kind of problem. Serves listings from the same budget as the API. */

import { noticeOf, wantedBy } from '../mailing/consent.ts';
import { signupFields } from '../web/desk-pages.ts';
import { plainPage, problemPage } from '../web/plain-page.ts';
import { STYLE } from '../web/style.ts';
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
  const signup = door.desk && signupForm(door);
  const body = plainPage({ city, publicUrl, asOf, total: catalogue?.size ?? 0, listings, signup });
  return html(catalogue === undefined ? 503 : 200, body, 'same-origin');
}

/** Where the `type` of every problem leads. */
export function problemPages(): Resource[] {
  return (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const reply = html(200, problemPage(PROBLEMS[code]), 'same-origin');
    return { path: `/problems/${code}`, isOpen: false, get: () => reply };
  });
}

export function styleResource(): Resource {
  const headers = [
    'Content-Type',
    'text/css; charset=utf-8',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
  ];
  const reply = {
    status: 200,
    headers: [...headers, 'Cache-Control', 'public, max-age=3600'],
    body: Buffer.from(STYLE),
  };
  return { path: '/style.css', isOpen: false, get: () => reply };
}

/** The form and its notice, for whichever page shows it. */
export function signupForm({ city }: Door, email?: string): string {
  return signupFields({
    weekly: wantedBy('weekly', city),
    waitlist: wantedBy('pro-waitlist', city),
    notice: noticeOf(city),
    email,
  });
}

/**
 * A page. `referrer` is `no-referrer` where an address may hold a token; a page with a form says `same-origin`, or browsers
 * would send its form without an Origin that can be told from another site's.
 */
export function html(
  status: number,
  text: string,
  referrer: 'no-referrer' | 'same-origin' = 'no-referrer',
): Reply {
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Cache-Control',
    status === 200 && referrer === 'same-origin' ? 'private, max-age=60' : 'no-store',
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    referrer,
    ...(status === 503 ? ['Retry-After', '5'] : []),
  ];
  return { status, headers, body: Buffer.from(text) };
}

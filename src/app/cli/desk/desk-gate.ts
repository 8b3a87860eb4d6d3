/**
 * Decides what may reach the desk: the browser in which its link was opened, on this machine, for an hour. Other users of the machine and
 * pages on its other ports share the host, and so its cookies. A session therefore has two secrets: a cookie, and the folder of its pages.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const SESSION_MS = 3_600_000;
/** How long the link waits to be opened. */
export const LINK_MS = 600_000;

type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'headersDistinct'>;

/** What becomes of a request: a page below the folder, the redirect that begins the session, or a refusal. */
export type Entrance =
  | { kind: 'page'; path: string }
  | { kind: 'admit'; location: string; cookie: string }
  | { kind: 'refuse'; status: number; why: string };

// `localhost` is not among them: browsers ask [::1] first, where another user of the machine may listen
const LOCAL_HOST = /^(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const OWN_SITE = ['same-origin', 'none'];

const refuse = (status: number, why: string): Entrance => ({ kind: 'refuse', status, why });
const makeSecret = () => randomBytes(32).toString('base64url');

/** `now`: the time in milliseconds. */
export function openGate(now: () => number) {
  const [link, folder, pass] = [makeSecret(), makeSecret(), makeSecret()];
  const root = `/${folder}/`;
  const madeAt = now();
  let openedAt: number | undefined;

  function enter({ method, url = '', headers, headersDistinct }: Incoming): Entrance {
    const { host = '', origin } = headers;
    // a name that leads here by DNS rebinding is not one of these
    if (!LOCAL_HOST.test(host) || headersDistinct.host?.length !== 1)
      return refuse(421, 'The desk answers only under 127.0.0.1.');
    const site = headers['sec-fetch-site'];
    if (site !== undefined && !OWN_SITE.includes(String(site)))
      return refuse(403, 'This request came from another site. Paste the link into the address bar.');
    const path = url.split('?', 1)[0]!;
    if (method === 'GET' && isEqual(path, `/open/${link}`)) {
      // what a browser fetches ahead must not use the link up
      const isAhead = headers['sec-purpose'] !== undefined;
      if (isAhead || (headers['sec-fetch-dest'] ?? 'document') !== 'document')
        return refuse(403, 'Open the link in a window of its own.');
      if (openedAt !== undefined || now() - madeAt >= LINK_MS)
        return refuse(410, 'This link has been used or has expired. Run "shingle desk" again for a new one.');
      openedAt = now();
      const cookie = `desk=${pass}; Path=${root}; HttpOnly; SameSite=Strict; Max-Age=${SESSION_MS / 1000}`;
      return { kind: 'admit', location: root, cookie };
    }
    const isIn = path.startsWith('/') && isEqual(path.slice(0, root.length), root);
    if (!isIn || !isEqual(readCookie(headers.cookie), pass)) return refuse(404, 'There is no such page.');
    if (openedAt === undefined || now() - openedAt >= SESSION_MS)
      return refuse(401, 'The hour of this desk is over. Run "shingle desk" again.');
    if (method !== 'GET' && origin !== `http://${host}`)
      return refuse(403, 'Another page sent this form. Nothing was done.');
    return { kind: 'page', path: path.slice(root.length) };
  }
  return { link: `/open/${link}`, root, enter };
}

function isEqual(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function readCookie(header = ''): string {
  const pair = header.split(/;\s*/).find((one) => one.startsWith('desk='));
  return pair?.slice('desk='.length) ?? '';
}

/** A visitor of https://openings.example.org, who trusts no authority but one, and reaches this machine by that name. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { PATIENCE_MS } from '../patience.ts';

export const NAME = 'openings.example.org';

export type Page = { status: number | undefined; headers: Record<string, unknown>; text: string };
export type Visit = { form?: Record<string, string> };

/** Asks over HTTP/1.1. A form is posted. */
export async function visit(ca: string, path: string, { form }: Visit = {}): Promise<Page> {
  const asking = request({
    host: '127.0.0.1',
    servername: NAME,
    ca,
    path,
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      host: NAME,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${NAME}` }),
    },
    agent: false,
    timeout: PATIENCE_MS,
  });
  asking.on('timeout', () => asking.destroy(new Error('no answer')));
  asking.end(form && new URLSearchParams(form).toString());
  const [response] = await once(asking, 'response');
  const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
  return { status: response.statusCode, headers: response.headers, text };
}

/** The status of the service behind an HTTP/2 connection; fails where that is not spoken. */
export async function visitOverHttp2(ca: string): Promise<number | undefined> {
  const session = connectHttp2(`https://${NAME}`, { host: '127.0.0.1', servername: NAME, ca });
  try {
    await once(session, 'connect');
    assert.equal(session.alpnProtocol, 'h2');
    const asking = session.request({ ':path': '/api/health' });
    const [headers] = await once(asking, 'response');
    return headers[':status'];
  } finally {
    session.destroy();
  }
}

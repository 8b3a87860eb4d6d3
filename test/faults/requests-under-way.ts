/** Signups that a service has read and not yet answered, and what becomes of them. */

import { request } from 'node:http';

/** A signup on a connection of its own: its status (503 only with a time to try again), or the error that cut it. */
export function signUp(
  port: string,
  email: string,
): { sent: Promise<void>; status: Promise<number | string> } {
  const headers = { 'content-type': 'application/json' };
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/api/signup',
    method: 'POST',
    agent: false,
    headers,
  });
  const status = new Promise<number | string>((resolve) => {
    asked.on('response', (answer) => {
      answer.resume();
      const { statusCode = 0, headers } = answer;
      const isFinal = statusCode !== 503 || headers['retry-after'] !== undefined;
      answer.on('end', () => resolve(isFinal ? statusCode : '503 without Retry-After'));
      answer.on('error', (error) => resolve(String(error)));
    });
    asked.on('error', (error) => resolve(String(error)));
  });
  const sent = new Promise<void>((resolve) => asked.end(JSON.stringify({ email, type: 'weekly' }), resolve));
  return { sent, status };
}

/** Answers come in the order of what came before them, so when three have come on connections of their own, that was read. */
export async function allRead(url: string): Promise<void> {
  for (let i = 0; i < 3; i++)
    await (await fetch(`${url}/api/health`, { headers: { connection: 'close' } })).arrayBuffer();
}

/** Whether new connections are refused. */
export async function refused(url: string): Promise<true | undefined> {
  const error = await fetch(`${url}/api/health`).then(
    () => undefined,
    ({ cause }) => cause as { code?: string },
  );
  return error?.code === 'ECONNREFUSED' ? true : undefined;
}

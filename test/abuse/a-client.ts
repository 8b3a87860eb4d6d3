/** A client for very many requests: keep-alive connections, any method, header and body, and complete responses. */

import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { after } from 'node:test';
import { PATIENCE_MS } from '../patience.ts';

export type Asked = { path: string; method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };

export type Answered = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type Client = {
  ask(asked: Asked): Promise<Answered>;
  /** Asks for all of them, so many at once, and hands over each answer as it comes. */
  askAll<A extends Asked>(all: readonly A[], heard: (asked: A, answer: Answered) => void): Promise<void>;
};

/** Its connections, perhaps from another address of this machine, are closed after the test file. */
export function aClient(port: number, atOnce = 16, localAddress?: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, ...(localAddress && { localAddress }) });
  after(() => agent.destroy());

  function ask(asked: Asked): Promise<Answered> {
    const { path, method = 'GET', headers = {}, body } = asked;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const given = { agent, host: '127.0.0.1', port, path, method, headers: { ...length, ...headers } };
      const sent = request({ ...given, timeout: PATIENCE_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path.slice(0, 100)}`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  return {
    ask,
    async askAll(all, heard) {
      const waiting = all.values();
      const one = async () => {
        for (const asked of waiting) heard(asked, await ask(asked));
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    },
  };
}

const NAMES_OF_EVERYTHING = Object.getOwnPropertyNames(Object.prototype).join();

/** Fails if anything has added a property to all objects of this process. */
export function assertUnpolluted(said: string): void {
  assert.equal(({} as { polluted?: unknown }).polluted, undefined, said);
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), NAMES_OF_EVERYTHING, said);
}

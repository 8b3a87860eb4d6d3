/** The body of an answer, once its status is known to be the expected one: otherwise the error shows what was answered. */

import assert from 'node:assert/strict';

export async function textOf(answer: Response | Promise<Response>, status = 200): Promise<string> {
  const answered = await answer;
  const text = await answered.text();
  assert.equal(answered.status, status, `${answered.url}: ${answered.status} ${text.slice(0, 300)}`);
  return toPlainDates(text);
}

/** Pages keep each date on one line, by spaces and dashes that do not break. Tests compare them with plain ones. */
export function toPlainDates(text: string): string {
  return text.replace(/(?<=[\p{L}\d,])\u00a0(?=[\p{L}\d])/gu, ' ').replaceAll('\u2060', '');
}

export async function jsonOf<Body>(answer: Response | Promise<Response>, status = 200): Promise<Body> {
  return JSON.parse(await textOf(answer, status));
}

/** A call of a tool of agents: a request to `/mcp`. */
export function toolCall(name: string, given: object = {}) {
  const params = { name, arguments: given };
  return {
    method: 'POST' as const,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** What such a call found. */
export async function resultOf<Result>(answer: Response | Promise<Response>): Promise<Result> {
  const [, message = ''] = /^data: (.*)$/m.exec(await textOf(answer)) ?? [];
  return JSON.parse(message).result.structuredContent;
}

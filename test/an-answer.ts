/** The body of an answer, once its status is known to be the expected one: otherwise the error shows what was answered. */

import assert from 'node:assert/strict';

export async function textOf(answer: Response | Promise<Response>, status = 200): Promise<string> {
  const answered = await answer;
  const text = await answered.text();
  assert.equal(answered.status, status, `${answered.url}: ${answered.status} ${text.slice(0, 300)}`);
  return text;
}

export async function jsonOf<Body>(answer: Response | Promise<Response>, status = 200): Promise<Body> {
  return JSON.parse(await textOf(answer, status));
}

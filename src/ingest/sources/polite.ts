/** Asking again the way a publisher would like it: a few times, later and later, and not before they say. */

import { setTimeout as sleep } from 'node:timers/promises';

const MOST_REQUEST_TRIES = 5;
const LONGEST_RETRY_MS = 5 * 60_000; // a publisher who says later than that is asked by the next run
const PASSING = [429, 500, 502, 503, 504];
const CUT_SHORT = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
];

/** A server's refusal, with how long it wants to be left alone. `headers` are the answer's. */
export function toHttpError(status: number, headers: Record<string, unknown>): Error {
  const retryAfterMs = retryAfterMsOf(String(headers['retry-after'] ?? ''), String(headers.date ?? ''));
  return Object.assign(new Error(`the server returned ${status}`), { status, retryAfterMs });
}

type Refusal = { status?: number; retryAfterMs?: number | undefined; code?: string };

/**
 * Does it up to five times. Waits `firstMs` after the first failure, twice as long after each next one, half of that by chance
 * (AWS: "full jitter" halves collisions), and at least as long as `Retry-After` says. Rethrows what will not pass.
 */
export async function retryPolitely<T>(
  attempt: () => Promise<T>,
  { firstMs, signal }: { firstMs: number; signal: AbortSignal },
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const after = (error as Refusal).retryAfterMs ?? 0;
      if (
        tried === MOST_REQUEST_TRIES ||
        !mayPass(error as Refusal) ||
        after > LONGEST_RETRY_MS ||
        signal.aborted
      )
        throw error;
      const backOffMs = firstMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      await sleep(Math.max(backOffMs, after), undefined, { signal });
    }
  }
}

function mayPass({ status, code }: Refusal): boolean {
  return status === undefined ? CUT_SHORT.includes(code ?? '') : PASSING.includes(status);
}

/** Seconds, or a date (RFC 9110 section 10.2.3), which is reckoned by the server's own clock. */
function retryAfterMsOf(text: string, date: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(date);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

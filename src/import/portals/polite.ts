/** Retries in a way that is polite to the publisher: a few times, with growing waits, and never before `Retry-After`. */

import { setTimeout as sleep } from 'node:timers/promises';

const MOST_REQUEST_TRIES = 5;
const LONGEST_RETRY_MS = 5 * 60_000; // if the publisher asks for a longer wait, the next run tries again
const PASSING = [429, 500, 502, 503, 504];
const CUT_SHORT = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
];

/** An HTTP error with the wait that the server asked for. */
export function toHttpError(status: number, headers: Record<string, unknown>): Error {
  const retryAfterMs = retryAfterMsOf(String(headers['retry-after'] ?? ''), String(headers.date ?? ''));
  return Object.assign(new Error(`the server returned ${status}`), { status, retryAfterMs });
}

type Refusal = { status?: number; retryAfterMs?: number | undefined; code?: string };

/**
 * Tries up to five times. Waits `firstMs` after the first failure and twice as long after each further one, half of it random
 * (AWS: "full jitter" halves collisions), and at least as long as `Retry-After` says. Rethrows permanent errors.
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

/** Seconds, or a date (RFC 9110 section 10.2.3) relative to the server's own clock. */
function retryAfterMsOf(text: string, date: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(date);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

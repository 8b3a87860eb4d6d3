/** One line of JSON for each finished request: route pattern, method, status, milliseconds. Never a query, an address or a body. */

import { pino } from 'pino';
import type { RequestLine } from './door.ts';

export type RequestLog = { write(line: RequestLine): void; close(): void };

/** Writes to a file descriptor in the background, 4 KiB or a second at a time. */
export function openRequestLog(fd: number): RequestLog {
  const destination = pino.destination({ dest: fd, sync: false, minLength: 4096, periodicFlush: 1000 });
  const log = pino({ base: undefined }, destination);
  return {
    write: (line) => log.info(line),
    close: () => destination.flushSync(),
  };
}

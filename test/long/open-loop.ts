/**
 * Sends requests on schedule, independent of the responses: latency counts from the time a request was due. Uses raw sockets, so that
 * the client needs less CPU than the server; autocannon at a fixed rate sends bursts, once a second.
 */

import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export type Asked = {
  url: string;
  paths: readonly string[];
  perSecond: number;
  seconds: number;
  lines: number;
};
/** In microseconds: how long answers took, and how late requests were sent because the asker itself was held up. */
export type Paced = { latencies: RecordableHistogram; failed: number; late: RecordableHistogram };

type Line = { socket: Socket | undefined; due: number | undefined; heard: Buffer };

/** How many bytes a whole answer has, as far as it has come; `undefined` before its headers have ended. */
function lengthOf(heard: Buffer): { status: number; bytes: number; isLast: boolean } | undefined {
  const end = heard.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = heard.toString('latin1', 0, end).toLowerCase();
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  return {
    status: Number(head.slice(9, 12)),
    bytes: end + 4 + length,
    isLast: head.includes('connection: close'),
  };
}

export function openLoop({ url, paths, perSecond, seconds, lines: count }: Asked): Promise<Paced> {
  const port = Number(new URL(url).port);
  const total = perSecond * seconds;
  const waiting: number[] = []; // when the requests were due that no line is free for
  const idle: Line[] = [];
  const [latencies, late] = [createHistogram(), createHistogram()];
  const start = performance.now();
  let [sent, next, done, failed] = [0, 0, 0, 0];
  const { promise, resolve } = Promise.withResolvers<Paced>();

  function send(line: Line, due: number): void {
    line.due = due;
    line.socket ??= opened(line);
    line.socket.write(`GET ${paths[next++ % paths.length]} HTTP/1.1\r\nHost: a\r\n\r\n`);
  }
  function settle(line: Line, isGood: boolean): void {
    latencies.record(inMicroseconds(performance.now() - line.due!));
    done++;
    if (!isGood) failed++;
    line.due = undefined;
    const due = waiting.shift();
    if (due === undefined) idle.push(line);
    else send(line, due);
    if (done < total) return;
    clearInterval(clock);
    for (const one of all) one.socket?.destroy();
    resolve({ latencies, failed, late });
  }
  function opened(line: Line): Socket {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    const drop = () => {
      if (line.socket !== socket) return;
      line.socket = undefined;
      if (line.due !== undefined && done < total) settle(line, false);
    };
    socket.on('error', drop).on('close', drop);
    socket.on('data', (data: Buffer) => {
      line.heard = line.heard.length === 0 ? data : Buffer.concat([line.heard, data]);
      const answer = lengthOf(line.heard);
      if (answer === undefined || line.heard.length < answer.bytes) return;
      line.heard = line.heard.subarray(answer.bytes);
      if (answer.isLast) {
        line.socket = undefined;
        socket.destroy();
      }
      settle(line, answer.status === 200);
    });
    return socket;
  }

  const all = Array.from(
    { length: count },
    (): Line => ({ socket: undefined, due: undefined, heard: Buffer.alloc(0) }),
  );
  idle.push(...all);
  const clock = setInterval(() => {
    const now = performance.now();
    for (; sent < total && start + (sent * 1000) / perSecond <= now; sent++) {
      const due = start + (sent * 1000) / perSecond;
      late.record(inMicroseconds(now - due));
      const line = idle.pop();
      if (line === undefined) waiting.push(due);
      else send(line, due);
    }
  }, 1);
  return promise;
}

function inMicroseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1000));
}

/**
 * Very many clients at once, who send the next request as soon as they get a response. Gets the requests and reports the results.
 * Writes HTTP by hand, so that its core is fast enough to keep another one busy.
 */

import { connect, type Socket } from 'node:net';
import type { Storm, Stormed } from './overload.ts';

const END = '\r\n\r\n';

process.once('message', ({ urls, connections, seconds }: Storm) => {
  const { hostname, port, origin } = new URL(urls[0]!);
  const requests = urls.map((url) => `GET ${url.slice(origin.length)} HTTP/1.1\r\nHost: ${hostname}${END}`);
  const stormed: Stormed = { statuses: {}, seconds, errors: 0 };
  let next = 0;
  let isOver = false;

  function visit(): void {
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    let [head, missing, isLast] = ['', 0, false];
    const ask = () =>
      isOver || isLast ? socket.destroy() : socket.write(requests[next++ % requests.length]!);
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('data', (text: string) => {
      if (missing > 0) missing -= text.length;
      else {
        head += text;
        const end = head.indexOf(END);
        if (end === -1) return;
        const status = head.slice(9, 12);
        stormed.statuses[status] = (stormed.statuses[status] ?? 0) + 1;
        isLast = /connection: close/i.test(head.slice(0, end));
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - END.length);
        head = '';
      }
      if (missing <= 0) ask();
    });
    socket.on('error', () => stormed.errors++);
    socket.on('close', () => isOver || setTimeout(visit, 10));
  }

  for (let i = 0; i < connections; i++) visit();
  setTimeout(() => {
    isOver = true;
    process.send?.(stormed);
    process.disconnect?.();
    setTimeout(() => process.exit(), 500);
  }, seconds * 1_000);
});
process.send?.('ready');

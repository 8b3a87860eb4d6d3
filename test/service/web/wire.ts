/** Bytes on a socket, for what no HTTP client would send. */

import { connect } from 'node:net';
import { PATIENCE_MS } from '../../patience.ts';

/** Its answer, where there is one, is the last: after it the connection ends, however long anything before it took. */
const LAST = 'OPTIONS /api/health HTTP/1.1\r\nHost: rivermouth.example\r\nConnection: close\r\n\r\n';
const ITS_ANSWER = 'HTTP/1.1 204 ';

/** Sends `bytes`, and a last request behind them; returns all that comes back until the other side ends, less the answer to the last. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes + LAST, 'latin1'));
    let heard = '';
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer to ${bytes.slice(0, 60)}`));
    }, PATIENCE_MS);
    socket.on('data', (data) => {
      heard += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      const end = heard.lastIndexOf(ITS_ANSWER);
      resolve(end === -1 ? heard : heard.slice(0, end));
    });
  });
}

/** The status lines in what was heard. */
export function statuses(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

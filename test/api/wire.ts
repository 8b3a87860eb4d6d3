/** Bytes on a socket, for what no HTTP client would send. */

import { connect } from 'node:net';

/** Sends `bytes` and returns all that comes back until the other side ends, or `ms` of silence after an answer. */
export function exchange(port: number, bytes: string, ms = 250): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let heard = '';
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within 5 s to ${bytes.slice(0, 60)}`));
    }, 5000);
    socket.on('data', (data) => {
      heard += data.toString('latin1');
      socket.setTimeout(ms);
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(heard);
    });
  });
}

/** The status lines in what was heard. */
export function statuses(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

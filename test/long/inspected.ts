/** Reads the memory use of a running process after garbage collection, with Node's inspector. */

import { once } from 'node:events';
import { until } from '../until.ts';

/** Let a process be looked into: as an environment variable. Its address is then on its stderr. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** MiB on the heap and outside of it that something still refers to. */
export async function heldMiB(said: () => { err: string }): Promise<number> {
  const url = await until(
    () =>
      said()
        .err.match(/ws:\/\/\S+/g)
        ?.at(-1),
    'the address of the inspector',
  ); // those before are the launcher's, which is gone
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const ask = async (id: number, method: string, params = {}) => {
    const answered = new Promise<{ result: { result?: { value: number } } }>((resolve) => {
      socket.addEventListener('message', function heard({ data }) {
        const message = JSON.parse(String(data));
        if (message.id !== id) return;
        socket.removeEventListener('message', heard);
        resolve(message);
      });
    });
    socket.send(JSON.stringify({ id, method, params }));
    return (await answered).result.result?.value;
  };
  await ask(1, 'HeapProfiler.collectGarbage');
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
  const bytes = await ask(2, 'Runtime.evaluate', { expression });
  socket.close();
  return bytes! / 2 ** 20;
}

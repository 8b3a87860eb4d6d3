/** Has pictures painted in a thread, because one takes as long as a hundred searches, which would wait for it. */

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Drawing } from '../../page/chart/picture/drawing.ts';
import type { Rendered } from '../../service/web/answers.ts';
import type { Painted, PaintOrder } from './paint-thread.ts';

const THREAD = join(import.meta.dirname, `paint-thread${extname(import.meta.filename)}`);
const MOST_WAITING = 100;

type Waiting = PromiseWithResolvers<Rendered>;

/** Opens a painter. Its thread starts with the first picture. */
export function openPainter() {
  let thread: Worker | undefined;
  const waiting: Waiting[] = [];
  function start(): Worker {
    const worker = new Worker(THREAD);
    worker.on('message', ({ body, cpuMs }: Painted) => {
      waiting.shift()!.resolve({ body: Buffer.from(body), cpuMs });
      if (waiting.length === 0) worker.unref();
    });
    const fail = (error: unknown) => {
      thread = undefined;
      for (const { reject } of waiting.splice(0)) reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that paints pictures has ended')));
    return worker;
  }
  return {
    /** Returns whether as many pictures wait as can be painted in a second. */
    isBusy: () => waiting.length >= MOST_WAITING,
    paint(drawing: Drawing, scale: number): Promise<Rendered> {
      thread ??= start();
      thread.ref();
      const one = Promise.withResolvers<Rendered>();
      waiting.push(one);
      thread.postMessage({ drawing, scale } satisfies PaintOrder);
      return one.promise;
    },
    close: async () => void (await thread?.terminate()),
  };
}

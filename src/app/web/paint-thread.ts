/** Paints pictures in a thread, one at a time. */

import { parentPort } from 'node:worker_threads';
import type { Drawing } from '../../page/chart/picture/drawing.ts';
import { paintDrawing } from '../../page/chart/picture/png.ts';

export type PaintOrder = { drawing: Drawing; scale: number };
export type Painted = { body: Uint8Array; cpuMs: number };

parentPort!.on('message', ({ drawing, scale }: PaintOrder) => {
  const before = process.threadCpuUsage();
  const body = paintDrawing(drawing, scale);
  const { user, system } = process.threadCpuUsage(before);
  const painted: Painted = { body, cpuMs: (user + system) / 1_000 };
  parentPort!.postMessage(painted);
});

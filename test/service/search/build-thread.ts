/** A thread that builds an index of the given rows, as the service does. */

import { parentPort, workerData } from 'node:worker_threads';
import { listTransferables } from '../../../src/service/search/index-buffers.ts';
import { partsOf } from './made-up.ts';

const parts = partsOf(workerData);
parentPort?.postMessage(parts, listTransferables(parts));

/**
 * The process that is measured: the real service on one port, and in the same process a bare Fastify with a constant buffer and, for
 * searches, with the SQLite alternative. Reports its CPU time to its parent on request.
 */

import fastify from 'fastify';
import { openService } from '../src/app/operations/service.ts';
import { serveCity } from '../src/app/operations/serving.ts';
import { readConfig } from '../src/config.ts';
import type { StoredListing } from '../src/shared/listing.ts';
import { CITY } from './data.ts';
import { alternativeRoute, fillAlternative } from './sqlite-alternative.ts';

/** What the parent may ask, and what it is told. */
export type Asked = 'cpu' | 'stop' | { constant: number };
export type Told =
  | { url: string; beside: string; sample: StoredListing[] }
  | { cpuMs: number; loopMs: number }
  | { done: true };

const SAMPLE = 20_000;
const dataFolder = process.argv[2]!;
const databaseUrl = process.argv[4];
/** Dear requests that arrive all at once would be refused, and the benchmark measures those that are answered. */
const withAlternative = process.argv[3] === 'alternative';
const limits = withAlternative || process.argv[3] === 'unlimited' ? 'off' : 'on';

const service = await openService({
  ...readConfig({}),
  city: CITY,
  dataFolder,
  databaseUrl,
  port: 0,
  limits,
});
const serving = await serveCity(service, {
  warn: (sentence) => void console.error(sentence),
  info: () => undefined,
});

const listings: StoredListing[] = [];
for await (const batch of service.store.listings.listings())
  listings.push(...(withAlternative ? batch : batch.slice(0, SAMPLE - listings.length)));
const step = Math.max(1, Math.floor(listings.length / SAMPLE));
const sample = listings.filter((_, i) => i % step === 0);
const beside = fastify();
let constant = Buffer.alloc(0);
beside.get('/constant', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(constant);
});

if (withAlternative) alternativeRoute(beside, '/alternative', fillAlternative(listings));
listings.length = 0;

const tell = (told: Told) => process.send?.(told);
process.once('disconnect', () => process.exit()); // also when the parent was killed
tell({ url: serving.url, beside: await beside.listen({ port: 0, host: '127.0.0.1' }), sample });

process.on('message', async (asked: Asked) => {
  if (asked === 'cpu') {
    const [all, loop] = [process.cpuUsage(), process.threadCpuUsage()];
    tell({ cpuMs: (all.user + all.system) / 1_000, loopMs: (loop.user + loop.system) / 1_000 });
  } else if (asked === 'stop') {
    await serving.close();
    await beside.close();
    await service.close();
    process.disconnect?.();
  } else {
    constant = Buffer.alloc(asked.constant, 'x');
    tell({ done: true });
  }
});

/** Response times while a new index is built and replaces the old one: 500 requests a second, open loop. */

import { once } from 'node:events';
import http from 'node:http';
import { openService } from '../src/app/operations/service.ts';
import { readConfig } from '../src/config.ts';
import { CITY, storeOf } from './data.ts';
import { served, shingle, watched } from './process.ts';
import { drawer, mixed } from './questions.ts';
import type { Result } from './report.ts';

const PER_SECOND = 500;
const SECONDS = 24;
const SWAP_EVERY_S = 8;
const PORT = 38_212;
const SEED = 7;

export async function benchSwap(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  const questions = await questionsFor(folder);
  const service = await served(folder, PORT);
  let swapped = 0;
  service.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    swapped += text.split('serving').length - 1;
  });
  const swaps = swapNowAndThen(folder);
  const { latencies, failed } = await openLoop(service.url, questions);
  await swaps;
  const ended = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  await ended;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const rows = [
    { what: 'requests', value: `${latencies.length} at ${PER_SECOND} a second` },
    { what: 'failed', value: String(failed) },
    { what: 'p50, p99', value: `${at(0.5).toFixed(1)} ms, ${at(0.99).toFixed(1)} ms` },
    { what: 'p99.9', value: `${at(0.999).toFixed(1)} ms` },
    { what: 'slowest', value: `${at(1).toFixed(1)} ms` },
    { what: 'catalogues swapped in meanwhile', value: String(swapped) },
  ];
  return { bench: 'swap', listings, rows, figures: { p999: at(0.999), slowest: at(1), failed } };
}

async function questionsFor(folder: string): Promise<string[]> {
  const service = await openService({ ...readConfig({}), city: CITY, dataFolder: folder });
  const sample = [];
  for await (const batch of service.store.listings.listings()) {
    sample.push(...batch);
    if (sample.length >= 20_000) break;
  }
  await service.close();
  return mixed(drawer(sample, SEED), 4_000, SEED);
}

/** A suppression that matches no listing still makes a new version, and so a whole new index. */
async function swapNowAndThen(folder: string): Promise<void> {
  for (let second = 2, i = 0; second < SECONDS; second += SWAP_EVERY_S, i++) {
    await new Promise((resolve) => setTimeout(resolve, i === 0 ? 2_000 : SWAP_EVERY_S * 1_000));
    await watched(
      shingle(['suppress', i % 2 === 0 ? 'add' : 'remove', 'no such name at all'], { SHINGLE_DATA: folder }),
    );
  }
}

/** Sends on schedule whatever the answers do; a latency counts from the moment a request was due. */
function openLoop(url: string, questions: string[]): Promise<{ latencies: number[]; failed: number }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  const latencies: number[] = [];
  const total = PER_SECOND * SECONDS;
  const start = performance.now();
  let failed = 0;
  let sent = 0;
  return new Promise((resolve) => {
    const done = (due: number) => {
      latencies.push(performance.now() - due);
      if (latencies.length === total) resolve({ latencies, failed });
    };
    const timer = setInterval(() => {
      for (; sent < total && start + (sent * 1_000) / PER_SECOND <= performance.now(); sent++) {
        const due = start + (sent * 1_000) / PER_SECOND;
        http
          .get(`${url}/api/search?${questions[sent % questions.length]}`, { agent }, (answer) => {
            if (answer.statusCode !== 200) failed++;
            answer.resume().once('end', () => done(due));
          })
          .once('error', () => {
            failed++;
            done(due);
          });
      }
      if (sent === total) clearInterval(timer);
    }, 1);
  });
}

/**
 * The page for people: measures the server's CPU time, compared with a constant buffer of the same compressed size, the size of a
 * visit, and the time until a slow machine has rendered it.
 */

import { once } from 'node:events';
import { type Browser, chromium } from 'playwright-core';
import { storeOf } from './data.ts';
import { ask, load, spawnNode, us } from './load.ts';
import { CLASSES, drawer } from './questions.ts';
import { median, type Result, type Row } from './report.ts';
import type { Told } from './server.ts';

const ROUNDS = 7;
const REQUESTS = 20_000;
const QUERIES = 1_000;
const VISITS = 7;
const SLOWER = 4;
const SEED = 20261121;
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br', accept: 'text/html' };
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
];

export async function benchPage(listings: number): Promise<Result> {
  const server = spawnNode('./server.ts', '0', [await storeOf(listings), '']);
  const { url, beside, sample } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  const wire = await weightOf(`${url}/`);
  await ask(server, { constant: wire });
  const page = () => load(server, { urls: [`${url}/`], amount: REQUESTS, headers: BROWSER });
  const constant = () => load(server, { urls: [`${beside}/constant`], amount: REQUESTS, headers: BROWSER });
  await page(); // warm: not counted
  await constant();
  const rounds: { page: number; constant: number }[] = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({ constant: (await constant()).cpuMs, page: (await page()).cpuMs });
  const ratio = median(rounds.map((round) => round.page / round.constant));
  const rows: Row[] = [
    { what: 'constant buffer, CPU a request', value: us(median(rounds.map((round) => round.constant))) },
    { what: 'default page, CPU a request', value: us(median(rounds.map((round) => round.page))) },
    { what: 'default page / constant', value: `${ratio.toFixed(2)} (median of ${ROUNDS} rounds)` },
  ];
  const draw = drawer(sample, SEED);
  const slowest = await slowestOf(
    Array.from({ length: QUERIES }, (_, i) => `${url}/?${pageOf(draw[CLASSES[i % CLASSES.length]!]())}`),
  );
  rows.push({
    what: 'slowest of 1,000 queries one by one, seen by the client',
    value: `${slowest.toFixed(2)} ms`,
  });
  const visit = await visited(url);
  rows.push({
    what: 'a visit over the wire, compressed, all files',
    value: `${(visit.bytes / 1024).toFixed(1)} KB in ${visit.files} files`,
  });
  rows.push({
    what: `drawn whole, CPU slowed ${SLOWER} times`,
    value: `${visit.drawnMs.toFixed(0)} ms (median of ${VISITS})`,
  });
  server.send('stop');
  await once(server, 'exit');
  return {
    bench: 'page',
    listings,
    rows,
    figures: { ratio, slowestMs: slowest, ...visit },
  };
}

/** A search as the page asks it: always 25 at once. */
export function pageOf(query: string): string {
  const asked = new URLSearchParams(query);
  asked.delete('limit');
  return asked.toString();
}

async function weightOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: BROWSER });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}

async function slowestOf(urls: string[]): Promise<number> {
  let slowest = 0;
  for (const url of urls) {
    const start = performance.now();
    await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer();
    slowest = Math.max(slowest, performance.now() - start);
  }
  return slowest;
}

type Visit = { bytes: number; files: number; drawnMs: number };

/** Visits with an empty cache; drawn is when the largest thing stood there and everything had been loaded. */
async function visited(url: string): Promise<Visit> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
  try {
    const visits: Visit[] = [];
    for (let i = 0; i < VISITS; i++) visits.push(await visitOnce(browser, url));
    return { ...visits[0]!, drawnMs: median(visits.map(({ drawnMs }) => drawnMs)) };
  } finally {
    await browser.close();
  }
}

async function visitOnce(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let [bytes, files] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files++;
  });
  await page.goto(url, { waitUntil: 'load' });
  const drawnMs = (await page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const largest = list.getEntries().at(-1).startTime;
      resolve(Math.max(largest, performance.timing.loadEventEnd - performance.timing.navigationStart));
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  })`)) as number;
  await context.close();
  return { bytes, files, drawnMs };
}

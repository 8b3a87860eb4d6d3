/**
 * CPU time of the server, and of its event loop alone, for each kind of page, picture and feed: every request is another question, so that
 * no answer is kept, and is compressed as for a browser.
 */

import { once } from 'node:events';
import { storeOf } from './data.ts';
import { ask, type Load, load, type Measured, spawnNode, times, us } from './load.ts';
import { BROWSER, pageOf } from './page.ts';
import { drawer, mixed } from './questions.ts';
import { median, type Result, type Row } from './report.ts';
import type { Told } from './server.ts';

const ROUNDS = 3;
const REQUESTS = 200;
const KEPT_REQUESTS = 4_000;
const SEED = 20261129;
const AGENT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Measures the service, and each kind beside a constant buffer of the size of a compressed page. */
export async function benchPages(listings: number): Promise<Result> {
  const server = spawnNode('./server.ts', '0', [await storeOf(listings), 'unlimited']);
  const { url, beside, sample } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  await ask(server, { constant: 15_000 });
  const draw = drawer(sample, SEED);
  const distinct = new Set(mixed(draw, 40 * REQUESTS, SEED).map(pageOf));
  const questions = [...distinct].filter((question) => question !== '').slice(0, ROUNDS * REQUESTS);
  const plain = [...new Set(questions.map((question) => question.replace(/&?offset=\d+/, '')))].slice(1);
  const two = [...new Set(Array.from({ length: 80 * REQUESTS }, draw['two filters']))];
  const asksTwo = Array.from({ length: ROUNDS * REQUESTS }, (_, i) => two[i % two.length]!);
  const words = Array.from({ length: ROUNDS * REQUESTS }, () => misspell(draw['rare word']()));
  const get = (path: string, from: readonly string[], i: number): Load => ({
    urls: part(from, i).map((question) => `${url}${path}?${question}`),
    amount: REQUESTS,
    headers: BROWSER,
  });
  const keep = (address: string): Load => ({ urls: [address], amount: KEPT_REQUESTS, headers: BROWSER });
  const kinds: Record<string, (round: number) => Load> = {
    constant: () => keep(`${beside}/constant`),
    'home, kept': () => keep(`${url}/`),
    'search page': (i) => get('/', questions, i),
    '/changes with two filters': (i) => get('/changes', asksTwo, i),
    'misspelled word, /api/search': (i) => get('/api/search', words, i),
    'feed.json': (i) => get('/feed.json', plain, i),
    'chart.svg with filters': (i) => get('/chart.svg', asksTwo, i),
    'chart.png, kept': () => keep(`${url}/chart.png`),
    'chart.png with filters': (i) => ({ ...get('/chart.png', asksTwo, i), amount: REQUESTS / 4 }),
    'MCP, search': (i) => ({
      urls: part(questions, i).map(() => `${url}/mcp`),
      amount: REQUESTS,
      headers: AGENT,
      bodies: part(questions, i).map(callSearch),
    }),
  };
  const costs: Record<string, Pick<Measured, 'cpuMs' | 'loopMs'>> = {};
  for (const [name, make] of Object.entries(kinds)) {
    await load(server, { ...make(0), amount: 50 }); // warm: not counted
    let round = 0;
    const measured = await times(ROUNDS, () => load(server, make(round++)));
    const middle = (of: 'cpuMs' | 'loopMs') => median(measured.map((one) => one[of]));
    costs[name] = { cpuMs: middle('cpuMs'), loopMs: middle('loopMs') };
  }
  server.send('stop');
  await once(server, 'exit');
  const rows: Row[] = Object.entries(costs).map(([what, { cpuMs, loopMs }]) => ({
    what,
    value: `${us(cpuMs)}, of which ${us(loopMs)} on the event loop, ${(cpuMs / costs.constant!.cpuMs).toFixed(1)} times a constant`,
  }));
  const figures = Object.fromEntries(Object.entries(costs).map(([name, { cpuMs }]) => [name, cpuMs]));
  return { bench: 'pages', listings, rows, figures };
}

function part<T>(all: readonly T[], round: number): T[] {
  return all.slice(round * REQUESTS, (round + 1) * REQUESTS);
}

/** Swaps two letters of a word. */
function misspell(question: string): string {
  return question.replace(/(\w\w)(\w)(\w)/, '$1$3$2');
}

function callSearch(question: string, id: number): string {
  const given = new URLSearchParams(question);
  const filters = ['category', 'neighborhood', 'status'].filter((name) => given.has(name));
  const values = Object.fromEntries(filters.map((name) => [name, given.getAll(name)]));
  const q = given.get('q');
  const call = { name: 'search_listings', arguments: { ...values, ...(q !== null && { q }) } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: call });
}

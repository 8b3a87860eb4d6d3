/**
 * CPU time of the server for each uncached search, compared with a constant buffer of the same size and the SQLite alternative in the same
 * process. Server and generator run on different cores, without rate limits. No whole response is cached.
 */

import { once } from 'node:events';
import { storeOf } from './data.ts';
import { ask, load, type Measured, spawnNode, times, us } from './load.ts';
import { CLASSES, drawer, mixed } from './questions.ts';
import { median, type Result, type Row } from './report.ts';
import type { Told } from './server.ts';

const ROUNDS = 7;
const REQUESTS = 20_000;
const CLASS_REQUESTS = 4_000;
const SEED = 20261120;
const ALTERNATIVE_UP_TO = 200_000; // listings; beyond that, filling FTS5 takes longer than the rest

export async function benchSearch(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  const withAlternative = listings <= ALTERNATIVE_UP_TO;
  const server = spawnNode('./server.ts', '0', [folder, withAlternative ? 'alternative' : 'unlimited']);
  const { url, beside, sample } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  const search = `${url}/api/search?`;
  const draw = drawer(sample, SEED);
  const mix = mixed(draw, 4_000, SEED);
  await ask(server, { constant: await meanSize(mix.slice(0, 400).map((q) => search + q)) });
  const measure = (urls: string[], amount: number) => load(server, { urls, amount });

  const paths = {
    constant: () => measure([`${beside}/constant`], REQUESTS),
    search: () =>
      measure(
        mix.map((q) => search + q),
        REQUESTS,
      ),
  };
  const rounds: Record<keyof typeof paths, Measured>[] = [];
  await paths.search(); // warm: not counted
  await paths.constant();
  for (let i = 0; i < ROUNDS; i++)
    rounds.push({ constant: await paths.constant(), search: await paths.search() });

  const cpu = (which: keyof typeof paths) => median(rounds.map((round) => round[which].cpuMs));
  const ratio = median(rounds.map((round) => round.search.cpuMs / round.constant.cpuMs));
  const rows: Row[] = [
    { what: 'constant buffer, CPU a request', value: us(cpu('constant')) },
    { what: 'search (mix), CPU a request', value: us(cpu('search')) },
    { what: 'search / constant', value: `${ratio.toFixed(2)} (median of ${ROUNDS} rounds)` },
    {
      what: 'search, requests a second (one core)',
      value: Math.round(median(rounds.map((r) => r.search.perSecond))).toString(),
    },
  ];
  const figures: Record<string, number> = {
    ratio,
    searchUs: cpu('search') * 1_000,
    constantUs: cpu('constant') * 1_000,
  };
  const kinds: [name: string, path: string, questions: string[]][] = [
    ...CLASSES.map((name): [string, string, string[]] => [name, 'search', distinct(draw[name])]),
    ['counts of the city', 'stats', ['']],
    ['counts with filters', 'stats', distinct(draw.counts)],
  ];
  for (const [name, path, questions] of kinds) {
    const cost = async (address: string): Promise<number> => {
      const urls = questions.map((question) => `${address}?${question}`);
      return median(await times(3, async () => (await measure(urls, CLASS_REQUESTS)).cpuMs));
    };
    const ours = await cost(`${url}/api/${path}`);
    const overConstant = `${(ours / cpu('constant')).toFixed(1)} times a constant`;
    rows.push({ what: `  ${name}`, value: `${us(ours)}, ${overConstant}` });
    if (!withAlternative) continue;
    const theirs = await cost(`${beside}/alternative${path === 'stats' ? '/stats' : ''}`);
    rows.push({
      what: `  ${name}, SQLite alternative`,
      value: `${us(theirs)}, ${(theirs / ours).toFixed(1)} times`,
    });
    figures[`alternative ${name}`] = theirs / ours;
  }
  server.send('stop');
  await once(server, 'exit');
  return { bench: 'search', listings, rows, figures };
}

const distinct = (draw: () => string): string[] => Array.from({ length: 1_000 }, draw);

async function meanSize(urls: string[]): Promise<number> {
  let bytes = 0;
  for (const url of urls) bytes += (await (await fetch(url)).arrayBuffer()).byteLength;
  return Math.round(bytes / urls.length);
}

/** CPU of the server for one request of counts with one filter, for every value of each filter and for years. */

import { once } from 'node:events';
import { storeOf } from './data.ts';
import { ask, spawnNode } from './load.ts';
import { median, type Result, type Row } from './report.ts';
import type { Told } from './server.ts';

const REQUESTS = 5; // for one measurement
const TIMES = 3; // the least counts: a busy machine only adds

type Stats = {
  by_month: Record<string, number>;
  by_category: Record<string, number>;
  by_neighborhood: Record<string, number>;
};

export async function benchCounts(listings: number): Promise<Result> {
  const server = spawnNode('./server.ts', '0', [await storeOf(listings), '']);
  const { url } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  const counts = `${url}/api/stats`;
  const cost = async (query: string): Promise<number> => {
    const costs: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      const before = (await ask(server, 'cpu')) as { cpuMs: number };
      for (let j = 0; j < REQUESTS; j++) await (await fetch(`${counts}?${query}`)).arrayBuffer();
      const after = (await ask(server, 'cpu')) as { cpuMs: number };
      costs.push((after.cpuMs - before.cpuMs) / REQUESTS);
    }
    return Math.min(...costs);
  };
  const rows: Row[] = [];
  const figures: Record<string, number> = {};
  const kinds = queriesOf((await (await fetch(counts)).json()) as Stats);
  for (const query of Object.values(kinds).flat()) await (await fetch(`${counts}?${query}`)).arrayBuffer(); // warm: not counted
  for (const [kind, queries] of Object.entries(kinds)) {
    const costs: number[] = [];
    for (const query of queries) costs.push(await cost(query));
    const most = Math.max(...costs);
    const worst = queries[costs.indexOf(most)]!;
    rows.push({ what: `one ${kind}, median of ${queries.length}`, value: `${median(costs).toFixed(2)} ms` });
    rows.push({
      what: `one ${kind}, at most (${decodeURIComponent(worst)})`,
      value: `${most.toFixed(2)} ms`,
    });
    figures[`${kind}Ms`] = most;
  }
  server.send('stop');
  await once(server, 'exit');
  return { bench: 'counts', listings, rows, figures };
}

/** Every question with one filter, by filter. */
function queriesOf({ by_month, by_category, by_neighborhood }: Stats): Record<string, string[]> {
  const years = [...new Set(Object.keys(by_month).map((month) => month.slice(0, 4)))];
  const asks = (name: string, values: readonly string[]) =>
    values.map((value) => `${name}=${encodeURIComponent(value)}`);
  return {
    category: asks('category', Object.keys(by_category)),
    neighborhood: asks('neighborhood', Object.keys(by_neighborhood)),
    status: asks('status', ['open', 'closed', 'expired', 'abandoned', 'unknown']),
    year: years.map((year) => `filed_from=${year}&filed_to=${year}`),
    'first day': asks('filed_from', years),
    word: asks('q', ['coffee', 'inc', 'services', 's', 'a']),
  };
}

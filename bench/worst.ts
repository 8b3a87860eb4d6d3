/**
 * The most expensive questions there are: 1,000 drawn to be expensive and some made by hand, each as a search and as the page with its
 * facets. CPU of the server for one request, the least of a few: what was measured above that is the machine's.
 */

import { once } from 'node:events';
import { random } from '../cities/sample/random.ts';
import type { StoredListing } from '../src/shared/listing.ts';
import { storeOf } from './data.ts';
import { ask, spawnNode } from './load.ts';
import type { Result } from './report.ts';
import type { Told } from './server.ts';

const DRAWN = 1_000;
const SEED = 20261122;
const TIMES = 3;
const SHOWN = 10;

export async function benchWorst(listings: number): Promise<Result> {
  const folder = await storeOf(listings);
  const server = spawnNode('./server.ts', '0', [folder, '']);
  const { url, sample } = (await once(server, 'message'))[0] as Extract<Told, { url: string }>;
  const cost = async (address: string): Promise<number> => {
    let least = Infinity;
    for (let i = 0; i < TIMES; i++) {
      const before = (await ask(server, 'cpu')) as { cpuMs: number };
      const response = await fetch(address, { headers: { 'accept-encoding': 'identity' } });
      await response.arrayBuffer();
      const after = (await ask(server, 'cpu')) as { cpuMs: number };
      least = Math.min(least, after.cpuMs - before.cpuMs);
    }
    return least;
  };
  const questions = [...handMade(sample), ...drawn(sample)];
  for (const question of questions.slice(0, 200)) await (await fetch(`${url}/?${question}`)).arrayBuffer(); // warm
  const costs: { path: string; question: string; ms: number }[] = [];
  for (const question of questions)
    for (const path of ['/api/search', '/'])
      costs.push({ path, question, ms: await cost(`${url}${path}?${question}`) });
  server.send('stop');
  await once(server, 'exit');
  const worst = costs.toSorted((a, b) => b.ms - a.ms);
  const first = (path: string) => worst.find((one) => one.path === path)!.ms;
  return {
    bench: 'worst',
    listings,
    rows: [
      { what: 'a search, at most', value: `${first('/api/search').toFixed(2)} ms` },
      { what: 'the page, at most', value: `${first('/').toFixed(2)} ms` },
      ...worst.slice(0, SHOWN).map(({ path, question, ms }) => ({
        what: `  ${`${path}?${question}`.slice(0, 90)}`,
        value: `${ms.toFixed(2)} ms`,
      })),
    ],
    figures: { searchMs: first('/api/search'), pageMs: first('/') },
  };
}

/** What somebody who wants to keep the service busy would try. */
function handMade(sample: readonly StoredListing[]): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  const categories = [...new Set(sample.flatMap(({ category }) => category ?? []))];
  const neighborhoods = [...new Set(sample.flatMap(({ neighborhood }) => neighborhood ?? []))];
  const all = (name: string, values: readonly string[]) =>
    values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
  const words = (terms: readonly string[]) => `q=${encodeURIComponent(terms.join(' '))}`;
  return [
    words(Array(99).fill('s')),
    words(letters.slice(0, 12)),
    words(letters.slice(12, 24)),
    words(['s-x', 't-x', 'u-x', 'v-x', 'w-x', 'y-x']),
    words(['a-b-c-d-e-f-g-h-i-j-k-l']),
    words(['the', 'of', 'and', 'inc', 'llc', 'services', 'co', 'company', 'a', 's']),
    words(Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 's-t' : 't-s'))),
    `${words(['s'])}&${all('category', categories).slice(0, 900)}`,
    all('category', categories).slice(0, 1_900),
    all('neighborhood', neighborhoods).slice(0, 1_900),
    all(
      'category',
      Array.from({ length: 60 }, (_, i) => `unknown kind of business ${i}`),
    ),
    all(
      'neighborhood',
      Array.from({ length: 200 }, (_, i) => `x${i}`),
    ),
    all(
      'status',
      Array.from({ length: 200 }, (_, i) => `o${i}`),
    ),
    `${words(['s'])}&status=open&status=closed&status=expired&status=unknown&offset=975`,
    'status=open&status=closed&status=expired&status=unknown&offset=975',
    words(['zzzzzzzz', 's', 't', 'e']),
    `${words(['zzzzzzzz', 's', 't', 'e'])}&category=nothing&neighborhood=nowhere&status=gone`,
    ...letters.map((letter) => words([letter])),
    ...letters.slice(0, 26).map((letter) => `${words([letter])}&status=open&offset=900`),
  ];
}

/** Questions of many common words, pieces and filters. */
function drawn(sample: readonly StoredListing[]): string[] {
  const next = random(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const counts = new Map<string, number>();
  for (const { name } of sample)
    for (const word of name.toLowerCase().match(/[a-z0-9]+/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 60)
    .map(([word]) => word);
  const word = () => (next() < 0.5 ? pick(common) : pick([...'abcdefghijklmnopqrstuvwxyz0123456789']));
  const piece = () => (next() < 0.3 ? `${word()}-${word()}` : word());
  const filter = () => {
    const name = pick(['category', 'neighborhood', 'status'] as const);
    return `${name}=${encodeURIComponent(next() < 0.8 ? (pick(sample)[name] ?? '') : pick(sample).name.slice(0, 40))}`;
  };
  return Array.from({ length: DRAWN }, () => {
    const terms = Array.from({ length: 1 + Math.floor(next() * 8) }, piece).slice(
      0,
      1 + Math.floor(next() * 6),
    );
    const filters = Array.from({ length: Math.floor(next() * 12) }, filter);
    return [`q=${encodeURIComponent(terms.join(' '))}`, ...filters].join('&').slice(0, 1_900);
  });
}

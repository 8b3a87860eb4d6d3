/**
 * One question, asked of every interface, has one answer: that of a model which shares no code with them. Its words are names alone, because
 * those that mean a kind or a place are filters on the page and words in the API: `test/service/web/search.test.ts` compares these.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../../cities/sample/random.ts';
import type { BuildRow } from '../../../src/service/search/index/build.ts';
import { jsonOf, resultOf, toolCall } from '../../an-answer.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { aRow } from '../search/made-up.ts';
import { AN_EDITION, aDoor, type Opened } from './a-door.ts';

const WORDS = ['Mirabel', 'Zorba', 'Quux', 'Ondine', 'Tamsin'];
const KINDS = ['Restaurants', 'Auto Repair', 'Hair & Nails'];
const PLACES = ['Café Row', 'Old Town', 'Unknown'];
const STATES = ['open', 'closed', 'unknown'] as const;
const [THIS_YEAR, LAST_YEAR] = ['2026', '2025'];

type Question = {
  q: string[];
  category: string[];
  neighborhood: string[];
  status: string[];
  filed_from: string;
  filed_to: string;
};

const next = random(seedFrom(20_261_128));
const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
const some = <T>(all: readonly T[], share = 0.5): T[] =>
  next() < share ? [] : all.filter(() => next() < 0.6);
const day = (year: string) =>
  `${year}-${String(1 + Math.floor(next() * 11)).padStart(2, '0')}-${String(1 + Math.floor(next() * 19)).padStart(2, '0')}`;

const ROWS: BuildRow[] = Array.from({ length: 260 }, (_, i) =>
  aRow({
    ...{ key: String(i), name: `${pick(WORDS)} ${pick(WORDS)} ${i}`, category: pick(KINDS) },
    ...{ neighborhood: pick(PLACES), status: pick(STATES), filedOn: day(pick([THIS_YEAR, LAST_YEAR])) },
    edition: AN_EDITION,
    // a feed sums up what arrives in larger numbers
    ...{
      arrival: i,
      arrivedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 10))).toISOString(),
    },
  }),
);

function aQuestion(): Question {
  const isDated = next() < 0.3;
  return {
    ...{
      q: next() < 0.4 ? [] : [pick(WORDS)],
      category: some(KINDS),
      neighborhood: some(PLACES),
      status: some(STATES, 0.7),
    },
    ...{ filed_from: isDated ? `${LAST_YEAR}-06-01` : '', filed_to: isDated ? day(THIS_YEAR) : '' },
  };
}

/** What a question finds, newest first. */
function find({ q, category, neighborhood, status, filed_from: from, filed_to: to }: Question): BuildRow[] {
  const has = (wanted: string[], value: string) => wanted.length === 0 || wanted.includes(value);
  return ROWS.filter(
    (row) =>
      q.every((word) => row.name.includes(word)) &&
      has(category, row.category!) &&
      has(neighborhood, row.neighborhood!) &&
      has(status, row.status) &&
      row.filedOn >= from &&
      (to === '' || row.filedOn <= to),
  );
}

const write = (question: Question, more: Record<string, string> = {}): string => {
  const pairs = Object.entries(question).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  return `?${new URLSearchParams([...pairs.filter(([, value]) => value !== ''), ...Object.entries(more)] as string[][])}`;
};
const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted();
const monthOf = ({ filedOn }: BuildRow) => filedOn.slice(0, 7);
const yearBefore = (month: string) => `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;

function countBy(rows: readonly BuildRow[], value: (row: BuildRow) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(rows, value)].map(([name, all]) => [name, all.length]));
}

type Page = { total: number; next: string | null; listings: { name: string }[] };
type Feed = { items: { title: string }[]; next_url?: string };
type Counts = { total: number } & Record<`by_${string}`, Record<string, number>>;

async function answersOf({ get }: Opened, question: Question) {
  const text = async (path: string, more?: Record<string, string>) => {
    const response = await get(path + write(question, more));
    assert.equal(response.status, 200, path + write(question, more));
    return response.text();
  };
  const pagesOf = async <One>(
    path: string,
    nextOf: (page: One) => string | null | undefined,
  ): Promise<One[]> => {
    const pages: One[] = [];
    for (let at: string | null | undefined = path + write(question); at; at = nextOf(pages.at(-1)!))
      pages.push(await jsonOf<One>(get(at.replace('https://rivermouth.example', ''))));
    return pages;
  };
  const call = async (name: string) => {
    const { q, filed_from, filed_to, ...values } = question;
    const given = { ...values, ...(q[0] && { q: q[0] }), ...(filed_from && { filed_from, filed_to }) };
    const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0));
    type Answered = Counts & { listings: { name: string }[] };
    return resultOf<Answered>(get('/mcp', toolCall(name, asked)));
  };
  const csv = async (by: string) =>
    (await text('/api/stats.csv', { by }))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
  return { text, pagesOf, call, csv };
}

test('a question has the same answer in search, counts, CSV, feeds, agents, pages, frames and pictures', async (t) => {
  const door = await aDoor(t, { rows: ROWS, mayEmbed: true, limits: 'off' });
  let isEmpty = 0;
  for (let round = 0; round < rounds(40); round++) {
    const question = aQuestion();
    const what = write(question);
    const rows = find(question);
    const total = rows.length;
    if (total === 0) isEmpty++;
    const { text, pagesOf, call, csv } = await answersOf(door, question);

    const pages = await pagesOf<Page>('/api/search', ({ next }) => next);
    assert.deepEqual(
      [pages[0]!.total, namesOf(pages.flatMap(({ listings }) => listings))],
      [total, namesOf(rows)],
      what,
    );
    const counts = JSON.parse(await text('/api/stats')) as Counts;
    for (const [name, valueIn] of [
      ['by_category', (row: BuildRow) => row.category!],
      ['by_neighborhood', (row: BuildRow) => row.neighborhood!],
      ['by_status', (row: BuildRow) => row.status],
      ['by_month', monthOf],
    ] as const) {
      const wanted = countBy(rows, valueIn);
      const found = Object.fromEntries(Object.entries(counts[name]!).filter(([, count]) => count > 0));
      assert.deepEqual([counts.total, found], [total, wanted], `${what} ${name}`);
      if (name === 'by_status') continue;
      const before = find({ ...question, filed_from: '', filed_to: '' });
      for (const [value, count, was, through] of await csv(name.slice(3))) {
        assert.equal(Number(count), wanted[value!] ?? 0, `${what} ${name} ${value}`);
        if (name !== 'by_month' || question.status.length > 0) continue;
        const end = through ? `${yearBefore(through.slice(0, 7))}${through.slice(7)}` : '9999';
        const same = before.filter((row) => monthOf(row) === yearBefore(value!) && row.filedOn <= end);
        assert.deepEqual([Number(was), what], [same.length, what], `${value} through ${through}`);
      }
    }
    const [agent, agentCounts] = [await call('search_listings'), await call('count_listings')];
    assert.deepEqual(
      [agent.total, agentCounts.total, agent.listings],
      [total, total, pages[0]!.listings],
      what,
    );
    const feeds = await pagesOf<Feed>('/feed.json', ({ next_url }) => next_url);
    const titles = feeds.flatMap(({ items }) => items.map(({ title }) => title));
    if (total > 0) assert.deepEqual(titles.toSorted(), namesOf(rows), `${what} feed`);
    const embedded = await text('/embed');
    for (const { name } of pages[0]!.listings.slice(0, 10))
      assert.ok(embedded.includes(name), `${what} ${name}`);
    const page = await text('/');
    const found = /<h[12][^>]*id="found"[^>]*>([\s\S]*?)<\/h/.exec(page)?.[1] ?? '';
    // the home page begins with the newest week, and that of a neighborhood with two years: both say the total where they print
    const isPart = /^<a href="\/\?filed_from/.test(found) || question.neighborhood.length === 1;
    const heading = (isPart && /(?<= of )\d+(?= <br>)/.exec(page)?.[0].concat(' businesses')) || found;
    const picture = await text('/chart.svg');
    if (question.filed_from === '' && !question.status.includes('closed')) {
      // two years of closings cannot be compared
      const days = { filed_from: `${THIS_YEAR}-01-01`, filed_to: `${THIS_YEAR}-10-31` };
      const compared = (await text('/changes', days)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
      const wanted = find({ ...question, ...days }).length;
      if (wanted > 0)
        assert.equal(Number(/(\d+) new business/.exec(compared)?.[1]), wanted, `${what} compared`);
    }
    if (total > 0)
      for (const said of [heading, embedded, picture])
        assert.equal(
          Number(/(\d+) (?:business|in all|of \d+ are)/.exec(said)?.[1]),
          total,
          `${what} ${said.slice(0, 99)}`,
        );
  }
  assert.ok(isEmpty < 5, `${isEmpty} questions find nothing`);
});

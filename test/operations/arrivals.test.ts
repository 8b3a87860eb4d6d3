/** Imports day by day, and the feeds after each: what a reader that follows the links gets, and one that reads first pages. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openService, type Service } from '../../src/operations/service.ts';
import { openIndexBuilder } from '../../src/search/index/build.ts';
import { openIndex } from '../../src/search/index/open.ts';
import type { ListingIndex } from '../../src/search/listing-index.ts';
import { aCity, csvText } from '../a-city.ts';
import { realData } from '../real-data.ts';
import { aDoor } from '../web/a-door.ts';

type Item = { id: string; title: string; tags: string[] };
type Feed = { next_url?: string; items: Item[] };
type Import = { day: string; path: string };

/** As src/operations/build-worker.ts builds it. */
async function indexOf({ store, loaded }: Service, day: string): Promise<ListingIndex> {
  const builder = openIndexBuilder({ version: await store.listings.version(), day, suppressed: [] });
  for await (const batch of store.listings.listings()) builder.add(batch);
  return openIndex(builder.finish(), { timeZone: loaded.city.timeZone });
}

/** Imports each file at noon of its day, the first as the baseline, and reads the feed after each of the others. */
async function readDaily(
  t: TestContext,
  [baseline, ...imports]: readonly Import[],
  city: string | undefined,
) {
  const { config } = aCity();
  let now = '';
  const service = await openService({ ...config, ...(city && { city }) }, () => now);
  t.after(() => service.close());
  let index: ListingIndex | undefined;
  const { get } = await aDoor(t, { catalogue: () => index, limits: 'off' });
  const read = async (path: string) => (await (await get(path)).json()) as Feed;
  const runIn = async ({ day, path }: Import) => {
    now = `${day}T16:00:00.000Z`;
    const [run] = await service.ingest({ from: path });
    assert.ok(run!.state === 'kept' || run!.state === 'unchanged', run!.detail ?? '');
    index = await indexOf(service, day);
    return run!;
  };
  await runIn(baseline!);
  const followed: string[][] = [];
  const first = new Set<string>();
  const told = new Map<string, number>();
  let added = 0;
  for (const one of imports) {
    added += (await runIn(one)).added;
    const ids: string[] = [];
    for (let path: string | undefined = '/feed.json'; path !== undefined; ) {
      const { items, next_url } = await read(path);
      for (const { id, title, tags } of items)
        if (tags.length > 0) ids.push(id);
        else told.set(id, Number.parseInt(title, 10));
      if (path === '/feed.json') for (const id of ids) first.add(id);
      path = next_url?.slice('https://rivermouth.example'.length);
    }
    followed.push(ids);
  }
  return { service, added, followed, first: first.size, told };
}

test('a reader that follows the links has all that arrived, once; one that reads first pages is told of the rest', async (t) => {
  const { file } = aCity();
  const counts = [30, 40, 3, 26, 0, 60];
  const imports = counts.map((_, day) => ({
    day: `2026-11-0${day + 1}`,
    path: file(
      `${day}.csv`,
      csvText(
        counts.slice(0, day + 1).flatMap((sum, at) =>
          Array.from({ length: sum }, (_, i) => ({
            id: `${at}-${i}`,
            name: `Shop ${i % 15}`,
            day: `2026-10-${20 - (i % 5)}`,
          })),
        ),
      ),
    ),
  }));
  const { added, followed, first, told } = await readDaily(t, imports, undefined);
  assert.equal(added, 129);
  assert.deepEqual(
    followed.map(({ length }) => length),
    [40, 43, 69, 69, 129],
  );
  const all = followed.at(-1)!;
  assert.equal(new Set(all).size, 129, 'no two have the same id');
  for (const ids of followed) assert.deepEqual(all.slice(-ids.length), ids, 'and no id ever changes');
  assert.equal(first, 25 + 3 + 25 + 25);
  assert.deepEqual([...told.values()], [18, 1, 35], 'of the three days with more than a page');
});

const pasco = realData('pasco-county/daily');
const PROFILE = fileURLToPath(new URL('../../cities/pasco-county/city.ts', import.meta.url));

/** The daily files of Pasco County, each with its day. */
const pascoDays = (count: number): Import[] =>
  readdirSync(pasco.path)
    .toSorted()
    .slice(0, count)
    .map((name) => ({
      day: name.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3'),
      path: join(pasco.path, name),
    }));

test('so does one of the daily files of Pasco County', { skip: pasco.skip }, async (t) => {
  const { added, followed, first, told } = await readDaily(t, pascoDays(9), PROFILE);
  const all = followed.at(-1)!;
  assert.equal(added, 381);
  assert.deepEqual([all.length, new Set(followed.flat()).size], [379, 379], 'two were filed long before');
  assert.deepEqual([first, told.size], [181, 6], 'six days had more than a page');
});

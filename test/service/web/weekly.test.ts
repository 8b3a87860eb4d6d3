/** Past editions over HTTP: charged like a search, not indexed, known again by their ETag. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../src/shared/day.ts';
import { textOf } from '../../an-answer.ts';
import { aMailing } from '../mail/a-mailing.ts';
import { aRow, catalogueOf } from '../search/made-up.ts';
import { AN_EDITION, aDoor } from './a-door.ts';

const PAGE = `/weekly/${AN_EDITION}`;

test('a missing edition gets 404', async (t) => {
  const { get } = await aDoor(t);
  for (const name of ['2026-11-17', 'latest', '2026-11-16x'])
    assert.equal((await get(`/weekly/${name}`)).status, 404);
});

test('an edition says when its listings were filed and added, and links to its neighborhoods', async (t) => {
  const row = (key: string, arrivedAt: string, more = {}) =>
    aRow({ key, name: `Shop ${key}`, arrivedAt, edition: AN_EDITION, ...more });
  const given = { editions: [AN_EDITION, '2026-11-09'] };
  const rows = [row('A', '2026-11-12T07:59:00.000Z'), row('B', '2026-11-15T20:00:00.000Z')];
  const far = row('C', '2026-11-15T20:00:00.000Z', { neighborhood: 'The Hill' });
  const { get } = await aDoor(t, { catalogue: catalogueOf([...rows, far], given) });
  const page = await textOf(get(PAGE));
  assert.match(
    page,
    /<h1 id="found"><b>3<\/b> new businesses in [^<]*<\/h1>.*They registered in the week to March\s1,\s2024\./s,
    'days of the city',
  );
  assert.match(page, /<h2>Old Town <span>2<\/span><\/h2>/);
  const [, bars = ''] = /aria-label="New businesses per week">(.*?)<\/ul>/s.exec(page)!;
  assert.equal(bars.match(/<li/g)?.length, 12, 'weeks of the filings, beside the first editions');
  assert.match(bars, /href="\/\?filed_from=2024-02-24&amp;filed_to=2024-03-01"[^>]*>.*3 new businesses/s);
  assert.match(await textOf(get('/weekly')), /next edition is planned for Monday, November 23, 2026\./);
  const early = await aDoor(t, {
    catalogue: catalogueOf([{ ...far, edition: '2026-11-23' }], { editions: ['2026-11-23'] }),
  });
  const later = /next edition is planned for Monday, November 30, 2026\./;
  assert.match(await textOf(early.get('/weekly')), later, 'the next one was sent early');
  const saysOf = async (...days: string[]) => {
    const dated = days.map((filedOn, i) => ({ ...rows[0]!, key: `${i}`, filedOn }));
    const filed = await aDoor(t, { catalogue: catalogueOf(dated, given) });
    return /(?:They|\d+) registered in the week[^<]*?\./
      .exec(await textOf(filed.get(PAGE)))?.[0]
      .replace(/\s/g, ' ');
  };
  assert.equal(await saysOf('2026-11-10', '2026-11-04'), 'They registered in the week to November 10.');
  assert.equal(
    await saysOf('2026-11-10', '2026-11-04', '2026-11-03'),
    '2 registered in the week to November 10, and one earlier, published late.',
  );
  const late = ['2026-11-03', '2026-11-02', '2026-11-01'];
  assert.equal(
    await saysOf('2026-11-10', '2026-11-09', '2026-11-08', '2026-11-04', ...late),
    '4 registered in the week to November 10, and 3 earlier, published late.',
  );
  assert.equal(await saysOf('2026-11-10'), undefined, 'the row says it');
  const one = await aDoor(t, { catalogue: catalogueOf(rows.slice(1), given) });
  assert.match(await textOf(one.get(PAGE)), /<h1 id="found"><b>1<\/b> new business in [^<]*<\/h1>/s);
  assert.match(
    await textOf(one.get(`${PAGE}?category=Legal`)),
    /<h1 id="found">No business in this weekly email/,
  );
  assert.match(
    await textOf(one.get('/weekly/2026-11-09')),
    /<h1 id="found">No business in this/,
    'all were removed',
  );
});

test('the pages of an edition have all listings, and no page ends in the middle of a neighborhood', async (t) => {
  const sizes = { Large: 30, Mid: 20, Next: 11, Small: 2 };
  const rows = Object.entries(sizes).flatMap(([neighborhood, n]) =>
    Array.from({ length: n }, (_, i) =>
      aRow({ key: `${neighborhood}${i}`, name: `${neighborhood} & ${i}`, neighborhood, edition: AN_EDITION }),
    ),
  );
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { editions: [AN_EDITION] }) });
  const seen: string[][] = [];
  const links = new Set<string>();
  const back: string[] = [];
  for (let next: string | undefined = PAGE; next !== undefined; ) {
    const page: string = await textOf(get(next));
    seen.push([...page.matchAll(/<h2>([^<]*) <span>([^<]*)</g)].map(([, place, n]) => `${place} (${n})`));
    for (const [, href] of page.matchAll(/<a href="([^"]*)&amp;as=typed" rel="nofollow">Link</g))
      links.add(href!);
    back.push(/rel="prev nofollow" href="([^"]*)">Previous page</.exec(page)?.[1] ?? '');
    next = /rel="next nofollow" href="([^"]*)">Next page</.exec(page)?.[1];
  }
  const expected = [['Large (30)'], ['Large (30)', 'Mid (20)'], ['Next (11)', 'Small (2)']];
  assert.deepEqual(seen, expected);
  assert.deepEqual(back, ['', PAGE, `${PAGE}?offset=25`]);
  assert.equal(links.size, rows.length);
  assert.ok([...links].some((href) => href.startsWith('/?q=Small%20%26%201&amp;filed_from=')));
});

test('the pages of editions offer the signup above their lists, and the first shows the newest edition beside its list', async (t) => {
  const { get } = await (await aMailing()).door(t);
  for (const [path, offer, list] of [
    ['/weekly', 'action="/signup"', 'class="sheet"'],
    [PAGE, 'href="/signup">Get the weekly email<', 'class="ledger"'],
  ] as const) {
    const page = await textOf(get(path));
    const at = page.indexOf(offer);
    assert.ok(at > 0 && at < page.indexOf(list), path);
  }
  for (const path of ['/weekly', '/weekly?category=Restaurants'])
    assert.equal((await textOf(get(path))).split(`href="${PAGE}`).length - 1, 2, path);
});

test('the pages of past editions have 25 editions each, and every edition once', async (t) => {
  const editions = Array.from({ length: 27 }, (_, week) => addDays(AN_EDITION, -7 * week));
  const rows = [...editions, ...Array(3).fill(AN_EDITION)].map((edition, i) =>
    aRow({ key: `${i}`, edition }),
  );
  const { get } = await aDoor(t, { catalogue: catalogueOf(rows, { editions }) });
  const seen: string[][] = [];
  for (let next: string | undefined = '/weekly'; next !== undefined; ) {
    const page: string = await textOf(get(next));
    seen.push([...page.matchAll(/<li><a href="\/weekly\/([\d-]+)">/g)].map(([, edition]) => edition!));
    next = /rel="next nofollow" href="([^"]*)"/.exec(page)?.[1];
  }
  assert.deepEqual(seen, [editions.slice(0, 25), editions.slice(25)]);
  assert.match(await textOf(get(PAGE)), /<b>4<\/b> new businesses in [^<]*, the most in 27 weeks</);
});

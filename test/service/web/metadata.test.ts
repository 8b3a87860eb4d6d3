/** What the service says of itself to programs: previews of links, an icon without SVG, and texts for agents and search engines. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { textOf } from '../../an-answer.ts';
import { aRow } from '../search/made-up.ts';
import { aDoor, CITY } from './a-door.ts';

/** The Open Graph properties of a page. */
function previewOf(page: string): Record<string, string> {
  const all = page.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g);
  return Object.fromEntries([...all].map(([, name, content]) => [name, content]));
}

test('a link to a search is previewed as that search', async (t) => {
  const { get } = await aDoor(t);
  assert.equal(previewOf(await textOf(get('/'))).url, 'https://rivermouth.example/');
  const query = '?category=Restaurants&amp;neighborhood=Caf%C3%A9%20Row';
  const { title, ...search } = previewOf(await textOf(get('/?category=Restaurants&neighborhood=Café+Row')));
  assert.match(title!, /Restaurants/);
  assert.deepEqual(search, {
    ...{ type: 'website', site_name: 'New businesses in Rivermouth' },
    description: '16 restaurants in Café Row (Rivermouth). Registered is not the same as open.',
    url: `https://rivermouth.example/${query}`,
    image: `https://rivermouth.example/chart.png${query}`,
  });
});

test('the picture of a preview is the chart of the search, as a PNG that decodes to its columns', async (t) => {
  const days = ['2025-03-02', '2025-11-05', '2026-03-02', '2026-11-05'];
  const rows = days.map((filedOn, i) => aRow({ key: `K${i}`, category: 'Restaurants', filedOn }));
  const { get } = await aDoor(t, { rows });
  const pictureOf = async (path: string) =>
    previewOf(await textOf(get(path)))
      .image?.replace('https://rivermouth.example', '')
      .replaceAll('&amp;', '&');
  const path = await pictureOf('/?category=Restaurants&offset=0');
  assert.equal(path, '/chart.png?category=Restaurants');
  const response = await get(path!, { headers: { 'Accept-Encoding': 'br' } });
  assert.deepEqual(
    ['content-type', 'content-encoding'].map((name) => response.headers.get(name)),
    ['image/png', null],
  );
  const { width, height, colorOf } = await decodePng(response);
  assert.deepEqual([width, height, colorOf(0, 0)], [1200, 630, '246,244,237']);
  const colors = new Set(Array.from({ length: width }, (_, x) => colorOf(x, height - 200)));
  assert.ok(colors.size >= 2, 'columns stand on the paper');
  const compared = await pictureOf('/changes?category=Restaurants');
  const days2026 = 'filed_from=2026-01-01&filed_to=2026-11-05';
  assert.equal(compared, `/chart.png?category=Restaurants&${days2026}&compare=year_before`);
  assert.equal((await get(compared)).status, 200);
  assert.equal(await pictureOf('/?q=nothingatall'), undefined, 'there is no picture of no results');
  assert.equal((await get('/chart.png?q=nothingatall')).status, 200);
});

test('the picture of a preview has the title, numbers and years, and leaves out texts in other scripts', async (t) => {
  const [korean, arabic] = ['\ucee4\ud53c', '\u0644\u0627'];
  const rows = ['2024-03-02', '2026-11-05'].map((filedOn, i) =>
    aRow({ key: `K${i}`, name: `Heron ${korean} ${arabic}`, filedOn }),
  );
  const { get } = await aDoor(t, { rows });
  for (const [q, isWritten] of [
    ...[['heron', true] as const, ['καφές', true] as const, ['Кофе', true] as const],
    ...[korean, arabic, '\u{1f600}'].map((word) => [word, false] as const),
  ]) {
    const { pixelsOf } = await decodePng(await get(`/chart.png?q=${encodeURIComponent(q!)}`));
    const [title, labels] = ['23,33,28', '82,93,87'].map(pixelsOf);
    assert.ok(isWritten ? title! > 500 : title === 0, `${q}: ${title}`); // and no boxes
    assert.ok(labels! > 1000, q);
  }
});

/** Reads a PNG with a palette and unfiltered rows of one byte a pixel. Checks every checksum. */
async function decodePng(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const typed = bytes.subarray(at + 4, at + 8 + length);
    assert.equal(crc32(typed), bytes.readUInt32BE(at + 8 + length));
    chunks.set(typed.toString('latin1', 0, 4), typed.subarray(4));
    at += length + 12;
  }
  const [header, palette] = [chunks.get('IHDR')!, chunks.get('PLTE')!];
  const width = header.readUInt32BE(0);
  const rows = inflateSync(chunks.get('IDAT')!);
  const colors = Array.from({ length: palette.length / 3 }, (_, i) =>
    palette.subarray(3 * i, 3 * i + 3).join(','),
  );
  const colorOf = (x: number, y: number) => colors[rows[y * (width + 1) + x + 1]!]!;
  /** How many pixels have a color. The first byte of each row is its filter: none. */
  const pixelsOf = (color: string) => {
    const index = colors.indexOf(color);
    let count = 0;
    for (const [at, value] of rows.entries()) if (value === index && at % (width + 1) > 0) count++;
    return count;
  };
  return { width, height: header.readUInt32BE(4), colorOf, pixelsOf };
}

test('/favicon.ico is a bitmap of the right size in the color of the city', async (t) => {
  const { get } = await aDoor(t, { city: { ...CITY, accent: '#7a1f5c' } });
  const response = await get('/favicon.ico');
  assert.equal(response.headers.get('content-type'), 'image/x-icon');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
  assert.equal(bytes.length, bytes.readUInt32LE(14) + bytes.readUInt32LE(18));
  assert.equal(bytes.subarray(70, 73).toString('hex'), '5c1f7a');
});

test('llms.txt names every interface and the state of the data', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/llms.txt');
  assert.match(response.headers.get('content-type')!, /^text\/markdown/);
  const text = await textOf(response);
  assert.match(
    text,
    /^# New businesses in Rivermouth, CA\n\n> .*60 listings, data as of 2026-11-19T04:10:00Z, most recent filing 2026-11-20\./,
  );
  const links = [...text.matchAll(/\]\(https:\/\/rivermouth\.example(\S+?)(?:#\S*)?\)/g)].map(
    ([, path]) => path!,
  );
  assert.ok(links.length > 6);
  for (const path of links.filter((one) => one !== '/mcp')) assert.equal((await get(path)).status, 200, path);
});

test('search engines may fetch every page and index only the page itself, without a query', async (t) => {
  const { get } = await aDoor(t);
  for (const path of ['/?q=shop', '/?utm=1'])
    assert.equal((await get(path)).headers.get('x-robots-tag'), 'noindex', path);
  const text = await textOf(get('/robots.txt'));
  assert.match(text, /^User-agent: \*\nAllow: \/$/m);
  assert.doesNotMatch(text, /Disallow: \/(api|feed)?$/m);
});

test('security.txt does not expire, and leads to the page that shows a contact without an address', async (t) => {
  const { get, clock } = await aDoor(t);
  for (const years of [0, 3]) {
    clock.now += years * 365 * 86_400_000;
    const text = await textOf(get('/.well-known/security.txt'));
    assert.match(text, /^Contact: mailto:listings@rivermouth\.example$/m);
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)![1]!) - clock.now) / 86_400_000;
    assert.ok(days > 30 && days < 365, `${days}`);
  }
  const operator = { ...CITY.operator, contact: 'at the town hall' };
  const other = await aDoor(t, { city: { ...CITY, operator } });
  const text = await textOf(other.get('/.well-known/security.txt'));
  assert.match(text, /^Contact: https:\/\/rivermouth\.example\/about#correct$/m);
});

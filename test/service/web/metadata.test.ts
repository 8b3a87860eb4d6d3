/** What the page says of itself to programs: previews of links, and an icon without SVG. */

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
  const home = previewOf(await textOf(get('/')));
  assert.equal(home.url, 'https://rivermouth.example/');
  const search = previewOf(await textOf(get('/?category=Restaurants&neighborhood=Café+Row')));
  assert.match(search.title!, /Restaurants/);
  assert.equal(
    search.url,
    'https://rivermouth.example/?category=Restaurants&amp;neighborhood=Caf%C3%A9%20Row',
  );
  assert.equal(
    search.description,
    '16 restaurants in Café Row (Rivermouth). Registered is not the same as open.',
  );
  assert.deepEqual(Object.keys(search), ['type', 'site_name', 'title', 'description', 'url', 'image']);
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
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.equal(response.headers.get('content-encoding'), null);
  const { width, height, colorOf } = decodePng(Buffer.from(await response.arrayBuffer()));
  assert.deepEqual([width, height], [1200, 630]);
  const colors = new Set(Array.from({ length: width }, (_, x) => colorOf(x, height - 200)));
  assert.ok(colors.size >= 2, 'columns stand on the paper');
  assert.equal(colorOf(0, 0), '246,244,237');
  const compared = await pictureOf('/changes?category=Restaurants');
  assert.match(
    compared!,
    /^\/chart\.png\?category=Restaurants&filed_from=2026-01-01&filed_to=2026-11-05&compare=year_before$/,
  );
  assert.equal((await get(compared!)).status, 200);
  assert.equal(await pictureOf('/?q=nothingatall'), undefined, 'there is no picture of no results');
  assert.equal((await get('/chart.png?q=nothingatall')).status, 200);
});

test('the picture of a preview has the title, numbers and years, and leaves out texts in other scripts', async (t) => {
  const rows = ['2024-03-02', '2026-11-05'].map((filedOn, i) =>
    aRow({ key: `K${i}`, name: `Heron ${'\ucee4\ud53c'} ${'\u0644\u0627'}`, filedOn }),
  );
  const { get } = await aDoor(t, { rows });
  const inkOf = async (query: string) => {
    const response = await get(`/chart.png?${query}`);
    assert.equal(response.status, 200);
    const { pixelsOf } = decodePng(Buffer.from(await response.arrayBuffer()));
    return { title: pixelsOf('23,33,28'), labels: pixelsOf('82,93,87') };
  };
  const [latin, greek, cyrillic] = await Promise.all(['q=heron', 'q=καφές', 'q=Кофе'].map(inkOf));
  for (const { title, labels } of [latin!, greek!, cyrillic!]) assert.ok(title > 500 && labels > 1000);
  for (const word of ['\ucee4\ud53c', '\u0644\u0627', '\u{1f600}']) {
    const { title, labels } = await inkOf(`q=${encodeURIComponent(word)}`);
    assert.equal(title, 0, 'no boxes');
    assert.ok(labels > 1000, word);
  }
});

/** Reads a PNG with a palette and unfiltered rows of one byte a pixel. Checks every checksum. */
function decodePng(bytes: Buffer) {
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

test('/favicon.ico is a bitmap of the right size', async (t) => {
  const { get } = await aDoor(t);
  const response = await get('/favicon.ico');
  assert.equal(response.headers.get('content-type'), 'image/x-icon');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
  assert.equal(bytes.length, bytes.readUInt32LE(14) + bytes.readUInt32LE(18));
  const other = await aDoor(t, { city: { ...CITY, accent: '#7a1f5c' } });
  const colored = Buffer.from(await (await other.get('/favicon.ico')).arrayBuffer());
  assert.equal(colored.subarray(70, 73).toString('hex'), '5c1f7a', 'the color of the city');
});

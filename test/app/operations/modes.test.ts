/** Only its owner can read what Shingle writes, for as long as it is there, whatever the umask. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { globSync, lstatSync } from 'node:fs';
import promises from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { aPortal, socrataOf } from '../../register/import/a-portal.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
const DRAWN = [
  ...['--boundaries', join(EXAMPLE, 'neighborhoods.geojson')],
  ...['--addresses', join(EXAMPLE, 'addresses.csv')],
];
const ROWS = businesses(40);
const CSV = csvText(ROWS);
const [COLUMNS = [], ...CELLS] = CSV.trim()
  .split('\n')
  .map((line) => line.split(','));
const RECORDS = CELLS.map((cells, i) => ({
  ...Object.fromEntries(cells.map((cell, at) => [COLUMNS[at]!, cell])),
  ...{ ':id': `row-${100 + i}`, ':updated_at': '2026-01-01T00:00:00.000Z' },
}));

test('only the owner can read files that are downloaded, unpacked, stored, copied or sent', {
  skip: process.platform === 'win32',
}, async (t) => {
  const [city, portalCity] = [aCity(), aCity()];
  const folders = [city, portalCity].map(({ folder }) => folder);
  const seen = new Map<string, string>();
  /** Notes what is there: at the end, and before anything is removed. */
  const note = (path: string) => {
    if (!folders.some((folder) => path.startsWith(folder))) return;
    for (const one of [path, ...globSync(['**/*', '**/.*'], { cwd: path }).map((name) => join(path, name))]) {
      const { mode = 0 } = lstatSync(one, { throwIfNoEntry: false }) ?? {};
      const wanted = (mode & 0o170000) === 0o040000 ? '700' : '600';
      const found = (mode & 0o777).toString(8);
      if (mode !== 0) seen.set(one, found === wanted ? 'private' : found);
    }
  };
  for (const [object, names] of [
    [fs, ['rmSync', 'unlinkSync', 'renameSync']],
    [promises, ['rm', 'unlink', 'rename']],
  ] as const)
    for (const name of names) {
      const remove = (object as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!;
      t.mock.method(object as unknown as Record<string, () => unknown>, name, (...args: unknown[]) => {
        note(String(args[0]));
        return remove(...args);
      });
    }
  syncBuiltinESMExports();
  const umask = process.umask(0);
  const bodies: Record<string, Uint8Array | string> = {
    ...{ '/a.csv': CSV, '/a.csv.gz': gzipSync(CSV), '/a.zip': zipSync({ 'a.csv': strToU8(CSV) }) },
  };
  const server = createServer(({ url = '' }, response) => response.end(bodies[url]));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    process.umask(umask);
    t.mock.restoreAll();
    syncBuiltinESMExports();
    server.close();
  });
  const runIn = async ({ env, folder }: typeof city, ...args: string[]) => {
    const { code, err } = await command(args, env, { cwd: folder });
    assert.ok(code === 0 || code === 3, `${args.join(' ')}: ${err}`);
  };
  const run = (...args: string[]) => runIn(city, ...args);
  const portal = await aPortal(
    socrataOf({ records: RECORDS, columns: COLUMNS, rowsUpdatedAt: 1, strays: false }),
  );
  const dataset = "socrata({ host: 'data.rivermouth.example', dataset: 'abcd-1234' })";
  portalCity.change('from: csv()', `from: ${dataset}`);
  portalCity.change('import { csv,', 'import { socrata,');
  await runIn(portalCity, 'ingest', '--from', `${portal.url}/resource/abcd-1234.json`);
  for (const path of Object.keys(bodies)) await run('ingest', '--from', `http://127.0.0.1:${port}${path}`);
  await run('init', join(EXAMPLE, 'register.csv'), '--out', 'town', '--no-install', ...DRAWN);
  for (const line of [
    `check --from http://127.0.0.1:${port}/a.csv`,
    ...['subscribers add ann@b.example --confirmed', 'mail test ops@b.example', 'weekly preview'],
    ...['subscribers erase ann@b.example', 'backup copy.db', 'restore copy.db'],
  ])
    await run(...line.split(' '));
  for (const one of folders) note(one);
  const written = [...seen].filter(([path]) => !folders.includes(path) && !/\/city-\d+\.ts$/.test(path));
  for (const name of [
    ...['page', 'pulled', 'download', 'unpacked', 'check.html', 'mail', 'preview', 'copy.db', 'departures'],
    ...['town/filings/register.csv', 'town/.gitignore', 'replaced'],
  ])
    assert.match(written.map(([path]) => path).join('\n'), new RegExp(`/${name}`), `${name} is written`);
  for (const [path, how] of written) assert.equal(how, 'private', path);
});

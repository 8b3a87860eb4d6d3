/** Where files are found: a file, a folder, a URL. Nothing is left behind. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listFiles } from '../../../src/register/readers/place.ts';
import { aFolder } from '../../a-folder.ts';
import { aPortal } from './a-portal.ts';

const folder = aFolder();
const tempFolder = join(folder, 'temp', 'downloads');
const options = { tempFolder, userAgent: 'Shingle/test' };

async function names(place: Parameters<typeof listFiles>[0]): Promise<string[]> {
  const seen: string[] = [];
  for await (const { name } of listFiles(place, options)) seen.push(name);
  return seen;
}

function folderOf(name: string, files: string[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const file of files) writeFileSync(join(path, file), file);
  return path;
}

test('Shingle reads only the data files of a folder, in the order of their names', async () => {
  const path = folderOf('daily', ['b.json', 'B.csv', 'a2.ndjson', 'a10.CSV', '.a.csv', 'notes.txt', 'json']);
  mkdirSync(join(path, 'c.json'));
  symlinkSync(join(path, 'notes.txt'), join(path, 'é.csv'));
  assert.deepEqual(await names(path), ['B.csv', 'a10.CSV', 'a2.ndjson', 'b.json', 'é.csv']);
});

test('the error about a place without data is one sentence', async () => {
  const empty = folderOf('empty', ['readme.md']);
  const dangling = folderOf('dangling', []);
  symlinkSync(join(folder, 'nowhere'), join(dangling, 'gone.csv'));
  symlinkSync('/dev/zero', join(dangling, 'export_2026-11-20.csv'));
  for (const [place, message] of [
    [join(folder, 'none.csv'), /no file or folder at .*none\.csv/],
    [empty, /the folder .*empty has no data files/],
    [dangling, /no file or folder at .*gone\.csv/],
    ['/dev/zero', /^\/dev\/zero is a pipe, a socket or a device, not a file/],
    [join(dangling, 'export_2026-11-20.csv'), /is a pipe, a socket/],
    ['ftp://example.org/a.csv', /not a file, a folder or an http\(s\) URL/],
    ['file:///etc/hosts', /not a file, a folder or an http\(s\) URL/],
    ['http://', /URL is not valid/],
  ] as const) {
    await assert.rejects(names(place), { code: 'source', message });
  }
});

test('a download is private while it is read, and is always deleted afterwards', async () => {
  const portal = await aPortal((_, response) => void response.end('a,b\n1,2\n'));
  const url = `${portal.url}/export.csv?token=abc`;
  for (const fails of [false, true]) {
    let path = '';
    const reading = async () => {
      for await (const file of listFiles(url, options)) {
        path = file.path;
        assert.equal(file.name, url);
        assert.equal(file.bytes, 8);
        assert.equal(readFileSync(path, 'utf8'), 'a,b\n1,2\n');
        if (fails) throw new Error('the reader gives up');
      }
    };
    if (fails) await assert.rejects(reading, /gives up/);
    else await reading();
    assert.ok(path.startsWith(tempFolder) && !existsSync(path));
  }
  assert.deepEqual(readdirSync(tempFolder), []);
});

/** What `shingle init` leaves on the disk: a folder for its owner alone, or nothing. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/example/', import.meta.url));
const REGISTER = join(EXAMPLE, 'register.csv');
const BOUNDARIES = ['--boundaries', join(EXAMPLE, 'neighborhoods.geojson')];
const folder = aFolder();

const init = (place: string, out: string, ...args: string[]) =>
  command(['init', place, '--out', out, '--no-install', ...args], {}, { cwd: folder });

test('an init that fails leaves no half-made folder, and changes no other folder', async () => {
  writeFileSync(join(folder, 'no-boundaries.json'), '{');
  writeFileSync(
    join(folder, 'dateless.csv'),
    'No,Trade Name\n1,Heron Bakery\n2,Tern Books\n3,Kestrel Cycles\n',
  );
  const missing = ['--addresses', join(folder, 'no-such.csv')];
  for (const [place, args, code] of [
    [REGISTER, [...BOUNDARIES, ...missing], 1],
    [REGISTER, ['--boundaries', join(folder, 'no-boundaries.json')], 78],
    [join(folder, 'dateless.csv'), [], 3],
  ] as const) {
    const out = join(folder, 'half');
    const ended = await init(place, out, ...args);
    assert.deepEqual([ended.code, existsSync(out)], [code, false], ended.err);
  }
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'notes.txt'), 'ours');
  assert.notEqual((await init(REGISTER, kept, ...BOUNDARIES, ...missing)).code, 0);
  assert.ok(existsSync(join(kept, 'notes.txt')));
});

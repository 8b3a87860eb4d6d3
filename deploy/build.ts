/** Builds what the npm package runs, in `dist/`: JavaScript with source maps, the types of profiles, and files that are read as they are. */

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const READ_AS_THEY_ARE = [
  'src/pages/assets/*.{css,svg,ts}',
  'cities/sample/*.{csv,geojson}',
  'cities/sample/{export,news}',
];

rmSync(DIST, { recursive: true, force: true });
const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(ROOT, 'tsconfig.build.json')];
const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
if (status === 0) {
  for (const path of globSync(READ_AS_THEY_ARE, { cwd: ROOT }))
    cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
  for (const path of globSync('**/*.d.ts', { cwd: DIST }))
    if (!/^src\/(city|listings)\//.test(path)) rmSync(join(DIST, path)); // what `shingle/city` does not need
}
process.exitCode = status ?? 1;

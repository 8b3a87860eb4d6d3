/** Builds what the npm package runs, in `dist/`: JavaScript with source maps, the types of profiles, and files that are read as they are. */

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRIPTS, stripTypes } from '../src/app/web/assets.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const READ_AS_THEY_ARE = [
  'src/{app/cli{,/check},page/assets}/*.{css,ico,svg,txt,woff2}',
  'src/data/*.{csv,json,txt}',
  'src/service/database/*.sql',
  'docs/api.md',
  '{cities,packs}/*/*.{yaml,csv}',
  'cities/sample/*.geojson',
  'cities/sample/{export,news}',
];

/**
 * Scripts have no comments; their maps name the lines of the TypeScript, which is not in the package. Declarations have comments, and
 * leave out what only `city.yaml` needs, with the types that it needs. `npm run types` checks them.
 */
const PASSES = [
  ['--removeComments', '--sourceMap'],
  ['--declaration', '--emitDeclarationOnly', '--stripInternal'],
];

rmSync(DIST, { recursive: true, force: true });
for (const options of PASSES) {
  const tsc = [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(ROOT, 'tsconfig.build.json'),
    '--noCheck',
  ];
  const { status } = spawnSync(process.execPath, [...tsc, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
for (const path of globSync(READ_AS_THEY_ARE, { cwd: ROOT }))
  cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
for (const name of SCRIPTS) {
  const script = `src/page/assets/${name}`;
  writeFileSync(join(DIST, `${script}.js`), stripTypes(readFileSync(join(ROOT, `${script}.ts`), 'utf8')));
}
for (const path of globSync('**/*.d.ts', { cwd: DIST }))
  if (!/^src\/(register\/profile|shared)\/(?!mapping)/.test(path)) rmSync(join(DIST, path)); // what `shingle/city` does not need

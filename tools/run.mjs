/**
 * Runs a command of the packages in a folder of tools/, and installs these first where that is due:
 * node tools/run.mjs FOLDER [COMMAND [ARGUMENT...]]
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../bin/launch.mjs';

const [name, command, ...args] = process.argv.slice(2);
const folder = join(fileURLToPath(new URL('.', import.meta.url)), name);
const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
const installed = join(folder, 'node_modules/.installed-lock.json');

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  const isWindows = process.platform === 'win32'; // on Windows, npm is a script and needs a shell
  const npm = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: isWindows,
  });
  if (npm.status !== 0) process.exit(1);
  writeFileSync(installed, lock);
}
if (command !== undefined) {
  const packages = Object.entries(JSON.parse(lock).packages);
  const [path, { bin }] = packages.find(([, one]) => one.bin?.[command] !== undefined);
  process.env.PATH = `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`; // some start others
  launch([join(folder, path, bin[command]), ...args]);
}

/**
 * Starts the Node that Shingle needs, whatever Node runs this file. Plain JavaScript, so that an old Node can read it.
 * The packaged Node is found by resolving its package: npm 9 and 10 make no link to it in node_modules/.bin.
 */

import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants as system } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST = [24, 21];
const REFUSED = 78;
const INGEST_MEMORY_MB = '512'; // as in src/config.ts
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

/** What the packaged Linux builds are linked against: the loader of glibc. Musl systems such as Alpine have another. */
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };

/** The program: the TypeScript of a checkout as it is, or the JavaScript of the npm package. */
export const MAIN = [join(ROOT, 'src/main.ts'), join(ROOT, 'dist/src/main.js')].find(existsSync);

/** Reads the file `.env` of the current folder, if there is one. Variables that are set already stay as they are. */
export function readEnvFile() {
  try {
    process.loadEnvFile?.('.env');
  } catch (error) {
    if (error.code === 'ENOENT' && !existsSync('.env')) return; // Node says ENOENT of a file that it may not open, too
    const path = join(process.cwd(), '.env');
    process.stderr.write(
      `shingle: ${path} cannot be read: give it to the user of the service ("sudo chown USER ${path}")\n`,
    );
    process.exit(REFUSED);
  }
}

/**
 * Compiled code is kept beside the dependencies, for this process and those it starts: loading costs a third of the time from the second
 * start on. Nothing is kept where that folder cannot be written.
 */
export function keepCompiledCode() {
  const [dependencies = join(ROOT, 'node_modules')] = /^.*[\\/]node_modules(?=[\\/])/.exec(ROOT) ?? [];
  process.env.NODE_COMPILE_CACHE ??= join(dependencies, '.cache/shingle');
  module.enableCompileCache?.();
}

/** Whether the Node that runs this file can run Shingle. */
export function isNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * The flags of Node that a command of Shingle runs with. A service lets its young objects take 24 MiB, not 48. Commands that read what
 * publishers wrote have a bound of memory: what is no number is left to the program, which refuses it.
 */
export function flagsFor(command) {
  if (['serve', 'start'].includes(command)) return ['--max-semi-space-size=8'];
  if (!['ingest', 'check', 'init'].includes(command)) return [];
  const { INGEST_MEMORY_MB: memoryMb } = process.env;
  return [`--max-old-space-size=${/^\d{2,6}$/.test(memoryMb ?? '') ? memoryMb : INGEST_MEMORY_MB}`];
}

/** For glibc: two pools of memory instead of eight for each core, and memory that is not used goes back to the system. */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Runs Node with these arguments, on the running Node where it is new enough and on the packaged one otherwise. Replaces this process
 * where it can (`process.execve`); otherwise stays as the parent, forwards signals and ends as the child ends.
 */
export function launch(args) {
  const node = isNewEnough() ? process.execPath : packagedNode();
  if (node === undefined) {
    process.stderr.write(`${requirement()}\n`);
    process.exitCode = REFUSED;
  } else if (process.execve !== undefined && process.platform !== 'win32') {
    process.removeAllListeners('warning'); // execve is announced as experimental
    process.execve(node, [node, ...args], { ...ALLOCATION, ...process.env });
  } else {
    runAsChild(node, args);
  }
}

/** The path of the Node that came with the dependencies; `undefined` where there is none that this machine can run. */
function packagedNode() {
  const { platform, arch } = process;
  if (platform === 'linux' && !existsSync(LOADERS[arch] ?? '')) return undefined;
  const name = platform === 'win32' ? `node-win-${arch}` : `node-${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const path = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

function requirement() {
  const { platform, arch, versions } = process;
  return `Shingle needs Node ${OLDEST.join('.')} or newer. This is Node ${versions.node}, and no packaged Node for ${platform} ${arch} is installed: install a newer Node from nodejs.org or your package manager, or run "npm ci" again with optional dependencies.`;
}

function runAsChild(node, args) {
  const child = spawn(node, args, { stdio: 'inherit', env: { ...ALLOCATION, ...process.env } });
  // On Windows the child has had the Ctrl-C itself, and to forward a signal would end it at once.
  const forward = process.platform === 'win32' ? () => undefined : (signal) => child.kill(signal);
  for (const signal of FORWARDED) if (signal in system.signals) process.on(signal, forward);
  child.on('error', (error) => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`);
    process.exitCode = REFUSED;
  });
  child.on('exit', (code, signal) => {
    if (code === 127)
      process.stderr.write('If a shared library is missing: on Debian, install libatomic1.\n');
    if (signal === null) process.exit(code);
    for (const one of FORWARDED) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  });
}

/**
 * What the tests of deployments take from the machine they run on: its Debian mirror and npm registry, and a cache for what both of them
 * are asked for. `DEPLOY_CACHE` names a folder that stays; without it, everything is downloaded again.
 */

import assert from 'node:assert/strict';
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { started } from '../app/operations/a-proxy.ts';
import { packAndInstall } from '../package/a-package.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITE = 'trixie'; // Debian 13
const LONGEST_MS = 15 * 60_000; // a mirror and a registry are asked for hundreds of packages

const bin = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Why this machine cannot run what needs root and these programs, or false. */
export function withoutRoot(...programs: string[]): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = programs.find((name) => !bin(name));
  return missing !== undefined && `needs ${missing}`;
}

/** Why none of these ports can be taken, or false. A guest has the network of the machine. */
export async function takenPort(...ports: number[]): Promise<string | false> {
  for (const port of ports) {
    const server = createServer().listen(port, '0.0.0.0');
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!free) return `needs port ${port}`;
    server.close();
    await once(server, 'close');
  }
  return false;
}

const endings: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const end of endings.toReversed()) await end();
});

/** Done after the test file, the last one first: what runs in a folder ends before the folder is removed. */
export function atEnd(end: () => Promise<void> | void): void {
  endings.push(end);
}

/** A folder of this test file. */
export function aLargeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-deploy-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type Done = { code: number | null; said: string };

/** Runs a program to its end without blocking this process, which may serve what the program asks for. */
export async function done(program: string, args: string[], options: SpawnOptions = {}): Promise<Done> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
    ...options,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += bytes));
  const [code] = await once(child, 'close');
  return { code, said };
}

/** The same; fails with what it said unless that is well. */
export async function well(program: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  const { code, said } = await done(program, args, options);
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${said.slice(-4000)}`);
  return said;
}

/** The tarball of a Debian with these packages, made once for each cache. */
export async function debianTarball(
  name: string,
  packages: readonly string[],
  folder: string,
): Promise<string> {
  const cache = process.env.DEPLOY_CACHE ?? folder;
  mkdirSync(cache, { recursive: true });
  const tarball = join(cache, `${SUITE}-${name}.tar`);
  if (existsSync(tarball)) return tarball;
  const fresh = `${tarball}.${process.pid}.tar`;
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, await debianSources());
  const include = `--include=${packages.join(',')}`;
  await well('mmdebstrap', ['--variant=minbase', include, SUITE, fresh, sources]);
  renameSync(fresh, tarball);
  return tarball;
}

/** Debian's archives as this machine reaches them. */
async function debianSources(): Promise<string> {
  const listed = await well('apt-get', ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)']);
  const uriOf = (label: string) => new RegExp(`^Debian ${label} (\\S+)$`, 'm').exec(listed)?.[1];
  const [main, security] = [uriOf('Debian'), uriOf('Debian-Security')];
  assert.ok(main !== undefined, 'apt knows no archive of Debian');
  const lines = [`deb ${main} ${SUITE} main`, `deb ${main} ${SUITE}-updates main`];
  if (security !== undefined) lines.push(`deb ${security} ${SUITE}-security main`);
  return `${lines.join('\n')}\n`;
}

export type Registry = {
  /** npm's settings for it, as lines of an npmrc; `cafile` is where the certificates of the machine are. */
  npmrc(cafile: string): string;
  /** The file of the authorities that the machine's npm trusts, if it is told of any. */
  certificates: string | undefined;
  name: string;
  version: string;
  next: string;
  /** From now on the next version is there, too. */
  publishNext(): void;
};

/** A registry with this checkout as a published version, and the same as the next one. */
export async function aRegistry(folder: string): Promise<Registry> {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  packAndInstall(packed);
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    'name' | 'version',
    string
  >;
  const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const tarball = (of: string) => join(packed, `${name.replace('@', '').replace('/', '-')}-${of}.tgz`);
  await well('tar', ['xzf', tarball(version), '-C', packed]);
  await well('sed', [
    '-i',
    `s/"version": "${version}"/"version": "${next}"/`,
    join(packed, 'package/package.json'),
  ]);
  const hidden = join(packed, 'not-yet.tgz');
  await well('tar', ['czf', hidden, '-C', packed, 'package']);
  const setting = async (name: string) => {
    const { said } = await done('npm', ['config', 'get', name], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return ['null', 'undefined', ''].includes(said.trim()) ? undefined : said.trim();
  };
  const upstream = (await setting('registry'))!;
  const certificates = (await setting('cafile')) ?? process.env.NODE_EXTRA_CA_CERTS;
  const tarballs = [tarball(version), tarball(next)];
  const program = [process.execPath, join(ROOT, '.ci/registry.mjs'), upstream, ...tarballs];
  const server = started('setpriv', ['--pdeathsig', 'KILL', ...program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(server.stdout!, 'data');
  return {
    npmrc: (cafile) =>
      `registry=${String(address).trim()}\n${certificates ? `cafile=${cafile}\n` : ''}yes=true\n`,
    certificates,
    name,
    version,
    next,
    publishNext: () => renameSync(hidden, tarball(next)),
  };
}

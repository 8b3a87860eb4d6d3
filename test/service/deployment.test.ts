/** What operators are handed is true: the commands of the docs, the proxy, the unit, and what the image consists of. */

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { running, shingle, until } from '../a-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TIMEOUT = { timeout: 90_000 };
const run = promisify(execFile);
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Why a program's tests cannot run here; never on CI. */
const without = (path: string) => !existsSync(path) && process.env.CI === undefined && `there is no ${path}`;

function aPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-deploy-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The indented commands of a section of the docs, in order. */
function commandsIn(section: string): string[] {
  const body = text('docs/operating.md').split(`## ${section}\n`)[1]!.split('\n## ')[0]!;
  return body
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim());
}

test('the walk through backup and restore does what it says', TIMEOUT, async () => {
  const folder = aPlace();
  const env = { SHINGLE_DATA: join(folder, 'data') };
  assert.equal((await shingle(['ingest'], env)).code, 0);
  mkdirSync(join(env.SHINGLE_DATA, 'backups'), { recursive: true });
  const commands = commandsIn('Backup and restore');
  assert.equal(commands.length, 4);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  assert.match(stdout, /kept/);
  const service = await running(['serve'], env);
  const health = await until(async () => {
    const { listings } = (await (await fetch(`${service.url}/api/health`)).json()) as { listings: number };
    return listings > 0 ? listings : undefined;
  }, 'listings');
  assert.equal(health, 4320);
  assert.equal(await service.stop(), 0);
});

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The file as shipped, but for its ports, its certificate and where it logs. */
function nginxConf(folder: string, ports: { plain: number; tls: number; upstream: string }): string {
  const key = join(folder, 'privkey.pem');
  const certificate = join(folder, 'fullchain.pem');
  const subject = ['-subj', '/CN=openings.example.org', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  );
  const conf = text('deploy/nginx.conf')
    .replaceAll('/etc/ssl/openings.example.org', folder)
    .replace('/var/log/nginx/access.log', join(folder, 'access.log'))
    .replace('server 127.0.0.1:3000', `server ${ports.upstream}`)
    .replaceAll(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
    .replace('listen 443', `listen 127.0.0.1:${ports.tls}`);
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\n${conf}`);
  return path;
}

test('nginx as shipped: TLS, one budget whatever clients say of themselves, no query in its log', {
  ...TIMEOUT,
  skip: without('/usr/sbin/nginx'),
}, async () => {
  const folder = aPlace();
  const env = {
    SHINGLE_DATA: join(folder, 'data'),
    TRUST_PROXY: '127.0.0.1/32',
    PUBLIC_URL: 'https://openings.example.org',
  };
  assert.equal((await shingle(['ingest'], env)).code, 0);
  const service = await running(['serve'], env);
  const [plain, tls] = [await aFreePort(), await aFreePort()];
  const conf = nginxConf(folder, { plain, tls, upstream: new URL(service.url).host });
  await run('/usr/sbin/nginx', ['-t', '-p', folder, '-c', conf]);
  const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', conf], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  after(() => nginx.kill('SIGKILL'));

  const agent = new Agent({ rejectUnauthorized: false });
  const ask = async (
    path: string,
    forwarded?: string,
  ): Promise<{ status: number; headers: Record<string, unknown>; body: string }> => {
    const headers = {
      Host: 'openings.example.org',
      ...(forwarded && { 'X-Forwarded-For': forwarded, Forwarded: `for=${forwarded}` }),
    };
    const asked = request({ host: '127.0.0.1', port: tls, path, headers, agent, timeout: 5_000 }).end();
    const [response] = await once(asked, 'response');
    let body = '';
    for await (const chunk of response) body += chunk;
    return { status: response.statusCode, headers: response.headers, body };
  };
  await until(
    () =>
      ask('/api/health').then(
        ({ status }) => (status === 200 ? true : undefined),
        () => undefined,
      ),
    'nginx',
  );
  const left = async (forwarded: string) =>
    Number(
      /"rows";r=(\d+)/.exec(String((await ask('/api/search?limit=5', forwarded)).headers.ratelimit))![1],
    );
  const before = await left('203.0.113.1');
  assert.deepEqual(
    [await left('203.0.113.2'), await left('198.51.100.3, 10.0.0.1')],
    [before - 5, before - 10],
  );
  const health = JSON.parse((await ask('/api/health')).body) as { status: string; detail?: string };
  assert.deepEqual([health.status, health.detail], ['ok', undefined]);
  const page = await ask('/?q=coffee');
  assert.deepEqual([page.status, page.headers['strict-transport-security']], [200, 'max-age=31536000']);
  assert.equal((await ask('/confirm?token=secret-of-somebody')).status, 404);
  nginx.kill('SIGQUIT');
  await ended;
  agent.destroy();
  const log = readFileSync(join(folder, 'access.log'), 'utf8');
  assert.match(log, /"GET \/confirm" 404/);
  assert.doesNotMatch(log, /secret-of-somebody|coffee/);
  assert.equal(await service.stop(), 0);
});

test('the unit of systemd is sound and well shut in', {
  ...TIMEOUT,
  skip: without('/usr/bin/systemd-analyze'),
}, async () => {
  const folder = aPlace();
  const unit = join(folder, 'shingle.service');
  writeFileSync(
    unit,
    text('deploy/shingle.service')
      .replaceAll('/opt/shingle', ROOT.replace(/\/$/, ''))
      .replace('User=shingle', 'User=root'),
  );
  const { stderr } = await run('systemd-analyze', ['verify', unit]);
  assert.equal(stderr, '');
  const { stdout } = await run('systemd-analyze', [
    'security',
    '--offline=true',
    join(ROOT, 'deploy/shingle.service'),
  ]);
  const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)![1]);
  assert.ok(exposure < 2, `${exposure}`);
});

test('the image has what the program needs and nothing for building it', TIMEOUT, async () => {
  const folder = join(aPlace(), 'app');
  const dockerfile = text('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  );
  assert.deepEqual([...new Set(copied)].toSorted(), [
    '.npmrc',
    'bin',
    'cities',
    'package-lock.json',
    'package.json',
    'src',
  ]);
  for (const path of copied) {
    assert.ok(text('.dockerignore').includes(`!${path}\n`), path);
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  assert.match(dockerfile, /^RUN npm ci --omit=dev$/m);
  await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder, timeout: 80_000 });
  assert.ok(!existsSync(join(folder, 'node_modules/typescript')));
  const [program, ...args] = JSON.parse(
    /^CMD (\[.*\])$/m.exec(dockerfile)![1]!.replaceAll('/app/', './'),
  ) as string[];
  const [probe, ...probing] = JSON.parse(
    /HEALTHCHECK[\s\S]*?CMD (\[.*\])$/m.exec(dockerfile)![1]!.replaceAll('/app/', './'),
  ) as string[];
  const port = await aFreePort();
  const env = { PATH: process.env.PATH ?? '', PORT: String(port), SHINGLE_DATA: join(folder, 'data') };
  const child = spawn(program!, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  after(() => child.kill('SIGKILL'));
  const probed = probing.map((part) => part.replace(':3000/', `:${port}/`));
  await until(
    () =>
      run(probe!, probed, { cwd: folder }).then(
        () => true,
        () => undefined,
      ),
    'a healthy service',
  );
  child.kill('SIGTERM');
  assert.equal((await ended)[0], 0);
});

test('the image runs as nobody in particular, and compose trusts its own network alone', () => {
  const dockerfile = text('deploy/Dockerfile');
  assert.ok(dockerfile.indexOf('\nUSER 10001') > dockerfile.indexOf('FROM debian'));
  const compose = text('deploy/compose.yaml');
  const [, trusted] = /TRUST_PROXY: (\S+)/.exec(compose)!;
  const [, subnet] = /subnet: (\S+)/.exec(compose)!;
  assert.equal(trusted, subnet);
  assert.equal([...compose.matchAll(/read_only: true/g)].length, 2);
  const known = new Set([...text('src/config.ts').matchAll(/env\.([A-Z_]+)/g)].map(([, name]) => name));
  const service = compose.split('caddy:')[0]!;
  const set = [
    ...service.matchAll(/^ {6}([A-Z_]+):/gm),
    ...dockerfile.matchAll(/([A-Z_]+)=(?=\S+( |$))/g),
  ].map(([, name]) => name!);
  for (const name of set.filter((one) => one !== 'SHINGLE'))
    assert.ok(known.has(name) || /^(USER|CMD)$/.test(name), name);
});

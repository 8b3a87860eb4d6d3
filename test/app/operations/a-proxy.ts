/** The proxies as deploy/ ships them, in front of services of a test, and a client for them. */

import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../a-port.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
export const shipped = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
export const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

/** Runs a program to its end. */
export const ran = (program: string, args: string[], cwd?: string) =>
  spawnSync(program, args, { cwd, encoding: 'utf8', timeout: PATIENCE_MS, killSignal: 'SIGKILL' });

/** A reason to skip where a program is not installed; `must` it be there, its absence fails on CI. */
export function without(program: string, must = false): string | false {
  const isThere = ran('sh', ['-c', `command -v ${program}`]).status === 0;
  return !isThere && !(must && process.env.CI !== undefined) && `needs ${program}`;
}

/** Starts a program; it and those it starts are ended after the test at the latest. */
export function started(program: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options);
  after(() => ended(child));
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** What it has written so far, on stdout and stderr. */
export function saidBy(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += bytes));
  return () => said;
}

export type Asked = { headers?: Record<string, string>; from?: string; body?: string };
export type Answer = { status: number; headers: Record<string, unknown>; text: string };

/** Asks a proxy, from any address of the loopback. */
export async function ask(proxy: string, path: string, { headers, from, body }: Asked = {}): Promise<Answer> {
  const make = proxy.startsWith('https:') ? secure : plain;
  const asking = make(`${proxy}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: 'openings.example.org', ...headers },
    localAddress: from ?? (proxy.includes('[::1]') ? '::1' : '127.0.0.1'),
    agent: false,
    rejectUnauthorized: false,
    timeout: PATIENCE_MS,
  });
  asking.on('timeout', () => asking.destroy(new Error('no answer')));
  asking.end(body);
  const [response] = await once(asking, 'response');
  const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
  return { status: response.statusCode, headers: response.headers, text };
}

export type ProxyServer = {
  /** Where it serves; nginx with TLS. */
  url: string;
  /** Where it sends people to `url`. */
  plainUrl: string;
  logs(): string;
  stop(): Promise<void>;
};

/** `services` are addresses such as `http://127.0.0.1:3000`; `more` are directives for all of it. */
export async function nginxAsShipped(
  folder: string,
  services: readonly string[],
  more: readonly string[] = [],
): Promise<ProxyServer> {
  const [http, https] = [await freePort(), await freePort()];
  const portOf = (port: string) => (port === '80' ? http : https);
  const names = ['-subj', '/CN=openings.example.org', '-keyout', 'privkey.pem', '-out', 'fullchain.pem'];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names];
  assert.equal(ran('openssl', make, folder).status, 0);
  const site = shipped('deploy/nginx-site.conf')
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replaceAll('/etc/letsencrypt/live/openings.example.org/', `${folder}/`)
    .replace(/server 127\.0\.0\.1:3000(.*;)/, (_, rest) =>
      services.map((url) => `server ${new URL(url).host}${rest}`).join('\n'),
    )
    .replace(/listen (\d+)/g, (_, port) => `listen 127.0.0.1:${portOf(port)}`)
    .replace(/listen \[::\]:(\d+)(.*)/g, (_, port, rest) =>
      HAS_IPV6 ? `listen [::1]:${portOf(port)}${rest}` : '',
    );
  writeFileSync(join(folder, 'site'), knowsHttp2() ? site : asTheFileSays(site));
  const text = asDebianHasIt(folder, more);
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, text);
  const checked = ran('nginx', ['-t', '-c', config]);
  assert.equal(checked.status, 0, checked.stderr);
  assert.doesNotMatch(checked.stderr, /\[warn\](?!.*super-user)/);
  const nginx = started('nginx', ['-c', config, '-g', 'daemon off;'], { stdio: 'ignore' });
  const logs = () => globSync(`${folder}/*.log`).map((log) => readFileSync(log, 'utf8'));
  return answering({
    ...{ url: `https://127.0.0.1:${https}`, plainUrl: `http://127.0.0.1:${http}` },
    ...{ logs: () => logs().join(''), stop: () => ended(nginx) },
  });
}

async function answering(proxy: ProxyServer): Promise<ProxyServer> {
  await until(() => ask(proxy.url, '/api/health').catch(() => undefined), `the proxy: ${proxy.logs()}`);
  return proxy;
}

/** Debian's nginx.conf with what it includes, but for its paths. */
function asDebianHasIt(folder: string, more: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'];
  return `
    user www-data;
    worker_processes auto;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 768; }
    http {
      ${[...temporary.map((it) => `${it}_temp_path ${folder}/${it};`), ...more].join('\n')}
      sendfile on;
      tcp_nopush on;
      types_hash_max_size 2048;
      server_tokens off;
      default_type application/octet-stream;
      ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
      ssl_prefer_server_ciphers on;
      access_log ${folder}/access.log;
      gzip on;
      include ${folder}/site;
    }
  `;
}

/** nginx 1.25.1 has the directive that the file uses. */
function knowsHttp2(): boolean {
  const [, major, minor] = /nginx\/(\d+)\.(\d+)/.exec(ran('nginx', ['-v']).stderr) ?? [];
  return Number(major) > 1 || Number(minor) > 25;
}

/** What the file tells operators of an older nginx to write. */
const asTheFileSays = (site: string) =>
  site.replace('  http2 on;\n', '').replace(/(listen .*) ssl;/g, '$1 ssl http2;');

/** `changed` is what a test, or an operator as the file says, makes of the file. */
export async function caddyAsShipped(
  folder: string,
  services: readonly string[],
  changed: (text: string) => string = (text) => text,
): Promise<ProxyServer> {
  const port = await freePort();
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, changed(shipped('deploy/Caddyfile')));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PUBLIC_URL: `http://openings.example.org:${port}`,
    UPSTREAM: services.map((url) => new URL(url).host).join(' '),
  };
  const caddy = started('caddy', ['run', '--adapter', 'caddyfile', '--config', config], { env });
  const url = `http://127.0.0.1:${port}`;
  return answering({ url, plainUrl: url, logs: saidBy(caddy), stop: () => ended(caddy) });
}

/** Tests the files in deploy/ and the commands in docs/operate.md and docs/deploy.md: runs them if possible, and otherwise checks their text. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { ClientRequest } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAddressReader } from '../../../src/service/web/limits/client-address.ts';
import { command } from '../../a-command.ts';
import { aFolder } from '../../a-folder.ts';
import { type Running, running } from '../../a-process.ts';
import { machineEnv } from '../../environment.ts';
import { PATIENCE_MS } from '../../patience.ts';
import { until } from '../../until.ts';
import {
  type Asked,
  ask,
  caddyAsShipped,
  nginxAsShipped,
  type ProxyServer,
  ROOT,
  ran,
  shipped,
  without,
} from './a-proxy.ts';

const BACKUP = shipped('docs/operate.md');
const DEPLOY = shipped('docs/deploy.md');
const PAGE = shipped('docs/serve-your-town.md');
const DOCKERFILE = shipped('deploy/Dockerfile');
const COMPOSE = shipped('deploy/compose.yaml');
const UNIT = shipped('deploy/shingle.service');

const folder = aFolder();
fs.chmodSync(folder, 0o755); // other users look into it, as they do in an image

function freshFolder(name: string): string {
  const path = join(folder, name);
  fs.mkdirSync(path);
  return path;
}

const sample = join(folder, 'sample');
assert.equal((await command(['ingest'], { SHINGLE_DATA: sample })).code, 0);

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

const TRUST_PROXY = /^ {4}TRUST_PROXY=(.*)$/m.exec(PAGE)![1]!;

/** The indented blocks of commands below a heading of a page. */
function commandsBelow(page: string, heading: string): string[] {
  const section = page.split(heading)[1]!.split(/^#{2,3} /m)[0]!;
  return all(section, /\n\n((?: {4}.*\n)+)/g).map((block) => block.replace(/^ {4}/gm, ''));
}

test('the commands for backup and restore bring back the listings, on the same machine and on a new machine', async () => {
  const app = freshFolder('installation'); // the program as a checkout has it
  for (const path of ['package.json', 'package-lock.json', '.npmrc', 'bin', 'src', 'cities'])
    fs.cpSync(join(ROOT, path), join(app, path), { recursive: true });
  fs.symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
  const backups = join(folder, 'backups');
  fs.mkdirSync(backups);
  const [, backUp = '', restore = ''] = commandsBelow(BACKUP, '## On a server, step by step').map((block) =>
    block.replaceAll('/var/backups/shingle', backups),
  );
  const env = { SHINGLE_DATA: join(folder, 'data') };
  const bash = (commands: string, more = {}) =>
    execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: app,
      env: { ...machineEnv(), ...env, ...more },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'], // of a socket on stdin bash thinks that it is a login
      timeout: PATIENCE_MS,
    });
  const subscribers = async (more = {}) =>
    (await command(['subscribers', 'list'], { ...env, ...more })).out.split('\n').length;
  const served = (by: Running) => until(() => totalOf(by.url), 'a total');

  fs.cpSync(sample, env.SHINGLE_DATA, { recursive: true });
  const first = await running(['serve'], env);
  const whole = await served(first);
  const search = await fetch(`${first.url}/api/search?limit=1`);
  const { listings } = (await search.json()) as { listings: { name: string }[] };
  await command(['suppress', 'add', listings[0]!.name, '--reason', 'asked'], env);
  const total = await until(async () => {
    const now = await totalOf(first.url);
    return now !== whole && now;
  }, 'the suppression');
  for (const name of 'ab') await command(['subscribers', 'add', `${name}@example.org`, '--confirmed'], env);
  const two = await subscribers();
  assert.match(bash(backUp), /can be restored: [\d,]+ listings, 2 subscribers\n$/);
  await command(['subscribers', 'erase', 'a@example.org'], env);
  assert.throws(() => bash(restore), /is in use: stop Shingle first/);
  assert.equal(await first.stop(), 0);

  fs.truncateSync(join(env.SHINGLE_DATA, 'shingle.db'), 5000);
  fs.writeFileSync(join(env.SHINGLE_DATA, 'shingle.db-wal'), 'of the lost database');
  assert.equal((await command(['serve'], env)).code, 78);
  assert.match(
    bash(restore),
    /^restored .*: [\d,]+ listings, 1 subscriber\nthe removals and corrections of the previous database cannot be read .*\nthe previous database is /,
  );
  assert.equal(await subscribers(), two - 1, 'who was erased after the backup stays away');
  const second = await running(['serve'], env);
  assert.equal(await served(second), total);
  bash(backUp);
  assert.equal(await second.stop(), 0);

  const elsewhere = { SHINGLE_DATA: join(folder, 'new-machine') };
  bash(restore, elsewhere);
  assert.match(fs.readFileSync(join(elsewhere.SHINGLE_DATA, 'departures.log'), 'utf8'), /erased/);
  assert.equal(await subscribers(elsewhere), two - 1);
  assert.equal(await served(await running(['serve'], { ...env, ...elsewhere })), total);
});

async function totalOf(url: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/api/search?limit=0`);
  return answer.status === 200 ? ((await answer.json()) as { total: number }).total : undefined;
}

async function aService(publicUrl: string, name: string): Promise<Running> {
  const env = { SHINGLE_DATA: join(folder, name), TRUST_PROXY, PUBLIC_URL: publicUrl };
  fs.cpSync(sample, env.SHINGLE_DATA, { recursive: true });
  const service = await running(['serve'], env);
  await until(() => totalOf(service.url), 'the sample');
  return service;
}

/** Everything the docs promise of a proxy, with a client that lies about itself. Ends the service. */
async function tryProxy({ url, logs }: ProxyServer, service: Running): Promise<void> {
  const asked = (path: string, more?: Asked) => ask(url, path, more);
  const left = async (more: Asked) => {
    const { headers } = await asked('/api/search?limit=0', more);
    return Number(/"burst";r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
  };
  const first = await left({});
  const startedMs = performance.now();
  const lies = ['203.0.113.1', '203.0.113.2, 127.0.0.1', '::1'];
  for (const [i, lie] of lies.entries()) {
    const headers = { 'x-forwarded-for': lie, forwarded: `for=${lie}`, 'x-real-ip': lie };
    const now = await left({ headers });
    const back = Math.ceil((performance.now() - startedMs) / 100); // ten requests come back in a second
    assert.ok(
      now >= first - i - 1 && now <= Math.min(599, first - i - 1 + back),
      `${lie}: ${now} of ${first}`,
    );
  }
  assert.ok((await left({ from: '127.0.0.2' })) >= first, 'another visitor has another budget');
  const health = await asked('/api/health', { headers: { 'x-forwarded-for': '203.0.113.4' } });
  const { status, detail } = JSON.parse(health.text);
  assert.deepEqual([health.status, status, detail], [200, 'ok', undefined]);
  assert.equal((await asked('/')).headers['strict-transport-security'], 'max-age=31536000');

  const type = 'application/x-www-form-urlencoded';
  const headers = { 'content-type': type, origin: 'https://openings.example.org' };
  const signup = async (body: string) => (await asked('/signup', { headers, body })).status;
  assert.ok((await signup('email=a%40example.org&type=weekly')) < 300);
  assert.equal(await signup('x'.repeat(5000)), 413, 'more than Shingle takes');
  assert.ok([413, 502].includes(await signup('x'.repeat(65_537)))); // Caddy 2.6 says 502

  const links = ['/confirm', '/unsubscribe', '/manage'];
  for (const path of links) assert.ok((await asked(`${path}?token=SECRET`)).status < 500);
  await service.stop();
  for (const path of links) assert.equal((await asked(`${path}?token=SECRET`)).status, 502);
  await until(() => /\/manage\W.*502/.test(logs()), 'a line for the last request');
  assert.doesNotMatch(logs(), /SECRET|token/);
}

test('the nginx site ignores forged client addresses, and logs no token', {
  skip: without('nginx', true) || without('openssl', true),
}, async () => {
  const service = await aService('https://openings.example.org', 'behind-nginx');
  const nginx = await nginxAsShipped(freshFolder('nginx'), [service.url]);
  await tryProxy(nginx, service);
  const sent = await ask(nginx.plainUrl, '/api/search?q=a');
  assert.equal(sent.headers.location, 'https://openings.example.org/api/search?q=a');
  await nginx.stop();
});

test('nginx as shipped allows a client 100 requests at a time, and answers other clients meanwhile', {
  skip: without('nginx', true) || without('openssl', true),
}, async (t) => {
  const service = await aService('https://openings.example.org', 'crowded-nginx');
  const nginx = await nginxAsShipped(freshFolder('nginx-crowd'), [service.url]);
  const health = async (from: string) => (await ask(nginx.url, '/api/health', { from })).status;
  const crowd = new Set<ClientRequest>();
  t.after(() => crowd.forEach((slow) => void slow.removeAllListeners('close').destroy()));
  const begin = (): void => {
    const headers = { host: 'openings.example.org', 'content-length': 40 };
    const options = { method: 'POST', headers, agent: false, rejectUnauthorized: false } as const;
    const slow = https.request(`${nginx.url}/api/signup`, options).on('error', () => undefined);
    crowd.add(slow);
    slow.on('close', () => crowd.delete(slow) && begin()); // nginx gives up on it after 15 seconds
    slow.flushHeaders(); // and never a body
  };
  for (let i = 0; i < 100; i++) begin();
  const isFull = async () => (await health('127.0.0.1')) === 429;
  await until(isFull, 'the 101st to be refused');
  assert.equal(await health('127.0.0.2'), 200);
});

test('the Caddyfile ignores forged client addresses, and logs no token', {
  skip: without('caddy', true),
}, async () => {
  const service = await aService('https://openings.example.org', 'behind-caddy');
  await tryProxy(await caddyAsShipped(freshFolder('caddy'), [service.url]), service);
});

test('the systemd unit is valid and restrictive', { skip: without('systemd-analyze', true) }, () => {
  const path = join(freshFolder('unit'), 'shingle.service');
  fs.writeFileSync(path, UNIT.replaceAll(/^(WorkingDirectory=)\/srv\/shingle/gm, `$1${ROOT}`));
  const analyze = (...args: string[]) => ran('systemd-analyze', ['--no-pager', ...args, path]);
  const verified = analyze('verify');
  assert.deepEqual([verified.status, verified.stderr.match(/.*shingle\.service.*/g)], [0, null]);
  const { stdout } = analyze('security', '--offline=true');
  const exposure = Number(/exposure level for shingle\.service: ([\d.]+)/.exec(stdout)?.[1]);
  assert.ok(exposure < 2.5, `exposure ${exposure}`);
  assert.doesNotMatch(UNIT, /^MemoryDenyWriteExecute/m);
  assert.match(UNIT, /^ReadWritePaths=-\S+\/data$/m, 'it starts where the folder does not exist yet');
});

test('image, compose file, unit and proxies agree with each other and with the program', () => {
  const ignored = shipped('deploy/Dockerfile.dockerignore').split('\n');
  for (const path of ['data', 'filings', 'check.html', '.env', '.git', 'node_modules'])
    assert.ok(ignored.includes(path), path);
  assert.match(COMPOSE, /^ {6}- \.\/filings:\/app\/filings:ro\b/m, 'the register is mounted');
  assert.match(all(DOCKERFILE, /^USER (.*)$/gm).at(-1)!, /^10001:10001$/);

  const [, ours = '', caddy = ''] = COMPOSE.split(/^ {2}(?:shingle|caddy):$/m);
  const networks = all(COMPOSE, /^ +- subnet: (.*)$/gm);
  assert.equal(/TRUST_PROXY: (.*)/.exec(ours)?.[1], networks.join(','));
  openAddressReader([...networks, TRUST_PROXY], Date.now); // throws where one is no network
  for (const line of [
    'read_only: true',
    'cap_drop: [ALL]',
    'no-new-privileges:true',
    'stop_grace_period: 15s',
  ])
    assert.ok(ours.includes(line) && caddy.includes(line), line);
  assert.doesNotMatch(ours, /^ {4}(?:ports|privileged|cap_add):/m);
  for (const [text, pattern, most] of [
    [ours, /^ {4}mem_limit: (\d+)g/m, 2],
    [caddy, /^ {4}mem_limit: (\d+)m/m, 512],
    [UNIT, /^MemoryMax=(\d+)G$/m, 2],
    [UNIT, /^MemoryHigh=(\d+)M$/m, 2047],
  ] as const)
    assert.ok(Number(pattern.exec(text)?.[1]) <= most, String(pattern));
  assert.match(UNIT, /^OOMPolicy=continue$/m);

  const read = all(shipped('src/config.ts'), /(?:env\.|read\(')([A-Z_]+)/g);
  const set = [
    ...all(DOCKERFILE, /^ENV (.*)$/gm).flatMap((line) => all(line, /([A-Z_]+)=/g)),
    ...all(ours, /^ {6}([A-Z_]+):/gm),
    ...all(UNIT, /^Environment=([A-Z_]+)=/gm),
    ...all(PAGE, /^ {4}([A-Z_]+)=/gm),
  ];
  assert.ok(set.length > 12);
  const isOfNode = (name: string) => name === 'NODE_COMPILE_CACHE';
  for (const name of set) assert.ok(read.includes(name) || isOfNode(name), `${name} is read by nobody`);
  const wanted = all(shipped('deploy/Caddyfile'), /\{\$([A-Z_]+)/g);
  assert.deepEqual(all(caddy, /^ {6}([A-Z_]+):/gm).toSorted(), wanted.toSorted());
});

test('the commands of the docs pin every base image by its digest', () => {
  const images = {
    ...imagesIn(DOCKERFILE, /^ARG (\w+_IMAGE)=(\S+)$/gm),
    ...imagesIn(COMPOSE, /\$\{(\w+_IMAGE):-([^}]+)\}/g),
  };
  assert.deepEqual(Object.keys(images).toSorted(), ['BASE_IMAGE', 'CADDY_IMAGE', 'NODE_IMAGE']);
  const used = [...all(DOCKERFILE, /^FROM (\S+)/gm), ...all(COMPOSE, /^ +image: (\S+)$/gm)];
  assert.equal(used.length, 3);
  for (const image of used) assert.match(image, /^\$\{(NODE|BASE|CADDY)_IMAGE\b/, 'no image beside these');
  for (const [name, image] of Object.entries(imagesIn(DOCKERFILE, /^ARG (\w+_IMAGE)=(\S+)$/gm)))
    assert.ok(COMPOSE.includes(`${name}: \${${name}:-${image}}`), `${name} reaches the build`);
  const [, pinned] = commandsBelow(DEPLOY, '## Docker\n');
  for (const [name, image] of Object.entries(images))
    assert.ok(pinned!.includes(`pin ${name} ${image}`), name);
});

function imagesIn(text: string, pattern: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(pattern)].map(([, name, image]) => [name!, image!]));
}

/**
 * The images of a drafted city and of a checkout, built by podman from deploy/Dockerfile as it is. The city runs with the settings of
 * deploy/compose.yaml: a read-only root, user 10001, no capabilities. The base images have the names that the Dockerfile asks for, and are
 * made of Debian 13.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../a-port.ts';
import { started } from '../app/operations/a-proxy.ts';
import { blockWith } from '../blocks.ts';
import { until } from '../until.ts';
import { aLargeFolder, aRegistry, atEnd, debianTarball, done, ROOT, well, withoutRoot } from './a-machine.ts';

const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
const COMPOSE = readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8');
const IMAGE = 'localhost/my-town';
/** What a Debian 13 needs to stand for an image: Node and npm are part of the one, the other is bare. */
const BASES: Record<string, string[]> = {
  NODE_IMAGE: ['ca-certificates', 'npm'],
  BASE_IMAGE: ['ca-certificates'],
};
/** A machine may forbid what podman asks for by default. */
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=32768:32768'];

const skip = withoutRoot('mmdebstrap', 'setpriv', 'podman', 'runc', 'apt-get', 'npm');
const { folder, podman, name, npmrc, build } = skip === false ? await prepare() : ({} as Prepared);

test('the image of a city is built from the Dockerfile, and runs as the compose file describes', {
  skip,
}, async () => {
  const town = await aTown(folder, name, npmrc);
  await build(town, join(town, 'node_modules/shingle/deploy/Dockerfile'), IMAGE);

  await well('sh', ['-c', readFilingsCommand()], { cwd: town });
  const port = String(await freePort());
  const env = join(folder, 'env');
  writeFileSync(env, 'OPERATOR_NAME=Otterfall Library\nOPERATOR_CONTACT=library@example.org\n');
  const settings = [
    ...LIMITS,
    ...composeSettings(town),
    '--network=host',
    '--no-healthcheck',
    '--env-file',
    env,
  ];
  const run = ['run', '--rm', '--name=town', ...settings, '--env', 'HOST=127.0.0.1', '--env', `PORT=${port}`];
  const service = started('podman', [...podman.options, ...run, '--volume', 'town:/data', IMAGE], {
    env: podman.env,
    stdio: 'ignore',
  });
  const ended = once(service, 'exit');
  const inside = (...command: string[]) => podman('exec', 'town', ...command);
  const status = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status;
  await until(async () => {
    assert.equal(service.exitCode, null, 'the container has ended');
    return (await status('/')) === undefined ? undefined : true;
  }, 'an answer');
  await until(async () => ((await status('/api/search')) === 200 ? true : undefined), 'the listings');

  assert.match(await inside('id'), /^uid=10001\b.* gid=10001\b/);
  const facts = await inside('cat', '/proc/1/status');
  for (const [name, value] of Object.entries({
    CapEff: '0000000000000000',
    CapBnd: '0000000000000000',
    NoNewPrivs: '1',
  }))
    assert.match(facts, new RegExp(`^${name}:\\s*${value}$`, 'm'));
  assert.match(await inside('cat', '/proc/1/limits'), /^Max core file size +0 +0 /m);
  for (const path of ['/app/x', '/etc/x', '/usr/local/bin/x']) {
    const { code, said } = await done('podman', [...podman.options, 'exec', 'town', 'touch', path], {
      env: podman.env,
    });
    assert.notEqual(code, 0, path);
    assert.match(said, /Read-only file system/, path);
  }
  await inside('touch', '/data/x', '/tmp/x');
  assert.equal(
    (await inside('ls', '-a', '/app')).match(/^(\.env|data|\.git)$/m),
    null,
    'what the image must not hold',
  );

  const bare = ['run', '--rm', ...LIMITS, '--entrypoint', 'ls', IMAGE, '-A', '/app/filings'];
  assert.doesNotMatch(await podman(...bare), /\S\.csv/, 'the register is not in the image');

  const health = JSON.parse(/^ {2}CMD (\[.*\])/m.exec(DOCKERFILE)![1]!) as string[];
  await inside(...health);
  const backup = /^docker compose exec shingle (shingle backup .*)$/m.exec(
    readFileSync(join(ROOT, 'docs/operate.md'), 'utf8').replaceAll(/^ {4}/gm, ''),
  )![1]!;
  await inside(...backup.split(' '));
  const grace = /stop_grace_period: (\d+)s/.exec(COMPOSE)![1]!;
  await podman('stop', '--time', grace, 'town');
  assert.deepEqual(await ended, [0, null], 'it stops by itself, before it is killed');

  const again = [...settings, '--rm', '--volume', 'town:/data', IMAGE, 'runs'];
  assert.match(await podman('run', ...again), /kept/, 'the volume keeps the data');
});

test('the image of a checkout serves the sample city, as the README says', { skip }, async () => {
  const [, file = '', tag = ''] =
    /^docker build -t shingle -f (\S+) \. && docker run --rm -p 127\.0\.0\.1:3000:3000 (\S+)$/m.exec(
      blockWith('README.md', 'docker build'),
    )!;
  const checkout = join(folder, 'shingle');
  await well('git', ['clone', '--quiet', ROOT, checkout]);
  appendFileSync(join(checkout, '.npmrc'), npmrc);
  await build(checkout, join(checkout, file), `localhost/${tag}`);
  const run = ['run', '--rm', '--name=sample', ...LIMITS, '--network=none', '--no-healthcheck'];
  const service = started('podman', [...podman.options, ...run, `localhost/${tag}`], {
    env: podman.env,
    stdio: 'ignore',
  });
  const asked =
    "fetch('http://127.0.0.1:3000/api/search?q=coffee').then((one) => one.text()).then(console.log)";
  await until(async () => {
    assert.equal(service.exitCode, null, 'the container has ended');
    const { said } = await done('podman', [...podman.options, 'exec', 'sample', 'node', '-e', asked], {
      env: podman.env,
    });
    return /"name":"[^"]*Coffee/.test(said) ? true : undefined;
  }, 'a search for coffee');
  await podman('stop', 'sample');
});

type Podman = { (...args: string[]): Promise<string>; options: string[]; env: NodeJS.ProcessEnv };

type Prepared = {
  folder: string;
  podman: Podman;
  name: string;
  npmrc: string;
  build(context: string, dockerfile: string, tag: string): Promise<string>;
};

/** What both images need: a registry, the base images, and how to build. */
async function prepare(): Promise<Prepared> {
  const folder = aLargeFolder();
  const registry = await aRegistry(folder);
  const podman = await aPodman(folder);
  const certificates = registry.certificates
    ? ['--volume', `${registry.certificates}:${registry.certificates}:ro`]
    : [];
  const build = (context: string, dockerfile: string, tag: string) =>
    podman('build', '--layers=false', '--format=docker', '--isolation=chroot', '--network=host', '--pull=never', ...LIMITS,
      ...certificates, '--ignorefile', `${dockerfile}.dockerignore`, '--file', dockerfile, '--tag', tag, context); // biome-ignore format: a command line
  return { folder, podman, name: registry.name, npmrc: registry.npmrc(registry.certificates ?? ''), build };
}

/** With a store of its own, and base images of the names that the Dockerfile has. */
async function aPodman(folder: string): Promise<Podman> {
  const settings = join(folder, 'containers.conf');
  writeFileSync(settings, '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n');
  const options = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--runtime=runc'];
  const env = { ...process.env, CONTAINERS_CONF: settings };
  const podman = (...args: string[]) => well('podman', [...options, ...args], { env });
  atEnd(async () => void (await done('podman', [...options, 'system', 'reset', '--force'], { env })));
  for (const [argument, packages] of Object.entries(BASES)) {
    const image = new RegExp(`^ARG ${argument}=(\\S+)$`, 'm').exec(DOCKERFILE)![1]!;
    const tarball = await debianTarball(argument.toLowerCase().replace('_image', ''), packages, folder);
    await podman('import', tarball, `docker.io/library/${image}`);
  }
  return Object.assign(podman, { options, env });
}

/** A drafted city, as `init` leaves it. */
async function aTown(folder: string, name: string, npmrc: string): Promise<string> {
  const town = join(folder, 'my-town');
  writeFileSync(join(folder, '.npmrc'), npmrc);
  const env = { ...process.env, npm_config_userconfig: join(folder, '.npmrc') };
  copyFileSync(join(ROOT, 'docs/example/register.csv'), join(folder, 'export.csv'));
  await well('npx', [name, 'init', 'export.csv', '--out', 'my-town'], { cwd: folder, env });
  copyFileSync(join(folder, '.npmrc'), join(town, '.npmrc'));
  appendFileSync(join(town, '.env'), 'PORT=1\n'); // belongs to the operator, not into the image
  return town;
}

/** What the docs say that lets the container read the register. */
function readFilingsCommand(): string {
  const command = /^ {4}sudo (chgrp -R \d+ filings && chmod -R \S+ filings)/m;
  return command.exec(readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8'))![1]!;
}

/** The compose file's settings of the service, as options of podman. */
function composeSettings(town: string): string[] {
  const [, ours = ''] = COMPOSE.split(/^ {2}(?:shingle|caddy):$/m);
  const value = (pattern: RegExp) => pattern.exec(ours)![1]!;
  assert.ok(ours.includes('    read_only: true\n'));
  return [
    '--read-only',
    ...['--cap-drop', value(/^ {4}cap_drop: \[(.*)\]$/m)],
    ...['--security-opt', value(/^ {4}security_opt: \["(.*):true"\]$/m)],
    ...['--tmpfs', value(/^ {4}tmpfs:\n {6}- (\S+)$/m)],
    ...['--volume', value(/^ {6}- (\.\/filings:\S+)/m).replace('.', town)],
    ...['--ulimit', `core=${value(/^ {6}core: (\d+)/m)}`],
  ];
}

/** A Debian that systemd boots in a container of systemd-nspawn, as a fresh server: an administrator `ada`, who may use sudo. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { until } from '../until.ts';
import { atEnd, type Done, debianTarball, done, well } from './a-machine.ts';

const PACKAGES = ['systemd-sysv', 'dbus', 'sudo', 'ca-certificates', 'procps'];
const REBOOT = 133; // how systemd-nspawn ends when it is to be started again
const CERTIFICATES = '/etc/machine-certificates.pem';

export type Guest = {
  /** Types commands as the administrator, in a home that stays; fails unless they are well. `input` is standard input. */
  types(commands: string, input?: string): Promise<string>;
  /** The same as another user. */
  as(user: string, commands: string, input?: string): Promise<Done>;
  /** Starts commands that go on until they are ended. */
  begins(commands: string): ChildProcess;
  /** npm's settings for the registry of the test. */
  npmrc: string;
  /** Until it is up again. */
  reboot(): Promise<void>;
  powerOff(): Promise<void>;
};

export type GuestOptions = {
  /** For its root file system. */
  folder: string;
  npmrc(cafile: string): string;
  certificates: string | undefined;
  /** Names that lead to this machine. */
  hosts: readonly string[];
};

/** Boots it, with the network of this machine. Ended after the test file at the latest. */
export async function aGuest({ folder, npmrc, certificates, hosts }: GuestOptions): Promise<Guest> {
  const root = join(folder, 'root');
  mkdirSync(root);
  await well('tar', ['xf', await debianTarball('server', PACKAGES, folder), '-C', root]);
  const file = (path: string, text: string) => writeFileSync(join(root, path), text);
  file('etc/hosts', ['localhost guest', ...hosts].map((host) => `127.0.0.1 ${host}\n`).join(''));
  file('etc/hostname', 'guest\n');
  file('etc/dpkg/dpkg.cfg.d/fast', 'force-unsafe-io\n');
  file('etc/apt/apt.conf.d/fast', 'Acquire::Languages "none";\n');
  if (certificates !== undefined)
    file(CERTIFICATES, [...rootCertificates, readFileSync(certificates, 'utf8')].join('\n'));
  await well('chroot', [root, 'useradd', '--create-home', '--shell', '/bin/bash', 'ada']);
  file('etc/sudoers.d/ada', 'ada ALL=(ALL) NOPASSWD: ALL\n');
  let nspawn = boot(root);
  let ended = once(nspawn, 'exit');
  atEnd(async () => {
    const leader = leaderOf(nspawn);
    if (leader !== undefined)
      process.kill(leader, 'SIGKILL'); // all of the guest ends with it, and then nspawn
    else nspawn.kill('SIGKILL');
    await ended;
  });
  const guest = guestIn(() => nspawn);
  await until(() => isUp(guest), 'the guest to boot');
  return {
    ...guest,
    npmrc: npmrc(CERTIFICATES),
    async reboot() {
      await guest.as('root', switchTo('reboot'));
      assert.deepEqual(await ended, [REBOOT, null]);
      nspawn = boot(root);
      ended = once(nspawn, 'exit');
      await until(() => isUp(guest), 'the guest to boot again');
    },
    async powerOff() {
      await guest.as('root', switchTo('poweroff'));
      assert.deepEqual(await ended, [0, null]);
    },
  };
}

/** Nobody who came from outside may be in the guest meanwhile: it waits for them. */
const switchTo = (state: 'reboot' | 'poweroff') => `systemd-run --quiet --no-block systemctl ${state}`;

/** In a mount namespace of its own, which takes all mounts with it when it ends. If the test is killed, the guest is switched off. */
function boot(root: string): ChildProcess {
  const cache = process.env.DEPLOY_CACHE;
  const archives = cache === undefined ? '' : join(cache, 'archives');
  if (cache !== undefined) mkdirSync(join(archives, 'partial'), { recursive: true });
  const bind = cache === undefined ? '' : `--bind=${archives}:/var/cache/apt/archives`;
  const start = `mkdir -p /run/systemd/nspawn && mount -t tmpfs tmpfs /run/systemd/nspawn && exec systemd-nspawn \
    --quiet --register=no --keep-unit --boot --directory="$ROOT" --console=pipe --resolv-conf=replace-host ${bind}`;
  return spawn('setpriv', ['--pdeathsig', 'TERM', 'unshare', '--mount', 'sh', '-c', start], {
    env: { PATH: process.env.PATH, ROOT: root, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: 'ignore',
  });
}

function guestIn(container: () => ChildProcess): Pick<Guest, 'types' | 'as' | 'begins'> {
  const enter = (user: string, commands: string): [string, string[]] => {
    const within = [
      '--mount',
      '--uts',
      '--ipc',
      '--pid',
      '--cgroup',
      '--',
      '/usr/bin/env',
      '-i',
      'TERM=dumb',
    ];
    const login = ['/usr/bin/su', '--login', user, '--shell', '/bin/bash', '--command', commands];
    return ['nsenter', ['--target', String(leaderOf(container())), ...within, ...login]];
  };
  const as = async (user: string, commands: string, input?: string): Promise<Done> => {
    if (leaderOf(container()) === undefined) return { code: null, said: 'the guest is down' };
    const [program, args] = enter(user, commands);
    if (input === undefined) return done(program, args);
    return done('sh', ['-c', 'printf %s "$INPUT" | exec "$@"', 'sh', program, ...args], {
      env: { ...process.env, INPUT: input },
    });
  };
  const types = async (commands: string, input?: string) => {
    const { code, said } = await as('ada', `set -euo pipefail\n${commands}`, input);
    assert.equal(code, 0, `${commands}\n${said.slice(-6000)}`);
    return said;
  };
  const begins = (commands: string) => {
    const child = spawn(...enter('ada', commands), { stdio: ['ignore', 'pipe', 'pipe'] });
    atEnd(() => void child.kill('SIGKILL'));
    return child;
  };
  return { types, as, begins };
}

/** The guest's first process. */
function leaderOf({ pid }: ChildProcess): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children.map(Number).find((child) => readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n');
  } catch {
    return undefined; // it has ended
  }
}

async function isUp(guest: Pick<Guest, 'as'>): Promise<true | undefined> {
  const { said } = await guest.as('root', 'systemctl is-system-running');
  return /^(running|degraded)$/m.test(said) || undefined;
}

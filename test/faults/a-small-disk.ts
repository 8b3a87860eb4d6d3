/** A disk of a few MiB that a test can fill and empty. It is always removed after the test. */

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const MIB = 1_048_576;

export type SmallDisk = {
  path: string;
  /** Writes a ballast file until nothing more fits. */
  fill(): void;
  /** Removes the ballast. */
  empty(): void;
  remount(mode: 'ro' | 'rw'): void;
};

/** Why there can be none here, such as `mount is not permitted`; `false` where there can, and on CI, where that must fail. */
export const noSmallDisk: string | false = (() => {
  try {
    const disk = mounted(1);
    disk.unmount();
    return false;
  } catch (error) {
    if (process.env.CI !== undefined) return false;
    return `no small disk can be mounted: ${String(error).trim()}`;
  }
})();

/** A fresh one, unmounted after the test file. `options` are those of the mount, such as the number of inodes. */
export function aSmallDisk(mib: number, options?: string): SmallDisk {
  const { path, unmount } = mounted(mib, options);
  after(unmount);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const handle = openSync(ballast, 'a');
      try {
        for (const size of [MIB, 4_096]) writeUntilFull(handle, Buffer.alloc(size), mib * MIB);
      } finally {
        closeSync(handle);
      }
    },
    empty: () => rmSync(ballast, { force: true, recursive: true }),
    remount(mode) {
      const { status, stderr } = spawnSync('mount', ['-o', `remount,${mode}`, path], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    },
  };
}

function writeUntilFull(handle: number, chunk: Buffer, mostBytes: number): void {
  try {
    for (let bytes = 0; bytes <= mostBytes; ) bytes += writeSync(handle, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mounted(mib: number, options = `size=${mib}m`): { path: string; unmount(): void } {
  const path = mkdtempSync(join(tmpdir(), 'shingle-disk-'));
  let isMounted = false;
  const unmount = (): void => {
    if (isMounted) spawnSync('umount', ['--lazy', path]);
    if (isMounted) rmdirSync(path);
    isMounted = false;
  };
  const { status, stderr, error } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `${options},mode=700`, 'tmpfs', path],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    rmdirSync(path);
    throw error ?? new Error(stderr);
  }
  isMounted = true;
  process.once('exit', unmount);
  return { path, unmount };
}

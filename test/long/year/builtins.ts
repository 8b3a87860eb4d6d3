/**
 * Takes the place of what Node gives the program, which knows nothing of it: chance comes from a seed, every write to a file or a database
 * is announced before it is made and may be refused, and the disk is as full and copies are as old as the year says.
 */

import crypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { installProbe } from '../../../src/listings/probe.ts';

/** `sql`: a statement that writes; `file`: a file; `transaction`: its begin or commit; `point`: a named point of an operation. */
export type Write = 'sql' | 'file' | 'transaction' | 'point';

export type HandedIn = {
  chance(): number;
  /** Throws to refuse the write. */
  onWrite(what: Write, detail: string): void;
  isDiskFull(): boolean;
  /** Epoch milliseconds. */
  now(): number;
};

const FILE_WRITES = [
  'writeFileSync',
  'renameSync',
  'rmSync',
  'fsyncSync',
  'copyFileSync',
  'mkdirSync',
] as const;
const COPIES = /(?:before-step-\d+|replaced-[\dTZ-]+|shingle-\d{4}-\d\d-\d\d)\.db/;

type Anything = (...args: never[]) => unknown;
const replaced: { on: object; name: string; was: Anything }[] = [];

function replace<Work extends Anything>(on: object, name: string, make: (was: Work) => Work): void {
  const was = Reflect.get(on, name) as Work;
  replaced.push({ on, name, was });
  Reflect.set(on, name, make(was));
}

/** Until `takeBack` is called. One at a time. */
export function handIn(world: HandedIn): void {
  handInChance(world.chance);
  for (const name of FILE_WRITES)
    replace<(...args: unknown[]) => unknown>(fs, name, (was) => (...args) => {
      world.onWrite('file', name);
      return was(...args);
    });
  handInTimes(world);
  replace<typeof fs.statfsSync>(
    fs,
    'statfsSync',
    (was) =>
      ((path: string) =>
        world.isDiskFull()
          ? { ...was(path), bavail: 0 }
          : { ...was(path), bavail: 2 ** 20 }) as typeof fs.statfsSync,
  );
  replace<(this: StatementSync, ...args: unknown[]) => unknown>(
    StatementSync.prototype,
    'run',
    (was) =>
      function run(...args) {
        world.onWrite('sql', this.sourceSQL.trim().split(/\s+/, 3).join(' '));
        return was.apply(this, args);
      },
  );
  replace<DatabaseSync['exec']>(
    DatabaseSync.prototype,
    'exec',
    (was) =>
      function exec(this: DatabaseSync, sql: string) {
        if (/^(?:begin|commit)/.test(sql)) world.onWrite('transaction', sql);
        was.call(this, sql);
        if (sql === 'commit') world.onWrite('transaction', 'after commit');
      },
  );
  installProbe((name) => world.onWrite('point', name));
  syncBuiltinESMExports();
}

export function takeBack(): void {
  for (const { on, name, was } of replaced.splice(0).reverse()) Reflect.set(on, name, was);
  installProbe(undefined);
  syncBuiltinESMExports();
}

function handInChance(chance: () => number): void {
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(chance() * 256)));
  const uuid = () => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  replace(crypto, 'randomBytes', () => (size: number) => bytes(size));
  replace(crypto, 'randomUUID', () => uuid);
  replace(crypto, 'randomInt', () => (from: number, to: number) => from + Math.floor(chance() * (to - from)));
  replace(globalThis.crypto, 'randomUUID', () => uuid);
  replace(Math, 'random', () => chance);
}

/** Copies of the database are as old as the year's clock says since they were first looked at, which is on the day they are made. */
function handInTimes({ now }: HandedIn): void {
  const seenAt = new Map<string, number>();
  replace<(path: string, options?: object) => fs.Stats | undefined>(
    fs,
    'statSync',
    (was) => (path, options) => {
      const stat = was(path, options);
      if (stat === undefined || !COPIES.test(String(path)) || typeof stat.mtimeMs === 'bigint') return stat;
      const at = seenAt.getOrInsert(String(path), now());
      return Object.assign(stat, { ctimeMs: at, mtimeMs: at, mtime: new Date(at) });
    },
  );
}

/**
 * The machine that a service runs on for a year: its clock, disk and mail. All processes of `shingle start` are in this one, on the same
 * data folder. A crash keeps the folder as it is at that write, and no process writes, sends or answers after it.
 */

import { cpSync, renameSync, rmSync } from 'node:fs';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { random } from '../../../cities/sample/random.ts';
import { kindOf } from '../../../src/city/categories/kind.ts';
import { sendNow } from '../../../src/cli/send-now.ts';
import type { Config } from '../../../src/config.ts';
import { ShingleError } from '../../../src/errors.ts';
import { findToday } from '../../../src/listings/day.ts';
import { decideEdition } from '../../../src/mail/editions/decide-edition.ts';
import type { MailTransport } from '../../../src/mail/smtp.ts';
import { type Mail, openMail } from '../../../src/operations/connect-mail.ts';
import { editionDue, ingestDue, makeDailyBackup } from '../../../src/operations/schedule.ts';
import { openService, type Service } from '../../../src/operations/service.ts';
import { openIndexBuilder } from '../../../src/search/index/build.ts';
import { openIndex } from '../../../src/search/index/open.ts';
import type { ListingIndex } from '../../../src/search/listing-index.ts';
import { buildApp } from '../../../src/web/app.ts';
import { handIn, takeBack, type Write } from './builtins.ts';

/** Of the operations, so many crash somewhere. */
const CRASHING = 0.004;
const CRASHED = new Error('the machine has crashed');

type Running = {
  service: Service;
  mail: Mail;
  app: FastifyInstance | undefined;
  index: ListingIndex | undefined;
};

export type Machine = Awaited<ReturnType<typeof startMachine>>;

export type MachineOptions = {
  seed: number;
  config: Config;
  clock: { now: number };
  /** Who takes the mail. `point` is called before and after a message is accepted. */
  transport(point: (name: string) => void): MailTransport;
  log(line: string): void;
};

export async function startMachine({ seed, config, clock, transport, log }: MachineOptions) {
  const chance = random(seed);
  const own = random(seed + 1_000_000);
  const now = () => new Date(clock.now).toISOString();
  const usual = new Map<string, number>(); // how often an operation writes
  const crashes: string[] = [];
  const warnings = new Set<string>();
  let [isWatched, isDead, isFull, writes, crashIn] = [false, false, false, 0, 0];
  let running: Running | undefined;
  let isOff = false;

  function onWrite(what: Write, detail: string): void {
    if (!isWatched) return;
    if (isDead) throw CRASHED;
    writes++;
    if (crashIn > 0 && --crashIn === 0) {
      isWatched = false;
      cpSync(config.dataFolder, `${config.dataFolder}.crashed`, { recursive: true });
      [isWatched, isDead] = [true, true];
      crashes.push(`${what} ${detail}`);
      log(`crash at ${what} ${detail}`);
      throw CRASHED;
    }
    if (isFull && what === 'sql')
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    if (isFull && (detail === 'writeFileSync' || detail === 'copyFileSync'))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  }
  handIn({ chance: own, onWrite, isDiskFull: () => isFull, now: () => clock.now });

  const quiet = {
    info: () => undefined,
    warn(sentence: string) {
      warnings.add(sentence);
      return undefined;
    },
  };
  const post = transport((name) => onWrite('point', name));

  async function open(): Promise<void> {
    const service = await openService(config, now, post);
    const mail = openMail(service, quiet.warn);
    const one: Running = { service, mail, app: undefined, index: undefined };
    running = one;
    one.app = buildApp({
      ...{ city: service.loaded.city, version: '1.0.0', index: () => one.index, outline: () => undefined },
      ...{ dataAsOf: () => (one.index === undefined ? null : now()), now: () => clock.now, trustProxy: [] },
      health: () => ({ status: 'ok', detail: [] }),
      publicUrl: config.publicUrl!,
      limits: service.loaded.city.limits,
      subscriptions: mail.subscriptions,
      log: quiet,
    });
    await service.store.outbox.resume().catch((error: unknown) => {
      if (isDead || !isFull) throw error;
    });
    await refresh();
  }

  async function refresh(): Promise<void> {
    const { service, index } = running!;
    const { listings } = service.store;
    const { city } = service.loaded;
    const [version, day] = [await listings.version(), findToday(city, now())];
    if (index?.version === version && index.day === day) return;
    if ((await service.store.filings.runs({ limit: 1_000 })).every(({ state }) => state !== 'kept')) return;
    const suppressed = (await listings.suppressions()).map(({ value }) => value);
    const builder = openIndexBuilder({ version, day, suppressed, editions: await listings.editions() });
    for await (const batch of listings.listings()) builder.add(batch);
    const names = { kindOfWord: (name: string) => kindOf({ name }), placeNames: [city.name, city.region] };
    running!.index = openIndex(builder.finish(), names);
  }

  async function close(): Promise<void> {
    const { service, app } = running ?? {};
    running = undefined;
    await app?.close();
    await service?.close();
  }

  /** Of an operation that crashes the machine is up again afterwards, and the result is `undefined`. */
  async function run<T>(name: string, work: () => Promise<T>): Promise<{ value: T } | undefined> {
    if (running === undefined && name !== 'start') return undefined; // the disk is too full to start
    [writes, crashIn] = [0, 0];
    if (chance() < CRASHING * (usual.get(name) ?? 1) ** 0.5 && config.databaseUrl === undefined)
      crashIn = 1 + Math.floor(chance() * (usual.get(name) ?? 10));
    isWatched = true;
    try {
      const value = await work();
      if (!isDead) return { value };
    } catch (error) {
      if (!isDead && !(isFull && isExpected(error))) throw error;
      if (!isDead && name === 'start') await close();
    } finally {
      isWatched = false;
      if (writes > 0 && !isDead) usual.set(name, writes);
    }
    if (isDead) await restart();
    return undefined;
  }

  async function restart(): Promise<void> {
    await close().catch(() => undefined); // what has died
    isDead = false;
    rmSync(config.dataFolder, { recursive: true, force: true });
    renameSync(`${config.dataFolder}.crashed`, config.dataFolder);
    while (running?.app === undefined && !isFull) await run('start', open);
  }

  /** As the command does in a process of its own: exit code 1 if it fails. */
  async function runApart(args: readonly string[]) {
    const ended = (code: number) => ({ code, signal: null, isTimedOut: false });
    const other = await openService(config, now, post);
    try {
      return ended(await runCommand(other, args));
    } catch (error) {
      if (isDead) throw error;
      if (!isFull || !isExpected(error)) throw error;
      return ended(1);
    } finally {
      await other.close();
    }
  }

  return {
    ...{ crashes, warnings, now, run, chance },
    get service() {
      return running!.service;
    },
    get isOn() {
      return running?.app !== undefined && !isOff;
    },
    get index() {
      return running?.index;
    },
    fill(full: boolean) {
      isFull = full;
    },
    start: () => run('start', open),
    stop: close,
    turn(off: boolean) {
      isOff = off;
    },
    /** One look of each schedule, and what is to be observed after each. */
    async look(observe: () => Promise<void>): Promise<void> {
      if (running?.app === undefined) await run('start', open);
      if (running?.app === undefined) return;
      const scheduling = () => ({
        ...{ service: running!.service, log: quiet, run: runApart },
        ...{ ingested: () => undefined, isClosed: () => isDead },
      });
      const alone = (name: string, work: () => Promise<void>) => () =>
        running!.service.store.alone(name, 0, work);
      await run(
        'ingest',
        alone('schedule', () => ingestDue(scheduling())),
      );
      await run(
        'edition',
        alone('weekly', () => editionDue(scheduling())),
      );
      if (config.databaseUrl === undefined) await run('backup', () => makeDailyBackup(scheduling()));
      await observe();
      await run('mail', () => running!.mail.look());
      await run('refresh', refresh);
    },
    refresh: () => run('refresh', refresh),
    inject: (request: InjectOptions) => run('request', async () => running!.app!.inject(request)),
    async end() {
      await close();
      takeBack();
    },
  };
}

async function runCommand(service: Service, [command, ...args]: readonly string[]): Promise<number> {
  if (command === 'ingest') {
    const runs = await service.ingest({ source: args[1]! });
    return runs.every(({ state }) => state === 'kept' || state === 'unchanged') ? 0 : 1;
  }
  if (command === 'backup') await service.store.backup(args[0]!);
  else {
    const mail = openMail(service);
    const decide = (isDry: boolean) => decideEdition(mail.context, service.now(), isDry);
    await sendNow(service, mail, decide, ({ edition }) => service.store.editions.progress(edition));
  }
  return 0;
}

function isExpected(error: unknown): boolean {
  const code = Object(error).code;
  return (
    (error instanceof ShingleError && error.code === 'store') ||
    code === 'ENOSPC' ||
    code === 'ERR_SQLITE_ERROR'
  );
}

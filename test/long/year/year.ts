/**
 * A year of a city in one process: a register that changes every day, people who come and go, an operator's troubles, and crashes at any
 * write. Every day what was promised is compared with what a register and people of our own say. One seed replays it exactly.
 */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from '../../../cities/sample/random.ts';
import { MIGRATIONS } from '../../../src/database/migrations.ts';
import { handleReport } from '../../../src/mail/bounces/bounce-store.ts';
import { moveStore } from '../../../src/operations/data/move.ts';
import { restoreBackup } from '../../../src/operations/service.ts';
import type { SmallCity } from '../../a-city.ts';
import { STEPS_BEFORE } from '../../database/invented-steps.ts';
import { checkDay } from './checks.ts';
import { openEditions } from './editions.ts';
import { startMachine } from './machine.ts';
import { openPeople, type Person } from './people.ts';
import { openRegister, type Published, type Register } from './register.ts';

const INVENTED_STEPS = MIGRATIONS.slice(STEPS_BEFORE.length);
const MOST_LINES = 3_000;
const MOST_COPIES = 10; // seven are kept
const LOST = 'the process ended before the run finished';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const COMES = 0.5; // so many people a day, and three times as many at first

/** What happens to a city within a year, as parts of it. Each takes some days at most. */
const TROUBLES = {
  renamed: 0.06,
  cut: 0.14,
  away: 0.2,
  full: 0.3,
  password: 0.4,
  outage: 0.5,
  upgrade: 0.6,
  restore: 0.72,
  domain: 0.85,
  postgres: 0.92,
} as const;
type Trouble = keyof typeof TROUBLES;

export type YearOptions = {
  seed: number;
  days: number /** Its first day. */;
  start: string;
  city: SmallCity;
  /** The address of an empty PostgreSQL database. Without it, the city stays in its data folder. */
  freshDatabase?: () => Promise<string>;
};
export type Sample = {
  day: number;
  listings: number;
  people: number;
  databaseKb: number;
  folderKb: number;
  rssMb: number;
  heapMb: number;
};
export type Year = {
  crashes: readonly string[];
  mails: number;
  editions: number;
  runs: Record<string, number>;
  people: Record<string, number>;
  samples: Sample[];
  warnings: readonly string[];
  /** Of everything that happened: the same for the same seed. */
  trace: string;
};

export async function runYear({ days, ...options }: YearOptions): Promise<Year> {
  const world = openWorld(options);
  setSteps(STEPS_BEFORE);
  const calendar = planYear(days, random(options.seed + 2));
  try {
    for (let day = 0; day < days; day++) await world.live(day, calendar.get(day) ?? []);
    return world.report();
  } finally {
    await world.end();
  }
}

function setSteps(steps: typeof STEPS_BEFORE): void {
  (MIGRATIONS as (readonly string[])[]).splice(0, MIGRATIONS.length, ...steps);
}

/** The troubles of each day, each a little earlier or later in every year. */
function planYear(days: number, chance: () => number): Map<number, Trouble[]> {
  const plan = new Map<number, Trouble[]>();
  for (const [trouble, part] of Object.entries(TROUBLES)) {
    const day = Math.floor((part + 0.03 * chance()) * days);
    plan.getOrInsert(day, []).push(trouble as Trouble);
  }
  return plan;
}

type Copy = { register: ReturnType<Register['copy']>; people: readonly Person[]; at: number };

function openWorld({ city, seed, start, freshDatabase }: Omit<YearOptions, 'days'>) {
  const chance = random(seed + 3);
  const clock = { now: Date.parse(`${start}T00:00:00Z`) };
  const trace = createHash('sha256');
  const lines: string[] = [];
  const wrongs: string[] = [];
  const log = (line: string) => {
    const entry = `${new Date(clock.now).toISOString()} ${line.replaceAll(city.folder, '')}`;
    trace.update(entry);
    if (lines.push(entry) > MOST_LINES) lines.shift();
  };
  const wrong = (sentence: string) => void wrongs.push(`${new Date(clock.now).toISOString()}: ${sentence}`);
  const register = openRegister(random(seed + 4));
  const file = join(city.folder, 'register.csv');
  const { config } = city;
  city.change('from: csv(),', `from: csv({ file: ${JSON.stringify(file)} }),`);
  config.publicUrl = 'https://rivermouth.example';
  config.minFreeBytes = 2 ** 20;
  config.mail = {
    ...config.mail,
    bounces: { local: 'bounces', domain: 'rivermouth.example' },
    postalAddress: '1 Quay Street',
  };
  const crashes = () => machine.crashes.length;
  const people = openPeople({
    ...{ chance: random(seed + 5), now: () => clock.now, hidden: register.hidden, crashes, wrong, log },
  });
  let machine: Awaited<ReturnType<typeof startMachine>>;
  const editions = openEditions({ register, people, now: () => clock.now, wrong });
  const copies = new Map<string, Copy>();
  const runs: Record<string, number> = {};
  const samples: Sample[] = [];
  const troubles = {
    published: 'whole' as Published,
    awayUntil: 0,
    fullUntil: 0,
    passwordUntil: 0,
    offUntil: 0,
  };
  let lastRun = 0;
  let lostRuns = 0;
  let isProfileOld = false;
  let nameColumn = 'NAME';

  async function observeRuns(): Promise<void> {
    const fresh = (await machine.service.store.filings.runs({ limit: 20 }))
      .filter(({ run, state }) => run > lastRun && state !== 'running')
      .toSorted((a, b) => a.run - b.run);
    for (const { run, state, detail } of fresh) {
      lastRun = run;
      runs[state] = (runs[state] ?? 0) + 1;
      log(`run ${run} ${state} ${detail}`);
      const expected = register.expect(troubles.published, !isProfileOld);
      if (expected === 'kept' && (state === 'kept' || state === 'unchanged')) register.keep();
      if (detail === LOST && ++lostRuns <= machine.crashes.length) continue;
      const mayFail = troubles.fullUntil > clock.now - HOUR;
      const isExpected =
        state === expected ||
        (state === 'unchanged' && expected === 'kept') ||
        (state === 'failed' && mayFail);
      if (!isExpected) wrong(`run ${run} is ${state}, expected ${expected}: ${detail}`);
    }
  }

  function observeBackups(): void {
    const folder = join(config.dataFolder, 'backups');
    for (const name of existsSync(folder)
      ? readdirSync(folder).filter((one) => /^shingle-[\d-]+\.db$/.test(one))
      : [])
      copies.getOrInsertComputed(name, () => ({
        ...{ register: register.copy(), people: people.copy(), at: clock.now },
      }));
    for (const name of [...copies.keys()].slice(0, -MOST_COPIES)) copies.delete(name);
  }

  async function observe(): Promise<void> {
    if (!machine.isOn) return;
    await observeRuns();
    await editions.observe(await machine.service.store.editions.last());
    observeBackups();
  }

  /** The newest daily backup, with the unsubscribe log of the old machine, on a machine of its own. */
  async function moveMachine(): Promise<void> {
    const old = config.dataFolder;
    const name = readdirSync(join(old, 'backups'))
      .filter((one) => copies.has(one))
      .toSorted()
      .at(-1)!;
    await machine.stop();
    config.dataFolder = join(city.folder, `machine-${seed}`);
    const copied = join(city.folder, 'copied');
    mkdirSync(copied, { recursive: true });
    cpSync(join(old, 'backups', name), join(copied, name));
    if (existsSync(join(old, 'departures.log')))
      cpSync(join(old, 'departures.log'), join(copied, 'departures.log'));
    await restoreBackup(config, join(copied, name), machine.now);
    for (const folder of [old, copied]) rmSync(folder, { recursive: true });
    const { at, ...copy } = copies.get(name)!;
    register.restore(copy.register);
    people.restore(copy.people, at);
    editions.restored(clock.now);
    lastRun = 0;
    log(`restored ${name}`);
    await machine.start();
    lastRun = (await machine.service.store.filings.runs({ limit: 1 }))[0]!.run;
  }

  const begin: Record<Trouble, () => void | Promise<void>> = {
    renamed() {
      nameColumn = 'BUSINESS';
      isProfileOld = true;
    },
    cut() {
      troubles.published = 'cut';
    },
    away() {
      troubles.awayUntil = clock.now + 7 * DAY;
    },
    full() {
      troubles.fullUntil = clock.now + 30 * HOUR;
      editions.trouble(clock.now, troubles.fullUntil);
    },
    password() {
      const monday = clock.now + ((8 - new Date(clock.now).getUTCDay()) % 7) * DAY;
      troubles.passwordUntil = monday + 30 * HOUR;
    },
    outage() {
      troubles.offUntil = clock.now + 3 * DAY;
      editions.trouble(clock.now, troubles.offUntil);
    },
    async upgrade() {
      await machine.stop();
      setSteps([...STEPS_BEFORE, ...INVENTED_STEPS]);
      await machine.start();
    },
    restore: moveMachine,
    postgres: moveDatabase,
    async domain() {
      await machine.stop();
      config.publicUrl = 'https://openings.rivermouth.example';
      config.mail = {
        ...config.mail,
        from: { name: 'Rivermouth', address: 'news@openings.rivermouth.example' },
      };
      await machine.start();
    },
  };

  /** The operator moves to PostgreSQL, and removes the data folder's database as the command's output says. */
  async function moveDatabase(): Promise<void> {
    const url = await freshDatabase?.();
    if (url === undefined) return;
    await machine.stop();
    const { tables } = await moveStore({
      ...{ folder: config.dataFolder, url, now: new Date().toISOString() },
      progress: () => undefined,
    });
    log(`moved ${JSON.stringify(tables)}`);
    for (const name of readdirSync(config.dataFolder).filter((one) => /^shingle\.db/.test(one)))
      rmSync(join(config.dataFolder, name));
    config.databaseUrl = url;
    await machine.start();
  }

  /** What the operator and the publisher put right. */
  async function mend(day: number, began: readonly Trouble[]): Promise<void> {
    if (isProfileOld && !began.includes('renamed')) {
      await machine.stop();
      city.change("'NAME', 'KIND'", "'BUSINESS', 'KIND'");
      city.change('row.NAME', 'row.BUSINESS');
      isProfileOld = false;
      await machine.start();
    }
    if (troubles.published === 'cut' && !began.includes('cut')) troubles.published = 'whole';
    if (troubles.published !== 'cut') troubles.published = troubles.awayUntil > clock.now ? 'away' : 'whole';
    if (day % 20 === 17 && machine.isOn && troubles.fullUntil < clock.now && register.visible().length > 0) {
      const value = register.hide();
      while (
        (await machine.run('suppress', () =>
          machine.service.store.suppressions.add({ value, reason: '', addedAt: machine.now() }),
        )) === undefined
      );
      await machine.refresh();
    }
  }

  function publish(): void {
    const text = register.publish(troubles.published, nameColumn);
    if (text === undefined) rmSync(file, { force: true });
    else writeFileSync(file, text);
  }

  async function passHour(): Promise<void> {
    machine.fill(troubles.fullUntil > clock.now);
    people.expirePassword(troubles.passwordUntil > clock.now);
    const isOff = troubles.offUntil > clock.now;
    machine.turn(isOff);
    if (isOff) return;
    await machine.look(observe);
    if (!machine.isOn) return;
    await people.act(machine.inject);
    await people.bounce((raw) => {
      const { store, now } = machine.service;
      const context = { bounces: store.bounces, address: config.mail.bounces!, now };
      return machine.run('report', () => handleReport(context, Buffer.from(raw)));
    });
  }

  return {
    async live(day: number, began: readonly Trouble[]): Promise<void> {
      clock.now = Date.parse(`${start}T00:00:00Z`) + day * DAY;
      machine ??= await startMachine({ seed, config, clock, transport: people.transport, log });
      if (day === 0) await machine.start();
      register.pass(machine.now().slice(0, 10));
      for (const trouble of began) {
        log(trouble);
        await begin[trouble]();
      }
      await mend(day, began);
      publish();
      const comes = COMES * (day < 30 ? 3 : 1);
      for (let hour = 0; hour < 24; hour++) {
        clock.now = Date.parse(`${start}T00:00:00Z`) + day * DAY + (hour + 0.8 * chance()) * HOUR;
        if (day > 1 && chance() < comes / 24) people.appear();
        await passHour();
      }
      if (machine.isOn && troubles.fullUntil < clock.now)
        await checkDay({ machine, register, people, config, now: clock.now, wrong });
      editions.check();
      if (day % 30 === 0) samples.push(await sample(day));
      if (wrongs.length === 0) return;
      const before = lines.filter((line) => !line.includes(' mail ')).slice(-30);
      throw Object.assign(new Error(`day ${day}: ${[...wrongs.slice(0, 5), '', ...before].join('\n')}`), {
        lines,
      });
    },
    report(): Year {
      const states = people.all().map(({ state, isStopped }) => (isStopped ? 'stopped' : state));
      return {
        ...{
          crashes: machine.crashes,
          mails: people.delivered.length,
          editions: editions.count(),
          runs,
          samples,
        },
        people: Object.fromEntries(
          Object.entries(Object.groupBy(states, (state) => state)).map(([state, all]) => [state, all.length]),
        ),
        ...{ warnings: [...machine.warnings], trace: trace.digest('hex') },
      };
    },
    end: () => machine.end(),
  };

  async function sample(day: number): Promise<Sample> {
    global.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const database = join(config.dataFolder, 'shingle.db');
    const kb = (bytes: number) => Math.round(bytes / 1024);
    const sizes = readdirSync(config.dataFolder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => statSync(join(one.parentPath, one.name)).size);
    return {
      ...{ day, listings: register.visible().length, people: people.all().length },
      databaseKb: kb(existsSync(database) ? statSync(database).size : 0),
      folderKb: kb(sizes.reduce((sum, size) => sum + size, 0)),
      ...{ rssMb: Math.round(rss / 2 ** 20), heapMb: Math.round(heapUsed / 2 ** 20) },
    };
  }
}

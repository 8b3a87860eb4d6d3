/**
 * Runs that remember the rows of the run before end as runs that judge all rows: random changes of a register on both engines, with runs
 * that are held and accepted, days that pass and turn back, and types that become terms.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { openService } from '../../../src/app/operations/service.ts';
import type { Run } from '../../../src/service/runs/runs.ts';
import { addDays } from '../../../src/shared/day.ts';
import { aCity, type Filed } from '../../a-city.ts';
import { rounds, seedFrom } from '../../depth.ts';
import { aServer, asked } from '../../service/database/a-postgres.ts';
import { ingested, listed } from './an-ingest.ts';

const SEED = seedFrom(20_261_201);
const FIRST_DAY = '2026-11-20';
const primary = await aServer();

/** `ends` decides by the day: a verdict asks whether the day has come, or compares it with today. */
const VERDICT = `const opens = { key: row.ID, name: row.NAME, type: row.KIND, neighborhood: row.AREA, filedOn };
      if (row.WHAT === 'pending') return skip('never opened: pending', filedOn);
      const [ends = '', asks] = row.WHAT.split(' ');
      const isOver = asks === undefined ? ends !== '' && ends <= at.today : at.hasCome(ends);
      return opening({ ...opens, status: isOver ? 'closed' : 'open' });`;

function aChangingCity() {
  const city = aCity();
  city.change('verdict(row)', 'rejectedShare: 0.5, verdict(row, at)');
  city.change(/return opening\(.*;/.exec(city.profile)![0], VERDICT);
  return city;
}

/** Opens services on a new database, whose tables `read` also changes, as another connection. */
const ENGINES = {
  async SQLite() {
    const { config } = aChangingCity();
    const read = async (sql: string): Promise<Record<string, unknown>[]> => {
      using db = new DatabaseSync(join(config.dataFolder, 'shingle.db'));
      return db.prepare(sql).all();
    };
    return { service: (now: () => string) => openService(config, now), read };
  },
  async PostgreSQL() {
    const config = { ...aChangingCity().config, databaseUrl: await primary.migrated() };
    const read = (sql: string): Promise<Record<string, unknown>[]> => asked(config.databaseUrl, sql);
    return { service: (now: () => string) => openService(config, now), read };
  },
};

const filed: fc.Arbitrary<Filed> = fc.record({
  id: fc.integer({ min: 1, max: 40 }).map(String),
  name: fc.constantFrom('Blue Heron', 'Grey Heron', 'Alder Bakery'),
  kind: fc.constantFrom('Tea Rooms', 'Noodle Kitchens'),
  area: fc.constantFrom('Old Town', 'Harbor', ''),
  day: fc.constantFrom(...Array<string>(9).fill('2026-01-05'), '2026-02-06', '2026-11-20', 'no day'),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    fc.constantFrom('landlord', 'pending', 'closure'),
    fc.constantFrom('2026-11-21', '2026-11-22', '2026-11-21 asks', '2026-11-22 asks'),
  ),
});

/** What happens to a register: rows go, change and come, some of them twice; many or all of them; days pass. */
const change = fc.record({
  drop: fc.array(fc.nat(), { maxLength: 2 }),
  edit: fc.array(fc.tuple(fc.nat(), filed), { maxLength: 2 }),
  add: fc.array(filed, { maxLength: 2 }),
  repeat: fc.array(fc.nat(), { maxLength: 2 }),
  keep: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 0.5),
  turn: fc.nat({ max: 100 }),
  days: fc.constantFrom(0, 0, 1, 1, -1),
  accepts: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function applied(rows: readonly Filed[], { drop, edit, add, repeat, keep, turn }: Change): Filed[] {
  const next = rows.map((row, at) => edit.find(([place]) => place % rows.length === at)?.[1] ?? row);
  const left = next.filter((_, at) => !drop.some((place) => place % rows.length === at));
  const all = [...left, ...add, ...repeat.map((place) => rows[place % rows.length]!)];
  const part = all.slice(0, Math.ceil(all.length * keep));
  return [...part.slice(turn % part.length), ...part.slice(0, turn % part.length)];
}

/** A run without what differs in any case. */
function told({ startedAt: _, endedAt: _ended, place: _place, ...run }: Run) {
  const { shape, ...rest } = run;
  return { ...rest, shape: shape && { ...shape, empty: Object.entries(shape.empty).sort() } };
}

const STAGED = `select key, kind, name, category, neighborhood, status, filed_on, term_on, expires_on, until
  from staged where hash is not null and run in (select run from run where state = 'kept') order by key, kind, name, category, neighborhood, status, filed_on, until`;

for (const [engine, openBoth] of Object.entries(ENGINES))
  test(`with ${engine}, remembered rows change no run and no listing (seed ${SEED})`, async () => {
    let [uses, runsKept] = [0, 0];
    const course = fc.tuple(
      fc.array(filed, { minLength: 60, maxLength: 75 }),
      fc.array(change, { minLength: 2, maxLength: 5 }),
    );
    const property = fc.asyncProperty(course, async ([first, changes]) => {
      const [remembering, forgetting] = [await openBoth(), await openBoth()];
      let day = FIRST_DAY;
      let ms = 0;
      const now = () => new Date(Date.parse(`${day}T20:00:00.000Z`) + ms++).toISOString();
      const services = [await remembering.service(now), await forgetting.service(now)] as const;
      const files = aCity();
      let rows = first;
      for (const [at, one] of [undefined, ...changes].entries()) {
        if (one !== undefined) {
          rows = applied(rows, one);
          day = addDays(day, one.days);
        }
        await forgetting.read('delete from staged');
        const file = files.csv(rows);
        const runs: Run[] = [];
        for (const service of services) {
          ms = at * 1_000;
          let run = await ingested(service, file);
          if (run.state === 'held' && (at === 0 || one?.accepts)) run = await service.accept(run.run);
          runs.push(run);
        }
        const [run, other] = runs as [Run, Run];
        assert.deepEqual(told(run), told(other));
        const [here, there] = [await listed(services[0]), await listed(services[1])];
        const timeless = ({ arrivedAt: _, ...listing }: (typeof here)[number]) => listing;
        assert.deepEqual(here.map(timeless), there.map(timeless));
        if (run.state !== 'kept') continue;
        const staged = await remembering.read(STAGED);
        assert.deepEqual(staged, await forgetting.read(STAGED), 'the next run remembers the same');
        assert.equal(staged.length, run.read - run.rejected.reduce((sum, { count }) => sum + count, 0));
        const earlier = await remembering.read(`select 1 from staged where run < ${run.run} limit 1`);
        runsKept++;
        uses += earlier.length;
      }
      await Promise.all(services.map((service) => service.close()));
    });
    const numRuns = rounds(engine === 'SQLite' ? 64 : 16);
    await fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
    assert.ok(uses > runsKept / 3, `${uses} of ${runsKept} runs used what was remembered`);
  });

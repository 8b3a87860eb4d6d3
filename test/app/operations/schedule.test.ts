/** The schedule of a service: when an import is due again, and the daily backup. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ingestDue, makeDailyBackup, openRunner } from '../../../src/app/operations/schedule.ts';
import { csv } from '../../../src/register/profile/formats.ts';
import { listDailyBackups, verifyBackup } from '../../../src/service/data/backups.ts';
import { findNextRun, INTERRUPTED, type RunState, STOPPED } from '../../../src/service/runs/runs.ts';
import type { SourceFacts } from '../../../src/shared/city/city-facts.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { running } from '../../a-process.ts';
import { until } from '../../until.ts';

/** The oldest first: a wrong clock dated the first one. */
const OLD = ['2999-01-01', ...['02', '03', '04', '05', '06', '07', '08'].map((day) => `2024-03-${day}`)].map(
  (day) => `shingle-${day}.db`,
);
const NO_PROCESS = 2 ** 22 + 1;

/** How a run that began at 6:00 ended, what the clock shows, and when the next one is due. */
const NEXT: [RunState, string | null, string, string][] = [
  ['kept', null, '07:00', '2026-11-21T06:00'],
  ['unchanged', null, '07:00', '2026-11-21T06:00'],
  ['held', 'too few rows', '07:00', '2026-11-21T06:00'],
  ['failed', 'no ID', '06:01', '2026-11-20T07:00'],
  ['running', null, '06:01', '2026-11-20T07:00'],
  ['failed', STOPPED, '06:01', '2026-11-20T06:00'],
  ['failed', INTERRUPTED, '06:01', '2026-11-20T06:05'],
  ['failed', 'interrupted: the ingest ended with exit code 1', '06:01', '2026-11-20T06:05'],
  ['kept', null, '05:56', '2026-11-21T06:00'], // two machines
  ['kept', null, '05:54', '2026-11-20T05:54'], // the clock was wrong
];

test('an import is due at its time, or soon if the last import did not end or has a date in the future', () => {
  for (const [state, detail, time, due] of NEXT) {
    const last = { state, detail, startedAt: '2026-11-20T06:00:00.000Z' };
    assert.equal(findNextRun({} as SourceFacts, last, `2026-11-20T${time}:00.000Z`), `${due}:00.000Z`);
    const weekly = { everyHours: 168 } as SourceFacts;
    const later = due.replace('21T06:00', '27T06:00');
    assert.equal(findNextRun(weekly, last, `2026-11-20T${time}:00.000Z`), `${later}:00.000Z`);
  }
});

test('a source that is not due, or has no place to read from, does not hold up the source after it', async () => {
  const city = aCity();
  const service = await city.open();
  const place = city.file('a.csv', csvText(businesses(40)));
  await service.ingest({ from: place });
  const [source] = service.loaded.city.sources;
  const sources = [
    { ...source!, from: csv({ file: place }) },
    { ...source!, id: 'unplaced' },
    { ...source!, id: 'later', from: csv({ file: place }) },
  ];
  const loaded = { ...service.loaded, city: { ...service.loaded.city, sources } };
  const begun: (string | undefined)[] = [];
  const run = async (args: readonly string[]) => {
    begun.push(args.at(-1));
    return { code: 0, signal: null, isTimedOut: false, said: '' };
  };
  const log = { warn: (sentence: string) => assert.fail(sentence), info: () => undefined };
  const others = { log, isClosed: () => false, ingested: () => undefined };
  await ingestDue({ service: { ...service, loaded }, run, ...others });
  assert.deepEqual(begun, ['later']);
});

test('Shingle makes one backup a day, keeps seven, and leaves other files alone', async () => {
  const city = aCity();
  const env = city.env;
  await command(['ingest', '--from', city.file('a.csv', csvText(businesses(40)))], env);
  const folder = join(city.config.dataFolder, 'backups');
  mkdirSync(folder, { recursive: true });
  for (const name of [...OLD, `${OLD[0]}.part-${NO_PROCESS}`, 'before-the-move.db'])
    writeFileSync(join(folder, name), '');
  const days = [new Date().toISOString().slice(0, 10)];
  const first = await running(['start'], env);
  const isDone = () => readdirSync(folder).length === 8 || undefined;
  await until(isDone, 'seven backups beside what else is there');
  assert.equal(await first.stop(), 0);
  days.push(new Date().toISOString().slice(0, 10)); // midnight may have come
  const [today] = readdirSync(folder).filter((name) => days.some((day) => name === `shingle-${day}.db`));
  assert.deepEqual(readdirSync(folder).toSorted(), ['before-the-move.db', ...OLD.slice(2), today].toSorted());
  assert.ok(statSync(join(folder, today!)).size > 0);
  const second = await running(['start'], env);
  assert.equal(await second.stop(), 0);
  if (new Date().toISOString().slice(0, 10) === days[0])
    assert.doesNotMatch(second.said().err, /backup/, 'none was begun');
});

test('Shingle makes the first backup after the first kept run', async () => {
  const city = aCity();
  const service = await city.open();
  Object.assign(process.env, { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder });
  const log = { warn: (sentence: string) => assert.fail(sentence), info: () => undefined };
  const run = openRunner(new AbortController().signal, log);
  const backUp = () => makeDailyBackup({ service, log, run, isClosed: () => false });
  await backUp();
  assert.deepEqual(
    listDailyBackups(city.config.dataFolder, new Date().toISOString()),
    [],
    'there is nothing to lose yet',
  );
  await service.ingest({ from: city.file('a.csv', csvText(businesses(40))) });
  for (let i = 0; i < 2; i++) await backUp();
  const [first, ...more] = listDailyBackups(city.config.dataFolder, new Date().toISOString());
  assert.deepEqual([verifyBackup(join(city.config.dataFolder, 'backups', first!)).listings, more], [40, []]);
});

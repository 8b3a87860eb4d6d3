/** The schedule of a service: when an import is due again, and the daily backup. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDailyBackup, openRunner } from '../../../src/app/operations/schedule.ts';
import { listDailyBackups, verifyBackup } from '../../../src/service/data/backups.ts';
import { findNextRun } from '../../../src/service/runs/runs.ts';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { running, until } from '../../a-process.ts';

const OLD = ['01', '02', '03', '04', '05', '06', '07', '08'].map((day) => `shingle-2024-03-${day}.db`);
const NO_PROCESS = 2 ** 22 + 1;

test('an import that failed, or that died with its machine, is due again in an hour, and any other after a day', async () => {
  const service = await aCity().open();
  const [source] = service.loaded.city.sources;
  const dueAfter = (state: 'kept' | 'failed' | 'running') =>
    findNextRun(source!, { state, startedAt: '2026-11-20T06:00:00.000Z' });
  assert.equal(dueAfter('kept'), '2026-11-21T06:00:00.000Z');
  assert.equal(dueAfter('failed'), '2026-11-20T07:00:00.000Z');
  assert.equal(dueAfter('running'), '2026-11-20T07:00:00.000Z');
});

test("a start makes the backup of the day, keeps seven and nobody else's files, and makes none twice", async () => {
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

test('the first backup follows the first kept run', async () => {
  const city = aCity();
  const service = await city.open();
  Object.assign(process.env, { SHINGLE_CITY: city.config.city, SHINGLE_DATA: city.config.dataFolder });
  const log = { warn: (sentence: string) => assert.fail(sentence), info: () => undefined };
  const run = openRunner(new AbortController().signal, log);
  const backUp = () => makeDailyBackup({ service, log, run, isClosed: () => false });
  await backUp();
  assert.deepEqual(listDailyBackups(city.config.dataFolder), [], 'there is nothing to lose yet');
  await service.ingest({ from: city.file('a.csv', csvText(businesses(40))) });
  for (let i = 0; i < 2; i++) await backUp();
  const [first, ...more] = listDailyBackups(city.config.dataFolder);
  assert.deepEqual([verifyBackup(join(city.config.dataFolder, 'backups', first!)).listings, more], [40, []]);
});

/** The schedule of a service: when an import is due again, and the daily backup. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ingestDue, makeDailyBackup, openRunner } from '../../../src/app/operations/scheduled-tasks.ts';
import type { Service } from '../../../src/app/operations/service.ts';
import type { Source } from '../../../src/register/profile/define.ts';
import { csv } from '../../../src/register/profile/formats.ts';
import { verifyBackup } from '../../../src/service/data/backups.ts';
import { findNextRun, type Run } from '../../../src/service/runs/runs.ts';
import type { SourceFacts } from '../../../src/shared/city/city-facts.ts';
import { aCity } from '../../a-city.ts';
import { UNWARNED } from '../../a-log.ts';

/** The oldest first: a wrong clock dated the first one. */
const OLD = ['2999-01-01', ...['02', '03', '04', '05', '06', '07', '08'].map((day) => `2024-03-${day}`)].map(
  (day) => `shingle-${day}.db`,
);
const NO_PROCESS = 2 ** 22 + 1;

/** How a run that began at 6:00 ended, what the clock shows, and when the next one is due. */
const NEXT: [Run['state'], Run['retry'], string, string][] = [
  ['kept', null, '07:00', '2026-11-21T06:00'],
  ['unchanged', null, '07:00', '2026-11-21T06:00'],
  ['held', null, '07:00', '2026-11-21T06:00'],
  ['failed', null, '06:01', '2026-11-20T07:00'],
  ['running', null, '06:01', '2026-11-20T07:00'],
  ['failed', 'now', '06:01', '2026-11-20T06:00'],
  ['failed', 'soon', '06:01', '2026-11-20T06:05'],
  ['kept', null, '05:56', '2026-11-21T06:00'], // two machines
  ['kept', null, '05:54', '2026-11-20T05:54'], // the clock was wrong
];

test('an import is due at its time, or soon if the last import did not end or has a date in the future', () => {
  for (const [state, retry, time, due] of NEXT) {
    const last = { state, retry, startedAt: '2026-11-20T06:00:00.000Z' };
    assert.equal(findNextRun({} as SourceFacts, last, `2026-11-20T${time}:00.000Z`), `${due}:00.000Z`);
    const weekly = { everyHours: 168 } as SourceFacts;
    const later = due.replace('21T06:00', '27T06:00');
    assert.equal(findNextRun(weekly, last, `2026-11-20T${time}:00.000Z`), `${later}:00.000Z`);
  }
});

const NO_END = { code: null, signal: null, isTimedOut: false, said: '' };

/** Imports what is due of sources that are like the one of the city; answers which imports began. */
async function begunBy(
  service: Service,
  sources: Partial<Source>[],
  end: End,
): Promise<(string | undefined)[]> {
  const { city } = service.loaded;
  const of = sources.map((facts) => ({ ...city.sources[0]!, ...facts }));
  const loaded = { ...service.loaded, city: { ...city, sources: of } };
  const begun: (string | undefined)[] = [];
  const run = async (args: readonly string[]) => {
    begun.push(args.at(-1));
    return end;
  };
  const others = { log: UNWARNED, isClosed: () => false, ingested: () => undefined };
  await ingestDue({ service: { ...service, loaded }, run, ...others });
  return begun;
}

test('a source that is not due, or has no place to read from, does not hold up the source after it', async () => {
  const city = aCity();
  const service = await city.open();
  const file = city.csv(40);
  await service.ingest({ from: file });
  const from = csv({ file });
  const sources = [{ from }, { id: 'unplaced' }, { id: 'later', from }];
  assert.deepEqual(await begunBy(service, sources, { ...NO_END, code: 0 }), ['later']);
});

type End = Awaited<ReturnType<ReturnType<typeof openRunner>>>;
const LOST: [end: Partial<End>, detail: RegExp, retry?: Run['retry']][] = [
  [{ signal: 'SIGKILL', isTimedOut: true }, /longer than 90 minutes \(INGEST_TIMEOUT_MINUTES\)/],
  [{ signal: 'SIGTERM' }, /was stopped \(SIGTERM\)/],
  [{ signal: 'SIGABRT' }, /ended unexpectedly \(SIGABRT\); .* INGEST_MEMORY_MB/],
  [{ code: 1, said: ': no room' }, /^the ingest ended with exit code 1 .* result: no room$/],
  [{ code: 75, said: ': no database' }, /^the ingest ended with exit code 75 .* database$/, 'soon'],
];

test('an import that ends without a result leaves a failed run that says why', async () => {
  for (const [end, detail, retry = null] of LOST) {
    const service = await aCity().open();
    await begunBy(service, [{ from: csv({ file: 'a.csv' }) }], { ...NO_END, ...end });
    const [run] = await service.store.filings.runs({ limit: 1 });
    assert.deepEqual([run?.state, run?.retry], ['failed', retry]);
    assert.match(run!.detail!, detail);
  }
});

test('Shingle makes one backup a day after the first kept run, keeps seven, and leaves other files alone', async () => {
  const city = aCity();
  const { dataFolder } = city.config;
  const service = await city.open();
  Object.assign(process.env, city.env);
  const runner = openRunner(new AbortController().signal, UNWARNED);
  const begun: (readonly string[])[] = [];
  const run = (args: readonly string[]) => {
    begun.push(args);
    return runner(args);
  };
  const backUp = () => makeDailyBackup({ service, log: UNWARNED, run, isClosed: () => false });
  await backUp();
  assert.deepEqual(begun, [], 'there is nothing to lose yet');
  await service.ingest({ from: city.csv(40) });
  const folder = join(dataFolder, 'backups');
  mkdirSync(folder);
  for (const name of [...OLD, `${OLD[0]}.part-${NO_PROCESS}`, 'before-the-move.db'])
    writeFileSync(join(folder, name), '');
  for (let i = 0; i < 2; i++) await backUp();
  const today = 'shingle-2026-11-21.db'; // the day in UTC
  assert.deepEqual(begun, [['backup', join(folder, today)]]);
  assert.deepEqual(readdirSync(folder).toSorted(), ['before-the-move.db', today, ...OLD.slice(2)].toSorted());
  assert.equal(verifyBackup(join(folder, today)).listings, 40);
});

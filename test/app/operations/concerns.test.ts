/** What needs a person, at each of its limits, and what to do about it. */

import assert from 'node:assert/strict';
import { statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findConcerns, readSigns, type Signs } from '../../../src/app/operations/concerns.ts';
import { openMail } from '../../../src/app/operations/connect-mail.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import type { City, Source } from '../../../src/register/profile/define.ts';
import type { BackupFacts } from '../../../src/service/data/backups.ts';
import { type Alert, CONCERN_KINDS, type Instance, makeConcern } from '../../../src/service/mail/alerts.ts';
import type { SourceState } from '../../../src/service/runs/runs.ts';
import { aCity } from '../../a-city.ts';
import { aFolder } from '../../a-folder.ts';
import { ask, at, MINUTE } from '../../service/database/mailing-steps.ts';
import { until } from '../../until.ts';

const NOW = '2026-11-23T08:00:00.000Z';
const ago = (hours: number): string => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
const folder = aFolder();

const aSource = (facts: Partial<Source> = {}): Source =>
  ({ id: 'licences', from: { place: { url: 'https://x.example/a.csv' } }, ...facts }) as Source;

const LAST = { run: 7, state: 'kept', detail: null, retry: null, startedAt: ago(1), findings: [] } as const;
const aState = (last: object = {}, goodAt: string | null = ago(1)): SourceState => ({
  ...{ source: 'licences', goodAt, last: { ...LAST, ...last } },
});

/** The schedule of an instance that started then. */
const scheduled = (startedAt: string, seenAt = NOW): Instance[] => [
  { instance: 'a', command: 'start', startedAt, seenAt },
];

const QUIET: Signs = {
  ...{ states: [aState()], newest: new Map([['licences', '2026-11-20']]), instances: scheduled(ago(999)) },
  mail: { pausedUntil: null, problem: null, failures: 0, waiting: 0, waitingSince: null },
  ...{ undelivered: { finished: 1000, undelivered: 0 }, alert: undefined, backups: undefined },
  ...{ ownOrigin: undefined, served: [], isServerGone: false, unwritable: undefined, unapproved: undefined },
};

type Given = { signs?: Partial<Signs>; city?: Partial<City>; sources?: Source[]; config?: Partial<Config> };

function found({ signs, city, sources = [aSource()], config }: Given = {}, now = NOW) {
  const configured = { ...readConfig({ SHINGLE_DATA: folder, MIN_FREE_BYTES: '0' }), ...config };
  const town = { name: 'Rivermouth', timeZone: 'UTC', sources, ...city } as City;
  return findConcerns({ loaded: { city: town }, config: configured, now: () => now }, { ...QUIET, ...signs });
}

const kinds = (given?: Given): string => String(found(given).map(({ kind }) => kind));

test('a held run can be accepted until it is too old', () => {
  for (const [hours, step] of [
    [7 * 24 - 1, 'Accept it as it is: npx shingle ingest --accept 7'],
    [7 * 24, 'It is too old to be accepted. Import again: npx shingle ingest --source licences'],
  ] as const) {
    const [held] = found({ signs: { states: [aState({ state: 'held', startedAt: ago(hours) })] } });
    assert.deepEqual([held?.source, held?.since, held?.steps.at(-1)], ['licences', ago(hours), step]);
  }
});

const newest = (day: string) => ({ signs: { newest: new Map([['licences', day]]) } });
const ran = (startedAt: string, goodAt: string | null, more: Partial<Signs> = {}) => ({
  signs: { states: [aState({ startedAt }, goodAt)], ...more },
});
const good = (hours: number, more?: Partial<Signs>) => ran(ago(1), ago(hours), more);
const ofMail = (facts: object) => ({ signs: { mail: { ...QUIET.mail!, ...facts } } });
const notDelivered = (undelivered: number, finished: number) => ({
  signs: { undelivered: { finished, undelivered } },
});
const alert = (facts: Partial<Alert>, config: Partial<Config> = { alertEmail: 'ops@b.example' }) => ({
  signs: {
    alert: {
      ...({ message: 'a', state: 'pending', madeAt: ago(1), attempts: 1, endedAt: null } as const),
      ...{ nextAt: NOW, outcome: 'canary', ...facts },
    },
  },
  config,
});
const WEEKLY = { sources: [aSource({ everyHours: 168 })] };
const FRESH = { sources: [aSource({ freshForHours: 48 })] };
const BY_HAND = { sources: [aSource({ from: { place: undefined } as Source['from'] })] };
const TWICE_A_YEAR = { sources: [aSource({ accepts: { stale: 'published twice a year' } })] };
const ARCHIVE = { city: { archive: true } };

const LIMITS: [what: string, given: Given, expected: string][] = [
  ['a healthy service', {}, ''],
  ['45 days without a filing', newest('2026-10-09'), ''],
  ['46 days', newest('2026-10-08'), 'stale'],
  ['years, if nobody has said that it is over', newest('2020-01-01'), 'stale'],
  ['46 days in an archive', { ...newest('2026-10-08'), ...ARCHIVE }, ''],
  ['46 days in an archive of a day', { ...newest('2026-10-08'), city: { asOf: '2026-10-10' } }, ''],
  ['46 days, as the profile expects', { ...newest('2026-10-08'), ...TWICE_A_YEAR }, ''],
  ['two missed imports', good(48), ''],
  ['more than two missed imports', good(48.1), 'old'],
  ['one missed import of a week', { ...good(48.1), ...WEEKLY }, ''],
  ['more than two missed imports of a week', { ...good(336.1), ...WEEKLY }, 'old'],
  ['missed imports without a schedule', good(99, { instances: [] }), ''],
  ['missed imports of a source without a place', { ...good(99), ...BY_HAND }, ''],
  ['missed imports of an archive', { ...good(99), ...ARCHIVE }, ''],
  ['the limit of the profile', { ...good(48), ...FRESH }, ''],
  ['more than the limit of the profile', { ...good(48.1), ...FRESH }, 'old'],
  ['more than the limit of an archive', { ...good(99), ...FRESH, ...ARCHIVE }, ''],
  ['no successful import since the limit', { ...ran(ago(49), null), ...FRESH }, 'old'],
  ['two machines differ a little', ran(ago(-0.08), ago(-0.08)), ''],
  ['a run is dated in the future', ran(ago(-9600), ago(1)), 'clock'],
  ['a kept run is dated in the future', ran(ago(1), ago(-0.09)), 'clock'],
  ['paused mail', ofMail({ problem: '535 canary', pausedUntil: NOW }), 'mail-paused'],
  ['199 confirmations wait', ofMail({ waiting: 199 }), ''],
  ['200 confirmations wait', ofMail({ waiting: 200 }), 'confirmations'],
  ['a confirmation waits for ten minutes', ofMail({ waitingSince: ago(1 / 6) }), ''],
  ['a confirmation waits for longer', ofMail({ waitingSince: ago(0.2) }), 'confirmations'],
  ['5 % not delivered', notDelivered(50, 1000), ''],
  ['more than 5 % not delivered', notDelivered(51, 1000), 'undelivered'],
  ['all of two not delivered', notDelivered(2, 2), ''],
  ['all of three not delivered', notDelivered(3, 3), 'undelivered'],
  ['all of ten not delivered', notDelivered(10, 10), 'undelivered'],
  ['three of five not delivered', notDelivered(3, 5), 'undelivered'],
  ['three of six not delivered', notDelivered(3, 6), ''],
  ['an alert after two attempts', alert({ attempts: 2 }), ''],
  ['an alert after three attempts', alert({ attempts: 3 }), 'alert'],
  ['a refused alert', alert({ state: 'failed' }), 'alert'],
  ['a refused alert, if nobody is told any more', alert({ state: 'failed' }, {}), ''],
];

for (const [what, given, expected] of LIMITS)
  test(`${what}: ${expected || 'no concern'}`, () => assert.equal(kinds(given), expected));

test('of several sources, the concern names the one that has stopped', () => {
  const sources = [aSource(), aSource({ id: 'permits' })];
  const states = [aState(), { ...aState(), source: 'permits' }];
  const days = { licences: '2026-11-20', permits: '2026-01-01' };
  const [one, ...others] = found({ sources, signs: { states, newest: new Map(Object.entries(days)) } });
  assert.deepEqual([one!.kind, one!.source, others], ['stale', 'permits', []]);
});

test('after a start, imports come first, and a source without a place is imported by hand', () => {
  const [late] = found({ ...good(99, { instances: scheduled(ago(0)) }), ...FRESH });
  assert.equal(late?.tellFrom, ago(-2.5));
  const [byHand] = found({ ...BY_HAND, signs: { states: [] } });
  assert.deepEqual(byHand!.steps, ['Import it: npx shingle ingest --source licences --from PLACE']);
});

test('a disk is a concern before it is full, and disks of other machines do not count', () => {
  const { bavail, bsize } = statfsSync(folder);
  const minFreeBytes = bavail * bsize * 2;
  assert.equal(kinds({ config: { minFreeBytes } }), 'disk');
  assert.equal(kinds({ config: { minFreeBytes }, signs: { unwritable: 'make room' } }), 'disk', 'said once');
  assert.equal(kinds({ config: { minFreeBytes, databaseUrl: 'postgres://x' } }), '');
  for (const [share, expected] of [
    [0.2, ''],
    [0.5, 'disk-soon'],
  ] as const) {
    setDatabaseShare(share);
    assert.equal(kinds(), expected);
  }
});

/** Makes the database as large as this share of the free disk; it has no blocks. */
function setDatabaseShare(share: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'shingle.db'), '');
  truncateSync(join(folder, 'shingle.db'), Math.round(bavail * bsize * share));
}

/** What concerns say of the state of the next test. No two of its numbers, days or moments are equal. */
const SAID = [
  'failed: run 7 of licences failed (see "npx shingle runs show 7")',
  'failed: run 7 of licences failed: DATA/x.csv: canary',
  'failed: Correct the cause, then import again: npx shingle ingest --source licences',
  'mail-paused: mail is paused until 2026-11-23 10:00 UTC',
  'mail-paused: mail is paused until 2026-11-23 10:00 UTC: canary',
  'confirmations: 240 confirmation emails are waiting: the limit is 200 an hour; a confirmation email has waited longer than 10 minutes: the limits are 200 an hour, and 10 an hour and 30 a day to one domain',
  'confirmations: confirmation emails wait: the limit is 200 an hour, and 10 an hour and 30 a day to one domain',
  'undelivered: more than 5 % of the emails of the last 7 days were not delivered',
  'undelivered: 97 of the 99 emails of the last 7 days were not delivered',
  'alert: the alert to ALERT_EMAIL was refused',
  'alert: the alert to ALERT_EMAIL was refused (canary)',
  'backup: no backup',
  'disk-soon: the disk is filling up: there is no room for 3 more backups',
  'held: run 7 of licences was held (see "npx shingle runs show 7")',
  'held: run 7 of licences was held: DATA/x.csv: canary',
  'held: See why: npx shingle runs show 7',
  'held: Accept it as it is: npx shingle ingest --accept 7',
  'stale: the newest filing of licences is more than 45 days old',
  'stale: the newest filing of licences is more than 45 days old (2026-01-01)',
  'unwritable: nothing can be stored, so signups, confirmations and unsubscribes are refused: DATA is read-only',
  'public-url: signups on pages of https://canary.example are refused, because PUBLIC_URL is https://b.example',
  'public-url: If visitors use https://canary.example: set PUBLIC_URL=https://canary.example and restart',
  'never-ingested: source licences has never been imported',
  'never-ingested: Import it: npx shingle ingest --source licences',
  'old: licences has had no successful import for more than 48 hours',
  'old: Import it: npx shingle ingest --source licences',
  'clock: the last import of licences is dated in the future (2026-11-27 11:00 UTC): the clock of the machine is or was wrong',
  'clock: If the clock is right now, import again: npx shingle ingest --source licences',
  'approval: the edition of 2026-11-27 is waiting for your approval',
  'approval: the edition of 2026-11-27 (4 new businesses) is waiting for your approval. If you do not approve it, it is sent at 2026-11-27 14:00 UTC',
  'not-running: the service is not running (canary)',
  'not-running: Start it: npx shingle start',
  'silent: the service runs, but cannot work: its disk is gone',
  'silent: Stop it, restore a backup if the database is gone, and start it again: npx shingle start',
  'damaged: the database DATA is damaged (canary)',
];

test('every concern has its full text, and no summary has a path, an address or a message of another program', () => {
  const bad = (state: 'held' | 'failed') => [aState({ state, detail: `${folder}/x.csv: canary` })];
  const waiting = { waiting: 240, waitingSince: ago(1) };
  const mail = { ...QUIET.mail!, ...waiting, problem: 'canary', pausedUntil: ago(-2) };
  const { bavail, bsize } = statfsSync(folder);
  const { signs: refused, config } = alert({ state: 'failed' });
  const minFreeBytes = bavail * bsize * 2;
  const problem = { summary: 'no backup', detail: 'canary' };
  const backups = { newestAt: null, problem, neededSince: ago(9) };
  const failed = { states: bad('failed'), mail, backups, ...refused, ...notDelivered(97, 99).signs };
  setDatabaseShare(0.5);
  const all = [
    ...found({ signs: failed, config: { ...config, minFreeBytes } }),
    ...found({ signs: { states: bad('held'), ...newest('2026-01-01').signs } }), // and the disk will soon be full
    ...found({
      signs: { states: [], unwritable: `${folder} is read-only`, ownOrigin: 'https://canary.example' },
      config: { publicUrl: 'https://b.example' },
    }),
    ...found({ signs: { states: [], served: ['limits-full', 'trust-proxy'], isServerGone: true } }),
    ...found(good(99)),
    ...found(good(-99)),
    ...found({ signs: { states: [], unapproved: { edition: '2026-11-27', total: 4, until: ago(-102) } } }),
    makeConcern('not-running', { why: ' (canary)', start: 'npx shingle start' }),
    makeConcern('silent', { start: 'npx shingle start', what: 'its disk is gone' }),
    ...found({ signs: { states: [], unwritable: `the database ${folder} is damaged (canary)` } }),
  ];
  assert.deepEqual([...new Set(all.map(({ kind }) => kind))].sort(), CONCERN_KINDS.toSorted());
  for (const { summary, detail = '', steps } of all) {
    assert.doesNotMatch(summary, new RegExp(`canary|@|${folder}`));
    for (const text of [summary, detail, ...steps]) assert.doesNotMatch(text, /\{\w+\}|undefined|null|NaN/);
    assert.ok(steps.length > 0, summary);
  }
  const said = all.flatMap(({ kind, summary, detail = '', steps }) =>
    [summary, detail, ...steps].map((text) => `${kind}: ${text.replaceAll(folder, 'DATA')}`),
  );
  for (const text of SAID) assert.ok(said.includes(text), `${text} in\n${said.join('\n')}`);
});

/** Of the backups that are needed since 8:00, and the start of what makes them. */
function backupConcern(facts: Partial<BackupFacts> | undefined, now: string, since?: string) {
  const backups = facts && {
    neededSince: '2026-11-20T08:00:00.000Z',
    newestAt: null,
    problem: null,
    ...facts,
  };
  const instances = since === undefined ? [] : scheduled(`2026-11-${since}:00:00.000Z`, now);
  return found({ signs: { backups, instances } }, now).find(({ kind }) => kind === 'backup');
}

const YESTERDAY = { newestAt: '2026-11-20T08:00:05.000Z' };

test('a backup counts as missing an hour after the first kept run, after midnight and after a start, and never if Shingle makes none', () => {
  for (const [now, facts, since, summary] of [
    ['20T09:00:00.000', {}, '20T07', undefined],
    ['20T09:00:00.001', {}, '20T07', 'there is no backup'],
    ['30T09:00:00.001', { neededSince: null }, '20T07', undefined],
    ['21T01:00:00.000', YESTERDAY, '20T07', undefined],
    ['21T01:00:00.001', YESTERDAY, '20T07', 'the newest backup is from 2026-11-20'],
    ['25T08:00:00.000', YESTERDAY, '25T07', undefined],
    ['25T23:00:00.000', { newestAt: '2026-11-25T00:00:00.000Z' }, '20T07', undefined],
    ['30T09:00:00.000', {}, undefined, undefined],
    ['30T09:00:00.000', undefined, '20T07', undefined], // on PostgreSQL
  ] as const)
    assert.equal(backupConcern(facts, `2026-11-${now}Z`, since)?.summary, summary, now);
  const late = backupConcern(YESTERDAY, '2026-11-21T01:00:00.001Z', '20T07')!;
  assert.equal(late.since, YESTERDAY.newestAt);
  assert.match(late.steps[0]!, /npx shingle backup by-hand\.db$/);
});

test('if the newest backup is damaged, it is a concern at once, and only the operator sees its path', () => {
  const problem = { summary: 'no backup can be made', detail: 'no backup can be made in /data: ENOTDIR' };
  const { summary, detail } = backupConcern({ problem }, '2026-11-20T08:00:00.000Z')!;
  assert.deepEqual({ summary, detail }, problem);
});

test('signups for one domain alarm the operator only if they come from three clients', async () => {
  const service = await aCity().open(at(11 * MINUTE));
  const signUp = (client: number, name: string) =>
    ask(service.store, `${name}@firm.example`, { client, recipientDomain: 'firm.example' });
  /** What the mailer and a command see once all has been sent that may be. */
  const look = async () => {
    const mailer = openMail(service);
    mailer.start();
    await until(mailer.standing, 'the mailer to look');
    await mailer.close();
    const signs = await readSigns(service);
    const concerns = findConcerns(service, { ...signs, mail: mailer.standing()! });
    const isTold = concerns.some(({ kind }) => kind === 'confirmations');
    return [isTold, mailer.standing()?.waiting, signs.mail?.waiting];
  };
  for (let i = 0; i < 15; i++) await signUp(1, `u${i}`);
  assert.deepEqual(await look(), [false, 0, 0], 'seven wait');
  for (const client of [2, 3, 4]) await signUp(client, `v${client}`);
  assert.deepEqual(await look(), [false, 0, 0], 'two clients have had their turn, and one waits');
  await signUp(5, 'v5');
  assert.deepEqual(await look(), [true, 9, 9]);
});

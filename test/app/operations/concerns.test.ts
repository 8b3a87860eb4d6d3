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

const aState = (
  facts: Partial<SourceState['last'] & object> = {},
  goodAt: string | null = ago(1),
): SourceState => ({
  ...{ source: 'licences', goodAt },
  last: { run: 7, state: 'kept', detail: null, retry: null, startedAt: ago(1), findings: [], ...facts },
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

type Given = {
  signs?: Partial<Signs>;
  city?: Partial<City>;
  sources?: Source[];
  config?: Partial<Config>;
  now?: string;
};

function found({ signs, city, sources = [aSource()], config, now = NOW }: Given = {}) {
  const configured = { ...readConfig({ SHINGLE_DATA: folder, MIN_FREE_BYTES: '0' }), ...config };
  const town = { name: 'Rivermouth', timeZone: 'UTC', sources, ...city } as City;
  return findConcerns({ loaded: { city: town }, config: configured, now: () => now }, { ...QUIET, ...signs });
}

const kinds = (given?: Given): string =>
  found(given)
    .map(({ kind }) => kind)
    .join();

test('a healthy service has no concerns', () => assert.deepEqual(found(), []));

test('a held run can be accepted until it is too old', () => {
  const [held] = found({ signs: { states: [aState({ state: 'held', detail: 'too few rows' })] } });
  assert.deepEqual([held?.source, held?.since], ['licences', ago(1)]);
  const steps = (hours: number) =>
    found({ signs: { states: [aState({ state: 'held', startedAt: ago(hours) })] } })[0]!.steps.at(-1);
  assert.equal(steps(7 * 24 - 1), 'Accept it as it is: npx shingle ingest --accept 7');
  assert.equal(
    steps(7 * 24),
    'It is too old to be accepted. Import again: npx shingle ingest --source licences',
  );
});

test('each source whose register has stopped is a concern, unless the city is an archive', () => {
  const stopped = { signs: { newest: new Map([['licences', '2026-10-08']]) } };
  assert.equal(kinds({ signs: { newest: new Map([['licences', '2026-10-09']]) } }), '', '45 days');
  assert.equal(kinds(stopped), 'stale', '46 days');
  const two = [aSource(), aSource({ id: 'permits' })];
  const states = [aState(), { ...aState(), source: 'permits' }];
  const newest = new Map([
    ['licences', '2026-11-20'],
    ['permits', '2026-01-01'],
  ]);
  const [concern, ...others] = found({ sources: two, signs: { states, newest } });
  assert.deepEqual([concern?.kind, concern?.source, others], ['stale', 'permits', []]);
  for (const given of [
    { city: { archive: true } },
    { city: { asOf: '2026-10-10' } },
    { sources: [aSource({ accepts: { stale: 'published twice a year' } })] },
  ])
    assert.equal(kinds({ ...stopped, ...given }), '', JSON.stringify(given));
  const years = { newest: new Map([['licences', '2020-01-01']]) };
  assert.equal(kinds({ signs: years }), 'stale', 'nobody has said that it is over');
});

test('data is old after two missed imports, unless the profile sets a limit', () => {
  const signs = (hours: number) => ({ ...QUIET, states: [aState({}, ago(hours))] });
  assert.equal(kinds({ signs: signs(48) }), '');
  assert.equal(kinds({ signs: signs(48.1) }), 'old');
  assert.equal(kinds({ signs: signs(48.1), sources: [aSource({ everyHours: 168 })] }), '');
  assert.equal(kinds({ signs: signs(336.1), sources: [aSource({ everyHours: 168 })] }), 'old');
  for (const given of [
    { signs: { ...signs(99), instances: [] } },
    { signs: signs(99), sources: [aSource({ from: { place: undefined } as Source['from'] })] },
    { signs: signs(99), city: { archive: true } },
  ])
    assert.equal(kinds(given), '');
});

test('data is old after the limit of the profile, and a source without a run is a concern that says how to import it', () => {
  const source = aSource({ freshForHours: 48 });
  for (const [hours, expected] of [
    [48, ''],
    [48.1, 'old'],
  ] as const)
    assert.equal(kinds({ sources: [source], signs: { states: [aState({}, ago(hours))] } }), expected);
  const given = { sources: [source], signs: { states: [aState({}, ago(99))], instances: scheduled(ago(0)) } };
  assert.equal(found(given)[0]?.tellFrom, ago(-2.5), 'after a start, imports come first');
  assert.equal(kinds({ ...given, city: { archive: true } }), '');
  assert.equal(
    kinds({ sources: [source], signs: { states: [aState({ startedAt: ago(49) }, null)] } }),
    'old',
  );
  const [byHand] = found({
    sources: [aSource({ from: { place: undefined } as Source['from'] })],
    signs: { states: [] },
  });
  assert.deepEqual(byHand!.steps, ['Import it: npx shingle ingest --source licences --from PLACE']);
});

test('the concern about an import that is dated in the future names the clock as the cause', () => {
  const state = (startedAt: string, goodAt: string) => ({
    signs: { states: [aState({ startedAt }, goodAt)] },
  });
  assert.equal(kinds(state(ago(-0.08), ago(-0.08))), '', 'two machines differ a little');
  for (const [startedAt, goodAt] of [
    [ago(-9600), ago(1)],
    [ago(1), ago(-0.09)],
  ] as const)
    assert.equal(kinds(state(startedAt, goodAt)), 'clock');
});

test('mail is a concern if it is paused, makes people wait, or is not delivered', () => {
  const mail = (facts: object) => ({ signs: { mail: { ...QUIET.mail!, ...facts } } });
  assert.equal(kinds(mail({ problem: '535 canary', pausedUntil: NOW })), 'mail-paused');
  assert.equal(kinds(mail({ waiting: 199 })), '');
  assert.equal(kinds(mail({ waiting: 200 })), 'confirmations');
  assert.equal(kinds(mail({ waitingSince: ago(1 / 6) })), '');
  assert.equal(kinds(mail({ waitingSince: ago(0.2) })), 'confirmations');
  for (const [finished, undelivered, expected] of [
    [1000, 50, ''],
    [1000, 51, 'undelivered'],
    [2, 2, ''],
    [10, 10, 'undelivered'],
    [3, 3, 'undelivered'],
    [5, 3, 'undelivered'],
    [6, 3, ''],
  ] as const)
    assert.equal(kinds({ signs: { undelivered: { finished, undelivered } } }), expected);
  const alert: Alert = {
    ...{ message: 'a', state: 'pending', madeAt: ago(1), attempts: 2, endedAt: null, nextAt: NOW },
    outcome: '451',
  };
  const config = { alertEmail: 'ops@b.example' };
  assert.equal(kinds({ signs: { alert }, config }), '');
  assert.equal(kinds({ signs: { alert: { ...alert, attempts: 3 } }, config }), 'alert');
  assert.equal(kinds({ signs: { alert: { ...alert, state: 'failed' } }, config }), 'alert');
  assert.equal(kinds({ signs: { alert: { ...alert, state: 'failed' } } }), '', 'nobody is told any more');
});

test('a disk is a concern before it is full, and disks of other machines do not count', () => {
  const { bavail, bsize } = statfsSync(folder);
  const minFreeBytes = bavail * bsize * 2;
  assert.equal(kinds({ config: { minFreeBytes } }), 'disk');
  assert.equal(kinds({ config: { minFreeBytes }, signs: { unwritable: 'make room' } }), 'disk', 'said once');
  assert.equal(kinds({ config: { minFreeBytes, databaseUrl: 'postgres://x' } }), '');
  const database = join(folder, 'shingle.db');
  writeFileSync(database, '');
  for (const [share, expected] of [
    [0.2, ''],
    [0.5, 'disk-soon'],
  ] as const) {
    truncateSync(database, Math.round(bavail * bsize * share)); // it has no blocks
    assert.equal(kinds(), expected);
  }
});

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
  const alert: Alert = {
    ...{ message: 'canary', state: 'failed', madeAt: ago(1), attempts: 1, endedAt: ago(1), nextAt: NOW },
    outcome: 'canary',
  };
  const config = { minFreeBytes: bavail * bsize * 2, alertEmail: 'ops@b.example' };
  const backups = {
    newestAt: null,
    problem: { summary: 'no backup', detail: 'canary' },
    neededSince: ago(9),
  };
  const [newest, undelivered] = [new Map([['licences', '2026-01-01']]), { finished: 99, undelivered: 97 }];
  writeFileSync(join(folder, 'shingle.db'), '');
  truncateSync(join(folder, 'shingle.db'), Math.round(bavail * bsize * 0.5));
  const all = [
    ...found({ signs: { states: bad('failed'), mail, alert, backups, undelivered }, config }),
    ...found({ signs: { states: bad('held'), newest } }), // and the disk will soon be full
    ...found({
      signs: { states: [], unwritable: `${folder} is read-only`, ownOrigin: 'https://canary.example' },
      config: { publicUrl: 'https://b.example' },
    }),
    ...found({ signs: { states: [], served: ['limits-full', 'trust-proxy'], isServerGone: true } }),
    ...found({ signs: { states: [aState({}, ago(99))] } }),
    ...found({ signs: { states: [aState({}, ago(-99))] } }),
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
  const said = new Set(
    all.flatMap(({ kind, summary, detail = '', steps }) =>
      [summary, detail, ...steps].map((text) => `${kind}: ${text.replaceAll(folder, 'DATA')}`),
    ),
  );
  assert.deepEqual(
    SAID.filter((text) => !said.has(text)),
    [],
    [...said].join('\n'),
  );
});

function findBackupConcerns(facts: Partial<BackupFacts> | undefined, now: string, scheduledSince?: string) {
  const neededSince = '2026-11-20T08:00:00.000Z';
  const backups = facts && { neededSince, newestAt: null, problem: null, ...facts };
  const instances = scheduledSince === undefined ? [] : scheduled(scheduledSince, now);
  return found({ signs: { backups, instances }, now }).filter(({ kind }) => kind === 'backup');
}

const EARLY = '2026-11-20T07:00:00.000Z';

test('a backup counts as missing an hour after the first kept run, after midnight and after a start', () => {
  const sentences = (...args: Parameters<typeof findBackupConcerns>) =>
    findBackupConcerns(...args).map(({ summary }) => summary);
  assert.deepEqual(sentences({}, '2026-11-20T09:00:00.000Z', EARLY), []);
  assert.deepEqual(sentences({}, '2026-11-20T09:00:00.001Z', EARLY), ['there is no backup']);
  assert.deepEqual(sentences({ neededSince: null }, '2026-11-30T09:00:00.001Z', EARLY), []);
  const yesterday = { newestAt: '2026-11-20T08:00:05.000Z' };
  assert.deepEqual(sentences(yesterday, '2026-11-21T01:00:00.000Z', EARLY), []);
  const [late] = findBackupConcerns(yesterday, '2026-11-21T01:00:00.001Z', EARLY);
  assert.deepEqual(
    [late!.summary, late!.since],
    ['the newest backup is from 2026-11-20', yesterday.newestAt],
  );
  assert.match(late!.steps[0]!, /npx shingle backup by-hand\.db$/);
  const [now, start] = ['2026-11-25T08:00:00.000Z', '2026-11-25T07:00:00.000Z'];
  assert.deepEqual(sentences(yesterday, now, start), [], 'just started');
  assert.deepEqual(
    sentences({ newestAt: '2026-11-25T00:00:00.000Z' }, '2026-11-25T23:00:00.000Z', EARLY),
    [],
  );
});

test('a missing backup is a concern only if Shingle makes backups, and never on PostgreSQL', () => {
  assert.deepEqual(findBackupConcerns({}, '2026-12-20T09:00:00.000Z'), []);
  assert.deepEqual(findBackupConcerns(undefined, '2026-12-20T09:00:00.000Z', EARLY), []);
});

test('if the newest backup is damaged, it is a concern at once, and only the operator sees its path', () => {
  const problem = { summary: 'no backup can be made', detail: 'no backup can be made in /data: ENOTDIR' };
  const [concern] = findBackupConcerns({ problem }, '2026-11-20T08:00:00.000Z');
  assert.deepEqual({ summary: concern!.summary, detail: concern!.detail }, problem);
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

/** What the commands say of the service, of a run and of an edition. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseExitCode, formatRun } from '../../../src/app/cli/report.ts';
import { listFacts } from '../../../src/app/cli/status.ts';
import { describeSent } from '../../../src/app/cli/weekly.ts';
import type { ServiceStatus } from '../../../src/app/operations/service-status.ts';
import type { Run } from '../../../src/service/runs/runs.ts';

const AT = '2026-11-23T16:00:00.000Z';
const before = (minutes: number) => new Date(Date.parse(AT) - minutes * 60_000).toISOString();
const [HOUR, DAY] = [60, 1440];

const NOBODY = { confirmed: 0, pending: 0, left: 0, bounced: 0 };
const COMING = { edition: '2026-11-27', at: before(-4 * DAY), total: 1, leftOut: 0, approved: null };
const LAST = {
  ...{ edition: '2026-11-20', state: 'finished', reason: null, bounced: 0 },
  ...{ sent: 7, waiting: 0, failed: 0, uncertain: 0, expired: 0, canceled: 0 },
} as const;
const SOURCE = {
  source: 'licences',
  run: 3,
  state: 'kept',
  goodAt: null,
  startedAt: before(90),
  nextAt: null,
};

const STATUS = {
  at: AT,
  city: 'Rivermouth, Oregon',
  subscriptions: {
    weekly: { ...NOBODY, confirmed: 5, pending: 2, bounced: 1 },
    'pro-waitlist': { ...NOBODY, confirmed: 3, pending: 1, bounced: 3 },
  },
  service: { instances: 1, schedule: true, seenAt: null, isSilent: false, isLost: false },
  data: { listings: 1200, newestFiling: '2026-11-22', ageDays: 1, hasEnded: false },
  sources: [SOURCE],
  mail: {
    ...{ way: 'mail.example:587', waiting: 0, pausedUntil: null, problem: null, deferred: null },
    ...{ nextEdition: COMING, lastEdition: LAST, reports: {} },
    alerts: { on: true, last: 'sent', lastAt: before(3 * HOUR) },
  },
  disk: { freeBytes: 2_340_000_000, databaseBytes: 7_600_000, newestBackupAt: before(5 * HOUR) },
  versions: { shingle: '1.2.3', node: '20.9.0', database: 'SQLite 3.50' },
  importing: null,
  concerns: [],
} as unknown as ServiceStatus;

const { service, data, mail, disk, versions } = STATUS;
/** A source whose last run began so many minutes ago, and whose next run is due in so many. */
const ran = (ago: number, due: number) => ({
  sources: [{ ...SOURCE, startedAt: before(ago), nextAt: before(-due) }] as ServiceStatus['sources'],
});
const ofService = (facts: object) => ({ service: { ...service, ...facts } });
const ofMail = (facts: object) => ({ mail: { ...mail, ...facts } });

test('the status says each fact in a line', () =>
  assert.deepEqual(listFacts(STATUS), [
    ['Service', 'running'],
    ['Data', '1,200 listings, newest filed 2026-11-22 (yesterday)'],
    ['  licences', 'run 3 kept 90 minutes ago, imported by hand'],
    ['Mail', 'mail.example:587, 0 waiting'],
    ['Edition', '2026-11-20: 7 sent; next in 4 days, with 1 new business so far'],
    ['Alerts', 'on, last sent 3 hours ago'],
    [
      'Subscribers',
      '5 weekly, 3 on the Pro waitlist, 3 not confirmed, 4 bounced (who: npx shingle subscribers list)',
    ],
    ['Disk', '2.3 GB free, database 8 MB, newest backup 5 hours ago'],
    ['Versions', 'Shingle 1.2.3, Node 20.9.0, SQLite 3.50'],
  ]));

const LINES: [text: string, facts: Partial<ServiceStatus>][] = [
  ['Service: running, 2 instances', ofService({ instances: 2 })],
  ['Service: not running, last seen 2 days ago', ofService({ instances: 0, seenAt: before(2 * DAY) })],
  [
    'Data: 1,200 listings, newest filed 2026-11-22 (today); shown as an archive',
    { data: { ...data, ageDays: 0, hasEnded: true } },
  ],
  [
    'Import: running since 2026-11-23 15:59 UTC (process 7)',
    { importing: { pid: 7, since: before(1), source: 'licences' } },
  ],
  ['  licences: run 3 kept less than a minute ago, next in 119 minutes', ran(0.4, 119)],
  ['  licences: run 3 kept 47 hours ago, next now', ran(47.4 * HOUR, 0)],
  ['  licences: run 3 kept 3 days ago, next in 2 hours', ran(2.6 * DAY, 120)],
  ['  licences: never imported', { sources: [{ ...SOURCE, run: null, startedAt: null }] as never }],
  [
    'Mail: mail.example:587, 4 waiting; paused until 2026-11-23 16:30 UTC',
    ofMail({ waiting: 4, problem: 'away', pausedUntil: before(-30) }),
  ],
  [
    'Mail: mail.example:587, 1 waiting; 1 to be sent again in 30 minutes: busy',
    ofMail({ waiting: 1, deferred: { count: 1, nextAt: before(-30), reason: 'busy' } }),
  ],
  [
    'Edition: 2026-11-20: 7 sent, 2 failed, 1 bounced; next one due now, with 1 new business so far, not approved yet',
    ofMail({
      lastEdition: { ...LAST, failed: 2, bounced: 1 },
      nextEdition: { ...COMING, at: AT, approved: false },
    }),
  ],
  ['Edition: none sent yet; none to come', ofMail({ lastEdition: null, nextEdition: null })],
  ['Reports: 2 stopped, 1 not a report', ofMail({ reports: { stopped: 2, 'not-a-report': 1 } })],
  [
    'Alerts: off: set ALERT_EMAIL to get an email when something needs your attention',
    ofMail({ alerts: { on: false, last: null, lastAt: null } }),
  ],
  [
    'Disk: 999 bytes free, database 8 MB, no backup yet',
    { disk: { ...disk, freeBytes: 999, newestBackupAt: null } },
  ],
  [
    'Disk: 2.3 GB free, database 8 MB, back it up with pg_dump or your provider',
    { versions: { ...versions, database: 'PostgreSQL 18' } },
  ],
];

test('each line of the status has its times and sizes in readable units', () => {
  for (const [text, facts] of LINES) {
    const lines = listFacts({ ...STATUS, ...facts }).map(([label, said]) => `${label}: ${said}`);
    assert.ok(lines.includes(text), `${text} in\n${lines.join('\n')}`);
  }
});

const RUN: Run = {
  ...{ run: 7, source: 'licences', state: 'kept', baseline: false, snapshot: true },
  ...{ place: 'export.csv', detail: null, content: '', profileDigest: '', retry: null, startedAt: '' },
  ...{ endedAt: null, mark: null, shape: null, findings: [] },
  ...{ read: 0, openings: 0, updates: 0, skipped: {}, rejected: [] },
  ...{ added: 0, changed: 0, unchanged: 0, folded: 0, withdrawn: 0, updated: 0 },
};

const COUNTED: Run = {
  ...RUN,
  ...{ read: 1_237, openings: 1_220, updates: 2, added: 1_000, changed: 100, unchanged: 112, folded: 8 },
  ...{ skipped: { 'a renewal': 1, 'another state': 3 }, withdrawn: 1_500, updated: 9 },
  rejected: [
    { reason: 'no day', count: 5, lines: [2, 3, 5, 8, 13] },
    { reason: 'no name', count: 6, lines: [1, 4, 6, 7, 9, 10] },
  ],
};

test('a report on a run has its counts, or the reason if it read no rows, and the most frequent reasons first', () => {
  for (const [run, ...lines] of [
    [RUN, 'kept'],
    [{ ...RUN, state: 'failed', detail: 'the file is empty' } as const, 'failed', 'the file is empty'],
    [
      COUNTED,
      'kept',
      '1,237 rows = 1,220 openings + 2 updates + 4 skipped + 11 rejected',
      'openings = 1,000 added + 100 changed + 112 unchanged + 8 merged',
      '1,500 withdrawn (no longer openings under the changed profile)',
      '9 existing listings changed by updates',
      'skipped 3: another state',
      'skipped 1: a renewal',
      'rejected 5: no day (line 2, 3, 5, 8, 13)',
      'rejected 6: no name (line 1, 4, 6, 7, 9, …)',
    ],
  ] as [Run, ...string[]][])
    assert.equal(formatRun(run), `run 7: licences: export.csv: ${lines.join('\n  ')}`);
});

test('the worst of the runs decides the exit code', () => {
  const codes = [[], ['kept'], ['unchanged', 'held'], ['held', 'failed', 'kept']] as Run['state'][][];
  assert.deepEqual(
    codes.map((states) => chooseExitCode(states.map((state) => ({ ...RUN, state })))),
    [0, 0, 3, 1],
  );
});

const [EARLY, LATE] = [' (early: it is not due yet)', '2026-11-27T18:05:00.000Z'];
const PROGRESS = { sent: 2, waiting: 3, failed: 5, uncertain: 6, expired: 7, canceled: 8 };
const EDITION_LINES: Record<string, object> = {
  ' has no recipients so far; nothing was stored or sent': { outcome: 'nobody' },
  [`${EARLY} has no new businesses so far; nothing was stored or sent`]: { outcome: 'empty', early: true },
  ' is skipped: there are no new businesses': { outcome: 'empty' },
  ' would be skipped: there are no new businesses': { outcome: 'empty', isDry: true },
  [`${EARLY} is waiting for your approval: look at it with "npx shingle weekly preview"; nothing was stored or sent`]:
    { outcome: 'waiting', early: true },
  ' is skipped, because it was not approved; its news is in the next edition': { outcome: 'unapproved' },
  ': 1,234 new businesses, to 9 people; nothing matches what 11 more subscribers chose; 2 sent, 3 waiting, 5 failed, 6 uncertain, 7 expired, 8 canceled; sent again from 2026-11-27 18:05 UTC on':
    { outcome: 'decided', unmatched: 11, nextAt: LATE },
};

test('the report on an edition says what became of it, with all its numbers', () => {
  for (const [text, facts] of Object.entries(EDITION_LINES)) {
    const sent = {
      ...{ edition: '2026-11-27', early: false, isDry: false, content: { total: 1234 }, recipients: 9 },
      ...{ unmatched: 0, progress: PROGRESS, problem: null, nextAt: null, ...facts },
    } as unknown as Parameters<typeof describeSent>[0];
    assert.equal(describeSent(sent), `the edition of 2026-11-27${text}`);
  }
});

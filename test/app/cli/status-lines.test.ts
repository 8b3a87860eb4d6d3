/** What each line of `shingle status` says of a state of the service. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listFacts } from '../../../src/app/cli/status.ts';
import type { ServiceStatus } from '../../../src/app/operations/service-status.ts';

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
    ...{
      nextEdition: COMING,
      lastEdition: LAST,
      reports: {},
      alerts: { on: true, last: null, lastAt: null },
    },
  },
  disk: { freeBytes: 2_340_000_000, databaseBytes: 7_600_000, newestBackupAt: before(5 * HOUR) },
  versions: { shingle: '1.2.3', node: '20.9.0', database: 'SQLite 3.50' },
  importing: null,
  concerns: [],
} as unknown as ServiceStatus;

const { service, data, mail, disk, versions } = STATUS;
const source = (facts: object) => ({ sources: [{ ...SOURCE, ...facts }] as ServiceStatus['sources'] });
const ofMail = (facts: object) => ({ mail: { ...mail, ...facts } });
const alert = (minutes: number) => ofMail({ alerts: { on: true, last: 'sent', lastAt: before(minutes) } });

const LINES: [label: string, facts: Partial<ServiceStatus>, text: string][] = [
  ['Service', { service: { ...service, instances: 2 } }, 'running, 2 instances'],
  [
    'Service',
    { service: { ...service, instances: 0, seenAt: before(2 * DAY) } },
    'not running, last seen 2 days ago',
  ],
  ['Data', {}, '1,200 listings, newest filed 2026-11-22 (yesterday)'],
  [
    'Data',
    { data: { ...data, ageDays: 0, hasEnded: true } },
    '1,200 listings, newest filed 2026-11-22 (today); shown as an archive',
  ],
  [
    'Import',
    { importing: { pid: 7, since: before(1), source: 'licences' } },
    'running since 2026-11-23 15:59 UTC (process 7)',
  ],
  ['  licences', {}, 'run 3 kept 90 minutes ago, imported by hand'],
  [
    '  licences',
    source({ startedAt: before(0.4), nextAt: before(-119) }),
    'run 3 kept less than a minute ago, next in 119 minutes',
  ],
  ['  licences', source({ startedAt: before(47.4 * HOUR), nextAt: AT }), 'run 3 kept 47 hours ago, next now'],
  [
    '  licences',
    source({ startedAt: before(2.6 * DAY), nextAt: before(-120) }),
    'run 3 kept 3 days ago, next in 2 hours',
  ],
  ['  licences', source({ run: null, startedAt: null }), 'never imported'],
  ['Mail', {}, 'mail.example:587, 0 waiting'],
  [
    'Mail',
    ofMail({ waiting: 4, problem: 'away', pausedUntil: before(-30) }),
    'mail.example:587, 4 waiting; paused until 2026-11-23 16:30 UTC',
  ],
  [
    'Mail',
    ofMail({ waiting: 1, deferred: { count: 1, nextAt: before(-30), reason: 'busy' } }),
    'mail.example:587, 1 waiting; 1 to be sent again in 30 minutes: busy',
  ],
  ['Edition', {}, '2026-11-20: 7 sent; next in 4 days, with 1 new business so far'],
  [
    'Edition',
    ofMail({
      lastEdition: { ...LAST, failed: 2, bounced: 1 },
      nextEdition: { ...COMING, at: AT, approved: false },
    }),
    '2026-11-20: 7 sent, 2 failed, 1 bounced; next one due now, with 1 new business so far, not approved yet',
  ],
  ['Edition', ofMail({ lastEdition: null, nextEdition: null }), 'none sent yet; none to come'],
  ['Reports', ofMail({ reports: { stopped: 2, 'not-a-report': 1 } }), '2 stopped, 1 not a report'],
  [
    'Alerts',
    ofMail({ alerts: { on: false, last: null, lastAt: null } }),
    'off: set ALERT_EMAIL to get an email when something needs your attention',
  ],
  ['Alerts', alert(3 * HOUR), 'on, last sent 3 hours ago'],
  [
    'Subscribers',
    {},
    '5 weekly, 3 on the Pro waitlist, 3 not confirmed, 4 bounced (who: npx shingle subscribers list)',
  ],
  ['Disk', {}, '2.3 GB free, database 8 MB, newest backup 5 hours ago'],
  [
    'Disk',
    { disk: { ...disk, freeBytes: 999, newestBackupAt: null } },
    '999 bytes free, database 8 MB, no backup yet',
  ],
  [
    'Disk',
    { versions: { ...versions, database: 'PostgreSQL 18' } },
    '2.3 GB free, database 8 MB, back it up with pg_dump or your provider',
  ],
  ['Versions', {}, 'Shingle 1.2.3, Node 20.9.0, SQLite 3.50'],
];

test('each line of the status says its facts, with times and sizes in readable units', () => {
  for (const [label, facts, text] of LINES)
    assert.equal(
      new Map(listFacts({ ...STATUS, ...facts })).get(label),
      text,
      `${label} ${JSON.stringify(facts)}`,
    );
});

/** When a missing, empty or impossible backup needs the operator: in health, status, the alert and the metric, which take it from one list. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findConcerns } from '../../../src/app/operations/concerns.ts';
import { readConfig } from '../../../src/config.ts';
import type { City } from '../../../src/register/profile/define.ts';
import type { BackupFacts } from '../../../src/service/data/backups.ts';
import type { Instance } from '../../../src/service/mail/alerts.ts';

const CITY = { name: 'Rivermouth', timeZone: 'UTC', sources: [] } as unknown as City;
const QUIET = {
  ...{ states: [], newest: new Map(), mail: undefined, undelivered: undefined, alert: undefined },
  ...{ ownOrigin: undefined, served: [], isServerGone: false, unwritable: undefined, unapproved: undefined },
};

function found(facts: Partial<BackupFacts> | undefined, now: string, scheduledSince?: string) {
  const backups = facts && {
    ...{ neededSince: '2026-11-20T08:00:00.000Z', newestAt: null, problem: null },
    ...facts,
  };
  const config = readConfig({ MIN_FREE_BYTES: '0' });
  const instances: Instance[] =
    scheduledSince === undefined
      ? []
      : [{ instance: 'a', command: 'start', startedAt: scheduledSince, seenAt: now }];
  const signs = { ...QUIET, backups, instances };
  const service = { loaded: { city: CITY }, config, now: () => now };
  return findConcerns(service, signs).filter(({ kind }) => kind === 'backup');
}

const EARLY = '2026-11-20T07:00:00.000Z';

test('a backup counts as missing an hour after the first kept run, after midnight and after a start', () => {
  const sentences = (...args: Parameters<typeof found>) => found(...args).map(({ summary }) => summary);
  assert.deepEqual(sentences({}, '2026-11-20T09:00:00.000Z', EARLY), []);
  assert.deepEqual(sentences({}, '2026-11-20T09:00:00.001Z', EARLY), ['there is no backup']);
  assert.deepEqual(sentences({ neededSince: null }, '2026-11-30T09:00:00.001Z', EARLY), []);
  const yesterday = { newestAt: '2026-11-20T08:00:05.000Z' };
  assert.deepEqual(sentences(yesterday, '2026-11-21T01:00:00.000Z', EARLY), []);
  const [late] = found(yesterday, '2026-11-21T01:00:00.001Z', EARLY);
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
  assert.deepEqual(found({}, '2026-12-20T09:00:00.000Z'), []);
  assert.deepEqual(found(undefined, '2026-12-20T09:00:00.000Z', EARLY), []);
});

test('if the newest backup is damaged, it is a concern at once, and only the operator sees its path', () => {
  const problem = { summary: 'no backup can be made', detail: 'no backup can be made in /data: ENOTDIR' };
  const [concern] = found({ problem }, '2026-11-20T08:00:00.000Z');
  assert.deepEqual({ summary: concern!.summary, detail: concern!.detail }, problem);
});

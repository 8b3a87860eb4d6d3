/** The report of a run for people. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseExitCode, formatRun } from '../../../src/app/cli/report.ts';
import type { Run } from '../../../src/service/runs/runs.ts';

const RUN: Run = {
  ...{
    run: 7,
    source: 'licences',
    state: 'kept',
    baseline: false,
    snapshot: true,
    place: 'export.csv',
    detail: null,
  },
  ...{ content: '', profile: '', startedAt: '', endedAt: null, mark: null, shape: null, findings: [] },
  ...{ read: 0, openings: 0, updates: 0, skipped: {}, rejected: [] },
  ...{ added: 0, changed: 0, unchanged: 0, folded: 0, withdrawn: 0, updated: 0 },
};

test('a report shows a run that read no rows in one line, with the reason below it', () => {
  assert.equal(formatRun(RUN), 'run 7: licences: export.csv: kept');
  assert.equal(
    formatRun({ ...RUN, state: 'failed', detail: 'the file is empty' }),
    'run 7: licences: export.csv: failed\n  the file is empty',
  );
});

test('a report lists the most frequent reasons first, each with its count and up to five line numbers', () => {
  const run: Run = {
    ...RUN,
    ...{ read: 1_237, openings: 1_220, updates: 2, added: 1_000, changed: 100, unchanged: 112, folded: 8 },
    ...{ skipped: { 'a renewal': 1, 'another state': 3 }, withdrawn: 1_500, updated: 9 },
    rejected: [
      { reason: 'no day', count: 5, lines: [2, 3, 5, 8, 13] },
      { reason: 'no name', count: 6, lines: [1, 4, 6, 7, 9, 10] },
    ],
  };
  assert.deepEqual(formatRun(run).split('\n').slice(1), [
    '  1,237 rows = 1,220 openings + 2 updates + 4 skipped + 11 rejected',
    '  openings = 1,000 added + 100 changed + 112 unchanged + 8 merged',
    '  1,500 withdrawn (no longer openings under the changed profile)',
    '  9 existing listings changed by updates',
    '  skipped 3: another state',
    '  skipped 1: a renewal',
    '  rejected 5: no day (line 2, 3, 5, 8, 13)',
    '  rejected 6: no name (line 1, 4, 6, 7, 9, …)',
  ]);
});

test('the worst of the runs decides the exit code', () => {
  const codes = [[], ['kept'], ['unchanged', 'held'], ['held', 'failed', 'kept']] as Run['state'][][];
  assert.deepEqual(
    codes.map((states) => chooseExitCode(states.map((state) => ({ ...RUN, state })))),
    [0, 0, 3, 1],
  );
});

/** What `shingle weekly send` says of an edition. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSent } from '../../../src/app/cli/weekly.ts';

const [EARLY, LATE] = [' (early: it is not due yet)', '2026-11-27T18:05:00.000Z'];
const PROGRESS = { sent: 2, waiting: 3, failed: 5, uncertain: 6, expired: 7, canceled: 8 };
const LINES: Record<string, object> = {
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
  for (const [text, facts] of Object.entries(LINES)) {
    const sent = {
      ...{ edition: '2026-11-27', early: false, isDry: false, content: { total: 1234 }, recipients: 9 },
      ...{ unmatched: 0, progress: PROGRESS, problem: null, nextAt: null, ...facts },
    } as unknown as Parameters<typeof describeSent>[0];
    assert.equal(describeSent(sent), `the edition of 2026-11-27${text}`);
  }
});

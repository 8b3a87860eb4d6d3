/** What `shingle weekly send` says of an edition. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSent } from '../../../src/app/cli/weekly.ts';

const NAME = 'the edition of 2026-11-27';
const EARLY = `${NAME} (early: it is not due yet)`;
const PROGRESS = { sent: 4, waiting: 0, failed: 0, uncertain: 0, expired: 0, canceled: 0 };
const ALL = { sent: 2, waiting: 3, failed: 5, uncertain: 6, expired: 7, canceled: 8 };

const LINES: [facts: object, text: string][] = [
  [{ outcome: 'nobody' }, `${NAME} has no recipients so far; nothing was stored or sent`],
  [{ outcome: 'empty', early: true }, `${EARLY} has no new businesses so far; nothing was stored or sent`],
  [
    { outcome: 'waiting', early: true },
    `${EARLY} is waiting for your approval: look at it with "npx shingle weekly preview"; nothing was stored or sent`,
  ],
  [
    { outcome: 'unapproved' },
    `${NAME} is skipped, because it was not approved; its news is in the next edition`,
  ],
  [
    { outcome: 'unapproved', isDry: true },
    `${NAME} would be skipped, because it was not approved; its news is in the next edition`,
  ],
  [
    { outcome: 'decided', isDry: true, unmatched: 11 },
    `${NAME} would contain 1,234 new businesses, to 9 people; nothing matches what 11 more subscribers chose; nothing was stored or sent`,
  ],
  [
    { outcome: 'decided', progress: ALL, nextAt: '2026-11-27T18:05:00.000Z' },
    `${NAME}: 1,234 new businesses, to 9 people; 2 sent, 3 waiting, 5 failed, 6 uncertain, 7 expired, 8 canceled; sent again from 2026-11-27 18:05 UTC on`,
  ],
  [
    {
      outcome: 'decided',
      progress: { ...PROGRESS, waiting: 3 },
      problem: 'away',
      content: { total: 1 },
      recipients: 1,
    },
    `${NAME}: 1 new business, to 1 person; 4 sent, 3 waiting; paused: away`,
  ],
];

test('the report on an edition says what became of it, with all its numbers', () => {
  for (const [facts, text] of LINES) {
    const sent = {
      ...{ edition: '2026-11-27', early: false, isDry: false, content: { total: 1234 }, recipients: 9 },
      ...{ unmatched: 0, progress: PROGRESS, problem: null, nextAt: null, ...facts },
    };
    assert.equal(describeSent(sent as unknown as Parameters<typeof describeSent>[0]), text);
  }
});

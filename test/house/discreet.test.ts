/** The check that every process of these tests is held to can fail. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indiscretion } from '../discreet.ts';

const ENV = { SMTP_URL: 'smtp://ann:hunter-2@mail.example:587' };

test('the search of logs finds addresses, tokens and passwords, and nothing in a clean log', () => {
  const told: [log: string, piece: string][] = [
    ['{"level":"warn","message":"550 <ann@b.example> unknown"}', 'ann@b.example'],
    ['cannot send to jürgen@bücher.example, waits', 'jürgen@bücher.example'],
    ['GET /confirm?token=abc HTTP/1.1', 'token=abc'],
    ['535 5.7.8 hunter-2 is wrong', 'hunter-2'],
  ];
  for (const [log, piece] of told) assert.equal(indiscretion(log, ENV), piece);
  for (const log of ['serving 40 listings @ 12:00', 'error at file:///app/src/main.ts:3', 'a token is wrong'])
    assert.equal(indiscretion(log, ENV), undefined);
});

/** `weekly send` before the edition is due, on a real terminal (one that `script` makes): it asks, because an edition is sent once. */

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { aCity } from '../../a-city.ts';
import { commandsOf } from '../../a-command.ts';
import { lastJson } from '../../a-process.ts';
import { noTerminal, onTerminal } from './a-terminal.ts';

const skip = noTerminal;
const QUESTION = 'The edition of 2026-11-23 is not due yet. Send it to 1 person now?';

/** Four listings that are news, a subscriber, and a first edition that is due in three days. */
async function aCityWithNews() {
  const city = aCity();
  await city.ingest(40, '2026-11-18T18:00:00.000Z');
  await city.ingest(44, '2026-11-19T18:00:00.000Z');
  await commandsOf(city)('subscribers', 'add', 'ann@b.example', '--confirmed');
  return { city, mailed: () => globSync(`${city.config.dataFolder}/mail/*`).length };
}

const sendOn = (env: Record<string, string>, args: string, answer: string) =>
  onTerminal(`weekly send --now 2026-11-20T18:00:00Z ${args}`, env, [[QUESTION, `${answer}\n`]]);

test('on a terminal, an early edition is sent only after a yes', { skip }, async () => {
  const { city, mailed } = await aCityWithNews();
  const { env } = city;
  const dry = await sendOn(env, '--dry-run', '');
  assert.deepEqual([dry.code, dry.screen.includes(QUESTION)], [0, false], 'a dry run needs no answer');
  const no = await sendOn(env, '', '');
  assert.ok(no.screen.includes(QUESTION), no.screen);
  assert.deepEqual([no.code, mailed()], [2, 0], no.screen);
  assert.match(no.screen, /nothing was sent/);
  const yes = await sendOn(env, '', '2');
  assert.deepEqual([yes.code, mailed()], [0, 1], yes.screen);
  const again = await sendOn(env, '', '');
  assert.deepEqual([again.code, again.screen.includes(QUESTION), mailed()], [0, false, 1], again.screen);
  const due = await aCityWithNews();
  const { screen } = await onTerminal('weekly send --now 2026-11-24T18:00:00Z', due.city.env, []);
  assert.deepEqual([screen.includes('not due yet'), due.mailed()], [false, 1], screen);
});

test('without a terminal, an early edition is sent at once', async () => {
  const { city, mailed } = await aCityWithNews();
  assert.equal((await commandsOf(city)('weekly', 'send', '--now', '2026-11-20T18:00:00Z')).code, 0);
  assert.equal(mailed(), 1);
});

test('an early send without news or recipients leaves the edition for its scheduled time', async () => {
  const city = aCity();
  const told = async (...args: string[]) => lastJson(await commandsOf(city)(...args, '--json'));
  const send = async (day: number, ...args: string[]) => {
    const sent = await told('weekly', 'send', '--now', `2026-11-${day}T18:00:00Z`, ...args);
    const { outcome, early, total, recipients } = sent;
    return { outcome, early, total, recipients };
  };
  await city.ingest(40, '2026-11-17T18:00:00.000Z');
  await told('subscribers', 'add', 'ann@b.example', '--confirmed');
  const empty = { outcome: 'empty', early: true, total: 0, recipients: 0 };
  assert.deepEqual([await send(18, '--dry-run'), await send(18)], [empty, empty]);
  await city.ingest(44, '2026-11-19T18:00:00.000Z');
  await told('subscribers', 'erase', 'ann@b.example');
  const nobody = { outcome: 'nobody', early: true, total: 4, recipients: 0 };
  assert.deepEqual([await send(20, '--dry-run'), await send(20)], [nobody, nobody]);
  await told('subscribers', 'add', 'ben@b.example', '--confirmed');
  assert.deepEqual(await send(23), { outcome: 'decided', early: false, total: 4, recipients: 1 });
  assert.equal((await send(23)).outcome, 'already');
});

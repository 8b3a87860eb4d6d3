/** `weekly send` before the edition is due, on a real terminal (one that `script` makes): it asks, because an edition is sent once. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aCity, businesses, csvText } from '../../a-city.ts';
import { command } from '../../a-command.ts';
import { noTerminal, onTerminal } from './a-terminal.ts';

const skip = noTerminal;
const QUESTION = 'The edition of 2026-11-23 is not due yet. Send it to 1 person now?';

/** Four listings that are news, a subscriber, and a first edition that is due in three days. */
async function aCityWithNews() {
  const city = aCity();
  for (const [day, count] of [[18, 40] as const, [19, 44] as const])
    await command(
      [
        ...['ingest', '--from', city.file(`${day}.csv`, csvText(businesses(count)))],
        ...['--now', `2026-11-${day}T18:00:00Z`],
      ],
      city.env,
    );
  await command(['subscribers', 'add', 'ann@b.example', '--confirmed'], city.env);
  const mailed = () => {
    const folder = join(city.config.dataFolder, 'mail');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  };
  return { env: city.env, mailed };
}

const sendOn = (env: Record<string, string>, args: string, answer: string) =>
  onTerminal(`weekly send --now 2026-11-20T18:00:00Z ${args}`, env, [[QUESTION, `${answer}\n`]]);

test('on a terminal, an early edition is sent only after a yes', { skip }, async () => {
  const { env, mailed } = await aCityWithNews();
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
});

test('without a terminal, an early edition is sent at once', async () => {
  const { env, mailed } = await aCityWithNews();
  assert.equal((await command(['weekly', 'send', '--now', '2026-11-20T18:00:00Z'], env)).code, 0);
  assert.equal(mailed(), 1);
});

test('an early send without news or recipients leaves the edition for its scheduled time', async () => {
  const city = aCity();
  const told = async (...args: string[]) => JSON.parse((await command([...args, '--json'], city.env)).out);
  const ingest = (day: number, count: number) =>
    told(
      'ingest',
      '--from',
      city.file(`${day}.csv`, csvText(businesses(count))),
      '--now',
      `2026-11-${day}T18:00:00Z`,
    );
  const send = async (day: number, ...args: string[]) => {
    const { outcome, early, total, recipients } = await told(
      ...['weekly', 'send', '--now', `2026-11-${day}T18:00:00Z`, ...args],
    );
    return { outcome, early, total, recipients };
  };
  await ingest(17, 40);
  await told('subscribers', 'add', 'ann@b.example', '--confirmed');
  const empty = { outcome: 'empty', early: true, total: 0, recipients: 0 };
  assert.deepEqual([await send(18, '--dry-run'), await send(18)], [empty, empty]);
  await ingest(19, 44);
  await told('subscribers', 'erase', 'ann@b.example');
  const nobody = { outcome: 'nobody', early: true, total: 4, recipients: 0 };
  assert.deepEqual([await send(20, '--dry-run'), await send(20)], [nobody, nobody]);
  await told('subscribers', 'add', 'ben@b.example', '--confirmed');
  assert.deepEqual(await send(23), { outcome: 'decided', early: false, total: 4, recipients: 1 });
  assert.equal((await send(23)).outcome, 'already');
});

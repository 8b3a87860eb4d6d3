/** `check --fix` on a real terminal (one that `script` makes): it shows each change, and does what is answered. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addDays } from '../../src/listings/day.ts';
import { machineEnv } from '../environment.ts';
import { rowsWith } from '../import/a-register.ts';
import { PATIENCE_MS } from '../patience.ts';
import { aMappedCity, type MappedCity } from './a-mapped-city.ts';

const SCRIPT = '/usr/bin/script';
const ENTRY = fileURLToPath(new URL('../../bin/shingle.mjs', import.meta.url));
const skip = !existsSync(SCRIPT) && process.env.CI === undefined && `needs ${SCRIPT}`;

/** A tenth of other towns, and an earlier day than that of the mapping: two findings that can be mended. */
const aDoubtfulCity = () =>
  aMappedCity(
    rowsWith((i) => ({ TOWN: i < 40 ? 'Farfield' : 'RIVERMOUTH', CREATED: addDays('2001-02-03', 4 * i) })),
  );

/** Runs check --fix on a terminal, types the answers ahead, and returns what was on the screen. */
async function fixOn({ env }: MappedCity, answers: readonly string[]): Promise<string> {
  const command = `'${process.execPath}' '${ENTRY}' check --fix --now 2026-11-20T12:00:00Z`;
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
    env: { ...machineEnv(), ...env, TERM: 'xterm' },
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  child.stdin.write(answers.map((answer) => `${answer}\n`).join(''));
  const [code] = await once(child, 'close');
  assert.equal(code, 3, screen); // one of its findings stays
  return screen;
}

test('yes changes, no leaves, and anything else is asked again', {
  skip,
}, async () => {
  const city = aDoubtfulCity();
  const screen = await fixOn(city, ['perhaps', '1', '2']);
  assert.match(screen, /stop outside-city: 40 openings/);
  assert.match(screen, /\+ town: \{ column: TOWN, keep: \[ RIVERMOUTH \] \}/);
  assert.match(screen, /- filed: \{ column: DAY, format: YYYY-MM-DD \}\s+\+ filed: \{ column: CREATED/);
  assert.match(screen, /Type a number from 1 to 2/);
  const text = city.read('city.yaml');
  assert.match(
    text,
    /\n {4}filed: \{ column: CREATED, format: YYYY-MM-DD \} # not the counter in Farfield\n/,
  );
  assert.doesNotMatch(text, /town:/);
  assert.deepEqual(city.listLostComments(), []);
  assert.match(screen, /Please check\s+stop outside-city: 40 openings/, 'it is checked again');
});

test('no changes nothing, and the question is not asked again', { skip }, async () => {
  const city = aDoubtfulCity();
  const before = city.read('city.yaml');
  const screen = await fixOn(city, ['1', '']);
  assert.equal(city.read('city.yaml'), before);
  assert.match(screen, /Rows and listings to look at: /);
});

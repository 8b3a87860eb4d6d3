/** The program on a real terminal, which `script` makes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { machineEnv } from '../../environment.ts';
import { PATIENCE_MS } from '../../patience.ts';

export const SCRIPT = '/usr/bin/script';
const ENTRY = fileURLToPath(new URL('../../../bin/shingle.mjs', import.meta.url));
export const noTerminal = !existsSync(SCRIPT) && process.env.CI === undefined && `needs ${SCRIPT}`;

/** A text on the screen, and what is typed then. */
export type Step = readonly [says: string, typed: string];

/** Runs a command line and answers its questions. `unasked`: the steps whose text was not on the screen. */
export async function onTerminal(args: string, env: Record<string, string>, steps: readonly Step[]) {
  const line = `stty cols 200 rows 60; '${process.execPath}' '${ENTRY}' ${args}`;
  const child = spawn(SCRIPT, ['-qec', line, '/dev/null'], {
    env: { ...machineEnv(), ...env, TERM: 'dumb' },
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let screen = '';
  let from = 0;
  const unasked = [...steps];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text);
    const [next] = unasked;
    const at = next === undefined ? -1 : screen.indexOf(next[0], from);
    if (at < 0) return;
    from = at + next![0].length;
    unasked.shift();
    child.stdin.write(next![1]);
  });
  const [code] = await once(child, 'close');
  return { code, screen, unasked };
}

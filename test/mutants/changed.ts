/** Which lines of src a change touched. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './scratch.ts';

/** Files of src and the lines in them. */
export type Lines = Map<string, Set<number>>;

/** The lines that differ from a commit, in the working tree as it is. */
export function changedLines(base = defaultBase()): Lines {
  const lines = linesOfDiff(git('diff', '--unified=0', '--no-ext-diff', '--no-color', base, '--', 'src'));
  for (const file of git('ls-files', '-o', '--exclude-standard', '--', 'src').split('\n')) {
    if (!file.endsWith('.ts')) continue;
    const { length } = readFileSync(join(ROOT, file), 'utf8').split('\n');
    lines.set(file, new Set(Array.from({ length }, (_, index) => index + 1)));
  }
  return lines;
}

/** Reads what `git diff --unified=0` prints. */
export function linesOfDiff(diff: string): Lines {
  const lines: Lines = new Map();
  let current = new Set<number>();
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.+\.ts)$/.exec(line)?.[1];
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (line.startsWith('+++ ')) current = new Set();
    if (file !== undefined) lines.set(file, current);
    if (hunk !== null) for (let at = 0; at < Number(hunk[2] ?? 1); at++) current.add(Number(hunk[1]) + at);
  }
  return lines;
}

/** Where this branch left main; the commit before, on main itself. */
function defaultBase(): string {
  const fork = ['main', 'origin/main'].map((name) => attempt('merge-base', name, 'HEAD')).find(Boolean);
  return fork === undefined || fork === git('rev-parse', 'HEAD').trim() ? 'HEAD~1' : fork;
}

function attempt(...args: string[]): string | undefined {
  try {
    return git(...args).trim();
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

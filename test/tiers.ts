/** Which test files belong to which tier, and which of them can share a process. */

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * `quick` is `npm test`; `all` adds what continuous integration needs: real registers, the package, other versions of Node, the commands of
 * the docs; `long` has load, damage and kills, restarts behind the shipped proxies, ingests that hang, copying with the filings of Long
 * Beach, drafts and first imports of whole registers, other versions of PostgreSQL, and the random courses of both at full length: an hour.
 */
export const TIERS = ['quick', 'all', 'long'] as const;
export type Tier = (typeof TIERS)[number];

/** The test files of a tier, as paths from the root of the checkout. `all` is without those of `quick`. */
export function filesOf(tier: Tier): string[] {
  const quick = globSync('test/**/*.test.ts', { cwd: ROOT });
  if (tier === 'quick') return quick.toSorted();
  if (tier === 'all') return globSync('test/**/*.all.ts', { cwd: ROOT }).toSorted();
  const deeper = [...quick, ...filesOf('all')].filter((file) => helpersOf(file).has('test/depth.ts'));
  return [...globSync('test/**/*.long.ts', { cwd: ROOT }), ...deeper].toSorted();
}

/** The test files that a path names: a file, or those of a tier below a folder; none if there is none. `quick` includes `all`. */
export function filesNamed(path: string, tier: Tier): string[] {
  const name = nameOf(path);
  if (!existsSync(join(ROOT, name))) return [];
  if (!statSync(join(ROOT, name)).isDirectory()) return [name];
  const files = tier === 'long' ? filesOf('long') : [...filesOf('quick'), ...filesOf('all')];
  return files.filter((file) => file.startsWith(`${name}/`));
}

/** What runs a folder's tests of other tiers, such as "npm run test:long: test/long/history.long.ts". */
export function listLeftOut(path: string, tier: Tier): string[] {
  return ['long', 'deploy'].flatMap((other) => {
    const files = other === tier ? [] : globSync(`${nameOf(path)}/**/*.${other}.ts`, { cwd: ROOT });
    return files.length === 0 ? [] : [`npm run test:${other}: ${files.toSorted().join(', ')}`];
  });
}

const nameOf = (path: string): string => normalize(path).replace(/\/$/, '');

/** What no test does that shares its process: start programs and threads, measure this process, change what all of it sees. */
const NEEDS_A_PROCESS =
  /node:child_process|node:worker_threads|node:inspector|playwright-core|installProbe\(|process\.(env\.\w+ = |env,|chdir|once|on\('(?!exit')|memoryUsage|cpuUsage|kill)|\bmock\b|cpuMs|global\.gc|\.threadCpuUsage|^(before|after)Each\(|^\(MIGRATIONS|^process\.(?!on\('exit')/m;
const ENDS_ONCE = /^after\(/m; // in a helper: after the first file that imports it
const ENDS_LAST = 'test/at-end.ts'; // each shared process imports it first

/** They start programs, or run commands one after another, and put back the environment and the folder; one server has all databases. */
const RUNS_COMMANDS = [
  ...['test/a-command.ts', 'test/a-process.ts', 'test/app/cli/a-terminal.ts'],
  'test/service/database/a-postgres.ts',
];

export const sharesProcess = (file: string): boolean =>
  [...helpersOf(file)].every((one) => leavesNoTrace(one, file));

/** Whether a file shares a process with others that run commands, but not a slow one, which has a processor to itself. */
export const sharesCommands = (file: string): boolean =>
  file.endsWith('.test.ts') &&
  !sharesProcess(file) &&
  [...helpersOf(file)].every((one) => RUNS_COMMANDS.includes(one) || leavesNoTrace(one, file));

function leavesNoTrace(one: string, file: string): boolean {
  const text = textOf(one);
  return !NEEDS_A_PROCESS.test(text) && (one === file || one === ENDS_LAST || !ENDS_ONCE.test(text));
}

/** These share a process of their own: one browser starts for all of them, and the sample is read once. */
export const needsBrowser = (file: string): boolean =>
  ['test/page/a-browser.ts', 'test/page/a-sample.ts'].some((helper) => helpersOf(file).has(helper));

export const needsPostgres = (file: string): boolean =>
  helpersOf(file).has('test/service/database/a-postgres.ts');

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The file, and all files of the tests that it imports. */
function helpersOf(file: string, found = new Set<string>()): Set<string> {
  found.add(file);
  for (const [, path] of textOf(file).matchAll(/^(?:import|\}).* '(\.[^']+\.ts)'/gm)) {
    const helper = normalize(join(dirname(file), path!));
    if (helper.startsWith('test/') && !found.has(helper) && existsSync(join(ROOT, helper)))
      helpersOf(helper, found);
  }
  return found;
}

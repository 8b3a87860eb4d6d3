/**
 * Runs the tests: `node bin/node.mjs test/run.ts quick|all|long [FILE...] [OPTION OF THE TEST RUNNER...]`. With files or folders, just those.
 * `TEST_PASSED=quick` leaves out of `all` what `npm test` has run before, as on continuous integration.
 */

import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { launch } from '../bin/launch.mjs';
import { noPostgres } from './service/database/a-postgres.ts';
import {
  filesNamed,
  filesOf,
  listLeftOut,
  needsBrowser,
  needsPostgres,
  ROOT,
  sharesCommands,
  sharesProcess,
  TIERS,
  type Tier,
} from './tiers.ts';

const SHARED = join(ROOT, 'node_modules/.cache/tests');
const HOUR_MS = 3_600_000; // guards against hanging; what hangs without working is ended sooner, by the watchdog
const processors = availableParallelism(); // of the machine, or of a limit on this process

/** Files at a time: one more than there are processors, since many tests wait, but not on a single one. More only takes longer. */
const concurrencyOf = (tier: Tier): number => (tier === 'long' || processors === 1 ? 1 : processors + 1);

/**
 * The files that a path names, and a line for those below it that only another command runs. Ends with a sentence if there are none to run:
 * the test runner would then run all.
 */
function filesToRun(path: string, tier: Tier): string[] {
  const files = filesNamed(path, tier);
  for (const other of listLeftOut(path, tier)) process.stdout.write(`left to ${other}\n`);
  if (files.length > 0) return files;
  process.stderr.write(`${path} names no test file that this command runs\n`);
  process.exit(1);
}

function chooseFiles(tier: Tier, named: readonly string[]): string[] {
  if (named.length > 0) return named.flatMap((path) => filesToRun(path, tier));
  if (tier === 'all' && process.env.TEST_PASSED !== 'quick') return [...filesOf('quick'), ...filesOf('all')];
  return filesOf(tier);
}

/**
 * Files that can share a process do: one for those with a browser, and for each processor of the machine, one for those that run commands
 * and one for those that do not. The long tests run one after the other, each in a process of its own.
 */
function shareProcesses(files: readonly string[]): string[] {
  const shared = [
    ...partsOf(files.filter(needsBrowser), 1),
    ...partsOf(files.filter(sharesCommands), processors),
    ...partsOf(files.filter(sharesProcess), processors),
  ];
  mkdirSync(SHARED, { recursive: true });
  const paths = shared.map((part) => {
    const text = `import { runInOneProcess } from '${ROOT}test/in-one-process.ts';\nrunInOneProcess(${JSON.stringify(part)});\n`;
    const path = join(SHARED, `${hash('sha256', text).slice(0, 8)}.mjs`); // runs at the same time do not meet
    writeFileSync(path, text);
    return path;
  });
  return [...paths, ...files.filter((file) => !shared.flat().includes(file))];
}

function partsOf(files: readonly string[], count: number): string[][] {
  if (files.length < 2) return [];
  return Array.from({ length: Math.min(count, files.length) }, (_, at) =>
    files.filter((_file, i) => i % count === at),
  );
}

function argumentsFor(tier: Tier, files: readonly string[], options: readonly string[]): string[] {
  const count = concurrencyOf(tier);
  const paths = tier === 'long' ? files : shareProcesses(files);
  process.env.TEST_FILE_COUNT = String(paths.length);
  return [
    ...['--import', './test/before-all.ts', '--test', '--test-reporter=./test/reporter.ts'],
    ...[`--test-timeout=${HOUR_MS}`, `--test-concurrency=${count}`, ...options],
    ...(files.some(needsPostgres) ? ['--test-global-setup=./test/service/database/shared-postgres.ts'] : []),
    ...paths,
  ];
}

/** The random courses of the long tests differ from run to run. */
function goDeep(): void {
  process.env.TEST_DEPTH = 'full';
  process.env.TEST_SEED ??= String(Math.floor(Math.random() * 1e9));
  process.stdout.write(`seed ${process.env.TEST_SEED}; to repeat this run, set TEST_SEED to it\n`);
}

/** Without PostgreSQL or a browser there is still much to test: what is left out is said first. */
function withoutMissing(files: readonly string[]): string[] {
  const left = noPostgres === false ? [...files] : files.filter((file) => !needsPostgres(file));
  if (left.length < files.length)
    process.stdout.write(`${files.length - left.length} test files are skipped: ${noPostgres}\n`);
  return left;
}

const [tier = '', ...given] = process.argv.slice(2);
if (!TIERS.includes(tier as Tier)) throw new Error(`use one of ${TIERS.join(', ')}`);
const named = given.filter((word) => !word.startsWith('-'));
const options = given.filter((word) => word.startsWith('-'));
if (tier === 'long') goDeep();
const args = argumentsFor(tier as Tier, withoutMissing(chooseFiles(tier as Tier, named)), options);
process.chdir(ROOT);
launch(args);

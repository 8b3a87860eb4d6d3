/**
 * Runs the tests: `node bin/node.mjs test/run.ts quick|all|long [FILE...] [OPTION OF THE TEST RUNNER...]`. With files or folders, just those.
 * `TEST_PASSED=quick` leaves out of `all` what `npm test` has run before, as on continuous integration.
 */

import { availableParallelism } from 'node:os';
import { launch } from '../bin/launch.mjs';
import { noPostgres } from './database/a-postgres.ts';
import { filesNamed, filesOf, needsPostgres, ROOT, sharesProcess, TIERS, type Tier } from './tiers.ts';

const HOUR_MS = 3_600_000; // guards against hanging; what hangs without working is ended sooner, by the watchdog
/** Files at a time. More than the processors of the machine, or of a limit on this process, make a load that only takes longer. */
const concurrencyOf = (tier: Tier): number => (tier === 'long' ? 1 : availableParallelism());

function chooseFiles(tier: Tier, named: readonly string[]): string[] {
  if (named.length > 0) return named.flatMap(filesNamed);
  if (tier === 'all' && process.env.TEST_PASSED !== 'quick') return [...filesOf('quick'), ...filesOf('all')];
  return filesOf(tier);
}

/** Of several files that can share a process, all do. The long tests run one after the other, each in a process of its own. */
function argumentsFor(tier: Tier, files: readonly string[], options: readonly string[]): string[] {
  const sharing = tier === 'long' ? [] : files.filter(sharesProcess);
  const shared = sharing.length > 1 ? sharing : [];
  process.env.TEST_FILES = shared.join(' ');
  process.env.TEST_FILE_COUNT = String(files.length - shared.length + Math.min(1, shared.length));
  return [
    ...['--import', './test/before-all.ts', '--test', '--test-reporter=./test/reporter.ts'],
    ...[`--test-timeout=${HOUR_MS}`, `--test-concurrency=${concurrencyOf(tier)}`, ...options],
    ...(files.some(needsPostgres) ? ['--test-global-setup=./test/database/shared-postgres.ts'] : []),
    ...(shared.length > 0 ? ['test/in-one-process.ts'] : []),
    ...files.filter((file) => !shared.includes(file)),
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

/**
 * Which test files reach which functions of src. Each function of a scratch copy writes its number to a file when it
 * is first called. That also works in processes that tests start with a clean environment and kill, and in threads;
 * V8's own coverage is lost with a killed process.
 */

import { createHash } from 'node:crypto';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTestFile } from './run-file.ts';
import { ROOT, type Scratch } from './scratch.ts';
import { applyEdits, type Edit, isFunction, MODULE, type Program, readProgram, visit } from './syntax.ts';

/** What is known of one test file. */
export type Reach = {
  test: string;
  passes: boolean;
  durationMs: number;
  /** Where the functions start that it reaches, for each file of src. */
  reached: Record<string, number[]>;
};

type Cached = Reach & { hash: string };
type Numbered = { file: string; start: number };

const CACHE = join(ROOT, 'node_modules/.cache/mutants.json');
const LONGEST_MS = 240_000;
const OPENS_A_BROWSER = /\/a-browser\.ts'/;
/** Scripts of the page: they run in a browser, which serves no module that records. */
const BROWSER_FOLDER = 'src/web/pages/assets/';
/** The test files that are tried on a mutant: those of `npm test` and of `npm run test:all`. */
export const TEST_FILES = 'test/**/*.{test,all}.ts';

/** Looks at each test file once; again when it, what helps it, or a file of src that it loads has changed. */
export async function measureReach(
  lanes: readonly Scratch[],
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Reach[]> {
  const tests = globSync(TEST_FILES, { cwd: ROOT }).toSorted();
  const known = new Map(readCache().map((one) => [one.test, one]));
  const helpers = helpersHash();
  const stale = tests.filter((test) => known.get(test)?.hash !== hashOf(helpers, test, known.get(test)));
  if (stale.length > 0) say(`looking which functions ${stale.length} test files reach`);
  const queue = [...stale];
  await Promise.all(
    lanes.map(async (scratch) => {
      const numbered = instrumentTree(scratch);
      for (let test = queue.shift(); test !== undefined && !signal.aborted; test = queue.shift()) {
        const reach = await measureFile(scratch, test, numbered, signal);
        if (signal.aborted) break;
        known.set(test, { ...reach, hash: hashOf(helpers, test, reach) });
        writeCache(tests.flatMap((one) => known.get(one) ?? []));
      }
      restoreTree(scratch);
    }),
  );
  return tests.flatMap((test) => known.get(test) ?? []);
}

/** A test that fails because functions are numbered is tried again in a plain copy. */
async function measureFile(
  scratch: Scratch,
  test: string,
  numbered: readonly Numbered[],
  signal: AbortSignal,
): Promise<Reach> {
  const options = { limitMs: LONGEST_MS, stopEarly: false, signal };
  const log = join(scratch.folder, 'reached');
  writeFileSync(log, '');
  chmodSync(log, 0o666);
  const first = await runTestFile(scratch, test, options);
  const reached: Record<string, number[]> = {};
  for (const line of new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))) {
    const { file, start } = numbered[Number(line)]!;
    reached[file] = [...(reached[file] ?? []), start];
  }
  Object.assign(reached, browserReach(test));
  if (first.outcome === 'passed' || signal.aborted)
    return { test, passes: true, durationMs: first.durationMs, reached };
  restoreTree(scratch);
  const { outcome, durationMs } = await runTestFile(scratch, test, options);
  instrumentTree(scratch);
  return { test, passes: outcome === 'passed', durationMs, reached };
}

/** A script that runs in a browser cannot write: every test file that opens one reaches all of it. */
export function browserReach(test: string): Record<string, number[]> {
  if (!OPENS_A_BROWSER.test(readFileSync(join(ROOT, test), 'utf8'))) return {};
  const files = globSync(`${BROWSER_FOLDER}**/*.ts`, { cwd: ROOT });
  return Object.fromEntries(files.map((file) => [file, functionsIn(file)]));
}

const functionsIn = (file: string): number[] => startsIn(readProgram(readFileSync(join(ROOT, file), 'utf8')));

function startsIn({ root }: Program): number[] {
  const starts: number[] = [MODULE];
  visit(root, (node) => void (isFunction(node) && starts.push(node.start)));
  return starts;
}

/** Lets each function of the copy's src say that it was called; returns which numbers they have. */
export function instrumentTree(scratch: Pick<Scratch, 'folder' | 'sources' | 'write'>): Numbered[] {
  const numbered: Numbered[] = [];
  const recorder = join(scratch.folder, 'reach.mjs');
  writeFileSync(recorder, recorderFor(join(scratch.folder, 'reached')));
  for (const [file, text] of scratch.sources) {
    if (file.startsWith(BROWSER_FOLDER)) continue;
    const program = readProgram(text);
    const number = (start: number): number => numbered.push({ file, start }) - 1;
    const head = { start: 0, end: 0, text: `import{__reach}from'${recorder}';__reach(${number(MODULE)});` };
    scratch.write(file, applyEdits(program.text, [head, ...recordingEdits(program, number)]));
  }
  return numbered;
}

function restoreTree(scratch: Scratch): void {
  for (const [file, text] of scratch.sources) scratch.write(file, text);
}

export function recordingEdits({ bare, root }: Program, number: (start: number) => number): Edit[] {
  const edits: Edit[] = [];
  visit(root, (node) => {
    if (!isFunction(node) || node.body == null) return;
    const call = `__reach(${number(node.start)})`;
    const { start } = node.body;
    if (node.body.type === 'BlockStatement') {
      edits.push({ start: start + 1, end: start + 1, text: `${call};` });
      return;
    }
    const from = bare.lastIndexOf('=>', start) + 2;
    edits.push({ start: from, end: from, text: `(${call},` }, { start: node.end, end: node.end, text: ')' });
  });
  return edits;
}

const recorderFor = (log: string): string => `
  import { appendFileSync } from 'node:fs';
  const seen = new Set();
  export function __reach(number) {
    if (seen.has(number)) return;
    seen.add(number);
    try { appendFileSync(${JSON.stringify(log)}, number + '\\n'); } catch {}
  }`;

/** What all tests build on: helpers, cities, the packages. */
function helpersHash(): string {
  const names = globSync(['test/**/*.ts', 'cities/**/*.ts', 'package-lock.json'], { cwd: ROOT });
  return hashFiles(names.filter((name) => !/\.(test|all|long|deploy)\.ts$|^test\/mutants\//.test(name)));
}

function hashOf(helpers: string, test: string, reach: Reach | undefined): string {
  return `${helpers} ${hashFiles([test, ...Object.keys(reach?.reached ?? {})])}`;
}

function hashFiles(names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of names.toSorted()) {
    const path = join(ROOT, name);
    hash.update(`${name}\0`).update(readIfThere(path)).update('\0');
  }
  return hash.digest('base64url');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readCache(): Cached[] {
  return JSON.parse(readIfThere(CACHE) || '[]') as Cached[];
}

function writeCache(all: readonly Cached[]): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(all));
}

/** `npm run test:mutants`: plants small faults in src and looks which of them the tests notice. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedLines, type Lines } from './changed.ts';
import { measureReach, type Reach } from './coverage.ts';
import { stringUnions } from './operators.ts';
import { orderTests } from './order.ts';
import { countVerdicts, lineFor, summaryOf } from './report.ts';
import { makeScratch, ROOT, type Scratch } from './scratch.ts';
import { type Mutant, pickMutants, type Site, sitesIn } from './sites.ts';
import { tryMutant, type Verdict } from './try-mutant.ts';

const HELP = `npm run test:mutants -- [FILE...]

Plants small faults in the lines of src that a change touched, or in these files, and says which the tests notice.

  --all            in all of src
  --base REV       what a change is compared with (default: where this branch left main, else HEAD~1)
  --without FILE   not in this file or folder; may be given more than once
  --count N        how many faults (default 20)
  --seed S         which faults (default 1)
  --patience S     no test file is started for a fault after this many seconds (default 240)
  --lanes N        how many faults are tried at a time (default 2)
  --list           only prints the faults
  --json           prints one JSON value as the last line
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    base: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    patience: { type: 'string', default: '240' },
    lanes: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const texts = new Map<string, string>();
const aborter = new AbortController();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The sites in what was asked for. */
function findSites(): Site[] {
  const every = globSync('src/**/*.ts', { cwd: ROOT }).toSorted();
  const unions = every.flatMap((file) => stringUnions(textOf(file)));
  const lines: Lines | undefined =
    values.all || positionals.length > 0 ? undefined : changedLines(values.base);
  const isAskedFor = (file: string) =>
    values.all || (lines?.has(file) ?? positionals.some((name) => isUnder(file, name)));
  return every
    .filter((file) => isAskedFor(file) && !values.without.some((name) => isUnder(file, name)))
    .flatMap((file) => sitesIn(file, textOf(file), unions))
    .filter(({ file, line }) => lines?.get(file)?.has(line) ?? true);
}

const isUnder = (file: string, name: string): boolean =>
  file === name || file.startsWith(`${name.replace(/\/$/, '')}/`);

async function tryAll(
  mutants: readonly Mutant[],
  lanes: readonly Scratch[],
  reaches: readonly Reach[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = [...mutants];
  const options = { patienceMs: 1000 * Number(values.patience), signal: aborter.signal };
  await Promise.all(
    lanes.map(async (scratch) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const verdict = await tryMutant(scratch, mutant, orderTests(mutant, reaches, textOf), options);
        if (aborter.signal.aborted) return;
        verdicts.push(verdict);
        say(`${verdicts.length}/${mutants.length}  ${lineFor(verdict, textOf)}`);
      }
    }),
  );
  return verdicts;
}

function reportAll(verdicts: readonly Verdict[], reaches: readonly Reach[]): void {
  for (const line of summaryOf(verdicts, textOf)) say(line);
  const failing = reaches.filter(({ passes }) => !passes).map(({ test }) => test);
  if (failing.length > 0) say(`\nnot used, because they fail without a fault: ${failing.join(', ')}`);
  if (values.json)
    say(JSON.stringify({ seed: Number(values.seed), ...countVerdicts(verdicts), failing, verdicts }));
}

async function main(): Promise<void> {
  if (values.help) return say(HELP);
  const sites = findSites();
  const chosen = { count: Number(values.count), seed: Number(values.seed) };
  const mutants = pickMutants(sites, textOf, chosen);
  say(`${mutants.length} faults of ${sites.length} places, seed ${values.seed}`);
  if (values.list) {
    for (const { file, line, edit } of mutants)
      say(`${file}:${line}  ${textOf(file).slice(edit.start, edit.end)} -> ${edit.text}`);
    return;
  }
  if (mutants.length === 0) return;
  const lanes = Array.from({ length: Number(values.lanes) }, makeScratch);
  process.on('exit', () => {
    for (const scratch of lanes) scratch.remove();
  });
  const reaches = await measureReach(lanes, aborter.signal, say);
  const verdicts = await tryAll(mutants, lanes, reaches);
  if (aborter.signal.aborted) return;
  reportAll(verdicts, reaches);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    process.exitCode = 130;
    aborter.abort();
  });
try {
  await main();
} catch (error) {
  process.stderr.write(`cannot run: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
